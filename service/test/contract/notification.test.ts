/** docs/reference/api.md#notification. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Notification, OmittedTask } from "@querent/contract";
import { assertMatches } from "../harness/check-answer.ts";
import { startReceiver, type Receiver } from "../harness/receiver.ts";
import { item, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const receiver = await startReceiver();
after(() => receiver.close());
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1", QUERENT_EGRESS_CA: receiver.caFile },
});

/** Asks one question of a new account and waits for its notice. */
async function noticeOf(question: string, more: object = {}) {
  const account = await service.account();
  const path = `/${account.accountId}`;
  const taskId = await account.ask(question, { ...more, webhookUrl: receiver.url(path) });
  return { account, taskId, ...(await noticeAt(receiver, path)) };
}

async function noticeAt(from: Receiver, path: string): Promise<{ notice: Notification; bytes: number }> {
  const request = await until(`a notice at ${path}`, () => from.requests.find((received) => received.path === path));
  const notice = JSON.parse(request.body.toString("utf8")) as Notification;
  assertMatches(Notification, notice, "notification");
  return { notice, bytes: request.body.length };
}

const recordOf = (account: TestAccount, taskId: string) => account.task(taskId);

test("event is task.finished, and deliveryRevision starts at 1", async () => {
  const { notice } = await noticeOf("Why?");
  assert.equal(notice.event, "task.finished");
  assert.equal(notice.deliveryRevision, 1);
});

test("the task has the same structure as the task record, member for member, with resultOmitted false", async () => {
  const { account, taskId, notice } = await noticeOf("cards=product,video,image sources=3 html=1", {
    clientReference: "r-1",
    tags: ["a"],
  });
  assert.deepEqual(notice.task, { ...(await recordOf(account, taskId)), resultOmitted: false });
});

for (const [question, state] of [
  ["fail=platform_auth", "failed"],
  ["empty=1", "completed"],
] as const) {
  test(`a task that ends ${state} is notified with its record: ${question}`, async () => {
    const { account, taskId, notice } = await noticeOf(question);
    assert.equal(notice.task.state, state);
    assert.deepEqual(notice.task, { ...(await recordOf(account, taskId)), resultOmitted: false });
  });
}

test("a canceled task is notified as canceled", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  const webhookUrl = receiver.url(path);
  const { tasks } = await account.submit([item("Later?", { notBefore: "2999-01-01T00:00:00Z", webhookUrl })]);
  await account.call("POST", `/v1/tasks/${tasks[0]?.taskId}/cancellation`);
  assert.equal((await noticeAt(receiver, path)).notice.task.state, "canceled");
});

test("resultOmitted is true when the result is too large, and then the task carries its id, state and revision, and the record has the rest", async () => {
  const { account, taskId, notice, bytes } = await noticeOf("size=300000");
  assertMatches(OmittedTask, notice.task, "omitted task");
  assert.equal(notice.task.taskId, taskId);
  assert.equal(notice.task.state, "completed");
  assert.equal(notice.task.content, null);
  assert.equal(notice.task.revision, 1);
  assert.equal(notice.task.chargedPoints, 1);
  assert.ok(bytes < 2000);
  assert.ok(((await recordOf(account, taskId)).content ?? "").length >= 300_000);
});

test("the limit is 256 KiB of the raw body: what fits is sent whole", async () => {
  const { bytes, notice } = await noticeOf("size=200000");
  assert.equal(notice.task.resultOmitted, false);
  assert.ok(bytes <= 256 * 1024);
});
