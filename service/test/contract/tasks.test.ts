/** docs/reference/api.md#list-tasks, docs/reference/api.md#cancel-a-task and docs/reference/api.md#get-a-quote-for-a-batch. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quote, TaskRecord, TaskSummary } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { until } from "../harness/wait.ts";
import { invalidAt, item, refused, startTestService, type TestAccount } from "../harness/service.ts";

const service = await startTestService();
const later = { notBefore: "2999-01-01T00:00:00Z" };
interface Page {
  tasks: TaskSummary[];
  nextCursor: string | null;
}

const list = async (account: TestAccount, query = "") => {
  const answer = await account.get<Page>(`/v1/tasks${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const questions = async (account: TestAccount, query: string) =>
  (await list(account, query)).tasks.map((task) => task.question);
const cancel = (account: TestAccount, taskId: string) =>
  account.call<TaskRecord>("POST", `/v1/tasks/${taskId}/cancellation`);

test("tasks are listed newest first, without their results", async () => {
  const account = await service.account();
  await account.submit([item("A?"), item("B?"), item("C?")]);
  const { tasks, nextCursor } = await list(account);
  assert.deepEqual(
    tasks.map((task) => task.question),
    ["C?", "B?", "A?"],
  );
  assert.equal(nextCursor, null);
});

test("an account without tasks has an empty list", async () => {
  assert.deepEqual(await list(await service.account()), { tasks: [], nextCursor: null });
});

test("the list is filtered by state, platformCode, batchId, tag, clientReference and text, alone and together", async () => {
  const account = await service.account();
  const { batchId } = await account.submit([
    item("Coffee 100%_\\ A?", { clientReference: "ref-a", tags: ["x", "y"], ...later }),
    item("Tea B?", { tags: ["y"], ...later }),
  ]);
  const { tasks } = await account.submit([item("coffee C?", { platformCode: "sample", ...later })]);
  await cancel(account, tasks[0]?.taskId ?? "");
  assert.deepEqual(await questions(account, "?state=pending"), ["Tea B?", "Coffee 100%_\\ A?"]);
  assert.deepEqual(await questions(account, "?state=canceled"), ["coffee C?"]);
  assert.deepEqual(await questions(account, "?platformCode=sample"), ["coffee C?"]);
  assert.deepEqual(await questions(account, `?batchId=${batchId}`), ["Tea B?", "Coffee 100%_\\ A?"]);
  assert.deepEqual(await questions(account, "?tag=x"), ["Coffee 100%_\\ A?"]);
  assert.deepEqual(await questions(account, "?tag=y&text=TEA"), ["Tea B?"]);
  assert.deepEqual(await questions(account, "?clientReference=ref-a"), ["Coffee 100%_\\ A?"]);
  assert.deepEqual(await questions(account, "?clientReference=ref"), []);
  assert.deepEqual(await questions(account, "?text=COFFEE"), ["coffee C?", "Coffee 100%_\\ A?"]);
  assert.deepEqual(await questions(account, `?text=${encodeURIComponent("100%_\\")}`), ["Coffee 100%_\\ A?"]);
  assert.deepEqual(await questions(account, "?text=%25"), ["Coffee 100%_\\ A?"]);
  assert.deepEqual(await questions(account, "?state=canceled&platformCode=simulator"), []);
});

test("the list is filtered by a range of creation times, its start included and its end not", async () => {
  const account = await service.account();
  const { createdAt } = await account.submit([item("A?")]);
  const after = new Date(Date.parse(createdAt) + 1).toISOString();
  assert.deepEqual(await questions(account, `?createdFrom=${createdAt}`), ["A?"]);
  assert.deepEqual(await questions(account, `?createdBefore=${createdAt}`), []);
  assert.deepEqual(await questions(account, `?createdFrom=${createdAt}&createdBefore=${after}`), ["A?"]);
  assert.deepEqual(await questions(account, `?createdFrom=${after}`), []);
});

test("failed and canceled tasks are listed by their state as soon as they ended, and pending ones no longer", async () => {
  const account = await service.account();
  const { tasks } = await account.submit([
    item("fail=platform_auth"),
    item("fail=platform_auth again"),
    item("Later?", later),
    item("delay=30m"),
  ]);
  for (const { taskId } of tasks.slice(0, 2)) await account.ended(taskId);
  assert.deepEqual(await questions(account, "?state=pending"), ["delay=30m", "Later?"]);
  await cancel(account, tasks[3]?.taskId ?? "");
  assert.deepEqual(await questions(account, "?state=failed"), ["fail=platform_auth again", "fail=platform_auth"]);
  assert.deepEqual(await questions(account, "?state=failed&text=AGAIN"), ["fail=platform_auth again"]);
  assert.deepEqual(await questions(account, "?state=canceled"), ["delay=30m"]);
  assert.deepEqual(await questions(account, "?state=pending"), ["Later?"]);
});

test("a task's id carries the time of its acceptance, and the ids of a batch rise", async () => {
  const account = await service.account();
  const { tasks, batchId, createdAt } = await account.submit(Array.from({ length: 20 }, () => item("Why?", later)));
  const ids = [batchId, ...tasks.map(({ taskId }) => taskId)];
  assert.deepEqual(ids, [...new Set(ids)].sort());
  for (const id of ids) assert.equal(parseInt(id.replace("-", "").slice(0, 12), 16), Date.parse(createdAt));
});

test("tags that look like something else are tags", async () => {
  const account = await service.account();
  const tags = ["x", "{a,b}", '"', "\\", "null", "🫖"];
  await account.submit([item("A?", { tags, ...later })]);
  for (const tag of tags) assert.deepEqual(await questions(account, `?tag=${encodeURIComponent(tag)}`), ["A?"]);
  assert.deepEqual(await questions(account, "?tag=a"), []);
});

test("the cursor goes through the whole list, each task once, also while tasks are added", async () => {
  const account = await service.account();
  const { tasks } = await account.submit(Array.from({ length: 25 }, (_, index) => item(`${index}?`, later)));
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Page = await list(account, `?limit=10&state=pending${cursor === "" ? "" : `&cursor=${cursor}`}`);
    assert.ok(page.tasks.length <= 10);
    seen.push(...page.tasks.map((task) => task.taskId));
    cursor = page.nextCursor;
    await account.submit([item("Added?", later)]);
  }
  assert.deepEqual(seen, tasks.map((task) => task.taskId).toReversed());
});

test("422: filters that are not known or have no such value are refused", async () => {
  const account = await service.account();
  invalidAt(await account.get("/v1/tasks?State=pending&limit=0&batchId=x&createdFrom=now&state=done&tag="), {
    "?State": "unknown_field",
    "?limit": "out_of_range",
    "?batchId": "malformed",
    "?createdFrom": "malformed",
    "?state": "not_allowed",
    "?tag": "too_short",
  });
});

test("a canceled task is canceled at once, costs nothing, and its points are back", async () => {
  const account = await service.account({ points: 10 });
  const taskId = await account.ask("Later?", later);
  const { status, body } = await cancel(account, taskId);
  assert.equal(status, 200);
  assert.equal(body.state, "canceled");
  assert.equal(body.chargedPoints, 0);
  assert.equal(body.revision, 1);
  assert.equal(body.failure, null);
  assert.equal(body.progress, null);
  assert.equal(body.canceledAt, body.completedAt);
  const usage = await account.get<{ balance: object }>("/v1/usage");
  assert.deepEqual(usage.body.balance, { available: 10, held: 0, captured: 0, granted: 10 });
});

test("a running task is aborted by its cancellation", async () => {
  const account = await service.account();
  const taskId = await account.ask("delay=30m");
  assert.equal((await cancel(account, taskId)).body.state, "canceled");
  assert.deepEqual((await account.task(taskId)).state, "canceled");
});

test("a task does not end before its start, even if the database's clock is put back meanwhile", async () => {
  const account = await service.account();
  const taskId = await account.ask("delay=30m");
  await until("it to run", async () => {
    const { rowCount } = await service.database.query(
      "update dispatch set started_at = now() + interval '1 hour' where task_id = $1 and state = 'running'",
      [taskId],
    );
    return rowCount === 1;
  });
  const { body } = await cancel(account, taskId);
  assert.ok(body.startedAt !== null && body.startedAt > new Date().toISOString());
  assert.equal(body.completedAt, body.startedAt);
  assert.equal(body.canceledAt, body.startedAt);
});

test("409 state_conflict: a task that has ended can't be canceled, nor one twice", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?");
  refused(await cancel(account, taskId), "state_conflict");
  const canceled = await account.ask("Later?", later);
  await cancel(account, canceled);
  refused(await cancel(account, canceled), "state_conflict");
});

test("cancellations of one task at the same moment: one succeeds, and the points come back once", async () => {
  const account = await service.account({ points: 5 });
  const taskId = await account.ask("Later?", later);
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(account, taskId)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409, 409, 409],
  );
  const usage = await account.get<{ balance: { available: number } }>("/v1/usage");
  assert.equal(usage.body.balance.available, 5);
});

test("404 not_found and 405 method_not_allowed of a cancellation", async () => {
  const account = await service.account();
  refused(await cancel(account, newId()), "not_found");
  refused(await cancel(account, "x"), "not_found");
  refused(await account.get(`/v1/tasks/${newId()}/cancellation`), "method_not_allowed");
});

test("a quote tells points or errors for each item and accepts nothing", async () => {
  const account = await service.account({ points: 4 });
  const before = await service.counts(account.accountId);
  const body = [item(), item(""), item("Why?", { platformCode: "sample" }), 7];
  const { status, body: quote } = await account.call<Quote>("POST", "/v1/tasks/quote", { body });
  assert.equal(status, 200);
  assert.deepEqual(
    quote.items.map(({ index, points, errors }) => [index, points, errors[0]?.pointer ?? null]),
    [
      [0, 1, null],
      [1, null, "/1/question"],
      [2, 2, null],
      [3, null, "/3"],
    ],
  );
  assert.deepEqual(
    [quote.valid, quote.itemCount, quote.estimatedPoints, quote.availablePoints, quote.affordable],
    [false, 4, 3, 4, true],
  );
  assert.deepEqual(await service.counts(account.accountId), before);
});

test("a quote agrees with the submission of the same body", async () => {
  const account = await service.account({ points: 6 });
  const body = [item(), item("Why?", { platformCode: "sample", options: { deepAnalysis: true } })];
  const quote = (await account.call<Quote>("POST", "/v1/tasks/quote", { body })).body;
  assert.ok(quote.valid && quote.affordable);
  assert.equal(quote.estimatedPoints, (await account.submit(body)).estimatedPoints);
  assert.equal((await account.call<Quote>("POST", "/v1/tasks/quote", { body })).body.affordable, false);
});

test("422, 413 and 415 of a quote", async () => {
  const account = await service.account();
  const quote = (body: unknown, headers = {}) => account.call("POST", "/v1/tasks/quote", { body, headers });
  invalidAt(await quote({}), { "": "wrong_type" });
  invalidAt(await quote([]), { "": "too_few" });
  refused(await quote(Buffer.alloc(16 * 1024 * 1024 + 1)), "payload_too_large");
  refused(await quote("[]", { "content-type": "text/csv" }), "unsupported_media_type");
});
