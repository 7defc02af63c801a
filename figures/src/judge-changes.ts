import { baselineRuns, evidenceOf, type RunMean } from "./change.ts";
import type { ChangeSeries, InstrumentDays, PanelSeries } from "./change-series.ts";
import { pairDays } from "./day-means.ts";
import { discoveries } from "./many-tests.ts";
import { findSegments, type Segment } from "./segments.ts";

/** The verdict on one series, as of its last day. */
export type SeriesVerdict = SeriesFacts &
  (
    | { readonly verdict: "changed"; readonly change: FoundChange }
    | { readonly verdict: "not_distinguishable"; readonly smallest: SmallestChange | null }
    | { readonly verdict: "not_enough_data" | "instrument_changed"; readonly days: number; readonly needed: number }
  );

interface SeriesFacts {
  readonly series: ChangeSeries;
  readonly segment: Segment;
  /** The first and the last day that are compared; null without days. */
  readonly from: string | null;
  readonly to: string | null;
  /** 1: none. It may be looked at after each run. */
  readonly evidence: number;
  /** The evidence that one of so many series needs if no other has changed. */
  readonly threshold: number;
  /** The prompts that are compared: those that stand on both sides. */
  readonly prompts: ReadonlySet<string>;
  /** How many have answers and are not compared, because they stand on one side only: they are new, or were reworded. */
  readonly promptsLeftOut: number;
  /** The first day whose answers were considered. */
  readonly consideredFrom: string;
}

export interface FoundChange {
  readonly direction: "up" | "down";
  /** The day with which it most probably began. */
  readonly since: string;
  /** Of the paired means. */
  readonly difference: number;
}

/** The smallest change that would have been found if it had begun on this day. */
export interface SmallestChange {
  readonly difference: number;
  readonly since: string;
}

/** Of all series of a panel, at most this share of the changes that are found are none. */
const falseDiscoveryRate = 0.05;
/** A change of a week ago is the example of what would have been found. */
const exampleDays = 7;

/**
 * Whether the series of a panel have changed since their instrument did, by evidence that may be looked at after each run (see
 * `detectChange`). With several series, e-BH keeps the false discovery rate. `foundUntil`: the day on which the last change of a
 * series was found, after which the evidence starts again.
 */
export function judgeChanges(panel: PanelSeries, foundUntil: FoundUntil = () => null): SeriesVerdict[] {
  const steps = judgeInSteps(panel, foundUntil);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

type FoundUntil = (series: ChangeSeries) => string | null;

/** The same, with a step for each series, so that the caller can do something else in between. */
export function* judgeInSteps(
  { series, platforms }: PanelSeries,
  foundUntil: FoundUntil,
): Generator<void, SeriesVerdict[]> {
  const segments = new Map(platforms.map((platform) => [platformKey(platform), findSegments(platform.days)]));
  const readings: Reading[] = [];
  for (const one of series) {
    const segment = segments.get(platformKey(one))?.at(-1);
    if (segment !== undefined) readings.push(readSeries(one, segment, foundUntil(one)));
    yield;
  }
  const judged = readings.filter(({ means }) => means.length > baselineRuns);
  const weigh = weightsOf(judged);
  const isFound = discoveries(
    judged.map((reading) => reading.evidence * weigh(reading)),
    falseDiscoveryRate,
  );
  const found = new Set(judged.filter((_, index) => isFound[index]));
  const verdicts: SeriesVerdict[] = [];
  for (const reading of readings) {
    const threshold = Math.max(1, judged.length) / falseDiscoveryRate / weigh(reading);
    verdicts.push(verdictOf(reading, found.has(reading), threshold));
    yield;
  }
  return verdicts;
}

/** Weights whose mean is 1. The main series have at least half of the sum, so that others do not hide what matters most. */
function weightsOf(judged: readonly Reading[]): (reading: Reading) => number {
  const main = judged.filter(({ series }) => series.isMain).length;
  const others = judged.length - main;
  if (main === 0 || main >= others) return () => 1;
  return ({ series }) => judged.length / 2 / (series.isMain ? main : others);
}

export const platformKey = ({ platformCode, kind }: Pick<InstrumentDays, "platformCode" | "kind">) =>
  JSON.stringify([platformCode, kind]);

interface Reading {
  readonly series: ChangeSeries;
  readonly segment: Segment;
  readonly consideredFrom: string;
  /** True: the evidence starts after an earlier change. */
  readonly isAfterChange: boolean;
  readonly means: readonly RunMean[];
  readonly prompts: ReadonlySet<string>;
  readonly promptsLeftOut: number;
  readonly evidence: number;
  readonly beginning: number;
}

function readSeries(series: ChangeSeries, segment: Segment, foundUntil: string | null): Reading {
  const instruments = new Set(segment.instruments);
  const isAfterChange = foundUntil !== null && foundUntil >= segment.from;
  const consideredFrom = isAfterChange ? dayAfter(foundUntil) : segment.from;
  const considered = series.sums.filter(({ day, instrument }) => day >= consideredFrom && instruments.has(instrument));
  const { means, prompts } = pairDays(considered);
  const asked = new Set(considered.flatMap(({ promptId, of }) => (of > 0 ? promptId : [])));
  const promptsLeftOut = asked.difference(prompts).size;
  const weighed = means.length > baselineRuns ? evidenceOf(means) : { evidence: 1, beginning: 0 };
  return { series, segment, consideredFrom, isAfterChange, means, prompts, promptsLeftOut, ...weighed };
}

function verdictOf(reading: Reading, isFound: boolean, threshold: number): SeriesVerdict {
  const { series, segment, consideredFrom, means, prompts, promptsLeftOut, evidence, beginning } = reading;
  const [from, to] = [means[0]?.run ?? null, means.at(-1)?.run ?? null];
  const facts = { series, segment, from, to, evidence, threshold, prompts, promptsLeftOut, consideredFrom };
  if (means.length <= baselineRuns) {
    const isCut = segment.seam !== null && !reading.isAfterChange;
    const verdict = isCut ? "instrument_changed" : "not_enough_data";
    return { ...facts, verdict, days: means.length, needed: baselineRuns + 1 };
  }
  if (!isFound) return { ...facts, verdict: "not_distinguishable", smallest: smallestChange(means, threshold) };
  return { ...facts, verdict: "changed", change: changeAt(means, beginning) };
}

/** The change that begins with one of the days. */
export function changeAt(means: readonly RunMean[], beginning: number): FoundChange {
  const difference = meanOf(means.slice(beginning)) - meanOf(means.slice(0, beginning));
  return { direction: difference > 0 ? "up" : "down", since: means[beginning]?.run ?? "", difference };
}

const dayAfter = (day: string) => new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString().slice(0, 10);

/** Null: not even the greatest possible one would have been found. */
function smallestChange(means: readonly RunMean[], threshold: number): SmallestChange | null {
  const beginning = Math.max(baselineRuns, means.length - exampleDays);
  const isFoundWith = (difference: number) =>
    evidenceOf(means.map((mean, index) => (index < beginning ? mean : { ...mean, value: mean.value + difference })))
      .evidence >= threshold;
  const smallest = Math.max(...[1, -1].map((sign) => leastOf((size) => isFoundWith(sign * size))));
  return smallest > 1 ? null : { difference: smallest, since: means[beginning]?.run ?? "" };
}

/** The least size from 0 to 1 that is found, to a thousandth; `Infinity` if none is. */
function leastOf(isFound: (size: number) => boolean): number {
  if (!isFound(1)) return Infinity;
  let [low, high] = [0, 1];
  while (high - low > 0.001) {
    const middle = (low + high) / 2;
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const meanOf = (means: readonly RunMean[]) => means.reduce((sum, { value }) => sum + value, 0) / means.length;
