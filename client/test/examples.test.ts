/** The examples, run as their first lines say. */
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { webhooks } from "@querent/client";
import { cleanEnvironment, temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { startFakeService, answerJson, answerProblem } from "./fake-service.ts";

const examples = join(import.meta.dirname, "../../examples");
const service = await startTestService();
const run = async (
  program: string,
  words: readonly string[],
  account: TestAccount,
  environment: Record<string, string> = {},
) =>
  promisify(execFile)(program, words, {
    env: cleanEnvironment({ QUERENT_URL: service.address, QUERENT_TOKEN: account.token, ...environment }),
    timeout: 600_000,
  });
const node = (path: string, words: readonly string[], account: TestAccount, environment = {}) =>
  run(process.execPath, [join(examples, path), ...words], account, environment);

suite("examples with the client", () => {
  test("batch-from-csv asks each row once, also when it is started again", async () => {
    using folder = temporaryFolder();
    const account = await service.account();
    const file = join(folder.path, "questions.csv");
    writeFileSync(file, "question\nWhy?\n=1+1\n");
    await node("client/batch-from-csv.ts", [file, "simulator"], account);
    const again = await node("client/batch-from-csv.ts", [file, "simulator"], account);
    assert.match(again.stdout, /1 to 2: was already accepted/);
    const answers = readFileSync(join(folder.path, "questions.answers.csv"), "utf8");
    assert.match(answers, /^reference,question,state,answer,sources\r\nrow-1,Why\?,completed,/);
    assert.match(answers, /\nrow-2,'=1\+1,completed,/);
    assert.equal((await service.counts(account.accountId))["tasks"], 2);
  });

  test("brand-watch counts names, once a day however often it runs", async () => {
    using folder = temporaryFolder();
    const account = await service.account();
    const file = join(folder.path, "watch.json");
    const history = join(folder.path, "history.jsonl");
    writeFileSync(
      file,
      JSON.stringify({
        names: ["Simulator", "espresso"],
        platforms: ["sample", "simulator"],
        questions: ["How fine for espresso?"],
        history,
      }),
    );
    for (let n = 0; n < 2; n++) {
      const { stdout } = await node("client/brand-watch.ts", [file], account, { WATCH_DAY: "2026-11-01" });
      assert.match(
        stdout,
        /2026-11-01 Simulator: named in 0 of 2 answers\n2026-11-01 espresso: named in 2 of 2 answers/,
      );
    }
    assert.equal(readFileSync(history, "utf8").trim().split("\n").length, 2);
    await node("client/brand-watch.ts", [file], account, { WATCH_DAY: "2026-11-02" });
    assert.equal((await service.counts(account.accountId))["tasks"], 4);
    await assert.rejects(node("client/brand-watch.ts", [file.replace("watch.json", "none.json")], account));
  });

  test("the Express receiver takes what is signed, and says why it refuses the rest", async () => {
    const child = spawn(process.execPath, [join(examples, "client/receiver-express.ts")], {
      env: cleanEnvironment({ SIGNING_SECRET: "whsec_x", PORT: "0" }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    try {
      const url = await until("it to listen", () => /listening on (http:\S+)/.exec(output)?.[1]);
      const body =
        '{"event":"task.finished","deliveryRevision":1,"task":{"taskId":"t-1","state":"completed","chargedPoints":2}}';
      const post = async (secret: string) => {
        const headers = { "x-service-signature": await webhooks.sign(body, secret), "x-service-delivery": "d-1" };
        return (await fetch(url, { method: "POST", body, headers })).status;
      };
      assert.deepEqual([await post("whsec_x"), await post("whsec_x"), await post("whsec_y")], [204, 204, 401]);
      await until("the refusal", () => output.includes("rejected: The signature does not match this body"));
      assert.equal(output.split("t-1 completed, 2 points").length, 2);
    } finally {
      child.kill("SIGKILL");
      await once(child, "close");
    }
  });
});

const skip = spawnSync("python3", ["--version"]).status !== 0 && "no python3";
suite("the Python client", { skip }, () => {
  const program = join(examples, "python/querent.py");

  test("asks two platforms and waits for both", async () => {
    const account = await service.account();
    const { stdout } = await run("python3", [program, "delay=500ms sources=2", "simulator", "sample"], account);
    assert.match(stdout, /^simulator: completed, 1 points, 2 sources\nsample: completed, 2 points, \d sources\n$/);
  });

  test("sends a submission again with the same key and bytes, and no more than it should", async () => {
    const account = await service.account();
    await using fake = await startFakeService((_asked, response, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) answerProblem(response, 503, "unavailable");
      else answerProblem(response, 402, "points_short");
    });
    await assert.rejects(
      run("python3", [program, "Why?", "sample"], account, { QUERENT_URL: fake.url }),
      /points_short/,
    );
    assert.equal(fake.asked.length, 3);
    assert.equal(
      new Set(fake.asked.map(({ headers, body }) => JSON.stringify([headers["idempotency-key"], body]))).size,
      1,
    );
  });

  test("a signature with the secret before counts during an overlap", async () => {
    const body = "{}";
    const [old, other] = await Promise.all([webhooks.sign(body, "whsec_old"), webhooks.sign(body, "whsec_new")]);
    const script = `import sys, querent
print(querent.verified(b"{}", ["${other}", "${old}"], "whsec_old"), querent.verified(b"{}", ["${other}"], "whsec_old"))`;
    const { stdout } = await promisify(execFile)("python3", ["-c", script], {
      env: cleanEnvironment({ PYTHONPATH: join(examples, "python"), PYTHONDONTWRITEBYTECODE: "1" }),
    });
    assert.equal(stdout, "True False\n");
  });

  test("sends its token nowhere else", async () => {
    const account = await service.account();
    await using other = await startFakeService((_asked, response) => answerJson(response, 200, {}));
    await using fake = await startFakeService(
      (_asked, response) => void response.writeHead(307, { location: `${other.url}/` }).end(),
    );
    await assert.rejects(run("python3", [program, "Why?", "sample"], account, { QUERENT_URL: fake.url }));
    assert.equal(other.asked.length, 0);
  });
});
