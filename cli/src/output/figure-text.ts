import type { FigureRow } from "@querent/client";

/** Measures whose values are not shares of 1. */
const plain: ReadonlySet<FigureRow["measure"]> = new Set([
  "position",
  "search_count",
  "answer_length",
  "time_to_answer",
  "price_per_answer",
]);

/** A figure's value as it is read: a share in percent. */
export function figureText(measure: FigureRow["measure"], value: number | null): string {
  if (value === null) return "-";
  return plain.has(measure)
    ? value.toLocaleString("en", { maximumFractionDigits: 2 })
    : `${(100 * value).toFixed(1)} %`;
}
