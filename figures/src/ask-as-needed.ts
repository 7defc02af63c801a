import { tQuantile } from "./distributions.ts";

/** What is known of a cell from the waves before. */
export interface AskedCell {
  readonly answers: number;
  readonly sum: number;
}

/** A cell in one wave. */
export interface WaveCell {
  /** What the waves before let expect; see `expectedOf`. */
  readonly expected: number;
  /** With which probability it was asked in this wave; see `probabilitiesOf`. */
  readonly probability: number;
  /** The mean of its answers. Null: not asked. */
  readonly value: number | null;
}

export interface SequentialFigure {
  readonly value: number;
  /** The width of the interval; null with fewer waves than `wavesMin`. */
  readonly width: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly waves: number;
}

/** Before, the width is too uncertain to stop for it. */
export const wavesMin = 15;
/** A cell whose rate is clear is still asked with this probability, so that a change of it is seen. */
export const probabilityMin = 0.2;

/** The rate of a cell, drawn towards a half while little is known of it. */
export const expectedOf = ({ answers, sum }: AskedCell): number => (sum + 0.5) / (answers + 1);

/**
 * With which probability each cell is asked in the next wave: in proportion to how uncertain its answer is, so that cells whose rate
 * is clear get fewer. It depends on the waves before only, so every wave estimates the same whatever was asked before.
 */
export function probabilitiesOf(cells: readonly AskedCell[]): number[] {
  const deviations = cells.map((cell) => Math.sqrt(expectedOf(cell) * (1 - expectedOf(cell))));
  const greatest = Math.max(0, ...deviations);
  return deviations.map((one) => (greatest === 0 ? 1 : Math.max(probabilityMin, Math.min(1, one / greatest))));
}

/**
 * The rate of all cells from one wave: what is expected of each, corrected by how the answers differ from it, in proportion to how few
 * were asked. Its mean is the true rate whatever is expected.
 */
export function waveRate(cells: readonly WaveCell[]): number {
  const parts = cells.map(({ expected, probability, value }) =>
    value === null ? expected : expected + (value - expected) / probability,
  );
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

/** The rate of these prompts from the waves so far, with an interval of 95 % that holds if one stops when it is narrow enough. */
export function sequentialFigure(rates: readonly number[]): SequentialFigure {
  const waves = rates.length;
  const value = rates.reduce((sum, rate) => sum + rate, 0) / waves;
  if (waves < wavesMin) return { value, width: null, low: null, high: null, waves };
  const variance = rates.reduce((sum, rate) => sum + (rate - value) ** 2, 0) / (waves - 1);
  const half = tQuantile(0.975, waves - 1) * Math.sqrt(variance / waves) * (1 + 1 / waves);
  return { value, width: 2 * half, low: value - half, high: value + half, waves };
}
