import { ProblemError } from "../../api/problem-error.ts";

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
