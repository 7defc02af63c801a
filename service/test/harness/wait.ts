import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks again and again until `condition` gives something true, and returns it; fails with `what` after `atMostMs`. That is for what never
 * comes, and costs nothing otherwise: enough for a machine that is busy with many other things.
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
