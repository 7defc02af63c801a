import type { AnswerIndex } from "./answer-index.ts";

/** The answers of a cell, by their places in the index, and by run. */
export interface CellPlaces {
  readonly places: readonly number[];
  /** The numbers of the cell's runs, in the order of their first answers in it. */
  readonly runs: readonly number[];
  /** To which of these each answer belongs, from 0. */
  readonly runOf: readonly number[];
}

/** How many runs the cells have, all of them together. */
export function runsIn(cells: ReadonlyMap<string, CellPlaces>): number {
  let count = 0;
  for (const { runs } of cells.values()) count += runs.length;
  return count;
}

/** Finds the runs of cells, one cell after the other. */
export function runFinder({ runs }: AnswerIndex): (places: readonly number[]) => CellPlaces {
  const cellOf = new Int32Array(runs.values.length).fill(-1);
  const placeOf = new Int32Array(runs.values.length);
  let cell = 0;
  return (places) => {
    const found: number[] = [];
    const runOf = places.map((place) => {
      const run = runs.of[place] ?? 0;
      if (cellOf[run] !== cell) {
        cellOf[run] = cell;
        placeOf[run] = found.push(run) - 1;
      }
      return placeOf[run] ?? 0;
    });
    cell++;
    return { places, runs: found, runOf };
  };
}

/** The same answers, each by itself instead of added to the others of its run. */
export const answerByAnswer = ({ places }: CellPlaces, { runs }: AnswerIndex): CellPlaces => ({
  places,
  runs: places.map((place) => runs.of[place] ?? 0),
  runOf: places.map((_place, at) => at),
});
