/** Tasks of a version without `asked_as`, beside and after the migration that adds it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { item, startTestService } from "../harness/service.ts";

const service = await startTestService();

test("a task that an earlier version stored has no such options, and what was in force is not known", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?");
  // As that version writes them: it knows neither the column nor the member of the result.
  await service.database.query("update tasks set asked_as = null where id = $1", [taskId]);
  await service.database.query(
    "update task_results set result = (result::jsonb - 'effective')::json where task_id = $1",
    [taskId],
  );
  const record = await account.task(taskId);
  assert.deepEqual(record.options, { deepAnalysis: false, output: "answer", resultFormat: "json" });
  assert.equal(record.effective, null);
  assert.equal(record.state, "completed");
});

test("a question that asks from a country, answered by an earlier version, does not claim that it was", async () => {
  const account = await service.account();
  const accepted = await account.submit([item("Why?", { options: { country: "DE" } })]);
  const taskId = accepted.tasks[0]?.taskId ?? "";
  await account.ended(taskId);
  await service.database.query(
    "update task_results set result = (result::jsonb - 'effective')::json where task_id = $1",
    [taskId],
  );
  const record = await account.task(taskId);
  assert.equal(record.options.country, "DE");
  assert.equal(record.effective, null);
});
