/** What answers took of the operator's accounts: kept with the task, added up by day and platform, shown to the operator. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keptConsumption, textOfRaw } from "../../src/answers/index.ts";
import { sumOfConsumption, type Consumption } from "../../src/kernel/consumption.ts";
import { optionSupport } from "../../src/platforms/index.ts";
import { costOf, costsOf, readPlatformCosts } from "../../src/statistics/index.ts";
import { readStoredRaw } from "../../src/tasks/read/stored-raw.ts";
import { Metrics } from "../../src/telemetry/index.ts";
import { testEngine, makingNothing } from "../harness/engine.ts";
import { emptyResult } from "../harness/task-record.ts";
import { runTask } from "../../src/tasks/run/run-task.ts";

const told = (inputTokens: number | null, outputTokens: number | null, searches: number | null) => ({
  inputTokens,
  outputTokens,
  searches,
  cachedTokens: null,
  statedUsd: null,
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
    cachedTokens: null,
    failedAttempts: 0,
    stated: { attempts: 0, ...told(null, null, null) },
    unstated: { attempts: 2, inputTokens: 1500, cachedTokens: null, outputTokens: 100, searches: 4, statedUsd: null },
  });
  const prices = { perMillionInputTokens: 2, perMillionOutputTokens: 10, perThousandSearches: 5, currency: "EUR" };
  assert.deepEqual(costsOf(costs, prices), [{ basis: "computed", amount: 0.003 + 0.001 + 0.02, currency: "EUR" }]);
  const fees = costsOf(costs, { currency: "USD", perThousandRequests: 12 });
  assert.deepEqual(fees, [{ basis: "computed", amount: 0.024, currency: "USD" }]);
  assert.deepEqual(costsOf(costs, null), []);
  assert.deepEqual((await readStoredRaw(engine.database, account, taskIds[1] ?? ""))?.consumption, told(500, null, 1));
  await engine.assertSound();
});

test("a platform that never tells has no sums, which is not the same as sums of nothing", async () => {
  const { engine } = await completed([null, null]);
  const [costs] = await readPlatformCosts(engine.database, 1);
  assert.deepEqual([costs?.completed, costs?.metered, costs?.inputTokens, costs?.searches], [2, 0, null, null]);
  assert.ok(costs !== undefined);
  assert.deepEqual(costsOf(costs, { currency: "USD", perThousandSearches: 1 }), []);
});

test("days before the range are left out", async () => {
  const { engine } = await completed([told(1, 1, 1)]);
  await engine.database.query(
    "update usage_hours set hour = hour - interval '3 days'; update spending_hours set hour = hour - interval '3 days'",
  );
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
    fc.property(anything, anything, anything, anything, anything, (a, b, c, cachedTokens, usd) => {
      const kept = keptConsumption({ ...told(a, b, c), cachedTokens, statedUsd: usd });
      const { statedUsd, ...counts } = kept ?? told(null, null, null);
      assert.ok(statedUsd === null || (statedUsd >= 0 && statedUsd <= 1e6));
      for (const figure of Object.values(counts))
        assert.ok(figure === null || (Number.isInteger(figure) && figure >= 0 && figure < 2 ** 31));
      assert.ok((counts.cachedTokens ?? 0) <= (counts.inputTokens ?? 0));
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
  const none = { raw_compressed: null, raw_bytes: null };
  assert.deepEqual(raw, { raw_type: "application/json", raw_body: "a\uFFFDb\uFFFD", ...none });
  assert.deepEqual(consumption, told(1, 2, null));
  const longest = "é".repeat(8 * 1024 * 1024);
  const stored = (await ask(longest)).raw;
  assert.ok(stored !== null && stored.raw_body === null && stored.raw_bytes === 16 * 1024 * 1024);
  assert.ok((await textOfRaw(stored)) === longest);
  assert.deepEqual((await ask(`${longest}x`)).raw, { raw_type: "application/json", raw_body: null, ...none });
});

test("metrics count tokens, searches and money by platform", async () => {
  const metrics = new Metrics();
  metrics.consumed("p", { ...told(10, 20, null), cachedTokens: 4 }, { basis: "stated", amount: 0.5, currency: "USD" });
  metrics.consumed("p", told(1, null, 2), { basis: "computed", amount: 0.25, currency: "EUR" });
  const text = await metrics.text();
  assert.match(text, /^querent_platform_tokens_total\{platform="p",direction="input"\} 11$/m);
  assert.match(text, /^querent_platform_tokens_total\{platform="p",direction="output"\} 20$/m);
  assert.match(text, /^querent_platform_searches_total\{platform="p"\} 2$/m);
  assert.match(text, /^querent_platform_cached_tokens_total\{platform="p"\} 4$/m);
  assert.match(text, /^querent_platform_cost_total\{platform="p",basis="stated",currency="USD"\} 0.5$/m);
  assert.match(text, /^querent_platform_cost_total\{platform="p",basis="computed",currency="EUR"\} 0.25$/m);
});

test("a cost that the platform states takes precedence over the configured prices, which apply to all other attempts", async () => {
  const { engine, account, taskIds } = await completed([
    { ...told(1_000_000, 0, 0), statedUsd: 0.0123456789 },
    { ...told(2_000_000, 0, 0), statedUsd: 0 },
    { ...told(3_000_000, 0, 0), cachedTokens: 1_000_000 },
    null,
  ]);
  const [costs] = await readPlatformCosts(engine.database, 1);
  assert.ok(costs !== undefined);
  assert.deepEqual([costs.metered, costs.inputTokens, costs.cachedTokens], [3, 6_000_000, 1_000_000]);
  const stated = { basis: "stated", amount: 0.0123456789, currency: "USD" } as const;
  const prices = { perMillionInputTokens: 10, perMillionCachedTokens: 1, currency: "CNY" };
  assert.deepEqual(costsOf(costs, prices), [stated, { basis: "computed", amount: 21, currency: "CNY" }]);
  const flat = { perMillionInputTokens: 10, currency: "USD" };
  assert.deepEqual(costsOf(costs, flat), [stated, { basis: "computed", amount: 30, currency: "USD" }]);
  assert.deepEqual(costsOf(costs, null), [stated]);
  const { consumption } = (await readStoredRaw(engine.database, account, taskIds[0] ?? "")) ?? {};
  assert.deepEqual(consumption, { ...told(1_000_000, 0, 0), statedUsd: 0.0123456789 });
  await engine.assertSound();
});

test("attempts that gave no answer are part of the costs, whether their task completes, fails or is canceled", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const [completes = "", fails = ""] = await engine.submit(account, 2);
  const fault = { code: "platform_bad_response", stage: "parse", message: "Empty.", platformStatus: 200 } as const;
  await engine.node((claimed) => {
    const first = claimed.taskId === completes && claimed.attempt === 1;
    if (first || claimed.taskId === fails) {
      const consumption = first ? told(100, 10, 1) : { ...told(1000, 0, 0), statedUsd: 0.5 };
      return Promise.resolve({ kind: "failed", fault, retryable: first, consumption });
    }
    return Promise.resolve({
      kind: "completed",
      result: { stored: emptyResult, raw: null, consumption: told(7, 8, 9) },
    });
  });
  await engine.allEnded();
  const [costs] = await readPlatformCosts(engine.database, 1);
  assert.ok(costs !== undefined);
  assert.deepEqual([costs.completed, costs.metered, costs.inputTokens, costs.failedAttempts], [1, 1, 7, 2]);
  assert.deepEqual(costs.stated, { attempts: 1, ...told(1000, 0, 0), statedUsd: 0.5 });
  assert.deepEqual(costs.unstated, { attempts: 2, ...told(107, 18, 10) });
  const raw = async (taskId: string) => readStoredRaw(engine.database, account, taskId);
  assert.deepEqual((await raw(completes))?.failedConsumption, told(100, 10, 1));
  assert.deepEqual((await raw(completes))?.consumption, told(7, 8, 9));
  assert.deepEqual((await raw(fails))?.failedConsumption, { ...told(1000, 0, 0), statedUsd: 0.5 });
  await engine.assertSound();
});

test("answers that a process of the version before added up have no stated cost, and are priced", async () => {
  const { engine } = await completed([told(1_000_000, 0, 0), { ...told(5_000_000, 0, 0), statedUsd: 2 }]);
  await engine.database.query("delete from spending_hours where not stated");
  const [costs] = await readPlatformCosts(engine.database, 1);
  assert.ok(costs !== undefined);
  assert.deepEqual(
    costsOf(costs, { perMillionInputTokens: 3, currency: "USD" }).map(({ basis, amount }) => [basis, amount]),
    [
      ["stated", 2],
      ["computed", 3],
    ],
  );
});

test("the cost of several attempts is stated only if that of each of them is", () => {
  const stated: Consumption = { ...told(1, null, null), statedUsd: 0.25 };
  assert.deepEqual(sumOfConsumption([stated, stated]), { ...told(2, null, null), statedUsd: 0.5 });
  assert.deepEqual(sumOfConsumption([stated, told(4, 2, null)]), told(5, 2, null));
  assert.equal(sumOfConsumption([]), null);
  assert.equal(costOf({ attempts: 1, ...told(null, null, null) }, null), null);
});
