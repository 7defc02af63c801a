/** docs/reference/api.md#read-one-task. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { refused, item, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { emptyResult } from "../harness/task-record.ts";

const service = await startTestService();

/** The states that a client sees when it asks again and again until a task is no longer pending. */
async function statesOf(account: TestAccount, taskId: string): Promise<string[]> {
  const seen: string[] = [];
  await until("the task's end", async () => {
    const { state } = await account.task(taskId);
    if (seen.at(-1) !== state) seen.push(state);
    return state !== "pending";
  });
  return seen;
}

test("a task is pending immediately after acceptance", async () => {
  const account = await service.account();
  const { tasks } = await account.submit([item("delay=30m")]);
  assert.equal((await account.task(tasks[0]?.taskId ?? "")).state, "pending");
  await account.call("POST", `/v1/tasks/${tasks[0]?.taskId}/cancellation`);
});

for (const [question, states] of [
  ["delay=50ms", ["pending", "completed"]],
  ["delay=50ms fail=platform_auth", ["pending", "failed"]],
  ["delay=50ms fail=platform_unavailable@1", ["pending", "completed"]],
  ["throttle=50ms", ["pending", "completed"]],
] as const) {
  test(`a client that loops while pending sees ${states.join(", then ")}: ${question}`, async () => {
    const account = await service.account();
    const seen = await statesOf(account, await account.ask(question));
    assert.deepEqual(
      seen.filter((state) => state !== "pending"),
      states.slice(1),
    );
  });
}

test("a running task, and one that waits to be tried again, is still pending, and its progress says which", async () => {
  const account = await service.account();
  const waiting = await account.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" });
  const running = await account.ask("delay=30m");
  const record = await until("the run", async () => {
    const task = await account.task(running);
    return task.progress?.phase === "running" ? task : null;
  });
  assert.equal(record.state, "pending");
  assert.equal((await account.task(waiting)).progress?.phase, "queued");
  await account.call("POST", `/v1/tasks/${running}/cancellation`);
});

test("an end state is final: nothing that a client can do changes the record", async () => {
  const account = await service.account();
  for (const question of ["Why?", "fail=platform_auth"]) {
    const before = await account.answerTo(question);
    refused(await account.call("POST", `/v1/tasks/${before.taskId}/cancellation`), "state_conflict");
    await account.call("POST", `/v1/batches/${before.batchId}/cancellation`);
    assert.deepEqual(await account.task(before.taskId), before);
  }
});

test("after the retention period, expired is true, the result is gone, and identifier, state, points and what was asked stay", async () => {
  const account = await service.account();
  const before = await account.answerTo("cards=product,video,image sources=2 html=1", {
    clientReference: "kept",
    tags: ["kept"],
    options: { deepAnalysis: true },
  });
  await service.database.query("update tasks set expires_at = now() - interval '1 second' where id = $1", [
    before.taskId,
  ]);
  await service.database.query("update task_results set expires_at = now() - interval '1 second' where task_id = $1", [
    before.taskId,
  ]);
  const after = await account.task(before.taskId);
  assert.deepEqual(after, {
    ...before,
    ...emptyResult,
    content: null,
    availability: null,
    provenance: null,
    effective: null,
    expired: true,
    expiresAt: after.expiresAt,
  });
  assert.equal(after.state, "completed");
  assert.equal(after.chargedPoints, 1);
  const listed = await account.get<{ tasks: { taskId: string; expired: boolean }[] }>("/v1/tasks");
  assert.equal(listed.body.tasks[0]?.expired, true);
});
