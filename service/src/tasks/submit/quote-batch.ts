import type { Quote } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { readBalance } from "../../points/index.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { readItem, readList, type ItemRules } from "./read-items.ts";
import { ProblemError } from "../../api/problem-error.ts";

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

/** The header `X-Max-Points`; null if there is none. */
export function readMaxPoints(headers: Readonly<Record<string, string | undefined>>): number | null {
  const text = headers["x-max-points"];
  if (text === undefined) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ProblemError(
    "validation_failed",
    "`X-Max-Points` is a whole number of points, 0 or more, sent once. Nothing was accepted.",
  );
}

/** Returns the items, or throws an error with both figures if they cost more than `pointsMax`. */
export function withinPoints<Item extends { readonly pricePoints: number }>(
  items: Item[],
  pointsMax: number | null,
): Item[] {
  const points = items.reduce((sum, item) => sum + item.pricePoints, 0);
  if (pointsMax === null || points <= pointsMax) return items;
  throw new ProblemError(
    "max_points_exceeded",
    `This costs ${points} points, and \`X-Max-Points\` allows ${pointsMax}: ${points - pointsMax} over. Nothing was accepted, and no points are held.`,
  );
}
