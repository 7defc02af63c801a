import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { suite, test } from "node:test";
import { parse } from "csv-parse/sync";
import { grantPoints } from "../../service/src/points/index.ts";
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
    writeFileSync(at.path("q.jsonl"), '"delay=30m"\n');
    const cli = at.start(["submit", "q.jsonl", "-p", "simulator"]);
    await until("it to be accepted", () => cli.stderr().includes("accepted"));
    cli.child.kill("SIGINT");
    const { code, stderr } = await cli.ended;
    assert.equal(code, 130);
    assert.match(stderr, /To resume, run the same command/);
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

test("the flags for where, as whom and with what are options of every question, and rows can have their own", async () => {
  using at = await place(service);
  writeFileSync(at.path("q.csv"), "question,country,language\nWhy?,,\nPourquoi ?,fr,fr\n");
  const flags =
    "--country de --language de --city Munich --coordinates 48.14,11.58 --model simulator-2 --search-depth high --domain a.example,b.example --exclude-domain c.example --since 2026-01-31 --on-unsupported refuse";
  const words = ["submit", "q.csv", "-p", "simulator", ...flags.split(" "), "--persona", "I am a nurse."];
  const { code, stdout, stderr } = await at.run(words);
  assert.equal(code, 0, stderr);
  const of = (question: string) => recordsOf(stdout).find((record) => record.question === question)?.options;
  const expected = {
    deepAnalysis: false,
    output: "answer",
    resultFormat: "json",
    country: "DE",
    language: "de",
    location: { city: "Munich", latitude: 48.14, longitude: 11.58 },
    persona: "I am a nurse.",
    model: "simulator-2",
    searchDepth: "high",
    domains: { allow: ["a.example", "b.example"], deny: ["c.example"] },
    since: "2026-01-31",
    onUnsupported: "refuse",
  };
  assert.deepEqual(of("Why?"), expected);
  assert.deepEqual(of("Pourquoi ?"), { ...expected, country: "FR", language: "fr" });
  const wrong = await at.run(["submit", "q.csv", "-p", "simulator", "--again", "--country", "uk"]);
  assert.deepEqual([wrong.code, /options\/country|country/.test(wrong.stderr)], [4, true], wrong.stderr);
});

suite("points that are not enough", () => {
  const lines = Array.from({ length: 50 }, (_, index) => JSON.stringify(`Why ${index}?`)).join("\n");
  const words = ["submit", "q.jsonl", "-p", "simulator", "--chunk", "10", "-o", "answers.jsonl"];
  const grant = (accountId: string, points: number) =>
    service.database.transaction((tx) => grantPoints(tx, { accountId, points, note: null }));

  test("the dry run says so, and the submission refuses before it sends anything, with the same code", async () => {
    using at = await place(service, 27);
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
    using at = await place(service, 27);
    writeFileSync(at.path("q.jsonl"), lines);
    const { code, stderr } = await at.run([...words, "--allow-partial"]);
    assert.equal(code, 6, stderr);
    assert.match(stderr, /20 of 50 questions were accepted, for at most 20 points; 30 were not, and are not charged\./);
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
    using at = await place(service, 12);
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
      ["d.csv", 'question\n"Why?\n', /d\.csv:2: .*quote/],
      [
        "e.jsonl",
        '"Why?"\n{"question":"Why?","platformcode":"x"}\n',
        /e\.jsonl:2: "platformcode" is not known\. Did you mean platformCode\?/,
      ],
      ["f.jsonl", '"Why?"\nWhy?\n', /f\.jsonl:2: is not JSON/],
      ["g.jsonl", "\n\n", /contains no questions/],
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

  test("a table from a spreadsheet is read, whatever Excel or somebody made of it", async () => {
    using at = await place(service);
    const table = "question;platform;;\r\nHow fine?;simulator;;\r\n;;;\r\n";
    const files: [string, string | Buffer][] = [
      ["sep.csv", `sep=;\r\n${table}`],
      ["trailing.csv", table],
      ["unicode-text.txt", Buffer.from(`\uFEFF${table.replaceAll(";", "\t")}`, "utf16le")],
      ["old-mac.csv", table.replaceAll("\r\n", "\r")],
    ];
    for (const [name, text] of files) {
      writeFileSync(at.path(name), text);
      const { code, stdout, stderr } = await at.run(["--text", "submit", name, "--dry-run"]);
      assert.deepEqual([code, stdout.startsWith("1 question would cost 1 point;")], [0, true], stdout + stderr);
    }
    const lines = Array.from({ length: 150 }, (_, index) => `Why?,wrong-${index}`);
    writeFileSync(at.path("faulty.csv"), Buffer.from(`question,priority\n${lines.join("\n")}\n`));
    const { code, stderr } = await at.run(["submit", "faulty.csv", "-p", "simulator"]);
    assert.equal(code, 2);
    assert.match(stderr, /^querent: faulty\.csv has 150 mistakes\. Nothing was submitted\.$/m);
    assert.match(stderr, /faulty\.csv:101: priority must be a whole number, not "wrong-99"\.\n {2}and 50 more/);
    writeFileSync(at.path("latin.csv"), Buffer.from("question\nWhy?\nLäuft es?\n", "latin1"));
    assert.match((await at.run(["submit", "latin.csv", "-p", "simulator"])).stderr, /latin\.csv:3: .*UTF-8/);
  });

  test("what it would cost is told, and a limit holds", async () => {
    using at = await place(service);
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
