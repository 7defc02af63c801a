import { tQuantile } from "./distributions.ts";
import { readSample, sumsOf, type Cell, type CellSums, type Sample } from "./sample.ts";
import { partOf, varianceOfRuns, type Variance, type VarianceOfRuns } from "./variance-of-runs.ts";

/** What a figure says something about: exactly these prompts, or prompts like these, of which these are a sample. */
export type IntervalScope = "these_prompts" | "prompts_like_these";

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: string;
}

/**
 * Why a figure or its interval is missing, and how many would be sufficient. `dependent_runs`: what moves all prompts at once may last
 * for several runs, and so few runs don't tell.
 */
export interface TooFew {
  readonly what: "answers" | "runs" | "topics" | "dependent_runs";
  readonly there: number;
  readonly needed: number;
}

export interface EstimatedFigure {
  /** Null without answers, or if nothing is there of which it could be a part. */
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly tooFew: TooFew | null;
  readonly cells: number;
  readonly answers: number;
}

export const runsMin = 5;
export const topicsMin = 20;
/** Of runs that clearly move all prompts at once, so many are needed to see how long such a move lasts. */
export const dependentRunsMin = 10;
/** From this share of missing answers on, what they could change is stated beside the interval, and the grade of a report falls. */
export const missingToBound = 0.02;
const level = 0.95;
/** In the method of an interval of these prompts: what is a sample. Earlier versions had `runs`, and other bounds. */
export const ofAnswersAndRuns = "answers_and_runs";

/**
 * A figure of weighted cells, with an interval for its scope: a rate, such as that of the answers that name a brand; a share, such
 * as that of all mentions (a ratio of two weighted means); or a mean, such as that of the positions of those that are listed.
 *
 * - These prompts: the answers of each cell are a sample of what could have been answered, and so are the runs. See `varianceOfRuns`.
 * - Prompts like these: the topics are a sample, and the runs another one (two-way clustering). See `varianceOfTopics`.
 *
 * For rates and shares the interval is Wilson's, with the number of independent answers that gives this standard error, and
 * Student's t for the degrees of freedom: it stays between 0 and 1, and has a width where every answer agrees. For means it is the
 * value and so many standard errors.
 */
export function estimate(cells: readonly Cell[], kind: "rate" | "mean", scope: IntervalScope): EstimatedFigure {
  return estimateSums(sumsOf(cells), kind, scope);
}

/** The same, of the sums of runs. */
export function estimateSums(sums: CellSums, kind: "rate" | "mean", scope: IntervalScope): EstimatedFigure {
  return estimateOf(start(sums), kind, scope);
}

/** The same for both scopes, in the time of one. */
export function estimateBoth(sums: CellSums, kind: "rate" | "mean"): Readonly<Record<IntervalScope, EstimatedFigure>> {
  const sample = start(sums);
  return {
    these_prompts: estimateOf(sample, kind, "these_prompts"),
    prompts_like_these: estimateOf(sample, kind, "prompts_like_these"),
  };
}

interface Started extends Sample {
  /** Computed once for both scopes. */
  readonly ofRuns: () => VarianceOfRuns;
}

function start(sums: CellSums): Started {
  const sample = readSample(sums);
  let known: VarianceOfRuns | null = null;
  return { ...sample, ofRuns: () => (known ??= varianceOfRuns(sample)) };
}

function estimateOf(sample: Started, kind: "rate" | "mean", scope: IntervalScope): EstimatedFigure {
  const { value, informative, answers } = sample;
  const figure = { value, cells: sample.cells.length, answers };
  const without = (tooFew: TooFew) => ({ ...figure, interval: null, tooFew });
  if (value === null) return without({ what: "answers", there: 0, needed: 1 });
  const isLike = scope === "prompts_like_these";
  if (!isLike && informative < runsMin) return without({ what: "runs", there: informative, needed: runsMin });
  const topics = isLike ? new Set(sample.cells.map(({ topic }) => topic)).size : 0;
  if (isLike && topics < topicsMin) return without({ what: "topics", there: topics, needed: topicsMin });
  const hasRuns = informative >= runsMin;
  if (hasRuns && sample.runs < dependentRunsMin && sample.ofRuns().moveTogether)
    return without({ what: "dependent_runs", there: sample.runs, needed: dependentRunsMin });
  const { variance, df, size } = isLike ? varianceOfTopics(sample, { kind, hasRuns }) : sample.ofRuns();
  const t = tQuantile((1 + level) / 2, df);
  const half = t * Math.sqrt(variance);
  const bounds = kind === "rate" ? wilson(value, size, t) : { low: value - half, high: value + half };
  const by = isLike ? (hasRuns ? "topics_and_runs" : "topics") : ofAnswersAndRuns;
  return {
    ...figure,
    tooFew: null,
    interval: { ...bounds, level, method: `${kind === "rate" ? "wilson_t" : "t"}_${by}` },
  };
}

/** Wilson's interval for a rate from this number of independent answers. */
export function wilson(value: number, size: number, t: number): { low: number; high: number } {
  const shrink = 1 / (1 + (t * t) / size);
  const center = shrink * (value + (t * t) / (2 * size));
  const half = shrink * t * Math.sqrt((value * (1 - value)) / size + (t * t) / (4 * size * size));
  // Exact at the bounds, where rounding leaves a trace.
  return { low: value === 0 ? 0 : center - half, high: value === 1 ? 1 : center + half };
}

/**
 * Between topics (CR2, with Bell and McCaffrey's degrees of freedom), and what runs move all of them by, if there are enough runs to
 * see it. Where few topics differ from the value at all, the number of topics is taken for the number of independent answers the
 * more the fewer they are: nobody knows how much further topics would differ.
 */
function varianceOfTopics(
  sample: Started,
  { kind, hasRuns }: { readonly kind: "rate" | "mean"; readonly hasRuns: boolean },
): Variance {
  const topics = new Map<string, { share: number; part: number }>();
  for (const cell of sample.cells) {
    const topic = topics.get(cell.topic) ?? { share: 0, part: 0 };
    topics.set(cell.topic, topic);
    topic.share += cell.share;
    topic.part += partOf(sample.groups.parts, cell);
  }
  const all = [...topics.values()];
  const ofTopics = sum(all.map(({ share, part }) => part ** 2 / (1 - share)));
  const common = hasRuns ? sample.ofRuns().besideTopics : { variance: 0, df: 1 };
  const topicsDf = topicDf(all.map(({ share }) => share));
  const found = ofTopics + common.variance;
  // Where all topics have the same mean, one more may be another one, by one unit.
  const least = kind === "mean" ? 1 / (topics.size * (topics.size + 2)) : 0;
  const variance = Math.max(found, least);
  const value = sample.value ?? 0;
  const fourth = sum(all.map(({ part }) => part ** 4));
  const different = fourth === 0 ? 0 : sum(all.map(({ part }) => part ** 2)) ** 2 / fourth;
  // Rounding may leave a trace of variance where the value is 0 or 1.
  const spread = value * (1 - value);
  const size = variance === 0 || spread === 0 ? topics.size : spread / variance;
  const known = different ** 2 / (different ** 2 + 1);
  return {
    variance,
    // Satterthwaite's degrees of freedom of the sum.
    df: found === 0 ? topicsDf : found ** 2 / (ofTopics ** 2 / topicsDf + common.variance ** 2 / common.df),
    size: size > topics.size ? 1 / (known / size + (1 - known) / topics.size) : size,
  };
}

/** Of the CR2 variance of a weighted mean whose clusters have these shares, if their means vary equally. */
export function topicDf(shares: readonly number[]): number {
  const ofSquares = sum(shares.map((share) => share ** 2));
  // With u = share² / (1 - share), the matrix has the elements √(u v) (δ - a - b + Σ share²) of the shares a and b.
  let [zeroth, first, second, trace, diagonal] = [0, 0, 0, 0, 0];
  for (const share of shares) {
    const u = share ** 2 / (1 - share);
    zeroth += u;
    first += u * share;
    second += u * share ** 2;
    trace += u * (1 - 2 * share + ofSquares);
    diagonal += u ** 2 * ((1 - 2 * share + ofSquares) ** 2 - (ofSquares - 2 * share) ** 2);
  }
  const others = ofSquares ** 2 * zeroth ** 2 + 2 * second * zeroth - 4 * ofSquares * first * zeroth + 2 * first ** 2;
  return trace ** 2 / (others + diagonal);
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
