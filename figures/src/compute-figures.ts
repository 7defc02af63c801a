import type { Measure, MeasureId } from "@querent/contract";
import type { Answer } from "./answer.ts";
import { indexSteps, type AnswerIndex } from "./answer-index.ts";
import { splitter } from "./asked-answers.ts";
import { comparePlatforms } from "./comparisons.ts";
import type { FailedTask } from "./failed-task.ts";
import { readRow, rowOf, type ComputedRow, type RowContext } from "./figure-rows.ts";
import { groupAnswers, type Group, type Selection } from "./group-answers.ts";
import { measureOf, readsFailures } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { wordingsOf } from "./panel-history.ts";
import { cellReader, hasBounds } from "./read-cells.ts";
import { subjectOf, type Subject } from "./readings.ts";
import { withSeams } from "./seams.ts";
import { withFailures } from "./with-failures.ts";

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
  /** Whether each figure is of all answers, whatever they were taken with. Default: of one instrument. */
  readonly blend?: boolean;
}

/**
 * The figures of one measure, one row for each platform, kind of platform, locale and persona, and for each prompt, topic, run or day
 * if asked for: these are never added up. Sorted by these names; runs and days by time. The same answers in the same order give the
 * same figures to the last digit.
 */
export function computeFigures(
  panel: PanelDefinition,
  answers: Iterable<Answer>,
  request: FigureRequest,
  failures: readonly FailedTask[] = [],
): ComputedRow[] {
  return figuresFrom(panel, answers, failures)(request);
}

/** The same for many measures of the same answers, which are sorted into groups once. */
export function figuresFrom(
  panel: PanelDefinition,
  answers: Iterable<Answer>,
  failures: readonly FailedTask[] = [],
): (request: FigureRequest) => ComputedRow[] {
  const steps = figureSteps(panel, answers, failures);
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
  failures: readonly FailedTask[] = [],
): (request: FigureRequest) => Generator<void, ComputedRow[], void> {
  let figures: ReturnType<typeof indexedFigures> | null = null;
  return function* (request) {
    figures ??= indexedFigures(panel, yield* indexSteps(panel, answers), failures);
    return yield* figures(request);
  };
}

/** The same, of answers that have an index. */
export function indexedFigures(
  panel: PanelDefinition,
  index: AnswerIndex,
  failures: readonly FailedTask[] = [],
): (request: FigureRequest) => Generator<void, ComputedRow[], void> {
  const figures = (of: AnswerIndex) => {
    const known = new Map<string, readonly Group[]>();
    return function* (request: FigureRequest): Generator<void, ComputedRow[], void> {
      const selection = selectionOf(request);
      const key = JSON.stringify(selection);
      const groups = known.get(key) ?? groupAnswers(panel, of, selection);
      known.set(key, groups);
      yield;
      return yield* rowSteps(startRows(panel, of, request), groups, request);
    };
  };
  const ofAnswers = figures(index);
  let ofTasks: typeof ofAnswers | null = failures.length === 0 ? ofAnswers : null;
  return (request) => {
    const { measure } = request;
    const isOfTasks = readsFailures(measure) || hasBounds(measure);
    return isOfTasks ? (ofTasks ??= figures(withFailures(panel, index, failures)))(request) : ofAnswers(request);
  };
}

function selectionOf({ measure, platformCode, locale, persona, from, to, by, blend }: FigureRequest): Selection {
  // The other platform of a pair is needed, too.
  const isOfPairs = measure === "platform_source_agreement";
  return {
    ...(platformCode === undefined || isOfPairs ? {} : { platformCode }),
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
    from: moment(from),
    to: moment(to),
    by,
    blend: blend === true,
    failures: readsFailures(measure),
  };
}

/** As `observedAt` is written. */
export const moment = (time: string | undefined) => (time === undefined ? null : new Date(time).toISOString());

export function startRows(panel: PanelDefinition, index: AnswerIndex, request: FigureRequest): RowContext {
  const measure = measureOf(request.measure);
  const subject = subjectOf(panel, request);
  requireSubject(measure, subject);
  return {
    panel,
    prompts: wordingsOf(panel),
    index,
    measure,
    subject,
    selection: selectionOf(request),
    split: splitter(panel, measure, subject),
    read: cellReader(measure, subject, index),
  };
}

function* rowSteps(
  context: RowContext,
  groups: readonly Group[],
  { platformCode }: FigureRequest,
): Generator<void, ComputedRow[], void> {
  const { measure } = context;
  const rows: ComputedRow[] = [];
  if (measure.id === "platform_source_agreement") {
    for (const [one, other] of pairsOfPlatforms(groups)) {
      if (platformCode !== undefined && ![one, other].some(({ surface }) => surface.platformCode === platformCode))
        continue;
      const read = comparePlatforms(context, [context.split(one).asked, context.split(other).asked]);
      rows.push(rowOf(context, { group: one, other, brandedPrompts: 0 }, { ...read, missing: null }));
      yield;
    }
    return rows;
  }
  for (const group of groups) {
    rows.push(readRow(context, group));
    yield;
  }
  return withSeams(rows, context.selection);
}

export function requireSubject(measure: Measure, { entity, domain, sourceType }: Subject): void {
  const given = { entity, domain, source_type: sourceType, answer: true }[measure.per];
  if (given === null) throw new RangeError(`${measure.id} needs a ${measure.per} that the account has.`);
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
