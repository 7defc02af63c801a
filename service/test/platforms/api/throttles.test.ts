/** How often a platform that returns rate limits is asked, measured at a real server. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startReplayServer } from "../../harness/replay-server.ts";
import { startTestService } from "../../harness/service.ts";
import { until } from "../../harness/wait.ts";
import { ask, platformAt } from "./ask-api.ts";

const server = await startReplayServer();
const other = await startReplayServer();
const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
const config = join(folder, "platforms.yaml");
/** What a 429 says about the wait. None of it may make Querent ask more often. */
const waits: readonly Readonly<Record<string, string>>[] = [
  { "retry-after": "0" },
  { "retry-after": "-1" },
  { "retry-after": "5, 5" },
  { "retry-after": "Sat, 21 Nov 2020 09:30:00 GMT" },
  { "retry-after": "1" },
  { "retry-after-ms": "1" },
  { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "0.01" },
];
const api = "api: openai-compatible, model: m, keyVariable: null, breakerAfter: null";
writeFileSync(
  config,
  `platforms:
${waits.map((_, index) => `  wait${index}: { ${api}, url: "${server.url}/${index}" }`).join("\n")}
  fresh: { ${api}, url: "${server.url}/fresh" }
  fallback: { ${api}, url: "${server.url}/busy", fallbacks: [{ ${api.replace(", breakerAfter: null", "")}, url: "${other.url}" }] }
`,
);
const service = await startTestService({ environment: { QUERENT_CONFIG: config } });
after(() => Promise.all([server.close(), other.close()]));
after(() => rmSync(folder, { recursive: true, force: true }));

const answer = JSON.stringify({
  choices: [{ finish_reason: "stop", message: { role: "assistant", content: "Yes." } }],
});

/** Requests start 400 ms apart at least. Measured from the start of the test, since a busy machine receives them later. */
function assertPaced(times: readonly number[], started: number, what: string): void {
  for (const [index, at] of times.entries()) {
    assert.ok(at - started >= index * 400 - 5, `${what}: request ${index} after ${Math.round(at - started)} ms`);
  }
}

test("forty throttled tasks send at most three requests a second to a platform, whatever its headers say", async () => {
  const account = await service.account();
  const requests = new Map<string, number[]>();
  server.reply = ({ path }) => {
    const index = path.split("/")[1] ?? "";
    requests.set(index, [...(requests.get(index) ?? []), performance.now()]);
    return { status: 429, headers: waits[Number(index)] ?? {}, body: '{"error":{"message":"Too many requests"}}' };
  };
  const started = performance.now();
  for (const [index] of waits.entries()) {
    const options = {};
    await account.submit(
      Array.from({ length: 40 }, () => ({ question: "Why?", platformCode: `wait${index}`, options })),
    );
  }
  const timesOf = (index: number) => requests.get(String(index)) ?? [];
  await until("all to be asked again", () => waits.every((_, index) => timesOf(index).length >= 2));
  await until("twelve seconds of throttles", () => performance.now() - started > 12_000);
  for (const [index, headers] of waits.entries()) {
    const times = timesOf(index);
    assertPaced(times, started, JSON.stringify(headers));
    // The pauses double as well.
    assert.ok(times.length <= 8, `${JSON.stringify(headers)}: ${times.length} requests`);
  }
});

test("until a platform has answered, it is asked a few times a second; then all tasks ask it that may", async () => {
  const account = await service.account();
  const times: number[] = [];
  const waiting: ServerResponse[] = [];
  let isAnswering = false;
  server.reply = ({ path }, _index, response) => {
    // The tasks of the test before are still waiting, and ask now and then.
    if (!path.startsWith("/fresh")) return { status: 429, body: "{}" };
    times.push(performance.now());
    if (isAnswering) return { body: answer };
    waiting.push(response);
    return undefined;
  };
  const started = performance.now();
  const { tasks } = await account.submit(
    Array.from({ length: 40 }, () => ({ question: "Why?", platformCode: "fresh", options: {} })),
  );
  await until("five requests", () => times.length >= 5);
  assertPaced(times, started, "without an answer");
  isAnswering = true;
  const answeredAt = performance.now();
  for (const response of waiting) response.end(answer);
  await Promise.all(tasks.map(({ taskId }) => account.ended(taskId)));
  assert.equal(times.length, 40);
  const tookMs = (times.at(-1) ?? 0) - answeredAt;
  assert.ok(tookMs < 30 * 400, `the others were asked within ${tookMs} ms`);
});

test("an upstream that is throttled while its fallback answers is left alone as well", async () => {
  const account = await service.account();
  server.requests.length = 0;
  server.reply = { status: 429, headers: { "retry-after": "0" }, body: "{}" };
  other.reply = { body: answer };
  const started = performance.now();
  for (let round = 0; round < 40; round++) {
    const task = await account.answerTo("Why?", { platformCode: "fallback" });
    assert.equal(task.content, "Yes.");
  }
  const asked = server.requests.filter(({ path }) => path.startsWith("/busy")).length;
  // After one, two, four seconds, and so on.
  const most = 1 + Math.log2(1 + (performance.now() - started) / 1000);
  assert.ok(asked <= most, `${asked} requests instead of ${most}`);
  assert.equal(other.requests.length, 40);
});

test("throttled polls of forty runs slow down together, and none of the runs is lost", async () => {
  const polls: number[] = [];
  let isThrottling = true;
  const running = JSON.stringify({ id: "resp_1", object: "response", status: "in_progress", output: [] });
  server.reply = ({ method }) => {
    if (method === "POST") return { body: running };
    polls.push(performance.now());
    if (isThrottling) return { status: 429, headers: { "retry-after": "0", "retry-after-ms": "1" }, body: "{}" };
    return { body: readFileSync(join(import.meta.dirname, "responses/openai.json"), "utf8") };
  };
  const platform = platformAt("openai", server.url, { pollSeconds: 0.1 });
  const asked = Array.from({ length: 40 }, () => ask(platform, { deep: true }));
  await until("the first poll", () => polls.length > 0);
  const [first = 0] = polls;
  await until("some seconds of throttles", () => performance.now() - first > 4000);
  // Each run may ask once before the first of them is throttled. At the usual interval they would have asked thousands of times.
  assert.ok(polls.length > 1);
  const most = 40 + (performance.now() - first) / 400;
  assert.ok(polls.length <= most, `${polls.length} polls instead of ${most}`);
  isThrottling = false;
  for (const outcome of await Promise.all(asked)) assert.equal(outcome.kind, "answered");
});
