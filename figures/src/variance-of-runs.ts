import { correlationFrom, inflationOf, slowVariance, slowWavesOf } from "./dependence.ts";
import { plausibleVariance } from "./run-models.ts";
import type { Groups, Sample, SampledCell } from "./sample.ts";

export interface Variance {
  readonly variance: number;
  readonly df: number;
  /** For rates: the number of independent answers that have this variance. */
  readonly size: number;
}

/**
 * The number of independent answers that have this variance. The rate is that of so many answers and one more of each kind,
 * so that one of 0 or 1 has a number, too.
 */
export function sizeOf(value: number, variance: number, answers: number): number {
  const rate = (value * answers + 1) / (answers + 2);
  return (rate * (1 - rate)) / variance;
}

export interface VarianceOfRuns extends Variance {
  /** What the runs move all prompts by, as it counts beside topics. */
  readonly besideTopics: { readonly variance: number; readonly df: number };
  /** The runs clearly move all prompts at once. */
  readonly moveTogether: boolean;
}

/**
 * The variance of a figure of these prompts, of two parts.
 *
 * - Within cells: what a cell's answers differ by from run to run, as if cells were independent. One answer more is assumed to
 *   disagree, spread over all cells, so that it is above 0 and continuous where nothing differs. If neighbouring answers of cells
 *   resemble each other, as repeated answers do, it is increased by as much as their correlation says.
 * - What runs move all cells by: how much more the runs' sums vary than cells that are independent would. The more this is, and the more
 *   cells show it, the less it is read from all runs, as if they were independent of each other, and the more from their slowest waves.
 */
export function varianceOfRuns(sample: Sample): VarianceOfRuns {
  const { cells, runs, value, informativeGroups } = sample;
  const within = withinCells(sample);
  const sums = new Float64Array(runs);
  for (const cell of cells) addCentered(sums, sample.groups, cell);
  const ofSums = (runs / (runs - 1)) * squares(sums);
  const waves = slowWavesOf(runs);
  const slow = slowVariance(sums, waves);
  const [ratio, slowRatio] = [ofSums / within.variance, slow / within.corrected];
  const { shown } = within;
  const believed = shown * Math.max(ramp(ratio, 1.1, 1.6), ramp(slowRatio, 1.7, 3));
  const inCommon = (bySlowWaves: number) => ({
    variance:
      bySlowWaves * Math.max(0, slow - within.corrected) + (1 - bySlowWaves) * Math.max(0, ofSums - within.variance),
    df: bySlowWaves * waves + (1 - bySlowWaves) * (runs - 1),
  });
  const common = inCommon(believed);
  const plausible = isReadable(runs)
    ? shown * plausibleVariance(sums, { variance: within.variance / runs, df: within.df, memory: within.correlation })
    : 0;
  const variance = within.corrected + Math.max(common.variance, plausible);
  // Where the runs vary as much as independent cells would, or less, the many answers say more of the variance than the few runs.
  const excess = variance / within.corrected;
  const byRuns = Math.min(1, (Math.min(1, ratio) * excess + 0.15 * Math.max(0, ratio - excess)) / 2);
  return {
    variance,
    df:
      variance ** 2 / ((within.corrected ** 2 * (1 - byRuns ** 2)) / within.df + (byRuns * variance) ** 2 / common.df),
    size: sizeOf(value ?? 0, variance, informativeGroups),
    // Where topics vary, too, this is the smaller part, which a few waves would only blur unless it is clear.
    besideTopics: inCommon(shown * Math.max(ramp(ratio, 1.6, 2.6), ramp(slowRatio, 3, 6))),
    moveTogether: shown * ratio > 3 || shown * slowRatio > 6,
  };
}

/** Fewer runs do not show whether what moves all of them lasts; of more, the slowest waves show it. */
const isReadable = (runs: number) => runs >= 20 && runs <= 80;

/** From 0 to 1 as a number goes from one bound to the other. */
const ramp = (number: number, low: number, high: number) => Math.min(1, Math.max(0, (number - low) / (high - low)));

function withinCells({ cells, groups }: Sample) {
  let [variance, df, shares, alone] = [0, 0, 0, 0];
  // The products and squares of the deviations of neighbouring runs of a cell, and how much both may differ by chance.
  let [products, ofSquares, fourth, chance, runs, repeated] = [0, 0, 0, 0, 0, 0];
  for (const cell of cells) {
    const count = cell.to - cell.from;
    const part = partOf(groups.parts, cell);
    shares += cell.share ** 2 / count;
    if (count < 2) {
      // One answer says nothing of how its cell's answers differ. How it differs from the value is more than that.
      alone += part ** 2;
      continue;
    }
    let [square, product, before] = [0, 0, 0];
    for (let place = cell.from; place < cell.to; place++) {
      const deviation = (groups.parts[place] ?? 0) - ((groups.answers[place] ?? 0) * part) / cell.answers;
      square += deviation ** 2;
      if (place > cell.from) product += deviation * before;
      before = deviation;
    }
    variance += (square * count) / (count - 1);
    df += count - 1;
    products += product;
    ofSquares += square;
    fourth += square ** 2;
    chance += square ** 2 / count;
    runs += count;
    repeated++;
  }
  const all = variance + alone + shares / (df + 2);
  // How many cells the differences come from, as if they came from each alike.
  const different = fourth === 0 ? 0 : ofSquares ** 2 / fourth;
  const shown = Math.max(0, different - 1) / (different + 3);
  const length = Math.round(runs / repeated);
  const correlation =
    shown === 0 ? 0 : shown * correlationFrom(length, (products - 0.7 * Math.sqrt(chance)) / ofSquares);
  return {
    variance: all,
    correlation,
    corrected: all * (correlation === 0 ? 1 : inflationOf(length, correlation)),
    df: Math.max(1, (df * (1 - correlation)) / (1 + correlation)),
    /** From 0 to 1: how much the differences say of runs. Those of a single cell say nothing of what runs move all cells by. */
    shown,
  };
}

function addCentered(sums: Float64Array, { runs, answers, parts }: Groups, cell: SampledCell): void {
  const mean = partOf(parts, cell) / cell.answers;
  for (let place = cell.from; place < cell.to; place++) {
    const run = runs[place] ?? 0;
    sums[run] = (sums[run] ?? 0) + (parts[place] ?? 0) - (answers[place] ?? 0) * mean;
  }
}

export function partOf(parts: Float64Array, { from, to }: SampledCell): number {
  let total = 0;
  for (let place = from; place < to; place++) total += parts[place] ?? 0;
  return total;
}

function squares(numbers: Float64Array): number {
  let total = 0;
  for (const number of numbers) total += number * number;
  return total;
}
