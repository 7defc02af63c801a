/** docs/reference/api.md#the-api. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api } from "@querent/contract";
import { refused, startTestService } from "../harness/service.ts";

const service = await startTestService();

test("paths carry the major version prefix /v1, save those of the service itself and of what people open", () => {
  const own = api.operations.filter(({ path }) => !path.startsWith("/v1/")).map(({ path }) => path);
  assert.deepEqual(own.sort(), [
    "/.well-known/querent-evidence-keys",
    "/f/{token}",
    "/fonts/{file}",
    "/healthz",
    "/llms.txt",
    "/metrics",
    "/openapi.json",
    "/r/{token}",
    "/r/{token}",
    "/readyz",
    "/s/{token}",
    "/screenshots/{token}",
    "/unsubscribe/{token}",
    "/unsubscribe/{token}",
  ]);
});

test("there is no other version, and none without the prefix", async () => {
  const account = await service.account();
  for (const path of ["/v2/tasks", "/v0/tasks", "/tasks", "/V1/tasks"]) refused(await account.get(path), "not_found");
});

test("the task record carries an integer revision: 0 before the end, 1 at the first end", async () => {
  const account = await service.account();
  const pending = await account.task(await account.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" }));
  assert.equal(pending.revision, 0);
  assert.equal((await account.answerTo("Why?")).revision, 1);
});
