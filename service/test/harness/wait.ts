import { setTimeout as sleep } from "node:timers/promises";

/**
 * Polls until `condition` returns something truthy, and returns it; fails with `what` after `atMostMs`. This limit only matters
 * for conditions that never come true, so it is long enough for a very busy machine.
 */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value> | Value,
  atMostMs = 180_000,
): Promise<NonNullable<Exclude<Value, false>>> {
  const deadline = Date.now() + atMostMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== null && value !== undefined) return value as NonNullable<Exclude<Value, false>>;
    if (Date.now() > deadline) throw new Error(`waited ${atMostMs} ms for: ${what}`);
    await sleep(15);
  }
}
