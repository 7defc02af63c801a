import type { Quote } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { readBalance } from "../../points/index.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { readItem, readList, type ItemRules } from "./read-items.ts";

/** Validates a submission without accepting it: returns points or errors for each item. */
export async function quoteBatch(db: Queryable, accountId: string, body: unknown, rules: ItemRules): Promise<Quote> {
  const items: Quote["items"] = [];
  let sliceStartedAt = performance.now();
  for (const [index, element] of readList(body, rules).entries()) {
    const verdict = readItem(element, index, rules);
    items.push(
      "item" in verdict
        ? { index, points: verdict.item.pricePoints, errors: [], warnings: [...verdict.warnings] }
        : { index, points: null, errors: verdict.errors, warnings: [] },
    );
    if (performance.now() - sliceStartedAt < sliceMs) continue;
    await yieldToEventLoop();
    sliceStartedAt = performance.now();
  }
  const { availablePoints } = await readBalance(db, accountId);
  const estimatedPoints = items.reduce((sum, item) => sum + (item.points ?? 0), 0);
  return {
    valid: items.every((item) => item.points !== null),
    itemCount: items.length,
    estimatedPoints,
    availablePoints,
    affordable: estimatedPoints <= availablePoints,
    items,
  };
}
