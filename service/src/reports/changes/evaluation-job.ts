import {
  findSegments,
  judgeInSteps,
  startSeries,
  type Answer,
  type FormerChange,
  type InstrumentDays,
  type PanelDefinition,
  type PanelSeries,
  type Seam,
  type SeriesJudgement,
} from "@querent/figures";
import { InputTooLarge, type Job, type ReadInput } from "../../computing/job.ts";
import { answerDecoder } from "../../observations/answers/decode-answers.ts";
import { dayMs, describeChange, describeInstrumentChange, endOf, startOf } from "./describe-changes.ts";
import type { DriftDays } from "./evaluations.ts";
import type { Found } from "./found-changes.ts";
import { pausedRecord, platformKey, seriesKey, verdictRecord, type PlatformDriftSign } from "./verdict-records.ts";

export interface EvaluationInput {
  readonly panel: PanelDefinition;
  /** What was found before. */
  readonly known: readonly Found[];
  /** The platforms whose verdicts are paused. */
  readonly drifts: ReadonlyMap<string, readonly PlatformDriftSign[]>;
  readonly driftDays: DriftDays;
  readonly from: string;
  readonly today: string;
  readonly now: Date;
}

/** The answers of one platform in a window. */
export interface PlatformWindow {
  readonly platformCode: string;
  readonly from: string;
  readonly to: string;
}

/** Instruments that changed longer ago are not announced: the panel has a history from before it was judged. */
const seamDaysMax = 9;

/** The verdicts on a panel: a line with the changes that were found, and one with the verdict on each series. */
export const job: Job<EvaluationInput> = {
  module: import.meta.url,
  async *run(input, read) {
    const { panel, known, drifts, driftDays, today, now } = input;
    const all: PanelSeries[] = [];
    for (const platformCode of panel.platforms) {
      const { add, finish } = startSeries(panel);
      for (const answer of yield* readPlatform(read, input, platformCode)) {
        add(answer);
        yield;
      }
      all.push(finish());
    }
    const series = all.flatMap((one) => one.series);
    const platforms = all.flatMap((one) => one.platforms);
    const judged = series.filter(({ platformCode }) => !drifts.has(platformCode));
    const verdicts = yield* judge({ series: judged, platforms }, known);
    const found = yield* describeFound(panel, (platformCode) => readPlatform(read, input, platformCode), {
      verdicts,
      seams: newSeams(platforms, known, today),
      now,
      driftDays,
    });
    yield `${JSON.stringify(found)}\n[`;
    const remembered = [...found, ...known];
    let separator = "";
    const records = [
      ...verdicts.map((one) => () => [verdictRecord(one, remembered, today)]),
      ...series.map((one) => () => pausedRecord(one, drifts.get(one.platformCode))),
    ];
    for (const recordsOf of records)
      for (const record of recordsOf()) {
        yield separator + JSON.stringify(record);
        separator = ",";
      }
    yield "]";
  },
};

/** Without the days on which the platform's pages did not match the recipe. */
async function* readPlatform(
  read: ReadInput,
  { driftDays, from: first, today }: EvaluationInput,
  platformCode: string,
): AsyncGenerator<undefined, Answer[], void> {
  const leftOut = new Set(driftDays[platformCode]);
  const to = endOf(today);
  for (let from = startOf(first); ;) {
    try {
      const answers: Answer[] = [];
      const decode = answerDecoder();
      const window: PlatformWindow = { platformCode, from, to };
      for await (const page of read("answers", window)) {
        for (const answer of decode(page)) if (!leftOut.has(answer.observedAt.slice(0, 10))) answers.push(answer);
        yield;
      }
      return answers;
    } catch (error) {
      // There are more than are read at once, and the later half is sufficient.
      if (!(error instanceof InputTooLarge) || Date.parse(to) - Date.parse(from) < 2 * dayMs) throw error;
      from = new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString();
    }
  }
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
  readonly verdicts: readonly SeriesJudgement[];
  readonly seams: readonly PlatformSeam[];
  readonly now: Date;
  readonly driftDays: DriftDays;
}

/** The answers of a platform are read again only if something was found, which is rare. */
async function* describeFound(
  panel: PanelDefinition,
  read: (platformCode: string) => AsyncGenerator<undefined, Answer[], void>,
  { verdicts, seams, now, driftDays }: Judged,
): AsyncGenerator<undefined, Found[], void> {
  const found: Found[] = [];
  for (const platformCode of panel.platforms) {
    const changed = verdicts.flatMap((one) =>
      one.verdict === "changed" && one.series.platformCode === platformCode ? [one] : [],
    );
    const changedSeams = seams.filter(({ platform }) => platform.platformCode === platformCode);
    if (changed.length + changedSeams.length === 0) continue;
    const answers = yield* read(platformCode);
    for (const verdict of changed) {
      const data = describeChange(panel, answers, verdict, now);
      const basis = {
        from: verdict.change.continues ? verdict.segment.from : verdict.consideredFrom,
        former: verdict.former,
        promptIds: [...verdict.prompts],
        instruments: verdict.segment.instruments,
        leftOutDays: driftDays[platformCode] ?? [],
        revision: panel.revision,
      };
      const day = verdict.to ?? verdict.change.since;
      found.push({ kind: "change", series: seriesKey(verdict.series), day, data, basis });
      yield;
    }
    for (const one of changedSeams) {
      const data = describeInstrumentChange(panel, answers, one, now);
      const basis = { leftOutDays: driftDays[platformCode] ?? [] };
      found.push({ kind: "instrument", series: platformKey(one.platform), day: one.seam.day, data, basis });
    }
  }
  return found;
}

function judge(panel: PanelSeries, known: readonly Found[]): Generator<void, SeriesJudgement[], void> {
  const last = new Map<string, FormerChange>();
  for (const one of known)
    if (one.kind === "change" && !last.has(one.series))
      last.set(one.series, { day: one.day, direction: one.data.direction });
  return judgeInSteps(panel, (series) => last.get(seriesKey(series)) ?? null);
}
