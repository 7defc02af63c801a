/** What a platform's throttles do to the times at which it is asked, whatever it asks for itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { throttledFault } from "../../src/dispatch/run/decide-retry.ts";
import { configureLimiters, endThrottle, pausePlatform, throttlePlatform } from "../../src/dispatch/queue/limiter.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import type { WorkEnd } from "../../src/dispatch/index.ts";
import type { RunResult } from "../../src/tasks/index.ts";
import { answered, testEngine, type TestEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

const fault = throttledFault(429);
const throttled = (retryAfterMs: number): WorkEnd<RunResult> => ({
  kind: "throttled",
  retryAfterMs,
  platformStatus: 429,
});

/** A platform's clocks, without a run: the tests move them instead of waiting. */
async function limiterOf(engine: TestEngine) {
  const { database } = engine;
  const nodeId = await registerNode(database, { name: "n", version: "1", leaseTtlMs: 3_600_000 });
  const one = async (sql: string): Promise<number> => {
    const { rows } = await database.query<{ ms: number }>(sql);
    return Math.round(rows[0]?.ms ?? 0);
  };
  return {
    throttle: (forMs: number) => throttlePlatform(database, nodeId, "p", forMs, fault),
    pause: (forMs: number) => pausePlatform(database, nodeId, "p", forMs, fault),
    answer: () => endThrottle(database, nodeId, "p"),
    /** How long the last throttle pauses it. */
    pauseMs: () =>
      one(
        `select 1000 * extract(epoch from held_until - (last_failure->>'at')::timestamptz)::float8 as ms
         from platforms where code = 'p'`,
      ),
    leftMs: () =>
      one("select 1000 * extract(epoch from held_until - now())::float8 as ms from platforms where code = 'p'"),
    passes: (ms: number) =>
      database.query(
        `update platforms set held_until = held_until - $1 * interval '1 millisecond',
           throttled_since = throttled_since - $1 * interval '1 millisecond'`,
        [ms],
      ),
    reset: () => database.query("update platforms set held_until = null, throttled_since = null"),
  };
}

/** A pause grows by the time since the first throttle, so the time that the statements of a test take doubles each time as well. */
function assertPause(actual: number, expected: number, what: string): void {
  assert.ok(actual >= expected - 1 && actual < expected * 2, `${what}: ${actual} instead of ${expected}`);
}

test("consecutive throttles double the pause, whatever the platform asks for; a longer wait is kept as asked for", async () => {
  const limiter = await limiterOf(await testEngine());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 1, 50, 100, 999, 1000), { minLength: 2, maxLength: 12 }),
      async (asked) => {
        await limiter.reset();
        let expected = 1000;
        for (const forMs of asked) {
          await limiter.throttle(forMs);
          const pauseMs = await limiter.pauseMs();
          assertPause(pauseMs, expected, `asked for ${asked.join()}`);
          await limiter.passes(pauseMs + 1);
          expected = Math.min(300_000, expected * 2);
        }
      },
    ),
    { numRuns: 20 },
  );
  await limiter.reset();
  await limiter.throttle(3_600_000);
  assertPause(await limiter.pauseMs(), 3_600_000, "an hour, as asked for");
});

test("a pause that an earlier version left, which recorded no first throttle, does not lengthen the next one", async () => {
  const engine = await testEngine();
  const limiter = await limiterOf(engine);
  await engine.database.query("update platforms set held_until = now() - interval '1 second', throttled_since = null");
  await limiter.throttle(2000);
  assertPause(await limiter.pauseMs(), 2000, "as asked for");
});

test("throttles of runs that were in progress together count once, and an answer ends the growth", async () => {
  const limiter = await limiterOf(await testEngine());
  for (let run = 0; run < 20; run++) await limiter.throttle(100);
  assertPause(await limiter.pauseMs(), 1000, "twenty at once");
  await limiter.passes(1100);
  await limiter.throttle(100);
  assertPause(await limiter.pauseMs(), 2000, "the next one after the pause");
  await limiter.passes(100);
  await limiter.answer();
  await limiter.passes((await limiter.leftMs()) + 1);
  await limiter.throttle(100);
  assertPause(await limiter.pauseMs(), 4000, "an answer of a run that was in progress ends nothing");
  await limiter.passes((await limiter.leftMs()) + 1);
  await limiter.answer();
  await limiter.throttle(100);
  assertPause(await limiter.pauseMs(), 1000, "after an answer");
  await limiter.passes(3_600_000);
  await limiter.throttle(100);
  assertPause(await limiter.pauseMs(), 1000, "an hour after the last throttle");
});

test("a pause of the service's own is exact, never grows, and is followed by the full pace", async () => {
  const engine = await testEngine();
  const limiter = await limiterOf(engine);
  for (let again = 0; again < 5; again++) {
    await limiter.pause(300);
    assert.ok((await limiter.leftMs()) <= 300);
    await limiter.passes(300);
  }
  const account = await engine.account("a");
  await engine.node(async () => answered);
  await engine.submit(account, 40);
  const span = await until("all tasks to end", async () => {
    const { rows } = await engine.database.query<{ pending: number; span: number }>(
      `select count(*) filter (where state = 'pending')::int as pending,
              extract(epoch from max(started_at) - min(started_at))::float8 as span from tasks`,
    );
    return rows[0]?.pending === 0 ? rows[0].span : null;
  });
  assert.ok(span < 5, `forty starts in ${span} seconds`);
});

test("after a throttle at most three tasks start in any second until the platform answers, over all nodes", async () => {
  const engine = await testEngine();
  await configureLimiters(engine.database, [
    { code: "p", runningMax: 100, rate: null, attemptsMax: 3, breakerAfter: null },
  ]);
  const account = await engine.account("a");
  let hasThrottled = false;
  // A run that is neither throttled nor answered, as long as the platform thinks: it frees no one else.
  const run = async (): Promise<WorkEnd<RunResult>> => {
    if (!hasThrottled) {
      hasThrottled = true;
      return throttled(1);
    }
    return new Promise((resolve) => setTimeout(() => resolve(throttled(1)), 2500));
  };
  await Promise.all([engine.node(run), engine.node(run)]);
  await engine.submit(account, 1);
  await until("the first throttle", async () => {
    const { rows } = await engine.database.query("select from platforms where held_until > now()");
    return rows.length > 0;
  });
  await engine.submit(account, 40);
  const starts = await until("starts after the pause", async () => {
    const all = await engine.starts();
    return all.length >= 7 ? all.map(({ at }) => at).slice(1) : null;
  });
  for (const [index, at] of starts.entries()) {
    const inSecond = starts.slice(index).filter((other) => other - at < 1).length;
    assert.ok(inSecond <= 3, `${inSecond} starts in a second`);
  }
});

test("once the platform answers, the pace doubles until it is the platform's own again", async () => {
  const engine = await testEngine();
  const limiter = await limiterOf(engine);
  await limiter.throttle(1000);
  await limiter.passes(1000);
  await limiter.answer();
  await limiter.passes(31_000);
  const account = await engine.account("a");
  await engine.node(async () => answered);
  await engine.submit(account, 40);
  await until("all tasks to end", async () => {
    const { rows } = await engine.database.query<{ n: number }>("select count(*)::int as n from dispatch");
    return rows[0]?.n === 0;
  });
  await engine.assertSound();
});
