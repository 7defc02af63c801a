/** What a run waits for that is scarce, such as a browser, is no part of the time it may take. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { FairQueue } from "../../src/browser/browser-pool.ts";
import { answered, testEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

/** So many at once, the others wait. */
function fewPlaces(places: number) {
  const line = new FairQueue();
  let left = places;
  return {
    async enter(accountId: string): Promise<void> {
      if (left > 0) left--;
      else await new Promise<void>((resolve) => line.add(accountId, resolve));
    },
    leave(): void {
      const next = line.next();
      if (next === undefined) left++;
      else next();
    },
  };
}

test("a batch that waits for a scarce thing far longer than a run may take completes, every task of it", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const places = fewPlaces(2);
  const startedAt = performance.now();
  const waits: number[] = [];
  await engine.node(async ({ accountId }, signal, waiting) => {
    await waiting(places.enter(accountId));
    waits.push(performance.now() - startedAt);
    await pause(200);
    places.leave();
    return signal.aborted ? { kind: "aborted" } : answered;
  });
  await engine.submit(account, 60, { runTimeoutSeconds: 3 });
  await engine.allEnded();
  assert.ok(Math.max(...waits) > 4500, "the last ones waited longer than they may run");
  assert.deepEqual(await engine.states(), { completed: 60 });
  await engine.assertSound();
});

test("a run that works longer than it may is ended, whatever it waited before", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.node(async (_claimed, signal, waiting) => {
    await waiting(pause(50));
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return { kind: "aborted" };
  });
  await engine.submit(account, 1, { runTimeoutSeconds: 1 });
  await engine.allEnded();
  const { rows } = await engine.database.query("select failure->>'code' as code from tasks");
  assert.deepEqual(rows, [{ code: "run_timeout" }]);
});

test("what an attempt waited is not taken from the next one's time", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const fault = { code: "platform_unavailable", stage: "platform", message: "", platformStatus: null } as const;
  const budgets: number[] = [];
  await engine.node(async ({ attempt, runBudgetMs }, _signal, waiting) => {
    budgets.push(runBudgetMs);
    if (attempt > 1) return answered;
    await waiting(pause(2500));
    return { kind: "failed", retryable: true, fault };
  });
  await engine.submit(account, 1, { runTimeoutSeconds: 2 });
  await until("the second attempt", () => budgets.length === 2);
  await engine.allEnded();
  assert.deepEqual(await engine.states(), { completed: 1 });
  assert.ok((budgets[1] ?? 0) > 0 && budgets[0] === 2000, JSON.stringify(budgets));
});

test("accounts take turns at a scarce thing: one picture does not wait for another account's five hundred", () => {
  const line = new FairQueue();
  const order: string[] = [];
  const entry = (name: string) => () => void order.push(name);
  for (let n = 1; n <= 500; n++) line.add("busy", entry(`busy ${n}`));
  const gone = entry("gone");
  line.add("small", gone);
  line.add("small", entry("small 1"));
  assert.equal(line.remove("small", gone), true);
  assert.equal(line.remove("small", gone), false, "only once");
  for (let n = 0; n < 4; n++) line.next()?.();
  assert.deepEqual(order, ["busy 1", "small 1", "busy 2", "busy 3"]);
});
