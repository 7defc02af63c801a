/** docs/reference/api.md#read-one-task. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskRecord } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { refused, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService();
const later = { notBefore: "2999-01-01T00:00:00Z" };

test("200: the record of the task", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?");
  const answer = await account.get<TaskRecord>(`/v1/tasks/${taskId}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.taskId, taskId);
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
});

test("200: an id in upper case is the same id", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?");
  assert.equal((await account.get<TaskRecord>(`/v1/tasks/${taskId.toUpperCase()}`)).body.taskId, taskId);
});

test("200: a pending answer carries Retry-After, a final one does not", async () => {
  const account = await service.account();
  const pending = await account.get(`/v1/tasks/${await account.ask("Later?", later)}`);
  assert.match(pending.headers["retry-after"] ?? "", /^\d+$/);
  const { taskId } = await account.answerTo("Why?");
  assert.equal((await account.get(`/v1/tasks/${taskId}`)).headers["retry-after"], undefined);
});

test("200: Prefer: wait=N holds the answer until the task ends", async () => {
  const account = await service.account();
  const answer = await account.get<TaskRecord>(`/v1/tasks/${await account.ask("delay=200ms")}`, { prefer: "wait=30" });
  assert.equal(answer.body.state, "completed");
  assert.equal(answer.headers["preference-applied"], "wait=30");
});

test("200: Prefer: wait=N answers pending when the time is over", async () => {
  const account = await service.account();
  const answer = await account.get<TaskRecord>(`/v1/tasks/${await account.ask("Later?", later)}`, { prefer: "wait=1" });
  assert.equal(answer.body.state, "pending");
});

test("200: Prefer: wait is bounded to 60 seconds, found among other preferences, and ignored when it can't be read", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?");
  const applied = async (prefer: string) =>
    (await account.get(`/v1/tasks/${taskId}`, { prefer })).headers["preference-applied"];
  assert.equal(await applied("wait=3600"), "wait=60");
  assert.equal(await applied("respond-async, wait=7; x=1"), "wait=7");
  for (const prefer of ["wait=soon", "wait=-1", "wait", "await=7", "wait=1e3", ""])
    assert.equal(await applied(prefer), undefined, prefer);
});

test("200: a client that waits and goes away leaves nothing behind, and the service goes on", async () => {
  const account = await service.account();
  const taskId = await account.ask("Later?", later);
  const gone = new AbortController();
  const waiting = fetch(`${service.address}/v1/tasks/${taskId}`, {
    headers: { authorization: `Bearer ${account.token}`, prefer: "wait=60" },
    signal: gone.signal,
  });
  gone.abort();
  await assert.rejects(waiting);
  assert.equal((await account.task(taskId)).state, "pending");
});

test("304: If-None-Match with the record's ETag, as long as nothing changed", async () => {
  const account = await service.account();
  const taskId = await account.ask("Later?", later);
  const { headers } = await account.get(`/v1/tasks/${taskId}`);
  const etag = headers["etag"] ?? "";
  assert.match(etag, /^"[\x21\x23-\x7e]+"$/);
  for (const match of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const answer = await account.get(`/v1/tasks/${taskId}`, { "if-none-match": match });
    assert.equal(answer.status, 304, match);
    assert.equal(answer.headers["etag"], etag);
  }
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
  const changed = await account.get(`/v1/tasks/${taskId}`, { "if-none-match": etag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers["etag"], etag);
});

test("304: the ETag of a finished task does not change by itself", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?");
  const [one, two] = [await account.get(`/v1/tasks/${taskId}`), await account.get(`/v1/tasks/${taskId}`)];
  assert.equal(one.headers["etag"], two.headers["etag"]);
});

test("HEAD answers as GET does, without the body", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?");
  const [get, head] = [await account.get(`/v1/tasks/${taskId}`), await account.call("HEAD", `/v1/tasks/${taskId}`)];
  assert.equal(head.status, 200);
  assert.equal(head.headers["etag"], get.headers["etag"]);
});

test("401 unauthorized: without a token", async () => {
  refused(await service.call("GET", `/v1/tasks/${newId()}`), "unauthorized");
});

test("403 scope_missing: a token without tasks:read", async () => {
  const account = await service.account({ scopes: ["tasks:write"] });
  refused(await account.get(`/v1/tasks/${newId()}`), "scope_missing");
});

test("404 not_found: an unknown task, a malformed id, and another account's task, all answered the same", async () => {
  const [account, other] = [await service.account(), await service.account()];
  const theirs = await other.ask("Why?");
  const problems = await Promise.all(
    [newId(), theirs].map(async (id) => {
      const { requestId, instance, ...problem } = refused(await account.get(`/v1/tasks/${id}`), "not_found");
      assert.equal(instance, `/v1/tasks/${id}`);
      assert.notEqual(requestId, "");
      return problem;
    }),
  );
  assert.deepEqual(problems[0], problems[1]);
  for (const id of ["x", "0", "%00", "..%2f..%2fetc%2fpasswd", "a".repeat(199), `${newId()}x`, "null", "%F0%9F%98%80"])
    refused(await account.get(`/v1/tasks/${id}`), "not_found");
});

test("405 method_not_allowed: the address only reads", async () => {
  const account = await service.account();
  const answer = await account.call("DELETE", `/v1/tasks/${newId()}`);
  refused(answer, "method_not_allowed");
  assert.equal(answer.headers["allow"], "GET, HEAD");
});

test("a task whose end happens in another process is heard of as well", async () => {
  const account = await service.account();
  const taskId = await account.ask("Later?", later);
  const answer = account.get<TaskRecord>(`/v1/tasks/${taskId}`, { prefer: "wait=30" });
  // As another process would have it: the row alone.
  await service.database.query(
    "update tasks set state = 'canceled', revision = 1, completed_at = now(), canceled_at = now() where id = $1",
    [taskId],
  );
  assert.equal((await answer).body.state, "canceled");
  await until("the row in the queue to be gone", async () => {
    await service.database.query("delete from dispatch where task_id = $1", [taskId]);
    return true;
  });
});
