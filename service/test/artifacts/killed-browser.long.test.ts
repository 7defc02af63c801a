/** Browsers that are killed while they take screenshots. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browserProcesses, nothingLeft } from "../harness/browser.ts";
import { item, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

test("Chromium killed in the middle of screenshots costs no task its picture, and no platform a second question", async () => {
  const service = await startTestService();
  const account = await service.account();
  const { tasks } = await account.submit(
    Array.from({ length: 6 }, (_, n) => item(`picture ${n} sources=3`, { options: { output: "screenshot" } })),
  );
  await until("a page in the browser", async () => {
    if (browserProcesses().some(({ type }) => type === "renderer")) return true;
    const states = await Promise.all(tasks.map(async ({ taskId }) => (await account.task(taskId)).state));
    assert.ok(states.includes("pending"), `they ended without one: ${JSON.stringify(service.events)}`);
    return false;
  });
  for (const { pid } of browserProcesses()) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went with its parent.
    }
  }
  for (const { taskId } of tasks) {
    const task = await account.ended(taskId);
    assert.equal(task.state, "completed", JSON.stringify(task.failure));
    assert.ok(task.screenshotUrl);
  }
  assert.ok(service.events.some(({ event }) => event === "browser.lost"));
  await service.stop();
  await nothingLeft();
});
