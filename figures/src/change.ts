/** The means of a panel's runs, in the order of time, all of one instrument. */
export interface RunMean {
  readonly run: string;
  readonly value: number;
  /** So many answers it is the mean of. */
  readonly answers: number;
}

export type ChangeVerdict =
  | {
      readonly verdict: "changed";
      /** The run with which it most probably began, and the means before and from then on. */
      readonly since: string;
      readonly before: number;
      readonly after: number;
      /** The run at which the evidence was sufficient. */
      readonly foundAt: string;
      readonly evidence: number;
    }
  | { readonly verdict: "not_distinguishable"; readonly evidence: number }
  | { readonly verdict: "not_enough_data"; readonly runs: number; readonly needed: number };

/** Runs before the first possible change. */
export const baselineRuns = 7;
/** The variance of a change in units of the runs' standard deviation, before anything is known of it. */
const effectVariance = 1;
/** About so many of the first beginnings have the same weight; later ones have less, since the weights of all of them sum to 1. */
const flatness = 10;
/** So many runs of pure chance are added to the variance that is seen: a few equal runs do not mean that there is none. */
const assumedRuns = 1;

/**
 * Whether the mean has changed at some run, by evidence that may be looked at after each run: if nothing changes, the probability
 * that it ever reaches `1 / alpha` is at most `alpha` (Ville's inequality).
 *
 * For each possible beginning, the evidence is the Bayes factor of a t test with the right Haar prior of mean and variance, which
 * is a martingale if nothing changed, whatever the variance. They are averaged over the beginnings. Assumes that the runs are
 * independent and their means about normal.
 */
export function detectChange(runs: readonly RunMean[], alpha = 0.05): ChangeVerdict {
  if (runs.length <= baselineRuns) return { verdict: "not_enough_data", runs: runs.length, needed: baselineRuns + 1 };
  let greatest = 0;
  for (let count = baselineRuns + 1; count <= runs.length; count++) {
    const seen = runs.slice(0, count);
    const { evidence, beginning } = evidenceOf(seen);
    greatest = Math.max(greatest, evidence);
    if (evidence < 1 / alpha) continue;
    const from = (first: number, last?: number) => meanOf(seen.slice(first, last).map(({ value }) => value));
    return {
      verdict: "changed",
      since: seen[beginning]?.run ?? "",
      before: from(0, beginning),
      after: from(beginning),
      foundAt: seen[count - 1]?.run ?? "",
      evidence,
    };
  }
  return { verdict: "not_distinguishable", evidence: greatest };
}

/** At the last of the runs, of which there are more than `baselineRuns`. `beginning`: the index of the run with which a change would most probably have begun. */
export function evidenceOf(runs: readonly RunMean[]): { evidence: number; beginning: number } {
  const count = runs.length;
  const assumed = assumedRuns * chanceVariance(runs);
  let total = 0;
  let ofSquares = 0;
  const upTo = runs.map(({ value }) => {
    total += value;
    ofSquares += value * value;
    return total;
  });
  const around = Math.max(0, ofSquares - total ** 2 / count) + assumed;
  let evidence = 0;
  let greatest = 0;
  let beginning = baselineRuns;
  for (let index = baselineRuns; index < count; index++) {
    const before = (upTo[index - 1] ?? 0) / index;
    const after = (total - (upTo[index - 1] ?? 0)) / (count - index);
    const size = (index * (count - index)) / count;
    const explained = size * (after - before) ** 2;
    const unexplained = Math.max(around - explained, assumed);
    const spread = 1 + size * effectVariance;
    const factor =
      ((unexplained + explained) / (unexplained + explained / spread)) ** ((count - 1) / 2) / Math.sqrt(spread);
    const nth = index - baselineRuns + 1;
    const weighted = (factor * (flatness + 1)) / ((nth + flatness) * (nth + flatness + 1));
    evidence += weighted;
    if (weighted > greatest) [greatest, beginning] = [weighted, index];
  }
  // The beginnings that are still to come have the rest of the weight.
  return { evidence: evidence + (flatness + 1) / (count - baselineRuns + flatness + 1), beginning };
}

/** The variance of a run's mean if each answer were drawn by itself, with the same rate. */
function chanceVariance(runs: readonly RunMean[]): number {
  const answers = runs.reduce((sum, run) => sum + run.answers, 0);
  const hits = runs.reduce((sum, run) => sum + run.value * run.answers, 0);
  const rate = (hits + 1) / (answers + 2);
  return (rate * (1 - rate) * runs.length) / answers;
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
