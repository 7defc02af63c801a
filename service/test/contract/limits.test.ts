/** docs/reference/configuration.md#environment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { item, refused, startTestService } from "../harness/service.ts";

const service = await startTestService();
const brief = await startTestService({ environment: { QUERENT_RETENTION_DAYS: "0.5" } });

test("results are kept 7 days by default", async () => {
  const account = await service.account();
  const { expiresAt, completedAt, expired } = await account.answerTo("Why?");
  assert.equal(Date.parse(expiresAt ?? "") - Date.parse(completedAt ?? ""), 7 * 86_400_000);
  assert.equal(expired, false);
});

test("the operator may keep results for another time", async () => {
  const account = await brief.account();
  const { expiresAt, completedAt } = await account.answerTo("Why?");
  assert.equal(Date.parse(expiresAt ?? "") - Date.parse(completedAt ?? ""), 43_200_000);
});

test("a body of just 16 MiB is read, and one byte more is not", async () => {
  const account = await service.account();
  const full = Buffer.alloc(16 * 1024 * 1024, " ");
  full.write(JSON.stringify([item()]));
  assert.equal((await account.post(full)).status, 202);
  refused(await account.post(Buffer.concat([full, Buffer.from(" ")])), "payload_too_large");
});

test("an idempotency key is remembered as long as results are", async () => {
  const account = await service.account();
  const first = await account.submit([item()], "old");
  await service.database.query(
    "update idempotency_keys set created_at = now() - interval '6 days 23 hours' where key = 'old'",
  );
  assert.equal((await account.submit([item()], "old")).batchId, first.batchId);
});
