/** The days of the demonstration, whatever the time at which it is made. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runDays } from "../../src/demo/fill-demo.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test("at any time of the day, the last answers have come, and the default window contains all 28 runs for hours", () => {
  for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
    const now = new Date(Date.UTC(2026, 10, 29, 0, minutes, 30));
    const days = runDays(now);
    assert.equal(days.length, 28);
    const [first = now, last = now] = [days[0], days.at(-1)];
    assert.ok(now.getTime() - last.getTime() >= hourMs, now.toISOString());
    assert.ok(first.getTime() - (now.getTime() - 28 * dayMs) >= 12 * hourMs, now.toISOString());
    for (const [index, day] of days.entries()) assert.equal(day.getTime() - first.getTime(), index * dayMs);
  }
});
