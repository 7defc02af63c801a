import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { BatchRecord, TaskAttempts } from "@querent/client";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { runCli, startCli } from "./run-cli.ts";

const service = await startTestService();
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());
const account = await service.account();
const options = { url: service.address, token: account.token, home: home.path };

suite("what a task waits for", () => {
  test("several batches are waited for, each shown as it ended; if one does not exist, none is", async () => {
    const submit = async (question: string) =>
      (await account.submit([{ question, platformCode: "simulator", options: {} }])).batchId;
    const [one, other] = [await submit("One?"), await submit("Other? delay=1s")];
    const waited = await runCli(["batches", "wait", other, one], options);
    assert.equal(waited.code, 0, waited.stderr);
    const shown = waited.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as BatchRecord);
    assert.deepEqual(
      shown.map(({ batchId, state }) => [batchId, state]),
      [
        [other, "finished"],
        [one, "finished"],
      ],
    );
    const unknown = await runCli(["batches", "wait", one, crypto.randomUUID()], options);
    assert.deepEqual([unknown.code, unknown.stdout], [4, ""]);
  });

  test("every attempt and every wait of a task can be read, as a record and as text", async () => {
    const taskId = await account.ask("Why? fail=platform_unavailable@1");
    await account.ended(taskId);
    const record = await runCli(["tasks", "attempts", taskId, "--json"], options);
    assert.equal(record.code, 0, record.stderr);
    const { attempts, waits } = JSON.parse(record.stdout) as TaskAttempts;
    assert.deepEqual(
      attempts.map(({ outcome, code, platformStatus }) => [outcome, code, platformStatus]),
      [
        ["failed", "platform_unavailable", 503],
        ["completed", null, null],
      ],
    );
    assert.ok(waits.some(({ reason }) => reason === "retry"));
    const text = await runCli(["--text", "tasks", "attempts", taskId], options);
    assert.match(
      text.stdout,
      /attempt 1 {2}failed, platform_unavailable, HTTP 503, .*\n.* waited {2}waiting to retry .*\n(.* waited .*\n)*.* attempt 2 {2}completed\n$/,
    );
  });

  test("who waits for a rate limited platform is told once: reason, last failure, next attempt", async () => {
    const asking = startCli(["ask", "Why? throttle=30m", "-p", "simulator"], options);
    const told =
      /^simulator: the platform is rate limiting requests \(platform_rate_limited: .+\); next attempt in .+$/m;
    await until("the reason to be reported", () => told.test(asking.stderr()));
    const [, taskId = ""] = /^task (\S+)/m.exec(asking.stderr()) ?? [];
    const got = await runCli(["--text", "tasks", "get", taskId], options);
    assert.match(got.stdout, /Pending: the platform is rate limiting requests/);
    const submitting = startCli(["submit", "-", "-p", "simulator", "--format", "lines"], {
      ...options,
      input: "How?\n",
    });
    await until("a submission to report it too", () =>
      /^simulator: the platform is rate limiting requests/m.test(submitting.stderr()),
    );
    const { tasks } = (await account.get<{ tasks: { taskId: string }[] }>("/v1/tasks?state=pending")).body;
    for (const task of tasks) assert.equal((await runCli(["tasks", "cancel", task.taskId], options)).code, 0);
    const { code, stderr } = await asking.ended;
    assert.equal(code, 3, stderr);
    assert.equal(stderr.split("\n").filter((line) => told.test(line)).length, 1, stderr);
    assert.equal((await submitting.ended).code, 3);
  });
});
