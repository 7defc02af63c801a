/** docs/reference/api.md#source. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestService } from "../harness/service.ts";

const service = await startTestService();

test("a source has title, url, summary, site and publishedAt, and no other member", async () => {
  const account = await service.account();
  const { sources } = await account.answerTo("sources=5");
  assert.equal(sources.length, 5);
  for (const source of sources) {
    assert.deepEqual(Object.keys(source).sort(), ["publishedAt", "site", "summary", "title", "url"]);
    assert.ok(URL.canParse(source.url));
    assert.notEqual(source.site, "");
  }
});

test("sources come in the order of their first citation, each once", async () => {
  const account = await service.account();
  const { sources } = await account.answerTo("sources=20");
  assert.equal(new Set(sources.map((source) => source.url)).size, 20);
});

test("sources are empty before completion", async () => {
  const account = await service.account();
  const taskId = await account.ask("sources=5", { notBefore: "2999-01-01T00:00:00Z" });
  assert.deepEqual((await account.task(taskId)).sources, []);
});
