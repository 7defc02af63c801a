import type { Quote } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { yieldToEventLoop, sliceMs } from "../../runtime/slices.ts";
import { readItem, readList, type ItemRules } from "./read-items.ts";

/** Judges a submission without accepting it: points or errors for each item. */
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
  const { rows } = await db.query<{ points_available: number }>("select points_available from accounts where id = $1", [
    accountId,
  ]);
  const availablePoints = rows[0]?.points_available ?? 0;
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
