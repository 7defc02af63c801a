import type { Instrument } from "./answer.ts";
import type { LeftOut } from "./readings.ts";

/**
 * The answers of cells, added up by run: one number in each column for each run of a cell, one cell after the other. A report reads
 * millions of answers.
 */
export interface RunColumns {
  /** The number of the run. */
  readonly runs: Int32Array;
  /** How many answers it has in the cell; 0: those that it has are left out. */
  readonly answers: Int32Array;
  /** The sums of members of `CellAnswer`. */
  readonly values: Float64Array;
  readonly ofs: Float64Array;
}

/** Where a cell is in the columns: from the first place, before the second one. */
export interface CellRange {
  readonly from: number;
  readonly to: number;
}

/** A cell, and the sums of its columns, to which its answers are added one after the other. */
export interface CellTotals extends CellRange {
  readonly answers: number;
  readonly value: number;
  readonly of: number;
}

export type ReadCell = CellTotals & { readonly promptId: string };

/** The values of cells, and what the answers were from which they were made. */
export interface ReadCells {
  /** Those that have a value, in the order in which they were asked for. */
  readonly cells: readonly ReadCell[];
  readonly columns: RunColumns;
  /** What the numbers of runs are. */
  readonly units: readonly string[];
  readonly answers: number;
  readonly instruments: readonly Instrument[];
  readonly leftOut: ReadonlyMap<LeftOut, number>;
}

export const startColumns = (length: number): RunColumns => ({
  runs: new Int32Array(length),
  answers: new Int32Array(length),
  values: new Float64Array(length),
  ofs: new Float64Array(length),
});

export type GrowingCell = { -readonly [Member in keyof CellTotals]: CellTotals[Member] };

export const startCell = (from: number): GrowingCell => ({ from, to: from, answers: 0, value: 0, of: 0 });

/** Adds an answer to a cell, and to its run. */
export function addTo(columns: RunColumns, cell: GrowingCell, place: number, value: number, of: number): void {
  cell.answers++;
  cell.value += value;
  cell.of += of;
  columns.answers[place] = (columns.answers[place] ?? 0) + 1;
  columns.values[place] = (columns.values[place] ?? 0) + value;
  columns.ofs[place] = (columns.ofs[place] ?? 0) + of;
}

/** Takes the answers of a cell out. */
export function clearCell({ answers, values, ofs }: RunColumns, cell: GrowingCell): void {
  for (const column of [answers, values, ofs]) column.fill(0, cell.from, cell.to);
  Object.assign(cell, { answers: 0, value: 0, of: 0 });
}

/** In the order in which they were used. */
export const instrumentsOf = (used: ReadonlySet<number>, instruments: readonly Instrument[]): Instrument[] =>
  [...used].flatMap((number) => instruments[number] ?? []);
