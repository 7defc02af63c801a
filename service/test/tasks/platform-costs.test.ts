/** What answers took of the operator's accounts: kept with the task, added up by day and platform, shown to the operator. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keptConsumption } from "../../src/answers/index.ts";
import { countFailedCalls } from "../../src/app/roles/count-failed-calls.ts";
import { optionSupport, type Consumption } from "../../src/platforms/index.ts";
import { moneyPerTask, readPlatformCosts } from "../../src/statistics/index.ts";
import { runTask } from "../../src/tasks/index.ts";
import { readStoredRaw } from "../../src/tasks/read/stored-raw.ts";
import { Metrics } from "../../src/telemetry/index.ts";
import { testEngine, makingNothing } from "../harness/engine.ts";
import { emptyResult } from "../harness/task-record.ts";

const told = (inputTokens: number | null, outputTokens: number | null, searches: number | null): Consumption => ({
  inputTokens,
  outputTokens,
  searches,
});

/** Tasks that completed with this consumption each. */
async function completed(consumptions: readonly (Consumption | null)[]) {
  const engine = await testEngine();
  const account = await engine.account("a");
  const taskIds = await engine.submit(account, consumptions.length);
  await engine.node((claimed) => {
    const consumption = consumptions[taskIds.indexOf(claimed.taskId)] ?? null;
    return Promise.resolve({ kind: "completed", result: { stored: emptyResult, raw: null, consumption } });
  });
  await engine.allEnded();
  return { engine, account, taskIds };
}

test("sums are over what was told, averages over the tasks of which anything was told, and points over all", async () => {
  const { engine, account, taskIds } = await completed([
    told(1000, 100, 3),
    told(500, null, 1),
    null,
    told(null, null, null),
  ]);
  const [costs, ...others] = await readPlatformCosts(engine.database, 1);
  assert.deepEqual(others, []);
  assert.deepEqual(costs, {
    platform: "p",
    completed: 4,
    chargedPoints: 4,
    metered: 2,
    inputTokens: 1500,
    outputTokens: 100,
    searches: 4,
  });
  assert.ok(costs !== undefined);
  const prices = { perMillionInputTokens: 2, perMillionOutputTokens: 10, perThousandSearches: 5, currency: "USD" };
  assert.equal(moneyPerTask(costs, prices)?.toFixed(6), ((0.003 + 0.001 + 0.02) / 2).toFixed(6));
  assert.equal(moneyPerTask(costs, { currency: "USD", perThousandRequests: 12 })?.toFixed(6), "0.012000");
  assert.equal(moneyPerTask(costs, null), null);
  assert.deepEqual((await readStoredRaw(engine.database, account, taskIds[1] ?? ""))?.consumption, told(500, null, 1));
  await engine.assertSound();
});

test("a platform that never tells has no sums, which is not the same as sums of nothing", async () => {
  const { engine } = await completed([null, null]);
  const [costs] = await readPlatformCosts(engine.database, 1);
  assert.deepEqual([costs?.completed, costs?.metered, costs?.inputTokens, costs?.searches], [2, 0, null, null]);
  assert.equal(costs === undefined ? 0 : moneyPerTask(costs, { currency: "USD", perThousandSearches: 1 }), null);
});

test("days before the range are left out", async () => {
  const { engine } = await completed([told(1, 1, 1)]);
  await engine.database.query("update usage_hours set hour = hour - interval '3 days'");
  assert.deepEqual(await readPlatformCosts(engine.database, 3), []);
  assert.equal((await readPlatformCosts(engine.database, 4)).length, 1);
});

test("what a platform tells outlives the result", async () => {
  const { engine, account, taskIds } = await completed([told(7, 8, 9)]);
  await engine.database.query("update tasks set expires_at = now(); delete from task_results");
  const stored = await readStoredRaw(engine.database, account, taskIds[0] ?? "");
  assert.deepEqual([stored?.expired, stored?.consumption], [true, told(7, 8, 9)]);
});

test("figures that can't be are as good as not told, and whatever is told can be stored", () => {
  assert.equal(keptConsumption(told(-1, 1.5, Number.NaN)), null);
  assert.deepEqual(keptConsumption(told(2 ** 31, 2 ** 31 - 1, 0)), told(null, 2 ** 31 - 1, 0));
  const anything = fc.option(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), { nil: null });
  fc.assert(
    fc.property(anything, anything, anything, (a, b, c) => {
      for (const figure of Object.values(keptConsumption(told(a, b, c)) ?? {}))
        assert.ok(figure === null || (Number.isInteger(figure) && figure >= 0 && figure < 2 ** 31));
    }),
    { numRuns: 300 },
  );
});

test("a run hands on what the platform told, and the bytes that it sent when they are not too many", async () => {
  const ask = async (body: string) => {
    const end = await runTask(
      {
        code: "p",
        name: "P",
        kind: "api",
        returns: {
          sources: false,
          products: false,
          videos: false,
          media: false,
          reasoningProcess: false,
          searchProcess: false,
          pageHtml: false,
        },
        outputs: ["answer"],
        resultFormats: ["json"],
        options: optionSupport(),
        missing: null,
        ask: () =>
          Promise.resolve({
            kind: "answered",
            answer: {
              parts: [],
              sources: [],
              reasoning: null,
              search: null,
              pageHtml: null,
              modelVersion: null,
              observedAt: new Date(),
              endpoint: null,
              region: null,
              unreadable: [],
            },
            raw: { mediaType: "application/json", body },
            consumption: told(1, 2, null),
          }),
      },
      {
        taskId: "t",
        text: "?",
        options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
        attempt: 1,
      },
      { signal: new AbortController().signal },
      makingNothing,
    );
    assert.ok(end.kind === "completed");
    return end.result;
  };
  const { raw, consumption } = await ask("a\0b\ud800");
  assert.deepEqual(raw, { mediaType: "application/json", body: "a\uFFFDb\uFFFD" });
  assert.deepEqual(consumption, told(1, 2, null));
  assert.deepEqual((await ask("é".repeat(8 * 1024 * 1024))).raw?.body?.length, 8 * 1024 * 1024);
  assert.deepEqual((await ask(`${"é".repeat(8 * 1024 * 1024)}x`)).raw, { mediaType: "application/json", body: null });
});

test("metrics count tokens by platform and direction, and searches by platform", async () => {
  const metrics = new Metrics();
  metrics.consumed("p", told(10, 20, null));
  metrics.consumed("p", told(1, null, 2));
  const text = await metrics.text();
  assert.match(text, /^querent_platform_tokens_total\{platform="p",direction="input"\} 11$/m);
  assert.match(text, /^querent_platform_tokens_total\{platform="p",direction="output"\} 20$/m);
  assert.match(text, /^querent_platform_searches_total\{platform="p"\} 2$/m);
});

test("metrics count what failed calls consumed, as far as the figures are possible", async () => {
  const metrics = new Metrics();
  const seen: string[] = [];
  const onModelCall = countFailedCalls(
    metrics,
    "p",
    () =>
      ({ kind }) =>
        seen.push(kind),
  );
  const call = { vendor: "openai", model: "m", url: "https://a.example", text: "?" };
  const failure = { code: "platform_bad_response", stage: "parse", message: "Empty.", platformStatus: 200 } as const;
  onModelCall(call)({ kind: "retryable", ...failure, consumption: told(10, 20, null) });
  onModelCall(call)({ kind: "permanent", ...failure, consumption: told(1, -5, null) });
  onModelCall(call)({ kind: "retryable", ...failure });
  assert.deepEqual(seen, ["retryable", "permanent", "retryable"]);
  const text = await metrics.text();
  assert.match(text, /^querent_platform_tokens_total\{platform="p",direction="input"\} 11$/m);
  assert.match(text, /^querent_platform_tokens_total\{platform="p",direction="output"\} 20$/m);
});
