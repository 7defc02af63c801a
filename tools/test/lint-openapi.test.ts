import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { lintOpenapi } from "../lint-openapi.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/reference/openapi.json"), "utf8");

test("the published OpenAPI document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(text);
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(validator.version, "3.1");
});

test("a linter has nothing to say of it, and would", async () => {
  assert.deepEqual(await lintOpenapi(text), []);
  assert.notDeepEqual(await lintOpenapi(text.replaceAll('"operationId"', '"x-id"')), []);
});
