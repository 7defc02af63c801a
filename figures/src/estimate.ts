import { tQuantile } from "./distributions.ts";
import { readSample, sumsOf, type CellSums, type Groups, type Sample, type SampledCell } from "./sample.ts";

/** The answers of one prompt on one platform in one locale, for one persona. */
export interface Cell {
  /** What the prompt is about. Prompts of one topic tend to agree. */
  readonly topic: string;
  readonly weight: number;
  readonly answers: readonly CellAnswer[];
}

export interface CellAnswer {
  /** The run of the panel. Answers of one run tend to agree: the vendor's cache, a change of the model for a day. */
  readonly run: string;
  /** 1: what is measured is there; 0: it is not. For a share: how much of `of` it has. For a position: the position. */
  readonly value: number;
  /** What the value is a part of, such as the mentions of every brand; 0: this answer has none. Default: 1, each answer counts alike. */
  readonly of?: number;
}

/** What a figure says something about: exactly these prompts, or prompts like these, of which these are a sample. */
export type Scope = "these_prompts" | "prompts_like_these";

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: string;
}

/** Why a figure or its interval is missing, and how many would be sufficient. */
export interface TooFew {
  readonly what: "answers" | "runs" | "topics";
  readonly there: number;
  readonly needed: number;
}

export interface Figure {
  /** Null without answers, or if nothing is there of which it could be a part. */
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly tooFew: TooFew | null;
  readonly cells: number;
  readonly answers: number;
}

export const runsMin = 5;
export const topicsMin = 20;
const level = 0.95;

/**
 * A figure of weighted cells, with an interval for its scope: a rate, such as that of the answers that name a brand; a share, such
 * as that of all mentions (a ratio of two weighted means); or a mean, such as that of the positions of those that are listed.
 *
 * - These prompts: the runs are the sample. Between them differs what the vendor's side changes from run to run, and chance; the
 *   prompts are given. The standard error is that of the runs' means, each cell compared with itself.
 * - Prompts like these: the topics are the sample, and the runs another one (two-way clustering).
 *
 * For rates and shares the interval is Wilson's, with the number of independent answers that gives this standard error, and
 * Student's t for the degrees of freedom: it stays between 0 and 1, and has a width where every answer agrees. For means it is the
 * value and so many standard errors.
 */
export function estimate(cells: readonly Cell[], kind: "rate" | "mean", scope: Scope): Figure {
  return estimateSums(sumsOf(cells), kind, scope);
}

/** The same, of the sums of runs. */
export function estimateSums(sums: CellSums, kind: "rate" | "mean", scope: Scope): Figure {
  return estimateOf(start(sums), kind, scope);
}

/** The same for both scopes, in the time of one. */
export function estimateBoth(sums: CellSums, kind: "rate" | "mean"): Readonly<Record<Scope, Figure>> {
  const sample = start(sums);
  return {
    these_prompts: estimateOf(sample, kind, "these_prompts"),
    prompts_like_these: estimateOf(sample, kind, "prompts_like_these"),
  };
}

interface Started extends Sample {
  /** Computed once for both scopes. */
  readonly ofRuns: () => Variance;
}

function start(sums: CellSums): Started {
  const sample = readSample(sums);
  let known: Variance | null = null;
  return { ...sample, ofRuns: () => (known ??= varianceOfRuns(sample)) };
}

function estimateOf(sample: Started, kind: "rate" | "mean", scope: Scope): Figure {
  const { value, informative, answers } = sample;
  const figure = { value, cells: sample.cells.length, answers };
  const without = (tooFew: TooFew) => ({ ...figure, interval: null, tooFew });
  if (value === null) return without({ what: "answers", there: 0, needed: 1 });
  if (informative < runsMin) return without({ what: "runs", there: informative, needed: runsMin });
  const topics = scope === "these_prompts" ? 0 : new Set(sample.cells.map(({ topic }) => topic)).size;
  if (scope === "prompts_like_these" && topics < topicsMin)
    return without({ what: "topics", there: topics, needed: topicsMin });
  const { variance, df } = scope === "these_prompts" ? sample.ofRuns() : varianceOfTopics(sample);
  const t = quantileFor(df);
  const sizeIfEqual = scope === "these_prompts" ? sample.informativeGroups : topics;
  const bounds =
    kind === "rate"
      ? wilson(value, variance, t, sizeIfEqual)
      : { low: value - t * Math.sqrt(variance), high: value + t * Math.sqrt(variance) };
  const by = scope === "these_prompts" ? "runs" : "topics_and_runs";
  return {
    ...figure,
    tooFew: null,
    interval: { ...bounds, level, method: `${kind === "rate" ? "wilson_t" : "t"}_${by}` },
  };
}

/** By degrees of freedom: a series needs those of a few runs thousands of times. */
const quantiles = new Map<number, number>();
const rememberedDfMax = 1000;

function quantileFor(df: number): number {
  const known = quantiles.get(df);
  if (known !== undefined) return known;
  const quantile = tQuantile((1 + level) / 2, df);
  if (Number.isInteger(df) && df <= rememberedDfMax) quantiles.set(df, quantile);
  return quantile;
}

/** Wilson's interval for the number of independent answers that have this variance; `sizeIfEqual` if there is none. */
export function wilson(value: number, variance: number, t: number, sizeIfEqual: number): { low: number; high: number } {
  const size = variance > 0 && value > 0 && value < 1 ? (value * (1 - value)) / variance : sizeIfEqual;
  const shrink = 1 / (1 + (t * t) / size);
  const center = shrink * (value + (t * t) / (2 * size));
  const half = shrink * t * Math.sqrt((value * (1 - value)) / size + (t * t) / (4 * size * size));
  // Exact at the bounds, where rounding leaves a trace.
  return { low: value === 0 ? 0 : center - half, high: value === 1 ? 1 : center + half };
}

interface Variance {
  readonly variance: number;
  readonly df: number;
}

/** From what each run adds to the error, with each cell compared with its own mean. */
function varianceOfRuns({ cells, groups, runs, informative }: Sample): Variance {
  const parts = new Float64Array(runs);
  for (const cell of cells) addCentered(parts, groups, cell);
  return { variance: (runs / (runs - 1)) * squares(parts), df: informative - 1 };
}

function addCentered(sums: Float64Array, { runs, answers, parts }: Groups, cell: SampledCell): void {
  const mean = partOf(parts, cell) / cell.answers;
  for (let place = cell.from; place < cell.to; place++) {
    const run = runs[place] ?? 0;
    sums[run] = (sums[run] ?? 0) + (parts[place] ?? 0) - (answers[place] ?? 0) * mean;
  }
}

function partOf(parts: Float64Array, { from, to }: SampledCell): number {
  let total = 0;
  for (let place = from; place < to; place++) total += parts[place] ?? 0;
  return total;
}

/** Between topics (CR2, with Bell and McCaffrey's degrees of freedom), and what runs add to all of them alike. */
function varianceOfTopics(sample: Started): Variance {
  const { runs, groups } = sample;
  const topics = new Map<string, { share: number; part: number; byRun: Float64Array }>();
  for (const cell of sample.cells) {
    const topic = topics.get(cell.topic) ?? { share: 0, part: 0, byRun: new Float64Array(runs) };
    topics.set(cell.topic, topic);
    topic.share += cell.share;
    topic.part += partOf(groups.parts, cell);
    addCentered(topic.byRun, groups, cell);
  }
  const all = [...topics.values()];
  const between = sum(all.map(({ share, part }) => part ** 2 / (1 - share)));
  const ofRuns = sample.ofRuns();
  const common = Math.max(0, ofRuns.variance - (runs / (runs - 1)) * sum(all.map(({ byRun }) => squares(byRun))));
  const df = topicDf(all.map(({ share }) => share));
  // Satterthwaite's degrees of freedom of the sum.
  const variance = between + common;
  return { variance, df: variance === 0 ? df : variance ** 2 / (between ** 2 / df + common ** 2 / ofRuns.df) };
}

/** Of the CR2 variance of a weighted mean whose clusters have these shares, if their means vary equally. */
function topicDf(shares: readonly number[]): number {
  const ofSquares = sum(shares.map((share) => share ** 2));
  let trace = 0;
  let ofProducts = 0;
  for (const [i, a] of shares.entries())
    for (const [j, b] of shares.entries()) {
      const scale = (a * b) / Math.sqrt((1 - a) * (1 - b));
      const product = scale * ((i === j ? 1 : 0) - a - b + ofSquares);
      if (i === j) trace += product;
      ofProducts += product ** 2;
    }
  return trace ** 2 / ofProducts;
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function squares(numbers: Float64Array): number {
  let total = 0;
  for (const number of numbers) total += number * number;
  return total;
}
