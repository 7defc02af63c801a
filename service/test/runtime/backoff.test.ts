import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs } from "../../src/runtime/backoff.ts";

test("the wait doubles with each failure, up to its maximum", () => {
  const waits = [1, 2, 3, 4, 5, 100].map((attempt) => backoffMs(attempt, { firstMs: 100, maxMs: 1000, jitter: 0 }));
  assert.deepEqual(waits, [100, 200, 400, 800, 1000, 1000]);
});

test("the jitter is the share of the wait that is random", () => {
  const backoff = { firstMs: 100, maxMs: 1000 };
  assert.deepEqual(
    [0, 0.5, 1].map((random) => backoffMs(2, { ...backoff, jitter: 1 }, () => random)),
    [0, 100, 200],
  );
  assert.deepEqual(
    [0, 1].map((random) => backoffMs(2, backoff, () => random)),
    [100, 200],
  );
});
