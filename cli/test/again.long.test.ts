/** Commands for what has ended already: asking failed tasks again, evidence and lists. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { BatchRecord, TaskRecord, UsageRecord } from "@querent/client";
import { Querent } from "@querent/client";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { runCli } from "./run-cli.ts";

const service = await startTestService();
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());

suite("retry-failed", () => {
  test("asks the failed tasks of a batch again, as they were, and pays once however often it is called", async () => {
    const account = await service.account();
    const options = { url: service.address, token: account.token, home: home.path };
    const { batchId, tasks } = await account.submit([
      { question: "Why?", platformCode: "simulator", options: {} },
      {
        question: "fail=platform_refused",
        platformCode: "simulator",
        options: { deepAnalysis: true, country: "de", domains: { allow: ["a.example"] }, onUnsupported: "ignore" },
        clientReference: "r-2",
        tags: ["a"],
        webhookUrl: "https://example.com/hook",
        priority: 7,
        runTimeoutSeconds: 90,
      },
      { question: "fail=internal", platformCode: "simulator", options: {} },
    ]);
    const pending = await account.submit([{ question: "delay=300s", platformCode: "simulator", options: {} }]);
    const early = await runCli(["retry-failed", pending.batchId], options);
    assert.deepEqual([early.code, /has not ended/.test(early.stderr)], [4, true], early.stderr);
    await account.call("POST", `/v1/batches/${pending.batchId}/cancellation`);
    for (const { taskId } of tasks) await account.ended(taskId);
    await until(
      "the end",
      async () => (await account.get<BatchRecord>(`/v1/batches/${batchId}`)).body.state === "finished",
    );
    const [one, two] = await Promise.all([
      runCli(["retry-failed", batchId], options),
      runCli(["retry-failed", batchId, "--no-wait"], options),
    ]);
    assert.deepEqual([one.code, two.code], [3, 0], one.stderr + two.stderr);
    const records = one.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as TaskRecord);
    const { options: asked } = records.find(({ clientReference }) => clientReference === "r-2") ?? assert.fail();
    assert.deepEqual(
      [asked.country, asked.domains, asked.onUnsupported],
      ["DE", { allow: ["a.example"] }, "ignore"],
      "from where it was asked",
    );
    assert.deepEqual(
      records.map((record) => [
        record.question,
        record.clientReference,
        record.tags,
        record.options.deepAnalysis,
        record.webhookUrl,
        record.priority,
        record.runTimeoutSeconds,
      ]),
      [
        ["fail=platform_refused", "r-2", ["a", `retry-of:${batchId}`], true, "https://example.com/hook", 7, 90],
        ["fail=internal", null, [`retry-of:${batchId}`], false, null, 5, 300],
      ],
    );
    const again = await runCli(["retry-failed", batchId], options);
    assert.match(again.stderr, /already submitted again as batch/);
    assert.equal((await service.counts(account.accountId))["tasks"], 6);

    // Keys are forgotten after a week; then the tag tells.
    await service.database.query("update batches set finished_at = now() - interval '8 days' where id = $1", [batchId]);
    await service.database.query("delete from idempotency_keys where account_id = $1", [account.accountId]);
    const late = await new Querent({ url: service.address, token: account.token }).batches.retryFailed(batchId);
    assert.deepEqual([late?.replayed, late?.batchId], [true, records[0]?.batchId]);
    assert.equal((await service.counts(account.accountId))["tasks"], 6);
    const { body } = await account.get<UsageRecord>("/v1/usage");
    assert.equal(body.balance.captured, 1);
  });

  test("has nothing to do where nothing failed", async () => {
    const account = await service.account();
    const { batchId } = await account.answerTo("Why?");
    const { code, stderr } = await runCli(["retry-failed", batchId], {
      url: service.address,
      token: account.token,
      home: home.path,
    });
    assert.deepEqual([code, stderr], [0, "No task of this batch has failed.\n"]);
  });
});

suite("evidence and lists", () => {
  test("evidence is downloaded whole, verifies, and is not there for a task that failed", async () => {
    const account = await service.account();
    const options = { url: service.address, token: account.token, home: home.path };
    const { taskId } = await account.answerTo("Why? sources=2");
    const { code, stderr } = await runCli(["evidence", taskId, "-o", "f.zip"], options);
    assert.equal(code, 0, stderr);
    const verified = await runCli(["verify", "f.zip"], options);
    assert.equal(verified.code, 0, verified.stderr + verified.stdout);
    const bytes = await new Querent({ url: service.address, token: account.token }).tasks.evidence(taskId);
    assert.equal(bytes.length, readFileSync(join(home.path, "f.zip")).length);
    const failed = await account.answerTo("fail=internal");
    const none = await runCli(["evidence", failed.taskId, "-o", "g.zip"], options);
    assert.equal(none.code, 4, none.stderr);
    assert.ok(!existsSync(join(home.path, "g.zip")) && !existsSync(join(home.path, "g.zip.part")));
  });

  test("batches list shows the account's batches, newest first", async () => {
    const account = await service.account();
    const options = { url: service.address, token: account.token, home: home.path };
    const first = await account.answerTo("The first?");
    const second = await account.answerTo("The second?");
    const { stdout, code } = await runCli(["batches", "list"], options);
    const ids = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as BatchRecord).batchId);
    assert.deepEqual([code, ids], [0, [second.batchId, first.batchId]]);
    const text = await runCli(["--text", "batches", "list", "-n", "1"], options);
    assert.match(text.stdout, /^BATCH .*FIRST QUESTION\n\S{36} .*The second\?\n$/);
  });
});

suite("what to type", () => {
  test("messages name the program as it was started: by npm in a checkout, by its name elsewhere", async () => {
    const account = await service.account();
    const options = { url: service.address, token: account.token, home: home.path };
    writeFileSync(join(home.path, "q.jsonl"), '"Why?"\n');
    const said = async (environment: Record<string, string>) =>
      (await runCli(["submit", "q.jsonl", "-p", "nowhere"], { ...options, environment })).stderr;
    const npm = { npm_package_name: "querent", npm_lifecycle_event: "querent" };
    assert.match(await said(npm), /`npm run querent -- platforms` lists/);
    assert.match(
      await said({ ...npm, npm_package_name: "their-own", npm_lifecycle_event: "build" }),
      /`querent platforms` lists/,
    );
  });
});
