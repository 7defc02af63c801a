/** docs/reference/api.md#batches. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BatchCancellation, BatchPage, BatchRecord, TaskRecord } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, item, refused, startTestService, type TestAccount } from "../harness/service.ts";
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

const list = async (account: TestAccount, query = "") => {
  const answer = await account.get<BatchPage>(`/v1/batches${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

test("batches are listed newest first, each as it would be read alone, with its first question and its platforms", async () => {
  const account = await service.account();
  const older = await account.submit([
    item("First?"),
    item("Second?", { platformCode: "sample" }),
    item("fail=platform_auth"),
  ]);
  const newer = await account.submit([item("x".repeat(300), later)]);
  await finished(account, older.batchId, 3);
  const { batches, nextCursor } = await list(account);
  assert.equal(nextCursor, null);
  assert.deepEqual(
    batches.map(({ batchId, firstQuestion, platformCodes, state, counts }) => ({
      batchId,
      firstQuestion,
      platformCodes,
      state,
      counts,
    })),
    [
      {
        batchId: newer.batchId,
        firstQuestion: "x".repeat(200),
        platformCodes: ["simulator"],
        state: "pending",
        counts: { pending: 1, completed: 0, failed: 0, canceled: 0 },
      },
      {
        batchId: older.batchId,
        firstQuestion: "First?",
        platformCodes: ["sample", "simulator"],
        state: "finished",
        counts: { pending: 0, completed: 2, failed: 1, canceled: 0 },
      },
    ],
  );
  assert.deepEqual(batches[1], await batchOf(account, older.batchId));
});

test("the list of batches has none of another account's", async () => {
  const [mine, theirs] = [await service.account(), await service.account()];
  const { batchId } = await theirs.submit([item()]);
  assert.deepEqual(await list(mine), { batches: [], nextCursor: null });
  const cursor = Buffer.from(batchId.replace(/^./, "f")).toString("base64url");
  assert.deepEqual((await list(mine, `?cursor=${cursor}`)).batches, []);
});

test("the cursor goes through all batches, each once, also while batches are added", async () => {
  const account = await service.account();
  const made: string[] = [];
  for (let n = 0; n < 7; n++) made.push((await account.submit([item(`${n}?`, later)])).batchId);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: BatchPage = await list(account, `?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`);
    assert.ok(page.batches.length <= 3);
    seen.push(...page.batches.map(({ batchId }) => batchId));
    cursor = page.nextCursor;
    await account.submit([item("Added?", later)]);
  }
  assert.deepEqual(seen, made.toReversed());
});

test("batches are filtered by a range of creation times, its start included and its end not, to less than a millisecond", async () => {
  const account = await service.account();
  const { createdAt, batchId } = await account.submit([item()]);
  const ids = async (query: string) => (await list(account, query)).batches.map((batch) => batch.batchId);
  const finer = (digits: string) => createdAt.replace("Z", `${digits}Z`);
  assert.deepEqual(await ids(`?createdFrom=${createdAt}`), [batchId]);
  assert.deepEqual(await ids(`?createdFrom=${finer("000")}`), [batchId]);
  assert.deepEqual(await ids(`?createdFrom=${finer("001")}`), []);
  assert.deepEqual(await ids(`?createdBefore=${createdAt}`), []);
  assert.deepEqual(await ids(`?createdBefore=${finer("001")}`), [batchId]);
  assert.deepEqual(await ids("?createdFrom=0001-01-01T00:00:00Z&createdBefore=9999-12-31T23:59:59Z"), [batchId]);
});

test("422: filters of batches that are not known or have no such value are refused", async () => {
  const account = await service.account();
  invalidAt(await account.get("/v1/batches?state=pending&limit=201&createdFrom=%00&cursor="), {
    "?state": "unknown_field",
    "?limit": "out_of_range",
    "?createdFrom": "malformed",
    "?cursor": "too_short",
  });
  for (const cursor of ["x", "%F0%9F%92%A9", Buffer.from(`${newId()}'`).toString("base64url")])
    invalidAt(await account.get(`/v1/batches?cursor=${cursor}`), { "?cursor": "malformed" });
});

test("results are those that ended at a time or later, when that is asked for", async () => {
  const account = await service.account();
  const { batchId, tasks } = await account.submit([item("A?"), item("Later?", later), item("B?")]);
  await finished(account, batchId, 2);
  const [first, , third] = await Promise.all(tasks.map(({ taskId }) => account.task(taskId)));
  const ends = [first?.completedAt ?? "", third?.completedAt ?? ""].sort();
  const ids = async (query: string) =>
    (await account.get(`/v1/batches/${batchId}/results${query}`)).text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as TaskRecord).question);
  assert.deepEqual(await ids(`?endedFrom=${ends[0]}`), ["A?", "B?"]);
  const past = new Date(Date.parse(ends[1] ?? "") + 1).toISOString();
  assert.deepEqual(await ids(`?endedFrom=${past}`), []);
  invalidAt(await account.get(`/v1/batches/${batchId}/results?endedFrom=yesterday&since=1`), {
    "?endedFrom": "malformed",
    "?since": "unknown_field",
  });
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

test("403 scope_missing: a token that may not read tasks lists no batches", async () => {
  const account = await service.account();
  const other = await account.withToken({ scopes: ["webhook:manage"] });
  refused(await other.get("/v1/batches"), "scope_missing");
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
