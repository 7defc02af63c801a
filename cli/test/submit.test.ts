import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { TaskRecord } from "@querent/client";
import { parse } from "csv-parse/sync";
import { grantPoints } from "../../service/src/points/index.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { runCli, startCli } from "./run-cli.ts";

const service = await startTestService();

/** An account, a folder, and the command line in it. */
async function place(points?: number) {
  const folder = temporaryFolder();
  const account = await service.account(points === undefined ? {} : { points });
  const options = { url: service.address, token: account.token, home: folder.path };
  return {
    account,
    path: (name: string) => join(folder.path, name),
    run: (words: readonly string[], input?: string | Buffer) =>
      runCli(words, { ...options, ...(input === undefined ? {} : { input }) }),
    start: (words: readonly string[]) => startCli(words, options),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const recordsOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TaskRecord);

async function charged(account: TestAccount): Promise<{ captured: number; held: number }> {
  const { body } = await account.get<{ balance: { captured: number; held: number } }>("/v1/usage");
  return { captured: body.balance.captured, held: body.balance.held };
}

suite("a submission that is killed", () => {
  test("4,000 questions, killed twice and begun again: every row once, in order, charged once", async () => {
    using at = await place();
    const count = 4_000;
    const rows = Array.from({ length: count }, (_, index) => `"Why, ""${index}""?",r${index}`);
    writeFileSync(at.path("questions.csv"), `question,reference\r\n${rows.join("\r\n")}\r\n`);
    const words = ["submit", "questions.csv", "-p", "simulator", "--chunk", "200", "-o", "answers.jsonl"];
    const journal = () =>
      existsSync(at.path("questions.csv.querent-journal"))
        ? readFileSync(at.path("questions.csv.querent-journal"), "utf8")
        : "";
    for (const accepted of [4, 15]) {
      const cli = at.start(words);
      await until("some to be accepted", () => (journal().match(/"accepted"/g) ?? []).length >= accepted);
      cli.child.kill("SIGKILL");
      assert.equal((await cli.ended).code, null);
    }
    // A line that was being written when the power went.
    appendFileSync(at.path("questions.csv.querent-journal"), '{"accepted":77,"dig');
    const { code, stderr } = await at.run(words);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Going on with what was begun/);
    const records = recordsOf(readFileSync(at.path("answers.jsonl"), "utf8"));
    assert.deepEqual(
      records.map(({ clientReference }) => clientReference),
      Array.from({ length: count }, (_, index) => `r${index}`),
    );
    assert.equal(records[7]?.question, 'Why, "7"?');
    assert.deepEqual(await charged(at.account), { captured: count, held: 0 });
    assert.equal((await service.counts(at.account.accountId))["tasks"], count);

    const again = await at.run(words);
    assert.equal(again.code, 0);
    assert.deepEqual(
      await charged(at.account),
      { captured: count, held: 0 },
      "a file is not submitted twice by mistake",
    );
    assert.ok(!existsSync(at.path("answers.jsonl.part")));
  });

  test("two that begin at once with one file are one submission", async () => {
    using at = await place();
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
    using at = await place();
    writeFileSync(at.path("q.jsonl"), '"delay=30s"\n');
    const cli = at.start(["submit", "q.jsonl", "-p", "simulator"]);
    await until("it to be accepted", () => cli.stderr().includes("accepted"));
    cli.child.kill("SIGINT");
    const { code, stderr } = await cli.ended;
    assert.equal(code, 130);
    assert.match(stderr, /The same command goes on from here/);
  });

  test("a file that changed, other flags, another account: refused, and nothing is sent", async () => {
    using at = await place();
    using other = await place();
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

suite("a file that is submitted again", () => {
  const count = 600;
  const words = ["submit", "q.jsonl", "-p", "simulator", "--chunk", "50", "-o", "answers.jsonl"];
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(`Why ${index}?`)).join("\n");

  test("--again that is killed goes on with the same new run, and is a new run only once that one is done", async () => {
    using at = await place();
    writeFileSync(at.path("q.jsonl"), lines);
    assert.equal((await at.run(words)).code, 0);
    const journal = () => readFileSync(at.path("q.jsonl.querent-journal"), "utf8");
    const first = journal();
    for (const accepted of [3, 7]) {
      const cli = at.start([...words, "--again"]);
      await until("some to be accepted", () => {
        const text = journal();
        return text !== first && (text.match(/"accepted"/g) ?? []).length >= accepted;
      });
      cli.child.kill(accepted === 3 ? "SIGINT" : "SIGKILL");
      const ended = await cli.ended;
      if (accepted === 3) assert.match(ended.stderr, /The same command goes on from here/);
    }
    const { code, stderr } = await at.run([...words, "--again"]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Going on with what was begun/);
    assert.deepEqual(await charged(at.account), { captured: 2 * count, held: 0 });
    assert.equal((await at.run(words)).code, 0);
    assert.deepEqual(
      await charged(at.account),
      { captured: 2 * count, held: 0 },
      "without the flag: the results again",
    );
    assert.equal((await at.run([...words, "--again"])).code, 0);
    assert.deepEqual(await charged(at.account), { captured: 3 * count, held: 0 });
  });

  test("--again that is stopped while it waits for the answers goes on waiting", async () => {
    using at = await place();
    writeFileSync(at.path("q.jsonl"), '"Why?"\n"delay=3s"\n');
    assert.equal((await at.run(words)).code, 0);
    const cli = at.start([...words, "--again"]);
    await until("it to be accepted", () => cli.stderr().includes("accepted in 1 batch"));
    cli.child.kill("SIGINT");
    assert.equal((await cli.ended).code, 130);
    const again = await at.run([...words, "--again"]);
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(await charged(at.account), { captured: 4, held: 0 });
  });

  test("two --again at once are one new run", async () => {
    using at = await place();
    writeFileSync(at.path("q.jsonl"), lines);
    assert.equal((await at.run(words)).code, 0);
    const both = await Promise.all([at.run([...words, "--again"]), at.run([...words, "--again", "-o", "b.jsonl"])]);
    for (const { code, stderr } of both) assert.equal(code, 0, stderr);
    assert.deepEqual(await charged(at.account), { captured: 2 * count, held: 0 });
  });

  test("an unfinished run is not given up by accident: --again with another file names what to delete", async () => {
    using at = await place();
    writeFileSync(at.path("q.jsonl"), '"delay=30s"\n');
    const cli = at.start(words);
    await until("it to be accepted", () => cli.stderr().includes("accepted in 1 batch"));
    cli.child.kill("SIGINT");
    await cli.ended;
    writeFileSync(at.path("q.jsonl"), '"Something else?"\n');
    const { code, stderr } = await at.run([...words, "--again"]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /changed since.*not finished: 1 of its questions.*delete q\.jsonl\.querent-journal/s);
    assert.equal((await service.counts(at.account.accountId))["tasks"], 1);
  });
});

suite("points that are not enough", () => {
  const lines = Array.from({ length: 50 }, (_, index) => JSON.stringify(`Why ${index}?`)).join("\n");
  const words = ["submit", "q.jsonl", "-p", "simulator", "--chunk", "10", "-o", "answers.jsonl"];
  const grant = (accountId: string, points: number) =>
    service.database.transaction((tx) => grantPoints(tx, { accountId, points, note: null }));

  test("the dry run says so, and the submission refuses before it sends anything, with the same code", async () => {
    using at = await place(27);
    writeFileSync(at.path("q.jsonl"), lines);
    const dry = await at.run([...words, "--dry-run"]);
    assert.deepEqual(
      [dry.code, JSON.parse(dry.stdout)],
      [6, { questions: 50, estimatedPoints: 50, availablePoints: 27, affordable: false }],
      dry.stderr,
    );
    assert.match(dry.stderr, /50 questions cost 50 points, and 27 are available: 23 short\./);
    const { code, stderr } = await at.run(words);
    assert.equal(code, 6, stderr);
    assert.match(stderr, /Nothing was submitted\. .*23 short\..*--allow-partial/s);
    assert.equal((await service.counts(at.account.accountId))["tasks"], 0);
    assert.ok(!existsSync(at.path("q.jsonl.querent-journal")));
  });

  test("--allow-partial: what was accepted is told and its results written; after a grant the rest follows", async () => {
    using at = await place(27);
    writeFileSync(at.path("q.jsonl"), lines);
    const { code, stderr } = await at.run([...words, "--allow-partial"]);
    assert.equal(code, 6, stderr);
    assert.match(stderr, /20 of 50 questions were accepted, for at most 20 points; 30 were not, and cost nothing\./);
    assert.match(stderr, /remaining 30 questions cost 30 points, and 7 are available: 23 short\./);
    assert.equal(recordsOf(readFileSync(at.path("answers.jsonl"), "utf8")).length, 20);
    assert.deepEqual(await charged(at.account), { captured: 20, held: 0 });

    const early = await at.run(words);
    assert.equal(early.code, 6, early.stderr);
    assert.match(early.stderr, /Nothing more was submitted\./);
    await grant(at.account.accountId, 23);
    const rest = await at.run(words);
    assert.equal(rest.code, 0, rest.stderr);
    assert.equal(recordsOf(readFileSync(at.path("answers.jsonl"), "utf8")).length, 50);
    assert.deepEqual(await charged(at.account), { captured: 50, held: 0 });
  });

  test("a token without the right to read submits all the same, and tells the truth when the points run out", async () => {
    using at = await place(12);
    writeFileSync(at.path("q.jsonl"), lines);
    const writer = await at.account.withToken({ scopes: ["tasks:write"] });
    const { code, stdout, stderr } = await at.run(["--token", writer.token, ...words, "--no-wait"]);
    assert.equal(code, 6, stderr);
    assert.equal((JSON.parse(stdout) as { itemCount: number }).itemCount, 10);
    assert.match(stderr, /10 of 50 questions were accepted/);
  });
});

suite("what is submitted", () => {
  test("columns and members of every kind reach the service, and rows without a platform go to each", async () => {
    using at = await place();
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
    using at = await place();
    writeFileSync(at.path("q.jsonl"), `${JSON.stringify({ question: "=1+1", clientReference: "@x" })}\n`);
    assert.equal((await at.run(["submit", "q.jsonl", "-p", "simulator", "-o", "a.csv"])).code, 0);
    const [row] = parse(readFileSync(at.path("a.csv"), "utf8"), { columns: true }) as Record<string, string>[];
    assert.deepEqual([row?.["question"], row?.["clientReference"], row?.["state"]], ["'=1+1", "'@x", "completed"]);
  });

  test("a mistake in the last row is told by its line before anything is sent", async () => {
    using at = await place();
    const wrong: [string, string, RegExp][] = [
      ["a.csv", "question,platfrom\nWhy?,x\n", /a\.csv:1: .*platfrom.*Did you mean platform\?/],
      ["b.csv", 'question\nWhy?\n""\n', /b\.csv:3: there is no question/],
      ["c.csv", "question,priority\nWhy?,9\nWhy?,high\n", /c\.csv:3: priority must be a whole number, not "high"/],
      ["d.csv", 'question\n"Why?\n', /d\.csv:2: .*quote/],
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
    using at = await place();
    writeFileSync(at.path("q.jsonl"), '"One?"\n"Two?"\n"Three?"\n');
    const dry = await at.run(["submit", "q.jsonl", "-p", "sample", "--dry-run", "--chunk", "2"]);
    assert.deepEqual(JSON.parse(dry.stdout), {
      questions: 3,
      estimatedPoints: 6,
      availablePoints: 1_000_000,
      affordable: true,
    });
    assert.equal((await at.run(["submit", "q.jsonl", "-p", "sample", "--max-points", "5"])).code, 2);
    const unknown = await at.run(["submit", "q.jsonl", "-p", "nowhere", "--dry-run"]);
    assert.deepEqual(
      [unknown.code, /q\.jsonl:1: platformCode: .*The same in lines 2 and 3\./.test(unknown.stderr)],
      [4, true],
      unknown.stderr,
    );
    const sent = await at.run(["submit", "q.jsonl", "-p", "nowhere"]);
    assert.deepEqual([sent.code, sent.stderr], [unknown.code, unknown.stderr], "the same mistake, the same end");
    assert.equal((await service.counts(at.account.accountId))["tasks"], 0);
    using poor = await place(2);
    assert.equal((await poor.run(["submit", "-", "-p", "simulator"], '"1?"\n"2?"\n"3?"\n')).code, 6);
  });

  test("through a pipe it reads and writes JSON lines, and tasks that failed have a code", async () => {
    using at = await place();
    const { code, stdout, stderr } = await at.run(["submit", "-", "-p", "simulator"], '"One?"\n"fail=internal"\n');
    assert.equal(code, 3, stderr);
    assert.deepEqual(
      recordsOf(stdout).map(({ state }) => state),
      ["completed", "failed"],
    );
    assert.match(stderr, /1 completed, 1 failed; 1 point charged/);
  });
});
