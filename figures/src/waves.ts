import {
  expectedOf,
  probabilitiesOf,
  probabilityMin,
  sequentialFigure,
  waveRate,
  type SequentialFigure,
  type WaveCell,
} from "./ask-as-needed.ts";

/** One question that a wave asked. */
export interface WaveTask {
  readonly cell: string;
  /** From 1. */
  readonly wave: number;
  /** With which probability the wave asked the cell. */
  readonly probability: number;
  /** From 0 to 1. Null: there is no answer that says anything about the measure. */
  readonly value: number | null;
}

export interface ReadWaves {
  readonly figure: SequentialFigure;
  readonly answers: number;
  /** How many answers the last wave brought. */
  readonly lastAnswers: number;
  /** With which probability the next wave asks each cell, in their order. */
  readonly probabilities: readonly number[];
}

/**
 * What the waves so far say about these cells, in the order of the waves: each wave's rate depends on the answers of the waves before
 * only through what was expected and with which probability it asked. Questions without an answer count as not asked, and the
 * others for them.
 */
export function readWaves(cells: readonly string[], tasks: readonly WaveTask[]): ReadWaves {
  const known = new Map(cells.map((cell) => [cell, { answers: 0, sum: 0 }]));
  const waves = Map.groupBy(
    tasks.filter(({ cell }) => known.has(cell)),
    ({ wave }) => wave,
  );
  const rates: number[] = [];
  let [answers, lastAnswers] = [0, 0];
  for (const [, ofWave] of [...waves].toSorted(([one], [other]) => one - other)) {
    const answered = ofWave.filter(({ value }) => value !== null).length;
    const byCell = Map.groupBy(ofWave, ({ cell }) => cell);
    const wave = [...known].map(([cell, before]): WaveCell => {
      const its = byCell.get(cell) ?? [];
      const values = its.flatMap(({ value }) => (value === null ? [] : [value]));
      const probability = ((its[0]?.probability ?? 1) * answered) / ofWave.length;
      return {
        expected: expectedOf(before),
        probability,
        value: values.length === 0 ? null : sum(values) / values.length,
      };
    });
    rates.push(waveRate(wave));
    for (const { cell, value } of ofWave) {
      const one = known.get(cell);
      if (one === undefined || value === null) continue;
      one.answers++;
      one.sum += value;
    }
    answers += answered;
    lastAnswers = answered;
  }
  return { figure: sequentialFigure(rates), answers, lastAnswers, probabilities: probabilitiesOf([...known.values()]) };
}

/**
 * Draws which cells are asked, each with its probability, and in all as many as the probabilities add up to (systematic sampling).
 * @param start from 0 to below 1: the draw
 */
export function drawWave(probabilities: readonly number[], start: number): boolean[] {
  let reached = start;
  return probabilities.map((probability) => {
    const before = Math.floor(reached);
    reached += probability;
    return probability === 1 || Math.floor(reached) > before;
  });
}

/** The least share of a wave's questions that later waves ask. */
export const waveShareMin = probabilityMin;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
