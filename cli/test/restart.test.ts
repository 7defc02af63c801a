import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { UsageRecord } from "@querent/client";
import { testDatabase } from "../../service/test/harness/database.ts";
import { freePort } from "../../service/test/harness/free-port.ts";
import { startServiceProcess, temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { runCli, startCli } from "./run-cli.ts";

suite("while the service restarts", () => {
  test("submit and ask wait for it, say so, and every question is paid for once", async () => {
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
    writeFileSync(
      join(folder.path, "q.jsonl"),
      Array.from({ length: count }, (_, index) => JSON.stringify(`Why ${index}?`)).join("\n"),
    );
    const submit = startCli(["submit", "q.jsonl", "-p", "simulator", "--chunk", "100", "-o", "a.jsonl"], options);
    const ask = startCli(["ask", "delay=5s", "-p", "simulator"], options);
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

  test("--max-wait bounds it, and waits for a service that has never replied", async () => {
    using folder = temporaryFolder();
    const at = { url: `http://127.0.0.1:${await freePort()}`, token: "qrt_x", home: folder.path };
    const { code, stderr } = await runCli(["ask", "Why?", "-p", "simulator", "--max-wait", "1s"], at);
    assert.equal(code, 7, stderr);
    assert.match(stderr, /Waiting up to 1 second for the service at/);
    assert.match(stderr, /unknown whether the question was accepted\. .* run the same command with --key \S+\./);
  });
});

suite("ask that is stopped", () => {
  test("tells the task before its answer, that it goes on, and the commands that wait for it and cancel it", async () => {
    const service = await startTestService();
    using folder = temporaryFolder();
    const account = await service.account();
    const options = { url: service.address, token: account.token, home: folder.path };
    for (const platforms of ["simulator", "simulator,sample"]) {
      const cli = startCli(["ask", "delay=60s", "-p", platforms], options);
      await until("its task", () => /task [0-9a-f-]{36} \(simulator\)/.test(cli.stderr()));
      cli.child.kill("SIGINT");
      const { code, stderr, stdout } = await cli.ended;
      assert.deepEqual([code, stdout], [130, ""], stderr);
      assert.match(stderr, /continues?, and (is|each is) charged when it completes/);
      assert.match(stderr, /to wait for (it|them): querent (tasks get|batches wait) /);
      const words = /to cancel (?:it|them): +querent (.*)/.exec(stderr)?.[1]?.split(" ") ?? [];
      assert.equal((await runCli(words, options)).code, 0, words.join(" "));
    }
    await until("the tasks to end", async () => (await service.counts(account.accountId))["unfinished"] === 0);
    const { body } = await account.get<UsageRecord>("/v1/usage");
    assert.ok(body.balance.captured <= 2, "of what was canceled, nothing is charged");
  });
});
