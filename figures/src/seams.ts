import type { ComputedRow } from "./figure-rows.ts";
import { isSameSurface, isSeries, type Selection } from "./group-answers.ts";

/** Marks the rows of a series that were not taken with the same instruments as those before them. */
export function withSeams(rows: readonly ComputedRow[], selection: Selection): ComputedRow[] {
  if (!isSeries(selection)) return [...rows];
  const isSeam = seamFinder();
  return rows.map((row) => ({ ...row, seam: isSeam(row) }));
}

/** Whether a row was not taken with the same instruments as the one before it, called for one after the other. */
export function seamFinder(): (row: ComputedRow) => boolean {
  let before: ComputedRow | null = null;
  let isSeam = instrumentSeams();
  return (row) => {
    const { instrument } = row.thesePrompts;
    if (instrument.length === 0) return false;
    if (before !== null && !isSameSurface(before.group, row.group)) isSeam = instrumentSeams();
    before = row;
    return isSeam(new Set(instrument));
  };
}

/**
 * Whether answers were not taken with the same instruments as those before them: called for one after the other, with the numbers or
 * names of their instruments. What has none, as there is no answer, is skipped.
 */
export function instrumentSeams(): (used: ReadonlySet<unknown>) => boolean {
  let before: ReadonlySet<unknown> = new Set();
  return (used) => {
    if (used.size === 0) return false;
    const isSeam = before.size > 0 && (before.size !== used.size || !before.isSubsetOf(used));
    before = used;
    return isSeam;
  };
}
