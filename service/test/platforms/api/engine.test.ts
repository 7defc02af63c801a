/** Model APIs in the running service: what each consequence does to the task, its points and the platform. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import type { PlatformList } from "@querent/contract";
import { createBrowserPool } from "../../../src/app/browsers.ts";
import { readConfig } from "../../../src/app/config.ts";
import { readPlatformSettings } from "../../../src/app/platform-settings.ts";
import { createPlatforms } from "../../../src/app/platforms.ts";
import { reparse } from "../../../src/tasks/index.ts";
import { startReplayServer, type ReplayedReply } from "../../harness/replay-server.ts";
import { startTestService } from "../../harness/service.ts";
import { until } from "../../harness/wait.ts";
import { key } from "./ask-api.ts";

const server = await startReplayServer();
const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
const config = join(folder, "platforms.yaml");
writeFileSync(
  config,
  `platforms:
  openai: { url: "${server.url}", price: { base: 7, deepAnalysis: 30 }, pollSeconds: 0.1, breakerAfter: null }
  once: { api: openai-compatible, url: "${server.url}", model: m, keyVariable: null, attempts: 1, breakerAfter: null }
  twice: { api: openai-compatible, url: "${server.url}", model: m, keyVariable: null, attempts: 2, breakerAfter: null }
`,
);
const service = await startTestService({ environment: { QUERENT_CONFIG: config, OPENAI_API_KEY: key } });
after(() => server.close());
after(() => rmSync(folder, { recursive: true, force: true }));
const account = await service.account();

const own = (name: string) => readFileSync(join(import.meta.dirname, "responses", name), "utf8");
const chat = (content: string): ReplayedReply => ({
  body: JSON.stringify({ model: "m-1", choices: [{ message: { content } }] }),
});

beforeEach(() => {
  server.requests.length = 0;
});

async function balance(): Promise<{ available: number; held: number }> {
  return (await account.get<{ balance: { available: number; held: number } }>("/v1/usage")).body.balance;
}

/** Asks, and expects that it costs nothing. */
async function failsFree(platformCode: string, reply: ReplayedReply) {
  server.reply = reply;
  const before = await balance();
  const task = await account.answerTo("Why?", { platformCode });
  assert.equal(task.state, "failed");
  assert.equal(task.chargedPoints, 0);
  assert.deepEqual(await balance(), before);
  return task;
}

test("an answer comes with its sources, searches, thoughts, model and where it came from, and is charged", async () => {
  server.reply = { body: own("openai.json") };
  const task = await account.answerTo("How do I keep beans?", {
    platformCode: "openai",
    options: { deepAnalysis: true },
  });
  assert.equal(task.state, "completed");
  assert.equal(task.chargedPoints, 37);
  assert.equal(task.modelVersion, "gpt-5.5-2026-04-23");
  assert.deepEqual(
    task.sources.map(({ title, url, site }) => [title, url, site]),
    [
      ["How to store coffee", "https://beans.example/storage", "beans.example"],
      ["Staling of coffee, measured", "https://lab.example/staling?utm_source=openai", "lab.example"],
      ["Light and roasted coffee", "https://roasters.example/light?utm_source=openai", "roasters.example"],
    ],
  );
  assert.deepEqual(
    task.searchProcess?.map(({ query, results }) => [query, results.map(({ title }) => title)]),
    [
      ["how to store coffee beans", ["How to store coffee", "Staling of coffee, measured"]],
      ["coffee beans light oxygen", []],
      // The page that it opened.
      ["", ["How to store coffee"]],
    ],
  );
  assert.equal(task.reasoningProcess?.length, 1);
  assert.deepEqual(task.provenance, { kind: "api", platform: "openai", endpoint: server.url, region: null });
  assert.equal(task.availability?.sources, "present");
  assert.equal(task.availability?.products, "not_exposed");
  assert.match(
    task.content ?? "",
    /dark\. \(\[beans\.example\]\(https:\/\/beans\.example\/storage\?utm_source=openai\)\)/,
  );
  assert.match(task.content ?? "", /beans\[1\] = 0;/);
});

test("a fault that may pass is tried again as often as the settings say, and then fails free of charge", async () => {
  const task = await failsFree("twice", { status: 500, body: "" });
  assert.deepEqual(task.failure, {
    code: "platform_unavailable",
    message: "The platform has a fault of its own.",
    stage: "platform",
    retryable: true,
    attempts: 2,
    platformStatus: 500,
  });
  assert.equal(server.requests.length, 2);
});

test("one that passes is forgotten", async () => {
  server.reply = (_request, index) => (index === 0 ? { body: "<html>" } : chat("Yes."));
  const task = await account.answerTo("Why?", { platformCode: "twice" });
  assert.equal(task.content, "Yes.");
  assert.equal(task.chargedPoints, 5);
});

test("a fault that stays fails at once, free of charge", async () => {
  const task = await failsFree("openai", { status: 429, body: own("../quota.json") });
  assert.equal(task.failure?.code, "platform_auth");
  const logged = service.events.filter(({ event }) => event === "platform.upstream_failed").at(-1);
  assert.deepEqual(logged, {
    event: "platform.upstream_failed",
    platform: "openai",
    endpoint: server.url,
    code: "platform_auth",
    message: task.failure?.message,
    platformStatus: 429,
  });
  assert.equal(task.failure?.retryable, false);
  assert.equal(task.failure?.attempts, 1);
  assert.equal(server.requests.length, 1);
});

test("a limit of speed costs no attempt: the platform is left alone for as long as it asks for, then asked again", async () => {
  const times: number[] = [];
  server.reply = (_request, index) => {
    times.push(performance.now());
    return index === 0 ? { status: 429, headers: { "retry-after": "1" }, body: "{}" } : chat("Yes.");
  };
  const task = await account.answerTo("Why?", { platformCode: "once" });
  assert.equal(task.state, "completed");
  assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 1000, "not before the time was up");
});

test("a task that is canceled while it is asked ends the request, and costs nothing", async () => {
  const before = await balance();
  const closed = new Promise<void>((resolve) => {
    server.reply = (_request, _index, response) => {
      response.on("close", resolve);
      return undefined;
    };
  });
  const taskId = await account.ask("Why?", { platformCode: "once" });
  await until("the platform to be asked", () => server.requests.length > 0);
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
  await closed;
  const task = await account.ended(taskId);
  assert.equal(task.state, "canceled");
  assert.equal(task.chargedPoints, 0);
  assert.deepEqual(await balance(), before);
});

test("a task that runs out of time ends the request, and costs nothing", async () => {
  server.reply = () => undefined;
  const before = await balance();
  const task = await account.answerTo("Why?", { platformCode: "once", runTimeoutSeconds: 5 });
  assert.equal(task.failure?.code, "run_timeout");
  assert.equal(task.chargedPoints, 0);
  assert.deepEqual(await balance(), before);
});

test("a platform without its key is listed, says so, and is not asked", async () => {
  const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
  const of = (code: string) => platforms.find(({ platformCode }) => platformCode === code);
  assert.equal(of("gemini")?.configured, false);
  assert.equal(of("once")?.configured, true);
  assert.equal((await account.post([{ question: "Why?", platformCode: "gemini", options: {} }])).status, 422);
});

test("answers that are stored are read again, and come out the same", async () => {
  server.reply = { body: `\0${own("openai.json")}` };
  const odd = await account.answerTo("Why?", { platformCode: "openai" });
  assert.equal(odd.failure?.code, "platform_bad_response", "U+0000 is no JSON, and does no harm");
  for (const [platformCode, file] of [
    ["openai", "openai-stream.sse"],
    ["once", "perplexity.json"],
    ["twice", "glm.json"],
  ] as const) {
    server.reply = { body: own(file) };
    assert.equal((await account.answerTo("Why?", { platformCode })).state, "completed");
  }
  const platforms = await createPlatforms({
    config: readConfig({}),
    settings: readPlatformSettings(config),
    environment: {},
    browsers: createBrowserPool(readConfig({}), { onEvent: () => {} }),
    noBrowser: null,
    onSampleProblem: () => {},
  });
  const report = await reparse(
    {
      database: service.database,
      platforms: new Map(platforms.map((platform) => [platform.code, platform])),
      bodyBytesMax: 100_000,
    },
    {
      scope: { platform: null, batchId: null, taskId: null, since: null, until: new Date(Date.now() + 60_000) },
      after: null,
      dryRun: true,
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  );
  assert.ok(report.equal >= 5, JSON.stringify(report));
  assert.deepEqual([report.changed, report.failed], [0, 0]);
});

test("no key is in any row, nor in the log", async () => {
  server.reply = {
    body: JSON.stringify({
      object: "response",
      status: "completed",
      model: key,
      output: [{ type: "message", content: [{ type: "output_text", text: `It is ${key}.` }] }],
    }),
  };
  const task = await account.answerTo("What is my key?", { platformCode: "openai" });
  assert.equal(task.content, "It is [redacted].");
  const { rows } = await service.database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of rows) {
    const { rows: found } = await service.database.query(`select 1 from "${name}" t where t::text like $1 limit 1`, [
      `%${key}%`,
    ]);
    assert.equal(found.length, 0, `the key is in ${name}`);
  }
  assert.ok(!JSON.stringify(service.events).includes(key));
});
