import type { FigureRow } from "./compute-figures.ts";
import { isSameSurface, isSeries, type Selection } from "./group-answers.ts";

/** Marks the rows of a series that were not taken with the same instruments as those before them. */
export function withSeams(rows: readonly FigureRow[], selection: Selection): FigureRow[] {
  if (!isSeries(selection)) return [...rows];
  const isSeam = seamFinder();
  return rows.map((row) => ({ ...row, seam: isSeam(row) }));
}

/** Whether a row was not taken with the same instruments as the one before it, called for one after the other. */
export function seamFinder(): (row: FigureRow) => boolean {
  let before: FigureRow | null = null;
  return (row) => {
    // A row without answers has no instrument, and is skipped.
    if (row.thesePrompts.instrument.length === 0) return false;
    const isSeam = before !== null && isSameSurface(before.group, row.group) && !hasSameInstruments(before, row);
    before = row;
    return isSeam;
  };
}

function hasSameInstruments({ thesePrompts: one }: FigureRow, { thesePrompts: other }: FigureRow): boolean {
  const known = new Set(one.instrument);
  return one.instrument.length === other.instrument.length && other.instrument.every((each) => known.has(each));
}
