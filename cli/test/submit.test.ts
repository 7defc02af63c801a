import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { suite, test } from "node:test";
import { parse } from "csv-parse/sync";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { charged, place, recordsOf } from "./place.ts";

const service = await startTestService();

suite("a submission that is killed", () => {
  test("two that begin at once with one file are one submission", async () => {
    using at = await place(service);
    writeFileSync(
      at.path("q.jsonl"),
      Array.from({ length: 300 }, (_, index) => JSON.stringify(`Why ${index}?`)).join("\n"),
    );
    const words = ["submit", "q.jsonl", "-p", "simulator", "--chunk", "20"];
    const both = await Promise.all([at.run(words), at.run(words)]);
    for (const { code, stdout, stderr } of both) {
      assert.equal(code, 0, stderr);
      assert.equal(recordsOf(stdout).length, 300);
    }
    assert.deepEqual(await charged(at.account), { captured: 300, held: 0 });
  });

  test("Ctrl-C stops it at once with a code of its own, and says how to go on", async () => {
    using at = await place(service);
    writeFileSync(at.path("q.jsonl"), '"delay=30s"\n');
    const cli = at.start(["submit", "q.jsonl", "-p", "simulator"]);
    await until("it to be accepted", () => cli.stderr().includes("accepted"));
    cli.child.kill("SIGINT");
    const { code, stderr } = await cli.ended;
    assert.equal(code, 130);
    assert.match(stderr, /The same command goes on from here/);
  });

  test("a file that changed, other flags, another account: refused, and nothing is sent", async () => {
    using at = await place(service);
    using other = await place(service);
    writeFileSync(at.path("q.jsonl"), '"One?"\n"Two?"\n');
    const words = ["submit", "q.jsonl", "-p", "simulator", "--no-wait"];
    assert.equal((await at.run(words)).code, 0);
    const flags = await at.run([...words, "--deep"]);
    assert.deepEqual([flags.code, /other flags/.test(flags.stderr)], [2, true], flags.stderr);
    const account = await at.run(["--token", other.account.token, ...words]);
    assert.deepEqual([account.code, /another account/.test(account.stderr)], [2, true], account.stderr);
    writeFileSync(at.path("q.jsonl"), '"One?"\n"Three?"\n');
    const changed = await at.run(words);
    assert.deepEqual([changed.code, /changed since/.test(changed.stderr)], [2, true], changed.stderr);
    assert.equal((await service.counts(at.account.accountId))["tasks"], 2);
    assert.equal((await service.counts(other.account.accountId))["tasks"], 0);
    assert.equal((await at.run([...words, "--again"])).code, 0);
    assert.equal((await service.counts(at.account.accountId))["tasks"], 4);
  });
});

suite("what is submitted", () => {
  test("columns and members of every kind reach the service, and rows without a platform go to each", async () => {
    using at = await place(service);
    writeFileSync(
      at.path("q.csv"),
      '\uFEFFquestion,platform,reference,tags,priority,deep\n"Line one\nline two",,my-ref,a; b,9,yes\nWhy?,sample,,,,\n',
    );
    const { code, stdout, stderr } = await at.run(["submit", "q.csv", "-p", "simulator,sample", "--tag", "all"]);
    assert.equal(code, 0, stderr);
    const records = recordsOf(stdout).map(({ question, platformCode, clientReference, tags, options }) => [
      question,
      platformCode,
      clientReference,
      tags,
      options.deepAnalysis,
    ]);
    assert.deepEqual(records, [
      ["Line one\nline two", "simulator", "my-ref", ["all", "a", "b"], true],
      ["Line one\nline two", "sample", "my-ref", ["all", "a", "b"], true],
      ["Why?", "sample", "row-2", ["all"], false],
    ]);
  });

  test("CSV of results holds no formula, and reads back", async () => {
    using at = await place(service);
    writeFileSync(at.path("q.jsonl"), `${JSON.stringify({ question: "=1+1", clientReference: "@x" })}\n`);
    assert.equal((await at.run(["submit", "q.jsonl", "-p", "simulator", "-o", "a.csv"])).code, 0);
    const [row] = parse(readFileSync(at.path("a.csv"), "utf8"), { columns: true }) as Record<string, string>[];
    assert.deepEqual([row?.["question"], row?.["clientReference"], row?.["state"]], ["'=1+1", "'@x", "completed"]);
  });

  test("a mistake in the last row is told by its line before anything is sent", async () => {
    using at = await place(service);
    const wrong: [string, string, RegExp][] = [
      ["a.csv", "question,platfrom\nWhy?,x\n", /a\.csv:1: .*platfrom.*Did you mean platform\?/],
      ["b.csv", 'question\nWhy?\n""\n', /b\.csv:3: there is no question/],
      ["c.csv", "question,priority\nWhy?,9\nWhy?,high\n", /c\.csv:3: priority must be a whole number, not "high"/],
      ["d.csv", 'question\n"Why?\n', /d\.csv: .*Quote/i],
      [
        "e.jsonl",
        '"Why?"\n{"question":"Why?","platformcode":"x"}\n',
        /e\.jsonl:2: "platformcode" is not known\. Did you mean platformCode\?/,
      ],
      ["f.jsonl", '"Why?"\nWhy?\n', /f\.jsonl:2: is not JSON/],
      ["g.jsonl", "\n\n", /holds no question/],
      ["h.jsonl", `"${"x".repeat(2_000_000)}"\n`, /longer than 1 MiB/],
    ];
    for (const [name, text, words] of wrong) {
      writeFileSync(at.path(name), text);
      const { code, stderr } = await at.run(["submit", name, "-p", "simulator"]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, words);
    }
    assert.equal((await service.counts(at.account.accountId))["tasks"], 0);
  });

  test("what it would cost is told, and a limit holds", async () => {
    using at = await place(service);
    writeFileSync(at.path("q.jsonl"), '"One?"\n"Two?"\n"Three?"\n');
    const dry = await at.run(["submit", "q.jsonl", "-p", "sample", "--dry-run", "--chunk", "2"]);
    assert.deepEqual(JSON.parse(dry.stdout), { questions: 3, estimatedPoints: 6 });
    assert.equal((await at.run(["submit", "q.jsonl", "-p", "sample", "--max-points", "5"])).code, 2);
    const unknown = await at.run(["submit", "q.jsonl", "-p", "nowhere", "--dry-run"]);
    assert.deepEqual([unknown.code, /row-1 \/platformCode/.test(unknown.stderr)], [2, true], unknown.stderr);
    assert.equal((await service.counts(at.account.accountId))["tasks"], 0);
    using poor = await place(service, 2);
    assert.equal((await poor.run(["submit", "-", "-p", "simulator"], '"1?"\n"2?"\n"3?"\n')).code, 6);
  });

  test("through a pipe it reads and writes JSON lines, and tasks that failed have a code", async () => {
    using at = await place(service);
    const { code, stdout, stderr } = await at.run(["submit", "-", "-p", "simulator"], '"One?"\n"fail=internal"\n');
    assert.equal(code, 3, stderr);
    assert.deepEqual(
      recordsOf(stdout).map(({ state }) => state),
      ["completed", "failed"],
    );
    assert.match(stderr, /1 completed, 1 failed; 1 point charged/);
  });
});
