/** How often a platform that returns rate limits is asked, measured at a real server. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startReplayServer } from "../../harness/replay-server.ts";
import { startTestService } from "../../harness/service.ts";
import { until } from "../../harness/wait.ts";

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
  fallback: { ${api}, url: "${server.url}/busy", fallbacks: [{ ${api.replace(", breakerAfter: null", "")}, url: "${other.url}" }] }
`,
);
const service = await startTestService({ environment: { QUERENT_CONFIG: config } });
after(() => Promise.all([server.close(), other.close()]));
after(() => rmSync(folder, { recursive: true, force: true }));

const answer = JSON.stringify({
  choices: [{ finish_reason: "stop", message: { role: "assistant", content: "Yes." } }],
});

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
  await until("twelve seconds of throttles", () => performance.now() - started > 12_000);
  for (const [index, headers] of waits.entries()) {
    const times = requests.get(String(index)) ?? [];
    assert.ok(times.length >= 1);
    // The tasks that had started when the first of them was throttled are on their way already: a pause follows them.
    const pauseAt = times.findIndex((time, index) => index > 0 && time - (times[index - 1] ?? 0) >= 900);
    const later = pauseAt < 0 ? [] : times.slice(pauseAt);
    assert.ok(times.length - later.length <= 40, "no task is asked for again before the pause");
    for (const at of later) {
      const inSecond = later.filter((time) => time >= at && time < at + 1000).length;
      assert.ok(inSecond <= 3, `${JSON.stringify(headers)}: ${inSecond} requests in a second`);
    }
    assert.ok(later.length <= 6, `${JSON.stringify(headers)}: ${later.length} requests after the first pause`);
  }
});

test("an upstream that is throttled while its fallback answers is left alone as well", async () => {
  const account = await service.account();
  server.requests.length = 0;
  server.reply = { status: 429, headers: { "retry-after": "0" }, body: "{}" };
  other.reply = { body: answer };
  for (let round = 0; round < 40; round++) {
    const task = await account.answerTo("Why?", { platformCode: "fallback" });
    assert.equal(task.content, "Yes.");
  }
  const asked = server.requests.filter(({ path }) => path.startsWith("/busy")).length;
  assert.ok(asked <= 3, `${asked} requests`);
  assert.equal(other.requests.length, 40);
});
