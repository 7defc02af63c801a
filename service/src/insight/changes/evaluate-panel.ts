import {
  findSegments,
  judgeInSteps,
  startSeries,
  type Answer,
  type InstrumentDays,
  type PanelDefinition,
  type PanelSeries,
  type Seam,
  type SeriesVerdict,
} from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";
import type { Database } from "../../db/index.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { readAnswers } from "../figures/read-answers.ts";
import { readDefinition } from "../figures/read-definition.ts";
import { dayMs, describeChange, describeInstrumentChange, endOf, startOf } from "./describe-changes.ts";
import type { DriftDays, Evaluation, TakenPanel } from "./evaluations.ts";
import { readFound, type Found } from "./found-changes.ts";
import { readDays } from "./panel-days.ts";
import { pausedRecord, platformKey, seriesKey, verdictRecord, type PlatformDriftSign } from "./verdict-records.ts";

export interface EvaluationDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  /** The current signs, by the code of the platform. */
  readonly readDrift: () => Promise<ReadonlyMap<string, readonly PlatformDriftSign[]>>;
}

/** Instruments that changed longer ago are not announced: the panel has a history from before it was judged. */
const seamDaysMax = 9;

/** The verdicts on a panel as of now; null if there is no such panel, or it has not run. Writes nothing. */
export async function evaluatePanel(deps: EvaluationDeps, taken: TakenPanel): Promise<Evaluation | null> {
  const { database, entities } = deps;
  const { accountId, panelId } = taken;
  const panel = await readDefinition(database, entities, accountId, panelId);
  const days = await readDays(database, accountId, panelId);
  if (panel === null || days === null) return null;
  const known = await readFound(database, accountId, panelId);
  const drifts = driftOf(await deps.readDrift(), panel);
  const driftDays = withDrift(taken.driftDays, drifts, days);
  const read = (platformCode: string) => readPlatform(deps, { accountId, panelId, platformCode, driftDays, ...days });
  const all: PanelSeries[] = [];
  for (const platformCode of panel.platforms) all.push(await collect(panel, await read(platformCode)));
  const series = all.flatMap((one) => one.series);
  const platforms = all.flatMap((one) => one.platforms);
  const judged = series.filter(({ platformCode }) => !drifts.has(platformCode));
  const verdicts = await judge({ series: judged, platforms }, known);
  const found = await describeFound(panel, read, {
    verdicts,
    seams: newSeams(platforms, known, days.today),
    now: days.now,
    driftDays,
  });
  const remembered = [...found, ...known];
  return {
    evaluatedAt: days.now,
    driftDays,
    found,
    verdicts: [
      ...verdicts.map((one) => verdictRecord(one, remembered, days.today)),
      ...series.flatMap((one) => pausedRecord(one, drifts.get(one.platformCode))),
    ],
  };
}

interface PlatformSeam {
  readonly platform: InstrumentDays;
  readonly seam: Seam;
}

/** The last change of each platform's instrument, if it is recent and not known. */
function newSeams(platforms: readonly InstrumentDays[], known: readonly Found[], today: string): PlatformSeam[] {
  return platforms.flatMap((platform) => {
    const seam = findSegments(platform.days).at(-1)?.seam ?? null;
    if (seam === null || daysBetween(seam.day, today) > seamDaysMax) return [];
    // Answers that come late may move its first day.
    const isKnown = known.some(
      ({ kind, series, day }) =>
        kind === "instrument" && series === platformKey(platform) && Math.abs(daysBetween(day, seam.day)) <= 1,
    );
    return isKnown ? [] : [{ platform, seam }];
  });
}

const daysBetween = (one: string, other: string) => (Date.parse(other) - Date.parse(one)) / dayMs;

interface Judged {
  readonly verdicts: readonly SeriesVerdict[];
  readonly seams: readonly PlatformSeam[];
  readonly now: Date;
  readonly driftDays: DriftDays;
}

/** The answers of a platform are read again only if something was found, which is rare. */
async function describeFound(
  panel: PanelDefinition,
  read: (platformCode: string) => Promise<Answer[]>,
  { verdicts, seams, now, driftDays }: Judged,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const platformCode of panel.platforms) {
    const changed = verdicts.flatMap((one) =>
      one.verdict === "changed" && one.series.platformCode === platformCode ? [one] : [],
    );
    const changedSeams = seams.filter(({ platform }) => platform.platformCode === platformCode);
    if (changed.length + changedSeams.length === 0) continue;
    const answers = await read(platformCode);
    for (const verdict of changed) {
      const data = describeChange(panel, answers, verdict, now);
      const basis = {
        from: verdict.consideredFrom,
        promptIds: [...verdict.prompts],
        instruments: verdict.segment.instruments,
        leftOutDays: driftDays[platformCode] ?? [],
      };
      const day = verdict.to ?? verdict.change.since;
      found.push({ kind: "change", series: seriesKey(verdict.series), day, data, basis });
      await yieldToEventLoop();
    }
    for (const one of changedSeams) {
      const data = describeInstrumentChange(panel, answers, one, now);
      const basis = { leftOutDays: driftDays[platformCode] ?? [] };
      found.push({ kind: "instrument", series: platformKey(one.platform), day: one.seam.day, data, basis });
    }
  }
  return found;
}

/** A selector further down the recipe's list still reads the page, so that is no reason to distrust figures. */
function driftOf(signs: ReadonlyMap<string, readonly PlatformDriftSign[]>, { platforms }: PanelDefinition) {
  const drifts = new Map<string, readonly PlatformDriftSign[]>();
  for (const platform of platforms) {
    const serious = (signs.get(platform) ?? []).filter(({ sign }) => sign !== "fallback");
    if (serious.length > 0) drifts.set(platform, serious);
  }
  return drifts;
}

const firstSince = (signs: readonly PlatformDriftSign[]) => signs.map(({ since }) => since).toSorted()[0] ?? "";

/** Adds the days since the signs began. They stay excluded after the signs are gone. */
function withDrift(
  before: DriftDays,
  drifts: ReadonlyMap<string, readonly PlatformDriftSign[]>,
  { from, today }: { from: string; today: string },
): DriftDays {
  const days = new Map(Object.entries(before).map(([platform, some]) => [platform, new Set(some)]));
  for (const [platform, signs] of drifts) {
    const known = days.get(platform) ?? new Set<string>();
    const first = firstSince(signs).slice(0, 10);
    for (let time = Date.parse(startOf(first > from ? first : from)); time <= Date.parse(startOf(today)); time += dayMs)
      known.add(new Date(time).toISOString().slice(0, 10));
    days.set(platform, known);
  }
  return Object.fromEntries(
    [...days].map(([platform, some]) => [platform, [...some].filter((day) => day >= from).toSorted()]),
  );
}

interface PlatformWindow {
  readonly accountId: string;
  readonly panelId: string;
  readonly platformCode: string;
  readonly driftDays: DriftDays;
  readonly from: string;
  readonly today: string;
}

/** The answers of one platform, without the days on which its pages did not match the recipe. */
async function readPlatform({ database }: EvaluationDeps, window: PlatformWindow): Promise<Answer[]> {
  const { accountId, panelId, platformCode, today } = window;
  const leftOut = new Set(window.driftDays[platformCode]);
  const to = endOf(today);
  for (let from = startOf(window.from); ;) {
    try {
      const answers = await readAnswers(database, accountId, { panelId, platformCode, from, to });
      return leftOut.size === 0 ? answers : answers.filter(({ observedAt }) => !leftOut.has(observedAt.slice(0, 10)));
    } catch (error) {
      // There are more than are read at once (`figureAnswersMax`), and the later half is sufficient.
      if (!(error instanceof ProblemError) || Date.parse(to) - Date.parse(from) < 2 * dayMs) throw error;
      from = new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString();
    }
  }
}

async function collect(panel: PanelDefinition, answers: readonly Answer[]): Promise<PanelSeries> {
  const { add, finish } = startSeries(panel);
  const pause = pauser();
  for (const answer of answers) {
    add(answer);
    await pause();
  }
  return finish();
}

async function judge(panel: PanelSeries, known: readonly Found[]): Promise<SeriesVerdict[]> {
  const until = new Map<string, string>();
  for (const { kind, series, day } of known) if (kind === "change" && !until.has(series)) until.set(series, day);
  const steps = judgeInSteps(panel, (series) => until.get(seriesKey(series)) ?? null);
  const pause = pauser();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}

function pauser(): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < sliceMs) return;
    await yieldToEventLoop();
    from = performance.now();
  };
}
