/** A service process that is killed while thousands of questions are submitted. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { UsageRecord } from "@querent/client";
import { testDatabase } from "../../service/test/harness/database.ts";
import { freePort } from "../../service/test/harness/free-port.ts";
import { startServiceProcess, temporaryFolder } from "../../service/test/harness/process.ts";
import { until } from "../../service/test/harness/wait.ts";
import { runCli, startCli } from "./run-cli.ts";

test("while the service restarts, submit and ask wait for it, say so, and every question is paid for once", async () => {
  using folder = temporaryFolder();
  const { url, database } = await testDatabase();
  const token = "token-of-the-restart-test";
  const environment = {
    QUERENT_DATA_DIR: folder.path,
    DATABASE_URL: url,
    QUERENT_ACCESS_TOKEN: token,
    QUERENT_PORT: String(await freePort()),
  };
  let service = await startServiceProcess(environment);
  const options = { url: service.address, token, home: folder.path };
  const count = 3_000;
  // Neither command is done before the service is killed, however slow the other one is.
  const lasting = "delay=30m";
  writeFileSync(
    join(folder.path, "q.jsonl"),
    [lasting, ...Array.from({ length: count - 1 }, (_, index) => `Why ${index}?`)]
      .map((question) => JSON.stringify(question))
      .join("\n"),
  );
  const submit = startCli(["submit", "q.jsonl", "-p", "simulator", "--chunk", "100", "-o", "a.jsonl"], options);
  const ask = startCli(["ask", lasting, "-p", "simulator"], options);
  const journal = () => {
    try {
      return readFileSync(join(folder.path, "q.jsonl.querent-journal"), "utf8");
    } catch {
      return "";
    }
  };
  try {
    await until("the question to be accepted", () => /task [0-9a-f-]{36} \(simulator\)/.test(ask.stderr()));
    await until("some to be accepted", () => (journal().match(/"accepted"/g) ?? []).length >= 3);
    await service.end("SIGKILL");
    await database.query("update nodes set lease_until = now() - interval '1 s'");
    const waiting = /Waiting up to 10 minutes for the service at http/;
    await until("both to wait", () => waiting.test(ask.stderr()) && waiting.test(submit.stderr()));
    await database.query("update tasks set question = 'delay=1s' where question = $1", [lasting]);
    service = await startServiceProcess(environment);
    const [submitted, asked] = await Promise.all([submit.ended, ask.ended]);
    assert.deepEqual([submitted.code, asked.code], [0, 0], submitted.stderr + asked.stderr);
    assert.match(asked.stderr, /The service is available again/);
    assert.equal(readFileSync(join(folder.path, "a.jsonl"), "utf8").trim().split("\n").length, count);
    const usage = JSON.parse((await runCli(["usage"], options)).stdout) as UsageRecord;
    assert.deepEqual([usage.balance.captured, usage.balance.held], [count + 1, 0]);
  } finally {
    for (const { child } of [submit, ask]) child.kill("SIGKILL");
    await Promise.all([submit.ended, ask.ended]);
    await service.end("SIGKILL");
  }
});
