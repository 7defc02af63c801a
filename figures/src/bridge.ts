import { tQuantile } from "./distributions.ts";
import { runsMin, topicsMin, wilson, type Interval, type IntervalScope } from "./estimate.ts";
import { sizeOf } from "./variance-of-runs.ts";

/**
 * One prompt in one run: what the cheap instrument says (an API, a judge), and what the one that is meant says (the web page, a
 * person), if it was asked there, too. Which units were asked there must be random.
 */
export interface BridgeUnit {
  readonly promptId: string;
  readonly topic: string;
  readonly run: string;
  readonly predicted: number;
  /** What was observed there; null if the unit was not asked. */
  readonly observed: number | null;
}

export interface BridgedEstimate {
  /** The value from what was observed and predicted together; null if nothing was observed. */
  readonly value: number | null;
  readonly interval: Interval | null;
  /** From what was observed alone. */
  readonly observedOnly: { readonly value: number | null; readonly interval: Interval | null };
  /** How much the predictions count, from 0 to 1. */
  readonly lambda: number;
  /** How much smaller the variance is than that of what was observed alone. */
  readonly gain: number;
  readonly verdict: "informs" | "tells_nothing" | "too_few";
  readonly pairs: number;
  readonly unpaired: number;
  readonly tooFew: BridgeTooFew | null;
}

export interface BridgeTooFew {
  /** `redrawn_runs`: the same prompts were asked in every run, so nothing is known of the others. */
  readonly what: "pairs" | "runs" | "topics" | "redrawn_runs";
  readonly there: number;
  readonly needed: number;
}

/** Fewer pairs do not tell how the two instruments are related. */
export const pairsMin = 30;
/** A smaller gain is within the error of the tuned weight. */
const gainMin = 0.1;
const level = 0.95;

/**
 * Prediction-powered inference with a tuned weight (PPI++; Angelopoulos, Duchi and Zrnic 2023): the mean of what was observed, corrected
 * by how the predictions of all units differ from those of the observed ones. It is right whatever the predictions are worth, and if
 * they are worth nothing their weight is about 0. The variance is clustered as that of `estimate`: by runs for these prompts, by topics
 * and runs for prompts like these.
 */
export function bridge(units: readonly BridgeUnit[], kind: "rate" | "mean", scope: IntervalScope): BridgedEstimate {
  const pairs = units.filter(({ observed }) => observed !== null).length;
  const head = { pairs, unpaired: units.length - pairs };
  const tuned = combine(units);
  if (tuned === null)
    return {
      ...head,
      value: null,
      interval: null,
      observedOnly: { value: null, interval: null },
      lambda: 0,
      gain: 0,
      verdict: "too_few",
      tooFew: { what: "pairs", there: 0, needed: pairsMin },
    };
  const alone = combine(units, 0) ?? tuned;
  const tooFew = floorOf(units, scope);
  if (tooFew !== null)
    return {
      ...head,
      value: tuned.value,
      interval: null,
      observedOnly: { value: alone.value, interval: null },
      lambda: tuned.lambda,
      gain: 0,
      verdict: "too_few",
      tooFew,
    };
  const [spread, ofAlone] = [spreadOf(units, tuned.parts, scope), spreadOf(units, alone.parts, scope)];
  const gain = ofAlone.variance > 0 ? Math.max(0, 1 - spread.variance / ofAlone.variance) : 0;
  return {
    ...head,
    value: tuned.value,
    interval: intervalOf(tuned.value, spread, { kind, scope, pairs }),
    observedOnly: { value: alone.value, interval: intervalOf(alone.value, ofAlone, { kind, scope, pairs }) },
    lambda: tuned.lambda,
    gain,
    verdict: gain >= gainMin ? "informs" : "tells_nothing",
    tooFew: null,
  };
}

interface Combination {
  readonly value: number;
  readonly lambda: number;
  /** What each unit adds to the error of the value. */
  readonly parts: readonly number[];
}

/** @param weight that of the predictions. Default: the one with the least variance. */
export function combine(units: readonly BridgeUnit[], weight?: number): Combination | null {
  const paired = units.flatMap(({ predicted, observed }) => (observed === null ? [] : [{ predicted, observed }]));
  const others = units.filter(({ observed }) => observed === null).map(({ predicted }) => predicted);
  if (paired.length === 0) return null;
  const lambda = others.length === 0 ? 0 : (weight ?? tunedWeight(paired, others));
  const corrected = mean(paired.map(({ predicted, observed }) => observed - lambda * predicted));
  const predictedMean = others.length === 0 ? 0 : mean(others);
  return {
    value: corrected + lambda * predictedMean,
    lambda,
    parts: units.map(({ predicted, observed }) =>
      observed === null
        ? (lambda * (predicted - predictedMean)) / others.length
        : (observed - lambda * predicted - corrected) / paired.length,
    ),
  };
}

function tunedWeight(paired: readonly { predicted: number; observed: number }[], others: readonly number[]): number {
  const predictions = paired.map(({ predicted }) => predicted);
  const [ofPredicted, ofObserved] = [mean(predictions), mean(paired.map(({ observed }) => observed))];
  const covariance = mean(paired.map(({ predicted, observed }) => (predicted - ofPredicted) * (observed - ofObserved)));
  const all = [...predictions, ...others];
  const center = mean(all);
  const variance = sum(all.map((one) => (one - center) ** 2)) / (all.length - 1);
  if (!(variance > 0)) return 0;
  return Math.min(1, Math.max(0, covariance / ((1 + paired.length / others.length) * variance)));
}

function floorOf(units: readonly BridgeUnit[], scope: IntervalScope): BridgeTooFew | null {
  const paired = units.filter(({ observed }) => observed !== null);
  if (paired.length < pairsMin) return { what: "pairs", there: paired.length, needed: pairsMin };
  const runs = new Set(paired.map(({ run }) => run)).size;
  if (runs < runsMin) return { what: "runs", there: runs, needed: runsMin };
  if (scope === "prompts_like_these") {
    const topics = new Set(paired.map(({ topic }) => topic)).size;
    return topics < topicsMin ? { what: "topics", there: topics, needed: topicsMin } : null;
  }
  const prompts = new Set(paired.map(({ promptId }) => promptId)).size;
  const isAlwaysTheSame = prompts * runs === paired.length;
  const isPart = prompts < new Set(units.map(({ promptId }) => promptId)).size;
  return isAlwaysTheSame && isPart ? { what: "redrawn_runs", there: 0, needed: runsMin } : null;
}

interface Spread {
  readonly variance: number;
  readonly df: number;
}

function spreadOf(units: readonly BridgeUnit[], parts: readonly number[], scope: IntervalScope): Spread {
  const runs = clustered(units, parts, ({ run }) => run);
  // Runs whose errors happen to cancel out do not make the value exact: at least half of what independent pairs would have is left.
  const least = Math.max(leastVariance(units), 0.5 * sum(parts.map((part) => part ** 2)));
  if (scope === "these_prompts") return { variance: Math.max(runs.variance, least), df: runs.count - 1 };
  const topics = clustered(units, parts, ({ topic }) => topic);
  const both = clustered(units, parts, ({ topic, run }) => JSON.stringify([topic, run]));
  const common = Math.max(0, runs.squares - both.squares) * (runs.count / (runs.count - 1));
  const df = effectiveTopics(units) - 1;
  const variance = Math.max(topics.variance + common, least);
  return {
    variance,
    df: variance === least ? df : variance ** 2 / (topics.variance ** 2 / df + common ** 2 / (runs.count - 1)),
  };
}

/** Where nothing differs: as if one pair more did. */
function leastVariance(units: readonly BridgeUnit[]): number {
  const pairs = units.filter(({ observed }) => observed !== null).length;
  return 1 / (pairs * (pairs + 2));
}

function clustered(units: readonly BridgeUnit[], parts: readonly number[], clusterOf: (unit: BridgeUnit) => string) {
  const sums = new Map<string, number>();
  for (const [index, unit] of units.entries()) {
    const cluster = clusterOf(unit);
    sums.set(cluster, (sums.get(cluster) ?? 0) + (parts[index] ?? 0));
  }
  const squares = sum([...sums.values()].map((one) => one ** 2));
  return { squares, count: sums.size, variance: sums.size < 2 ? 0 : (squares * sums.size) / (sums.size - 1) };
}

/** As many topics of the same size would be as good as those of the pairs. */
function effectiveTopics(units: readonly BridgeUnit[]): number {
  const counts = new Map<string, number>();
  for (const { topic, observed } of units) if (observed !== null) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  const sizes = [...counts.values()];
  return Math.max(2, sum(sizes) ** 2 / sum(sizes.map((size) => size ** 2)));
}

function intervalOf(
  value: number,
  { variance, df }: Spread,
  { kind, scope, pairs }: { kind: "rate" | "mean"; scope: IntervalScope; pairs: number },
): Interval {
  const t = tQuantile((1 + level) / 2, df);
  const by = scope === "these_prompts" ? "runs" : "topics_and_runs";
  const half = t * Math.sqrt(variance);
  if (kind === "mean") return { low: value - half, high: value + half, level, method: `ppi_t_${by}` };
  const rate = Math.min(1, Math.max(0, value));
  const bounds = wilson(rate, sizeOf(rate, variance, pairs), t);
  return { ...bounds, level, method: `ppi_wilson_t_${by}` };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length;
