import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { PollLoop, type PollLoopOptions } from "../../src/runtime/poll-loop.ts";

/** A loop whose looks end when they are told to. */
function loopOf(options: Partial<PollLoopOptions> = {}) {
  const looks: { end: (nextMs?: number) => void; fail: (error: Error) => void }[] = [];
  const faults: unknown[] = [];
  const loop = new PollLoop({
    everyMs: 1_000_000,
    look() {
      const { promise, resolve, reject } = Promise.withResolvers<number | void>();
      looks.push({ end: resolve, fail: reject });
      return promise;
    },
    onFault: (error) => faults.push(error),
    ...options,
  });
  return { loop, looks, faults };
}

async function count(looks: readonly unknown[], wanted: number): Promise<void> {
  while (looks.length < wanted) await turn();
}

test("it looks at once when it is woken, and again when it was woken during the look, but never twice at a time", async () => {
  const { loop, looks } = loopOf();
  loop.start();
  assert.equal(looks.length, 0);
  loop.wake();
  loop.wake();
  loop.wake();
  await turn();
  assert.equal(looks.length, 1);
  looks[0]?.end();
  await count(looks, 2);
  looks[1]?.end();
  await turn();
  assert.equal(looks.length, 2);
  await loop.stop();
});

test("a look that wakes the loop itself is followed by another, not joined by it", async () => {
  let underWay = 0;
  let looks = 0;
  const { loop } = loopOf({
    async look() {
      assert.equal(underWay++, 0);
      if (++looks < 3) loop.wake();
      await turn();
      underWay--;
    },
  });
  loop.wake();
  loop.start();
  while (looks < 3) await turn();
  await loop.stop();
});

test("it looks without being woken, every so often, or as soon as the look asked for", async () => {
  const often = loopOf({ everyMs: 1, jitter: 0.5 });
  often.loop.start();
  await count(often.looks, 1);
  const asked = loopOf();
  asked.loop.wake();
  asked.loop.start();
  asked.looks[0]?.end(1);
  await count(asked.looks, 2);
  often.looks[0]?.end();
  asked.looks[1]?.end();
  await Promise.all([often.loop.stop(), asked.loop.stop()]);
});

test("after a fault it waits, however often it is woken, and then looks again", async () => {
  const { loop, looks, faults } = loopOf({ faultBackoff: { firstMs: 100, maxMs: 100, jitter: 0 } });
  loop.start();
  loop.wake();
  const failedAt = performance.now();
  looks[0]?.fail(new Error("away"));
  await turn();
  loop.wake();
  await count(looks, 2);
  // A timer may be a millisecond early.
  assert.ok(performance.now() - failedAt > 98);
  assert.equal(faults.length, 1);
  looks[1]?.end();
  await loop.stop();
});

test("a stop waits for the look under way, and no other follows", async () => {
  const { loop, looks } = loopOf({ everyMs: 0 });
  loop.start();
  loop.wake();
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  loop.wake();
  await turn();
  assert.equal(stopped, false);
  looks[0]?.end();
  await stopping;
  await turn();
  assert.equal(looks.length, 1);
});
