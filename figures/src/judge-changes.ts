import { baselineRuns, dateChange, evidenceOf, evidenceWith, type Evidence, type RunMean } from "./change.ts";
import type { ChangeSeries, InstrumentDays, PanelSeries } from "./change-series.ts";
import { pairDays, type PairedDays } from "./day-means.ts";
import { discoveries } from "./many-tests.ts";
import type { RunNoise } from "./run-models.ts";
import { findSegments, type Segment } from "./segments.ts";

/** The verdict on one series, as of its last day. */
export type SeriesJudgement = SeriesFacts &
  (
    | { readonly verdict: "changed"; readonly change: JudgedChange }
    | {
        readonly verdict: "not_distinguishable";
        readonly smallest: SmallestChange | null;
        /** It would be a change if the runs were independent, but may as well be something that moves all prompts for several runs. */
        readonly mayBeDependence: boolean;
      }
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
  /** After which the evidence starts. */
  readonly former: FormerChange | null;
}

export interface JudgedChange {
  readonly direction: "up" | "down";
  /** The day with which it most probably began, and between which days that is in 95 % of changes. */
  readonly since: string;
  readonly earliest: string;
  readonly latest: string;
  /** Whether it came from one day to the next, or went on for several, or goes on. Null: the days do not tell. */
  readonly shape: ChangeShape | null;
  /** It is the same movement as the change that was found before. */
  readonly continues: boolean;
  /** Of the paired means: of the days from the first one to this one, and of those from `afterFrom` on. */
  readonly difference: number;
  readonly beforeFrom: string;
  readonly afterFrom: string;
}

export type ChangeShape = "sudden" | "gradual";

/** The smallest change that would have been found if it had begun on this day. */
export interface SmallestChange {
  readonly difference: number;
  readonly since: string;
}

/** Of all series of a panel, at most this share of the changes that are found are none. */
const falseDiscoveryRate = 0.05;
/** A change of a week ago is the example of what would have been found. */
const exampleDays = 7;
/** A change is said to be gradual if it is as probable as this, and sudden if it is as improbable. */
const shapeCertainty = 0.8;

/**
 * Whether the series of a panel have changed since their instrument did, by evidence that may be looked at after each run (see
 * `evidenceOf`). With several series, e-BH keeps the false discovery rate. `lastFound`: the last change of a series that was found,
 * after which the evidence starts again.
 */
export function judgeChanges(panel: PanelSeries, lastFound: LastFound = () => null): SeriesJudgement[] {
  const steps = judgeInSteps(panel, lastFound);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** `day`: the last one of the answers with which it was found. */
export interface FormerChange {
  readonly day: string;
  readonly direction: "up" | "down";
}
type LastFound = (series: ChangeSeries) => FormerChange | null;

/** The same, with a step for each series, so that the caller can do something else in between. */
export function* judgeInSteps(
  { series, platforms }: PanelSeries,
  lastFound: LastFound,
): Generator<void, SeriesJudgement[]> {
  const segments = new Map(platforms.map((platform) => [platformKey(platform), findSegments(platform.days)]));
  const readings: Reading[] = [];
  for (const one of series) {
    const segment = segments.get(platformKey(one))?.at(-1);
    if (segment !== undefined) readings.push(readSeries(one, segment, lastFound(one)));
    yield;
  }
  const judged = readings.filter(({ means }) => means.length > baselineRuns);
  const weigh = weightsOf(judged);
  const isFound = discoveries(
    judged.map((reading) => reading.evidence * weigh(reading)),
    falseDiscoveryRate,
  );
  const found = new Set(judged.filter((_, index) => isFound[index]));
  const verdicts: SeriesJudgement[] = [];
  for (const reading of readings) {
    const threshold = Math.max(1, judged.length) / falseDiscoveryRate / weigh(reading);
    verdicts.push(verdictOf(reading, found.has(reading), threshold));
    yield;
  }
  return verdicts;
}

/** The evidence that a series of a panel needs that has so many main series and others, if no other has changed. */
export function thresholdAmong(series: { readonly main: number; readonly others: number }, isMain: boolean): number {
  const { main, others } = series;
  const count = main === 0 || main >= others ? main + others : 2 * (isMain ? main : others);
  return Math.max(1, count) / falseDiscoveryRate;
}

/** Weights whose mean is 1. The main series have at least half of the sum, so that others do not hide what matters most. */
function weightsOf(judged: readonly Reading[]): (reading: Reading) => number {
  const main = judged.filter(({ series }) => series.isMain).length;
  const counts = { main, others: judged.length - main };
  return ({ series }) => judged.length / falseDiscoveryRate / thresholdAmong(counts, series.isMain);
}

export const platformKey = ({ platformCode, kind }: Pick<InstrumentDays, "platformCode" | "kind">) =>
  JSON.stringify([platformCode, kind]);

interface Reading extends Evidence, PairedDays {
  readonly series: ChangeSeries;
  readonly segment: Segment;
  readonly consideredFrom: string;
  /** Not null: the evidence starts after this change. */
  readonly former: FormerChange | null;
  readonly promptsLeftOut: number;
}

function readSeries(series: ChangeSeries, segment: Segment, last: FormerChange | null): Reading {
  const former = last !== null && last.day >= segment.from ? last : null;
  const consideredFrom = former === null ? segment.from : consideredAfter(former);
  const instruments = new Set(segment.instruments);
  const sums = series.sums.filter(({ instrument }) => instruments.has(instrument));
  const days = readDays(sums, consideredFrom);
  const asked = new Set(sums.flatMap(({ promptId, day, of }) => (of > 0 && day >= consideredFrom ? promptId : [])));
  const promptsLeftOut = asked.difference(days.prompts).size;
  return { series, segment, consideredFrom, former, promptsLeftOut, ...days };
}

/** The days from one on, and the evidence that they are. */
export function readDays(sums: ChangeSeries["sums"], from: string): PairedDays & Evidence {
  const days = pairDays(sums.filter(({ day }) => day >= from));
  const { means, noise } = days;
  const weighed = means.length > baselineRuns ? evidenceOf(means, noise) : { evidence: 1, ifIndependent: 1 };
  return { ...days, ...weighed };
}

function verdictOf(reading: Reading, isFound: boolean, threshold: number): SeriesJudgement {
  const { series, segment, consideredFrom, former, means, prompts, promptsLeftOut, evidence } = reading;
  const [from, to] = [means[0]?.run ?? null, means.at(-1)?.run ?? null];
  const facts = { series, segment, from, to, evidence, threshold, prompts, promptsLeftOut, consideredFrom, former };
  if (means.length <= baselineRuns) {
    const isCut = segment.seam !== null && former === null;
    const verdict = isCut ? "instrument_changed" : "not_enough_data";
    return { ...facts, verdict, days: means.length, needed: baselineRuns + 1 };
  }
  if (!isFound) {
    const mayBeDependence = reading.ifIndependent >= threshold;
    return { ...facts, verdict: "not_distinguishable", smallest: smallestChange(reading, threshold), mayBeDependence };
  }
  const instruments = new Set(segment.instruments);
  const since = series.sums.filter(({ day, instrument }) => day >= segment.from && instruments.has(instrument));
  return { ...facts, verdict: "changed", change: changeIn(reading, { since, former }) };
}

/**
 * The change that days show. If the one before it had the same direction, and both together are gradual, it goes on since before that
 * one. `since`: all days of the instrument.
 */
export function changeIn(
  days: Pick<PairedDays, "means" | "noise">,
  { since, former }: { readonly since: ChangeSeries["sums"]; readonly former: FormerChange | null },
): JudgedChange {
  const alone = datedChange(days);
  if (former?.direction !== alone.direction) return alone;
  const all = pairDays(since);
  const both = datedChange(all);
  if (both.shape !== "gradual" || both.direction !== alone.direction || both.since > former.day) return alone;
  const afterFrom = days.means[0]?.run ?? both.afterFrom;
  return { ...both, continues: true, afterFrom, difference: differenceOf(all.means, both.since, afterFrom) };
}

function datedChange({ means, noise }: { readonly means: readonly RunMean[]; readonly noise: RunNoise }): JudgedChange {
  const { beginning, earliest, latest, gradual } = dateChange(means, noise);
  const dayOf = (index: number) => means[index]?.run ?? "";
  const since = dayOf(beginning);
  const difference = differenceOf(means, since, since);
  return {
    direction: difference > 0 ? "up" : "down",
    since,
    earliest: dayOf(earliest),
    latest: dayOf(latest),
    shape: gradual >= shapeCertainty ? "gradual" : gradual <= 1 - shapeCertainty ? "sudden" : null,
    continues: false,
    difference,
    beforeFrom: dayOf(0),
    afterFrom: since,
  };
}

/** Of the days from one on, and of those before another. */
function differenceOf(means: readonly RunMean[], until: string, from: string): number {
  return meanOf(means.filter(({ run }) => run >= from)) - meanOf(means.filter(({ run }) => run < until));
}

/** The first day that is considered after a change. */
export const consideredAfter = ({ day }: FormerChange): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString().slice(0, 10);

/** Null: not even the greatest possible one would have been found. */
function smallestChange({ means, noise }: PairedDays, threshold: number): SmallestChange | null {
  const beginning = Math.max(baselineRuns, means.length - exampleDays);
  const evidence = evidenceWith(means, noise, beginning);
  const isFoundWith = (difference: number) => evidence(difference) >= threshold;
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
