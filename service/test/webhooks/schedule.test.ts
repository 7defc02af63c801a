/** The schedule of attempts: what a reply to a delivery means for the next one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { attemptDelaysMs, attemptsMax, nextStep } from "../../src/webhooks/send/record-attempts.ts";

const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failure = fc.record({
  status: fc.oneof(
    fc.constant(null),
    fc.integer({ min: 300, max: 599 }).filter((status) => status !== 410),
  ),
  retryAfterMs: fc.oneof(fc.constant(null), fc.nat({ max: 10 * 86_400_000 })),
});

test("14 attempts are spread over about 72 hours", () => {
  assert.equal(attemptsMax, 14);
  const hours = attemptDelaysMs.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  assert.ok(hours > 71 && hours < 73, String(hours));
});

test("a 2xx delivers, at any attempt", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 200, max: 299 }),
      dice,
      (attempts, status, random) => {
        assert.deepEqual(nextStep(attempts, { status, retryAfterMs: null }, random), { state: "delivered" });
      },
    ),
  );
});

test("410 stops the delivery, at any attempt", () => {
  for (let attempts = 1; attempts <= 14; attempts++) {
    assert.deepEqual(nextStep(attempts, { status: 410, retryAfterMs: 1_000 }, 0), { state: "failed" });
  }
});

test("jitter and Retry-After only ever delay, by a tenth and to six hours at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 13 }), failure, dice, (attempts, end, random) => {
      const next = nextStep(attempts, end, random);
      assert.equal(next.state, "pending");
      const base = attemptDelaysMs[attempts] ?? 0;
      const heeded = end.status === 429 || end.status === 503 ? Math.min(end.retryAfterMs ?? 0, 6 * 3_600_000) : 0;
      if (next.state !== "pending") return;
      assert.ok(next.delayMs >= Math.max(base, heeded));
      assert.ok(next.delayMs <= Math.max(Math.ceil(base * 1.1), heeded));
    }),
  );
});

test("the last attempt fails for good", () => {
  fc.assert(
    fc.property(failure, dice, (end, random) => assert.deepEqual(nextStep(14, end, random), { state: "failed" })),
  );
});
