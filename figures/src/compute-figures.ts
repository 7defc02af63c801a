import type { Answer, Instrument } from "./answer.ts";
import { compareAnswers, comparePlatforms, comparisons, readCore, type Compared } from "./comparisons.ts";
import type { Cell, CellAnswer } from "./estimate.ts";
import { groupAnswers, isSameSurface, isSeries, type Entry, type Group, type Selection } from "./group-answers.ts";
import { measureOf, type Measure, type MeasureId } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { countLeftOut, readings, subjectOf, type LeftOut, type Read, type Subject } from "./readings.ts";
import { stateFigures, type StatedFigure, type Surface } from "./state-figures.ts";
import { weightAnswers } from "./weight-answers.ts";

/** One measure, what it is about where it is about something, filters, and by what it is split. */
export interface FigureRequest {
  readonly measure: MeasureId;
  /** For measures of an entity. */
  readonly entityId?: string;
  /** For measures of a domain. */
  readonly domain?: string;
  /** For measures of a type of sources. */
  readonly sourceType?: string;
  readonly platformCode?: string;
  readonly locale?: string;
  readonly persona?: string;
  /** The window of `observedAt`: from the first moment, before the second one. */
  readonly from?: string;
  readonly to?: string;
  readonly by: Selection["by"];
}

export interface FigureRow {
  readonly group: FigureGroup;
  /** Prompts whose text names the entity. */
  readonly brandedPromptsLeftOut: number;
  /** How many answers of the group are not in the figure, and why. */
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>;
  /** In a series of runs or days: true if it was not taken with the same instruments as the row before. */
  readonly seam: boolean;
  readonly thesePrompts: StatedFigure;
  readonly promptsLikeThese: StatedFigure;
}

/** What a row is about; null where that does not apply. */
export interface FigureGroup extends Surface {
  /** The platform that it is compared with. */
  readonly otherPlatformCode: string | null;
  readonly otherKind: Instrument["kind"] | null;
  readonly entityId: string | null;
  readonly domain: string | null;
  readonly sourceType: string | null;
  readonly promptId: string | null;
  readonly topic: string | null;
  readonly runId: string | null;
  /** UTC; of a run, that of its first answer. */
  readonly day: string | null;
}

/**
 * The figures of one measure, one row for each platform, kind of platform, locale and persona, and for each prompt, topic, run or day
 * if asked for: these are never added up. Sorted by these names; runs and days by time. The same answers in the same order give the
 * same figures to the last digit.
 */
export function computeFigures(panel: PanelDefinition, answers: Iterable<Answer>, request: FigureRequest): FigureRow[] {
  return figuresFrom(panel, answers)(request);
}

/** The same for many measures of the same answers, which are sorted into groups once. */
export function figuresFrom(
  panel: PanelDefinition,
  answers: Iterable<Answer>,
): (request: FigureRequest) => FigureRow[] {
  const steps = figureSteps(panel, answers);
  return (request) => {
    const rows = steps(request);
    for (;;) {
      const step = rows.next();
      if (step.done === true) return step.value;
    }
  };
}

/** As `figuresFrom`, with a pause after each row, for a program that does other things too. */
export function figureSteps(
  panel: PanelDefinition,
  answers: Iterable<Answer>,
): (request: FigureRequest) => Generator<void, FigureRow[], void> {
  const all = Array.isArray(answers) ? (answers as readonly Answer[]) : [...answers];
  const known = new Map<string, readonly Group[]>();
  return function* (request) {
    const selection = selectionOf(request);
    const key = JSON.stringify(selection);
    const groups = known.get(key) ?? groupAnswers(panel, all, selection);
    known.set(key, groups);
    yield;
    return yield* rowSteps(panel, groups, request, selection);
  };
}

function selectionOf({ measure, platformCode, locale, persona, from, to, by }: FigureRequest): Selection {
  // The other platform of a pair is needed, too.
  const isOfPairs = measure === "platform_source_agreement";
  return {
    ...(platformCode === undefined || isOfPairs ? {} : { platformCode }),
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
    from: moment(from),
    to: moment(to),
    by,
  };
}

/** As `observedAt` is written. */
export const moment = (time: string | undefined) => (time === undefined ? null : new Date(time).toISOString());

function* rowSteps(
  panel: PanelDefinition,
  groups: readonly Group[],
  request: FigureRequest,
  selection: Selection,
): Generator<void, FigureRow[], void> {
  const measure = measureOf(request.measure);
  const subject = subjectOf(panel, request);
  requireSubject(measure, subject);
  const rows: FigureRow[] = [];
  if (measure.id === "platform_source_agreement") {
    for (const [one, other] of pairsOfPlatforms(groups)) {
      const { platformCode } = request;
      if (platformCode !== undefined && ![one, other].some(({ surface }) => surface.platformCode === platformCode))
        continue;
      const [ofOne, ofOther] = [one, other].map((group) => split(panel, group, measure, subject).asked);
      const compared = comparePlatforms(
        comparisons.platform_source_agreement,
        [ofOne ?? new Map(), ofOther ?? new Map()],
        subject,
      );
      rows.push(rowOf(panel, { measure, subject, selection, group: one, other }, compared, 0));
      yield;
    }
    return rows;
  }
  for (const group of groups) {
    const { asked, brandedPrompts, leftOut } = split(panel, group, measure, subject);
    const read = readAll(measure, asked, subject);
    for (const [code, count] of read.leftOut) countLeftOut(leftOut, code, count);
    rows.push(rowOf(panel, { measure, subject, selection, group, other: null }, { ...read, leftOut }, brandedPrompts));
    yield;
  }
  return withSeams(rows, selection);
}

export function requireSubject(measure: Measure, { entity, domain, sourceType }: Subject): void {
  const given = { entity, domain, source_type: sourceType, answer: true }[measure.per];
  if (given === null) throw new RangeError(`${measure.id} needs a ${measure.per} that the account has.`);
}

/** The answers to prompts of the panel that do not name what is measured. */
export function split(panel: PanelDefinition, { byPrompt }: Group, measure: Measure, subject: Subject) {
  const named = namesThatBrand(measure, subject);
  const asked = new Map<string, readonly Entry[]>();
  const leftOut = new Map<LeftOut, number>();
  let brandedPrompts = 0;
  for (const { promptId, branded } of panel.prompts) {
    const entries = byPrompt.get(promptId);
    if (entries === undefined) continue;
    if (branded.some((entityId) => named.has(entityId))) {
      brandedPrompts++;
      countLeftOut(leftOut, "branded_prompt", entries.length);
    } else asked.set(promptId, entries);
  }
  const isAsked = new Set(panel.prompts.map(({ promptId }) => promptId));
  for (const [promptId, entries] of byPrompt)
    if (!isAsked.has(promptId)) countLeftOut(leftOut, "prompt_not_in_panel", entries.length);
  return { asked, brandedPrompts, leftOut };
}

const ofAllCompared: ReadonlySet<MeasureId> = new Set([
  "mention_share",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
]);

function namesThatBrand({ id, per }: Measure, { entity, compared }: Subject): ReadonlySet<string> {
  if (ofAllCompared.has(id)) return compared;
  return new Set(per === "entity" && entity !== null ? [entity.entityId] : []);
}

export function readAll({ id }: Measure, asked: ReadonlyMap<string, readonly Entry[]>, subject: Subject): Compared {
  if (id === "core_citation_share") return readCore(asked);
  if (id in comparisons) return compareAnswers(comparisons[id as keyof typeof comparisons], asked, subject);
  const read: Read = readings[id as keyof typeof readings];
  const byPrompt = new Map<string, readonly CellAnswer[]>();
  const used: Entry[] = [];
  const leftOut = new Map<LeftOut, number>();
  for (const [promptId, entries] of asked) {
    const values: CellAnswer[] = [];
    const probabilities: number[] = [];
    let hasValue = false;
    for (const entry of entries) {
      const reading = read(entry.answer, subject);
      if (typeof reading === "string") {
        countLeftOut(leftOut, reading);
        continue;
      }
      if ("missing" in reading) {
        countLeftOut(leftOut, reading.missing);
        values.push({ run: entry.run, value: 0, of: 0 });
        probabilities.push(entry.answer.probability ?? 1);
        continue;
      }
      hasValue = true;
      values.push({ run: entry.run, value: reading.value, of: reading.of ?? 1 });
      probabilities.push(entry.answer.probability ?? 1);
      used.push(entry);
    }
    if (hasValue) byPrompt.set(promptId, weightAnswers(values, probabilities));
  }
  return { byPrompt, used, leftOut };
}

interface RowSubject {
  readonly measure: Measure;
  readonly subject: Subject;
  readonly selection: Selection;
  readonly group: Group;
  readonly other: Group | null;
}

function rowOf(
  panel: PanelDefinition,
  { measure, subject, selection, group, other }: RowSubject,
  { byPrompt, used, leftOut }: Compared,
  brandedPromptsLeftOut: number,
): FigureRow {
  return {
    group: {
      ...group.surface,
      otherPlatformCode: other?.surface.platformCode ?? null,
      otherKind: other?.surface.kind ?? null,
      entityId: measure.per === "entity" ? (subject.entity?.entityId ?? null) : null,
      domain: measure.per === "domain" ? subject.domain : null,
      sourceType: measure.per === "source_type" ? subject.sourceType : null,
      ...group.split,
    },
    brandedPromptsLeftOut,
    leftOut: Object.fromEntries(leftOut),
    seam: false,
    ...stateFigures({
      panelId: panel.panelId,
      measure,
      cells: cellsOf(panel, byPrompt),
      answers: used.length,
      // Of a pair of platforms, the answers of both are meant.
      surface: { ...group.surface, ...(other === null ? {} : { platformCode: "" }), ...group.split },
      instruments: [...new Set(used.map(({ instrument }) => instrument))],
      window: { from: selection.from ?? group.first, to: selection.to ?? group.last },
    }),
  };
}

/** The cells of a group, in the order of the panel's prompts. */
export function cellsOf({ prompts }: PanelDefinition, values: ReadonlyMap<string, readonly CellAnswer[]>): Cell[] {
  return prompts.flatMap(({ promptId, topic, weight = 1 }) => {
    const answers = values.get(promptId);
    return answers === undefined ? [] : [{ topic: topic ?? "", weight, answers }];
  });
}

/** Platforms that were asked in the same locale, as the same persona, and in the same part of the split. */
function pairsOfPlatforms(groups: readonly Group[]): [Group, Group][] {
  const part = ({ surface: { locale, persona }, split: of }: Group) =>
    JSON.stringify([locale, persona, of.promptId, of.topic, of.runId, of.runId === null ? of.day : null]);
  const parts = Map.groupBy(groups, part);
  return [...parts.values()].flatMap((same) =>
    same.flatMap((one, index) => same.slice(index + 1).map((other): [Group, Group] => [one, other])),
  );
}

/** Marks the rows of a series that were not taken with the same instruments as those before them. */
function withSeams(rows: readonly FigureRow[], selection: Selection): FigureRow[] {
  if (!isSeries(selection)) return [...rows];
  let before: FigureRow | null = null;
  return rows.map((row) => {
    // A row without answers has no instrument, and is skipped.
    if (row.thesePrompts.instrument.length === 0) return row;
    const seam = before !== null && isSameSurface(before.group, row.group) && !hasSameInstruments(before, row);
    before = row;
    return { ...row, seam };
  });
}

function hasSameInstruments({ thesePrompts: one }: FigureRow, { thesePrompts: other }: FigureRow): boolean {
  const known = new Set(one.instrument);
  return one.instrument.length === other.instrument.length && other.instrument.every((each) => known.has(each));
}
