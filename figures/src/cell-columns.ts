import type { Instrument } from "./answer.ts";
import type { AnswerColumns } from "./sample.ts";
import type { LeftOut } from "./readings.ts";

/** The values of cells, and what the answers were from which they were made. */
export interface ReadCells {
  readonly byPrompt: ReadonlyMap<string, AnswerColumns>;
  /** What the numbers in the columns of runs are. */
  readonly units: readonly string[];
  readonly answers: number;
  readonly instruments: readonly Instrument[];
  readonly leftOut: ReadonlyMap<LeftOut, number>;
}

/** In the order in which they were used. */
export const instrumentsOf = (used: ReadonlySet<number>, instruments: readonly Instrument[]): Instrument[] =>
  [...used].flatMap((number) => instruments[number] ?? []);
