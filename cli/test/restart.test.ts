/** Commands beside a service that is away or is stopped, and a command that is stopped itself. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { UsageRecord } from "@querent/client";
import { freePort } from "../../service/test/harness/free-port.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { runCli, startCli } from "./run-cli.ts";

suite("while the service restarts", () => {
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
