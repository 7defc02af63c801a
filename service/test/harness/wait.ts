import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const pollMsMin = 15;
const pollMsMax = 100;

/**
 * Polls until `condition` returns something truthy, and returns it; fails with `what` after `atMostMs`, and later on a busy machine,
 * which `waiting` tells. This limit only matters for conditions that never come true. What takes longer is polled less often, so
 * that the polling does not take the processor from what is waited for.
 */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value> | Value,
  atMostMs = 180_000,
): Promise<NonNullable<Exclude<Value, false>>> {
  const startedAt = Date.now();
  for (;;) {
    const value = await condition();
    if (value !== false && value !== null && value !== undefined) return value as NonNullable<Exclude<Value, false>>;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > atMostMs * waiting()) throw new Error(`waited ${waitedMs} ms for: ${what}`);
    await sleep(Math.min(pollMsMax, Math.max(pollMsMin, waitedMs / 20)));
  }
}

/**
 * How many processes want each processor of this machine, on the average of the last minute, and at least 1: what takes a second on a machine at
 * rest may take so many.
 */
export const waiting = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
