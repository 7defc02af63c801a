/** docs/reference/api.md#submissionaccepted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { item, startTestService } from "../harness/service.ts";

const service = await startTestService();

test("acceptedCount is the number of accepted list items, and tasks has one entry for each, in the order of the list", async () => {
  const account = await service.account();
  const references = ["a", "b", "c"];
  const accepted = await account.submit(references.map((clientReference) => item("Why?", { clientReference })));
  assert.equal(accepted.acceptedCount, 3);
  assert.deepEqual(
    accepted.tasks.map((task) => task.clientReference),
    references,
  );
});

test("taskId is a UUID of the task's own, version 7, and rises with the order of the list", async () => {
  const account = await service.account();
  const { tasks } = await account.submit(Array.from({ length: 20 }, () => item()));
  const ids = tasks.map((task) => task.taskId);
  assert.equal(new Set(ids).size, 20);
  assert.deepEqual(ids.toSorted(), ids);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("clientReference is null when none was sent", async () => {
  const account = await service.account();
  assert.equal((await account.submit([item()])).tasks[0]?.clientReference, null);
});

test("state is pending right after acceptance", async () => {
  const account = await service.account();
  assert.equal((await account.submit([item()])).tasks[0]?.state, "pending");
});

test("statusUrl is the relative path of the task", async () => {
  const account = await service.account();
  const task = (await account.submit([item()])).tasks[0];
  assert.equal(task?.statusUrl, `/v1/tasks/${task?.taskId}`);
  assert.equal((await account.get(task?.statusUrl ?? "")).status, 200);
});

test("batchId, createdAt and estimatedPoints tell of the batch", async () => {
  const account = await service.account();
  const accepted = await account.submit([
    item(),
    item("Why?", { platformCode: "sample", options: { deepAnalysis: true } }),
  ]);
  assert.equal(accepted.estimatedPoints, 1 + 2 + 3);
  const record = await account.task(accepted.tasks[0]?.taskId ?? "");
  assert.equal(record.batchId, accepted.batchId);
  assert.equal(record.createdAt, accepted.createdAt);
});

test("duplicate questions in a batch are separate tasks", async () => {
  const account = await service.account();
  const { tasks } = await account.submit([item("Same?"), item("Same?")]);
  assert.notEqual(tasks[0]?.taskId, tasks[1]?.taskId);
});

test("the answer does not carry the result", async () => {
  const account = await service.account();
  const accepted = await account.submit([item()]);
  assert.deepEqual(Object.keys(accepted.tasks[0] ?? {}).sort(), ["clientReference", "state", "statusUrl", "taskId"]);
});
