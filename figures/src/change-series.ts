import type { Answer, Instrument } from "./answer.ts";
import type { PanelDefinition, PanelEntity } from "./panel-definition.ts";
import { readings, subjectOf, type Subject } from "./readings.ts";
import type { InstrumentDay } from "./segments.ts";
import type { Surface } from "./state-figures.ts";
import type { MeasureId } from "./measure-table.ts";

/** One measure of one entity on one surface, over the days. */
export interface ChangeSeries extends Surface {
  readonly measure: MeasureId;
  readonly entityId: string;
  /** Whether an own entity is named at all: half of the false alarms that are allowed are left to these series. */
  readonly isMain: boolean;
  readonly sums: CellDay[];
}

/** The answers of one prompt with one instrument on one day, added up. */
export interface CellDay {
  readonly promptId: string;
  readonly weight: number;
  readonly instrument: string;
  readonly day: string;
  value: number;
  of: number;
  answers: number;
}

/** What one platform's answers were taken with. */
export interface InstrumentDays {
  readonly platformCode: string;
  readonly kind: Instrument["kind"];
  readonly days: readonly InstrumentDay[];
  readonly instruments: ReadonlyMap<string, Instrument>;
}

export interface PanelSeries {
  readonly series: readonly ChangeSeries[];
  readonly platforms: readonly InstrumentDays[];
}

/** The measures whose changes are looked for. Each more one raises the evidence that all of them need. */
const watched: Readonly<Record<"own" | "competitor", readonly MeasureOfEntity[]>> = {
  own: ["presence", "mention_share", "listed", "own_citation_rate"],
  competitor: ["presence"],
};
type MeasureOfEntity = Extract<MeasureId, "presence" | "mention_share" | "listed" | "own_citation_rate">;

/** The series of a panel in which changes are looked for, from its answers in the order of time. */
export function collectSeries(panel: PanelDefinition, answers: Iterable<Answer>): PanelSeries {
  const { add, finish } = startSeries(panel);
  for (const answer of answers) add(answer);
  return finish();
}

/** The same, answer by answer; or only some of the series. */
export function startSeries(
  panel: PanelDefinition,
  isWanted: (series: Watched) => boolean = () => true,
): { add: (answer: Answer) => void; finish: () => PanelSeries } {
  const weights = new Map(panel.prompts.map(({ promptId, weight = 1 }) => [promptId, weight]));
  const subjects = watchedIn(panel).filter(isWanted);
  const series = new Map<string, CollectedSeries>();
  const platforms = new Map<string, CollectedDays>();
  return {
    add(answer) {
      const weight = weights.get(answer.promptId);
      if (weight === undefined) return;
      const instrument = instrumentKey(answer.instrument);
      countInstrument(platforms, answer, instrument);
      for (const subject of subjects) {
        if (subject.branded.has(answer.promptId)) continue;
        const reading = readings[subject.measure](answer, subject);
        if (typeof reading === "string" || "missing" in reading) continue;
        const { value, of = 1 } = reading;
        const times = 1 / (answer.probability ?? 1);
        const cell = { promptId: answer.promptId, weight, instrument, day: dayOf(answer) };
        addTo(seriesFor(series, answer, subject), { ...cell, value: times * value, of: times * of });
      }
    },
    finish: () => ({
      series: [...series.values()].map((one) => one.series),
      platforms: [...platforms.values()].map(({ days, ...platform }) => ({ ...platform, days: [...days.values()] })),
    }),
  };
}

interface Watched extends Subject {
  readonly measure: MeasureOfEntity;
  readonly entity: PanelEntity;
  /** The prompts that name what is counted. */
  readonly branded: ReadonlySet<string>;
}

function watchedIn(panel: PanelDefinition): Watched[] {
  return panel.entities.flatMap((entity) => {
    if (entity.relation === "other") return [];
    const subject = subjectOf(panel, { entityId: entity.entityId });
    const measures = watched[entity.relation].filter(
      (measure) => measure !== "own_citation_rate" || entity.domains.length > 0,
    );
    return measures.map((measure) => {
      const named = measure === "mention_share" ? subject.compared : new Set([entity.entityId]);
      const branded = panel.prompts.filter((prompt) => prompt.branded.some((entityId) => named.has(entityId)));
      return { ...subject, entity, measure, branded: new Set(branded.map(({ promptId }) => promptId)) };
    });
  });
}

interface CollectedSeries {
  readonly series: ChangeSeries;
  readonly cells: Map<string, CellDay>;
}

function seriesFor(all: Map<string, CollectedSeries>, answer: Answer, { measure, entity }: Watched): CollectedSeries {
  const { platformCode, instrument, locale, persona } = answer;
  const key = JSON.stringify([measure, entity.entityId, platformCode, instrument.kind, locale, persona]);
  let found = all.get(key);
  if (found === undefined) {
    const about = { measure, entityId: entity.entityId, platformCode, kind: instrument.kind, locale, persona };
    const isMain = entity.relation === "own" && measure === "presence";
    found = { series: { ...about, isMain, sums: [] }, cells: new Map() };
    all.set(key, found);
  }
  return found;
}

function addTo({ series, cells }: CollectedSeries, { value, of, ...cell }: Omit<CellDay, "answers">): void {
  const key = JSON.stringify([cell.promptId, cell.instrument, cell.day]);
  let sum = cells.get(key);
  if (sum === undefined) {
    sum = { ...cell, value: 0, of: 0, answers: 0 };
    cells.set(key, sum);
    series.sums.push(sum);
  }
  sum.value += value;
  sum.of += of;
  sum.answers += of > 0 ? 1 : 0;
}

interface CollectedDays extends Omit<InstrumentDays, "days" | "instruments"> {
  readonly days: Map<string, { day: string; runId: string | null; answers: Map<string, number> }>;
  readonly instruments: Map<string, Instrument>;
}

function countInstrument(platforms: Map<string, CollectedDays>, answer: Answer, instrument: string): void {
  const { platformCode, runId } = answer;
  const { kind } = answer.instrument;
  const key = JSON.stringify([platformCode, kind]);
  let platform = platforms.get(key);
  if (platform === undefined) {
    platform = { platformCode, kind, days: new Map(), instruments: new Map() };
    platforms.set(key, platform);
  }
  platform.instruments.set(instrument, answer.instrument);
  const day = dayOf(answer);
  let known = platform.days.get(day);
  if (known === undefined) {
    known = { day, runId, answers: new Map() };
    platform.days.set(day, known);
  }
  known.answers.set(instrument, (known.answers.get(instrument) ?? 0) + 1);
}

const dayOf = ({ observedAt }: Answer) => observedAt.slice(0, 10);

export const instrumentKey = ({ kind, modelVersion, recipe, reader, matcher, sourceRules }: Instrument) =>
  JSON.stringify([kind, modelVersion, recipe, reader, matcher, sourceRules]);
