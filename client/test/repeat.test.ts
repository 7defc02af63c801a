import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConflictError,
  ConnectionError,
  RateLimitedError,
  RequestTimeoutError,
  UnavailableError,
  type ProblemCode,
} from "@querent/client";
import { outageWaitMs, repeatAfterMs } from "../src/repeat.ts";

const none = { idempotencyKey: null };
const away = new ConnectionError("away", none);
const refused = (code: ProblemCode, retryAfterMs: number | null = null) => {
  const problem = { type: "t", title: "T", status: 503, detail: "D", instance: "/", code, requestId: "r" };
  return new UnavailableError("refused", { ...none, status: 503, requestId: "r", problem, retryAfterMs });
};
const after = (error: unknown, attempt = 0, random = 0.05) =>
  repeatAfterMs(error, "always", attempt, { random: () => random, retryAfterMsMax: 60_000 });

test("waits grow from half a second, are spread over their whole length, and end at 20 seconds", () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((attempt) => after(away, attempt)),
    [25, 50, 100, 200],
  );
  assert.deepEqual([after(away, 0, 0), after(away, 0, 1), after(away, 100, 1)], [0, 500, 20_000]);
});

test("Retry-After is waited for with at most a second more, and not at all if it is too long", () => {
  const limited = (retryAfterMs: number) =>
    new RateLimitedError("limited", { ...none, status: 429, requestId: "r", problem: null, retryAfterMs });
  assert.equal(after(limited(3_000), 0, 1), 3_500);
  assert.equal(after(limited(3_000), 8, 1), 4_000);
  assert.equal(after(limited(60_000), 0, 0), 60_000);
  assert.equal(after(limited(60_001)), null);
});

test("what may have had an effect is repeated only if the request is idempotent", () => {
  const given = { random: () => 0, retryAfterMsMax: 60_000 };
  for (const error of [away, new RequestTimeoutError("late", none)]) {
    assert.equal(repeatAfterMs(error, "always", 0, given), 0);
    assert.equal(repeatAfterMs(error, "refused", 0, given), null);
  }
  assert.equal(repeatAfterMs(refused("unavailable"), "refused", 0, given), 0);
  assert.equal(repeatAfterMs(refused("queue_full"), "always", 0, given), null);
  assert.equal(repeatAfterMs(new Error("a defect"), "always", 0, given), null);
  const conflict = (code: ProblemCode) => {
    const problem = { type: "t", title: "T", status: 409, detail: "D", instance: "/", code, requestId: "r" };
    return new ConflictError("conflict", { ...none, status: 409, requestId: "r", problem, retryAfterMs: null });
  };
  assert.equal(repeatAfterMs(conflict("idempotency_key_in_use"), "refused", 0, given), 0);
  assert.equal(repeatAfterMs(conflict("idempotency_key_reused"), "always", 0, given), null);
});

test("an outage is waited for in short steps, as long as there is time, and a 500 is none", () => {
  const wait = (error: unknown, attempt = 0, restMs = 60_000) =>
    outageWaitMs(error, "always", attempt, { random: () => 1, restMs });
  assert.deepEqual([wait(away), wait(away, 3), wait(away, 30)], [500, 4_000, 5_000]);
  assert.deepEqual([wait(away, 3, 1_200), wait(away, 3, 0)], [1_200, null]);
  assert.equal(outageWaitMs(away, "always", 0, { random: () => 0, restMs: 60_000 }), 250);
  assert.equal(wait(refused("unavailable", 7_000)), 7_000);
  const fault = new UnavailableError("fault", {
    ...none,
    status: 500,
    requestId: "r",
    problem: null,
    retryAfterMs: null,
  });
  assert.equal(wait(fault), null);
});
