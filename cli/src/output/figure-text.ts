import type { FigureRow } from "@querent/client";
import { measures } from "@querent/figures";

const shares: ReadonlySet<string> = new Set(measures.flatMap(({ id, unit }) => (unit === "share" ? [id] : [])));

/** A figure's value as it is read: a share in percent. */
export function figureText(measure: FigureRow["measure"], value: number | null): string {
  if (value === null) return "-";
  return shares.has(measure)
    ? `${(100 * value).toFixed(1)} %`
    : value.toLocaleString("en", { maximumFractionDigits: 2 });
}
