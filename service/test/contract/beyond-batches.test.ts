/** Beyond the specification: batches. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BatchCancellation, BatchRecord, TaskRecord } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { item, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService();
const later = { notBefore: "2999-01-01T00:00:00Z" };
const batchOf = async (account: TestAccount, batchId: string) =>
  (await account.get<BatchRecord>(`/v1/batches/${batchId}`)).body;
const finished = (account: TestAccount, batchId: string, ended: number) =>
  until("the batch's tasks to end", async () => {
    const batch = await batchOf(account, batchId);
    return batch.taskCount - batch.counts.pending === ended ? batch : null;
  });

test("a batch tells counts by state, points and progress", async () => {
  const account = await service.account();
  const { batchId, createdAt } = await account.submit([
    item(),
    item("fail=platform_auth"),
    item("Later?", later),
    item(),
  ]);
  const batch = await finished(account, batchId, 3);
  assert.deepEqual(batch.counts, { pending: 1, completed: 2, failed: 1, canceled: 0 });
  assert.deepEqual(batch.points, { estimated: 4, charged: 2, released: 1 });
  assert.equal(batch.progress, 0.75);
  assert.equal(batch.state, "pending");
  assert.equal(batch.createdAt, createdAt);
  assert.equal(batch.finishedAt, null);
  assert.notEqual(batch.etaAt, null);
});

test("a batch is finished once every task has ended", async () => {
  const account = await service.account();
  const { batchId } = await account.submit([item(), item()]);
  const batch = await finished(account, batchId, 2);
  assert.equal(batch.state, "finished");
  assert.equal(batch.progress, 1);
  assert.notEqual(batch.finishedAt, null);
  assert.equal(batch.etaAt, null);
});

test("a cancellation cancels what has not ended and leaves the rest, and may be repeated", async () => {
  const account = await service.account();
  const { batchId } = await account.submit([item(), item("Later?", later), item("delay=30m")]);
  await finished(account, batchId, 1);
  const cancel = () => account.call<BatchCancellation>("POST", `/v1/batches/${batchId}/cancellation`);
  assert.deepEqual((await cancel()).body, { batchId, canceledCount: 2 });
  assert.deepEqual((await cancel()).body, { batchId, canceledCount: 0 });
  const batch = await batchOf(account, batchId);
  assert.deepEqual(batch.counts, { pending: 0, completed: 1, failed: 0, canceled: 2 });
  assert.deepEqual(batch.points, { estimated: 3, charged: 1, released: 2 });
});

test("results come as NDJSON in the order of the submission, each line the task's record, pending ones too", async () => {
  const account = await service.account();
  const list = Array.from({ length: 60 }, (_, index) => item(`cards=video ${index}?`));
  const { batchId, tasks } = await account.submit([...list, item("Later?", later)]);
  await finished(account, batchId, 60);
  const answer = await account.get(`/v1/batches/${batchId}/results`);
  assert.equal(answer.headers["content-type"], "application/x-ndjson");
  const records = answer.text.trimEnd().split("\n").map((line) => JSON.parse(line) as TaskRecord); // prettier-ignore
  assert.deepEqual(
    records.map((record) => record.taskId),
    tasks.map((task) => task.taskId),
  );
  assert.equal(records.at(-1)?.state, "pending");
  assert.deepEqual(records[0], await account.task(tasks[0]?.taskId ?? ""));
});

test("results come as CSV with a header on Accept: text/csv, and no cell is a formula", async () => {
  const account = await service.account();
  const { batchId, tasks } = await account.submit([
    item('=HYPERLINK("x")', { clientReference: "+1" }),
    item('a\nb,"c"'),
  ]);
  await finished(account, batchId, 2);
  const answer = await account.get(`/v1/batches/${batchId}/results`, { accept: "text/csv" });
  assert.match(answer.headers["content-type"] ?? "", /^text\/csv; charset=utf-8/);
  assert.match(answer.text, /^taskId,clientReference,platformCode,question,state,content,/);
  assert.ok(answer.text.includes(`${tasks[0]?.taskId},'+1,simulator,"'=HYPERLINK(""x"")",completed,`));
  assert.ok(answer.text.includes('"a\nb,""c"""'));
});

test("404 not_found: an unknown batch, and a malformed id", async () => {
  const account = await service.account();
  for (const id of [newId(), "x", "%00"]) {
    refused(await account.get(`/v1/batches/${id}`), "not_found");
    refused(await account.get(`/v1/batches/${id}/results`), "not_found");
    refused(await account.call("POST", `/v1/batches/${id}/cancellation`), "not_found");
  }
});

test("405 method_not_allowed", async () => {
  const account = await service.account();
  refused(await account.call("DELETE", `/v1/batches/${newId()}`), "method_not_allowed");
  refused(await account.call("PUT", `/v1/batches/${newId()}/results`), "method_not_allowed");
});
