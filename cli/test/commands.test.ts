/** The commands of `querent` as a user types them: output, exit codes and mistakes. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { webhooks, type TaskRecord, type WebhookRecord } from "@querent/client";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";
import stringWidth from "string-width";
import { table, type Column } from "../src/output/columns.ts";
import { cliCommand, runCli, type CliOptions } from "./run-cli.ts";

const receiver = await startReceiver();
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());
const home = temporaryFolder();
test.after(() => home[Symbol.dispose]());

const as = (account: TestAccount, more: Partial<CliOptions> = {}): CliOptions => ({
  url: service.address,
  token: account.token,
  home: home.path,
  ...more,
});

suite("ask", () => {
  test("asks each platform once, prints a record a line, and ends with 0 when all answered", async () => {
    const account = await service.account();
    const { code, stdout } = await runCli(
      ["ask", "Why?", "-p", "simulator,sample", "--reference", "r", "--tag", "a"],
      as(account),
    );
    const tasks = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as TaskRecord);
    assert.equal(code, 0);
    assert.deepEqual(
      tasks.map(({ platformCode, state, clientReference, tags }) => [platformCode, state, clientReference, tags]),
      [
        ["simulator", "completed", "r", ["a"]],
        ["sample", "completed", "r", ["a"]],
      ],
    );
  });

  test("answers stand beside each other, a failure among them, and it ends with 3", async () => {
    const account = await service.account();
    const { code, stdout } = await runCli(
      ["--text", "ask", "fail=platform_refused", "-p", "simulator,sample"],
      as(account),
    );
    assert.equal(code, 3);
    const [head = ""] = stdout.split("\n");
    assert.match(head, /^simulator failed +│ sample completed, 2 points/);
    assert.match(stdout, /declined|refused/);
  });

  test("the same key is paid for once, a time limit ends the waiting, a question may come through a pipe", async () => {
    const account = await service.account();
    for (let n = 0; n < 2; n++)
      assert.equal(
        (await runCli(["ask", "-", "-p", "simulator", "--key", "k-1"], as(account, { input: "Why?\n" }))).code,
        0,
      );
    const late = await runCli(["ask", "delay=30s", "-p", "simulator", "--timeout", "1s"], as(account));
    assert.deepEqual([late.code, /has not ended within 1000 ms/.test(late.stderr)], [8, true], late.stderr);
    assert.equal((await service.counts(account.accountId))["tasks"], 2);
  });
});

suite("errors say what to do, and have codes", () => {
  const cases: [string, string[], Partial<CliOptions>, number, RegExp][] = [
    [
      "no service",
      ["platforms"],
      { url: "http://127.0.0.1:1" },
      7,
      /service at http:\/\/127\.0\.0\.1:1 cannot be reached.*\n.*npm start/,
    ],
    ["no token", ["platforms"], { token: "" }, 5, /Set QUERENT_TOKEN/],
    ["a token that is not valid", ["platforms"], { token: "qrt_x" }, 5, /rejected the token/],
    ["no such task", ["tasks", "get", "01a1fe2b-2faa-7230-b56a-51692740303c"], {}, 4, /Not found/],
    ["no platform", ["ask", "Why?"], {}, 2, /--platform: sample, simulator/],
    [
      "a platform that there is not",
      ["ask", "Why?", "-p", "smaple"],
      {},
      4,
      /\/0\/platformCode.*\n.*querent platforms/,
    ],
    ["a command that there is not", ["aks"], {}, 2, /Did you mean ask/],
    ["a flag that there is not", ["ask", "Why?", "--plat", "x"], {}, 2, /unknown option '--plat'/],
    ["an address that is none", ["--url", "localhost", "platforms"], {}, 2, /must start with http: or https:/],
    ["a time that is none", ["ask", "Why?", "--timeout", "soon"], {}, 2, /such as 90s/],
    ["http for notifications", ["webhook", "set", "http://localhost:3000/"], {}, 2, /querent listen --forward/],
  ];
  for (const [what, words, change, code, said] of cases) {
    test(`${what}: ${code}`, async () => {
      const account = await service.account();
      const ended = await runCli(words, as(account, change));
      assert.equal(ended.code, code, ended.stderr);
      assert.match(ended.stderr, said);
      assert.equal(ended.stdout, "", "data alone goes to standard output");
      assert.doesNotMatch(ended.stderr, /\n {4}at /, "no stack");
    });
  }
});

suite("tables", () => {
  test("are as wide as the terminal allows: what is long is cut, what is least needed left out, ids stay whole", () => {
    const columns: readonly Column[] = [
      { head: "ID" },
      { head: "CREATED", optional: 1 },
      { head: "QUESTION", least: 10 },
    ];
    const rows = [["x".repeat(36), "2026-11-01 00:00:00", "How fine should I grind for espresso?"]];
    const widthOf = (width: number) => Math.max(...table(columns, rows, width).map((line) => stringWidth(line)));
    assert.deepEqual([120, 80, 60, 40].map(widthOf), [96, 80, 60, 48]);
    assert.match(table(columns, rows, 60)[1] ?? "", /^x{36} {2}How fine .*…$/);
  });
});

suite("settings", () => {
  test("flags come before the environment, the environment before the file, and an open file is warned of", async () => {
    using own = temporaryFolder();
    const account = await service.account();
    const file = join(own.path, "config/querent/config.json");
    mkdirSync(join(own.path, "config/querent"), { recursive: true });
    writeFileSync(file, JSON.stringify({ url: service.address, token: account.token }));
    chmodSync(file, 0o644);
    const from = await runCli(["usage"], { home: own.path });
    assert.equal(from.code, 0, from.stderr);
    assert.match(from.stderr, /readable by other users. Run chmod 600/);
    assert.equal((await runCli(["usage"], { home: own.path, token: "qrt_x" })).code, 5);
    assert.equal((await runCli(["--token", account.token, "usage"], { home: own.path, token: "qrt_x" })).code, 0);
    for (const [text, said] of [
      ["{", /not valid JSON/],
      ['{"tokn":"x"}', /unknown member "tokn"/],
      ['{"url":1}', /must be a string/],
    ] as const) {
      writeFileSync(file, text);
      const { code, stderr } = await runCli(["usage"], { home: own.path });
      assert.equal(code, 2);
      assert.match(stderr, said);
    }
  });

  test("no colour where nobody sees it, and none with NO_COLOR; a reader that stops early is no error", async () => {
    const account = await service.account();
    const { stdout } = await runCli(["--text", "platforms"], as(account));
    assert.ok(!stdout.includes("\u001B"));
    const shell = `${cliCommand(["platforms"])
      .map((word) => `'${word}'`)
      .join(" ")} | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const env = { ...process.env, QUERENT_URL: service.address, QUERENT_TOKEN: account.token, HOME: home.path };
    // In a process of its own: the service that it asks is in this one.
    const { promisify } = await import("node:util");
    const { execFile } = await import("node:child_process");
    const piped = await promisify(execFile)("bash", ["-c", shell], { env });
    assert.equal(piped.stdout.trim(), "0", piped.stderr);
  });
});

suite("looking and changing", () => {
  test("tasks, batches, results, webhook, deliveries and usage do what they say", async () => {
    const account = await service.account();
    const run = async (...words: string[]) => {
      const ended = await runCli(words, as(account));
      assert.equal(ended.code, 0, `${words.join(" ")}: ${ended.stderr}`);
      return ended.stdout
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const [set] = await run("webhook", "set", receiver.url());
    assert.equal(set?.["url"], receiver.url());
    const [rotated] = await run("webhook", "rotate", "--overlap", "1h");
    assert.equal(rotated?.["secretVersion"], 2);
    assert.equal((await run("webhook", "test"))[0]?.["passed"], true);
    const { batchId, tasks } = await account.submit([{ question: "a", platformCode: "simulator", options: {} }]);
    assert.equal((await run("batches", "wait", batchId))[0]?.["state"], "finished");
    assert.equal((await run("results", batchId))[0]?.["taskId"], tasks[0]?.taskId);
    assert.equal((await run("tasks", "get", tasks[0]?.taskId ?? "", "--wait"))[0]?.["state"], "completed");
    await receiver.received(2);
    const [delivery] = await run("deliveries", "list", "--from", "1h", "-n", "1");
    const id = String(delivery?.["deliveryId"]);
    assert.equal((await run("deliveries", "show", id))[0]?.["taskId"], tasks[0]?.taskId);
    const slow = await account.ask("delay=60s");
    assert.equal((await run("tasks", "cancel", slow))[0]?.["state"], "canceled");
    assert.deepEqual(
      (await run("tasks", "list", "--state", "canceled")).map(({ taskId }) => taskId),
      [slow],
    );
    assert.equal((await run("deliveries", "recover", "--since", "1h"))[0]?.["redeliveredCount"], 0);
    assert.equal((await run("usage", "--ledger"))[0]?.["kind"], "release");
    assert.equal((await run("batches", "cancel", batchId))[0]?.["canceledCount"], 0);
    const secret = await runCli(["webhook", "get", "--secret"], as(account));
    assert.equal(secret.stdout.trim(), rotated?.["signingSecret"]);
    for (const words of [
      ["webhook", "get"],
      ["deliveries", "list"],
      ["deliveries", "show", id],
      ["tasks", "list"],
      ["batches", "get", batchId],
      ["usage"],
      ["platforms"],
    ]) {
      const ended = await runCli(["--text", ...words], as(account));
      assert.equal(ended.code, 0, ended.stderr);
      assert.ok(
        ended.stdout.length > 20 && !ended.stdout.includes("undefined") && !ended.stdout.includes("[object"),
        ended.stdout,
      );
    }
  });
});

suite("verify", () => {
  test("a saved notification is verified, and one that is not right is told why", async () => {
    const account = await service.account();
    const { body: webhook } = await account.get<WebhookRecord>("/v1/webhook");
    const body = '{"event":"task.finished","deliveryRevision":1,"task":{"taskId":"t-1","state":"completed"}}';
    const signature = await webhooks.sign(body, webhook.signingSecret);
    const file = join(home.path, "body.json");
    writeFileSync(file, body);
    const right = await runCli(["--text", "verify", file, "--signature", signature], as(account));
    assert.deepEqual(
      [right.code, right.stdout],
      [0, "verified: task t-1 completed, revision 1 of its delivery\n"],
      right.stderr,
    );
    const words = ["verify", "-", "--header", `X-Service-Signature: ${signature}`, "--secret", webhook.signingSecret];
    assert.equal((await runCli(words, as(account, { token: "", input: body }))).code, 0, "needs no service");
    const saved = await runCli(words, as(account, { input: `${body}\n` }));
    assert.deepEqual([saved.code, /white space at its end/.test(saved.stderr)], [9, true], saved.stderr);
    const none = await runCli(["verify", file], as(account));
    assert.deepEqual([none.code, /X-Service-Signature header is missing/.test(none.stderr)], [9, true]);
  });
});

suite("entity", () => {
  test("names are proposed with their evidence, approved and declined by their texts", async () => {
    const account = await service.account();
    const run = (...args: string[]) => runCli(["--text", "entity", ...args], as(account));
    await run("add", "Магнит");
    await account.call("POST", "/v1/imports?name=a", {
      body: `${JSON.stringify({
        ...{ id: "1", question: "q", platformCode: "elsewhere", observedAt: "2026-11-20T10:00:00Z" },
        content: "Скидки в Магните, у Магнита и в МАГНИТ. Магнит притягивает, как магнит.",
      })}\n`,
      headers: { "content-type": "application/x-ndjson" },
    });
    const { stdout, stderr } = await run("propose", "магнит");
    assert.deepEqual(
      stdout.split("\n").map((line) => line.replace(/^ {4}.*/u, "    …")),
      [
        "alias Магните: an inflected form, +1 mention in 1 answer",
        "    …",
        "alias Магнита: an inflected form, +1 mention in 1 answer",
        "    …",
        "only as Магнит, and МАГНИТ: a word in lower case, -1 mention in 1 answer",
        "    …",
        "",
      ],
    );
    assert.match(stdout, /^ {4}Скидки в Магните, у Магнита/mu);
    assert.equal(stderr, "3 proposed, by 1 answer with 3 mentions.\n");
    assert.equal((await run("approve", "Магнит", "Магните", "Магнит")).stdout, "approved 2, Магнит has revision 2\n");
    assert.equal((await run("decline", "Магнит", "Магнита")).stdout, "declined 1, Магнит has revision 2\n");
    assert.equal((await run("propose", "Магнит")).stdout, "");
    const unknown = await run("approve", "Магнит", "Магниту");
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /“Магниту” is not proposed/);
  });

  test("entities are added, exported, changed in a file, imported again, and found in a text", async () => {
    const account = await service.account();
    const run = (args: string[]) => runCli(["--text", "entity", ...args], as(account));
    const added = await run(["add", "=Acme", "--relation", "own", "--alias", "A|B", "--not", "acme juice"]);
    assert.equal(added.stdout, "created 1, changed 0, unchanged 0\n", added.stderr);
    await run(["add", "'@lit", "--alias", "\n- x"]);
    const { body } = await account.call("PUT", "/v1/entities", {
      body: [{ name: " 'Quoted' ", aliases: [{ text: "Q", caseSensitive: true }, { text: " q;=1 " }] }],
    });
    assert.deepEqual(body, { created: 1, updated: 0, unchanged: 0 });
    const csv = (await run(["export"])).stdout;
    assert.deepEqual(csv.split("\r\n"), [
      "name,kind,relation,caseSensitive,aliases,caseSensitiveAliases,negativeContexts,domains",
      "'Quoted',brand,other,false,\"q;'=1\",Q,,",
      "''@lit,brand,other,false,'- x,,,",
      "'=Acme,brand,own,false,A\\|B,,acme juice,",
      "",
    ]);
    const file = join(home.path, "entities.csv");
    writeFileSync(file, `${csv}Umbrella,brand,competitor,true,,,,umbrella.example\r\n`);
    assert.equal((await run(["import", file])).stdout, "created 1, changed 0, unchanged 3\n");
    writeFileSync(file, "name,relation\nx,mine\n,own\n");
    const refused = await run(["import", file]);
    assert.match(refused.stderr, /entities\.csv:2: .*mine[^]*entities\.csv:3: there is no name/);
    writeFileSync(file, 'name,domains\nA,a.example\n,\n"one\n two",not a host\n"-",\n');
    const rejected = await run(["import", file]);
    assert.match(rejected.stderr, /2 mistakes. Nothing was changed/);
    assert.match(rejected.stderr, /entities\.csv:4: domains\/0: [^]*entities\.csv:6: name: It has no letter/);
    writeFileSync(file, "The Umbrella and an umbrella, =ACME.");
    const { stdout: tried } = await run(["try", file]);
    assert.match(tried, /^ +4 {2}Umbrella {2}The Umbrella and an/);
    assert.equal(tried.split("\n").length, 3);
    await account.answerTo("Is an Umbrella useful?");
    assert.equal((await run(["recount"])).stdout, "recounted 1, changed 0, expired 0\n");
  });
});
