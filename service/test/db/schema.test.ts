/** The schema in the repository is that of the migrations. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { describeSchema } from "../../../tools/reference/describe-schema.ts";
import { testDatabase } from "../harness/database.ts";

test("schema.sql is what the migrations make", async () => {
  const { database } = await testDatabase();
  const dumped = readFileSync(join(import.meta.dirname, "../../src/db/schema.sql"), "utf8");
  assert.equal(await describeSchema(database), dumped, "`npm run docs` writes it anew");
});
