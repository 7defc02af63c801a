import type { Answer, Instrument } from "./answer.ts";
import type { Cell, CellAnswer } from "./estimate.ts";
import { measureOf, type MeasureId } from "./measures.ts";
import type { PanelDefinition, PanelPromptDefinition } from "./panel-definition.ts";
import { readings, subjectOf, type LeftOut, type Subject } from "./readings.ts";
import { stateFigures, type Surface, type StatedFigure } from "./state-figures.ts";

/** One measure, what it is about where it is about something, filters, and by what it is split. */
export interface FigureRequest {
  readonly measure: MeasureId;
  /** For measures of an entity. */
  readonly entityId?: string;
  readonly platformCode?: string;
  readonly locale?: string;
  readonly persona?: string;
  /** The window of `observedAt`: from the first moment, before the second one. */
  readonly from?: string;
  readonly to?: string;
  readonly by: "none" | "prompt" | "topic" | "run" | "day";
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
  const measure = measureOf(request.measure);
  const subject = subjectOf(panel, request.entityId);
  if (measure.per === "entity" && subject.entity === null)
    throw new RangeError(`${measure.id} needs an entity of the panel's account.`);
  const window = { from: moment(request.from), to: moment(request.to) };
  const groups = groupAnswers(panel, answers, { ...request, ...window }, subject);
  let before: Group | null = null;
  return groups.map((group) => {
    const seam =
      before !== null && isSeries(request) && isSameSurface(before, group) && !isSameInstrument(before, group);
    before = group;
    const figures = stateFigures({
      panelId: panel.panelId,
      measure,
      cells: cellsOf(panel, group),
      surface: group.group,
      instruments: [...group.instruments.values()],
      window: { from: window.from ?? group.first, to: window.to ?? group.last },
    });
    return {
      group: group.group,
      brandedPromptsLeftOut: group.branded.size,
      leftOut: Object.fromEntries(group.leftOut),
      seam,
      ...figures,
    };
  });
}

type WindowedRequest = Omit<FigureRequest, "from" | "to"> & StatedFigure["window"];

/** As `observedAt` is written, so that the texts can be compared. */
const moment = (time: string | undefined) => (time === undefined ? null : new Date(time).toISOString());

interface Group {
  readonly group: FigureGroup;
  readonly answers: Map<string, CellAnswer[]>;
  readonly instruments: Map<string, Instrument>;
  readonly branded: Set<string>;
  readonly leftOut: Map<LeftOut, number>;
  /** When the first and the last of its answers were observed. */
  first: string;
  last: string;
}

function groupAnswers(
  panel: PanelDefinition,
  answers: Iterable<Answer>,
  request: WindowedRequest,
  subject: Subject,
): Group[] {
  const prompts = new Map(panel.prompts.map((prompt) => [prompt.promptId, prompt]));
  const named = request.measure === "mention_share" ? subject.compared : new Set([request.entityId ?? ""]);
  const groups = new Map<string, Group>();
  const read = readings[request.measure];
  for (const answer of answers) {
    if (!isAsked(answer, request)) continue;
    const prompt = prompts.get(answer.promptId);
    const group = groupFor(groups, answer, request, prompt);
    const isBranded = prompt?.branded.some((entityId) => named.has(entityId)) === true;
    if (isBranded) group.branded.add(answer.promptId);
    const reading = prompt === undefined ? "prompt_not_in_panel" : isBranded ? "branded_prompt" : read(answer, subject);
    if (typeof reading === "string") {
      group.leftOut.set(reading, (group.leftOut.get(reading) ?? 0) + 1);
      continue;
    }
    const cell = group.answers.get(answer.promptId);
    const one = { run: answer.runId ?? dayOf(answer), ...reading };
    if (cell === undefined) group.answers.set(answer.promptId, [one]);
    else cell.push(one);
    const { instrument } = answer;
    const key = instrumentKey(instrument);
    if (!group.instruments.has(key)) group.instruments.set(key, instrument);
  }
  return [...groups.values()].toSorted((a, b) => compareGroups(a, b, request, prompts));
}

function isAsked(answer: Answer, { platformCode, locale, persona, from, to }: WindowedRequest): boolean {
  return (
    (platformCode === undefined || answer.platformCode === platformCode) &&
    (locale === undefined || answer.locale === locale) &&
    (persona === undefined || answer.persona === persona) &&
    (from === null || answer.observedAt >= from) &&
    (to === null || answer.observedAt < to)
  );
}

function groupFor(
  groups: Map<string, Group>,
  answer: Answer,
  request: WindowedRequest,
  prompt: PanelPromptDefinition | undefined,
): Group {
  const { platformCode, instrument, locale, persona, observedAt } = answer;
  const split = splitOf(answer, request, prompt);
  const key = JSON.stringify([platformCode, instrument.kind, locale, persona, split.promptId, split.topic, split.key]);
  let group = groups.get(key);
  if (group === undefined) {
    group = {
      group: {
        platformCode,
        kind: instrument.kind,
        locale,
        persona,
        entityId: request.entityId ?? null,
        domain: null,
        sourceType: null,
        promptId: split.promptId,
        topic: split.topic,
        runId: request.by === "run" ? answer.runId : null,
        day: request.by === "run" || request.by === "day" ? dayOf(answer) : null,
      },
      answers: new Map(),
      instruments: new Map(),
      branded: new Set(),
      leftOut: new Map(),
      first: observedAt,
      last: observedAt,
    };
    groups.set(key, group);
  }
  if (observedAt < group.first) group.first = observedAt;
  if (observedAt > group.last) group.last = observedAt;
  return group;
}

function splitOf(answer: Answer, { by }: Pick<FigureRequest, "by">, prompt: PanelPromptDefinition | undefined) {
  return {
    promptId: by === "prompt" ? answer.promptId : null,
    topic: by === "topic" || by === "prompt" ? (prompt?.topic ?? null) : null,
    key: by === "run" ? (answer.runId ?? dayOf(answer)) : by === "day" ? dayOf(answer) : null,
  };
}

const dayOf = ({ observedAt }: Answer) => observedAt.slice(0, 10);
const isSeries = ({ by }: Pick<FigureRequest, "by">) => by === "run" || by === "day";

/** The cells of a group, in the order of the panel's prompts. */
function cellsOf({ prompts }: PanelDefinition, { answers }: Group): Cell[] {
  return prompts.flatMap(({ promptId, topic, weight = 1 }) => {
    const ofPrompt = answers.get(promptId);
    return ofPrompt === undefined ? [] : [{ topic: topic ?? "", weight, answers: ofPrompt }];
  });
}

const instrumentKey = ({ kind, modelVersion, recipe, reader, matcher, sourceRules }: Instrument) =>
  JSON.stringify([kind, modelVersion, recipe, reader, matcher, sourceRules]);

const surfaceMembers = ["platformCode", "kind", "locale", "persona"] as const;

const isSameSurface = ({ group: one }: Group, { group: other }: Group) =>
  surfaceMembers.every((member) => one[member] === other[member]);

const isSameInstrument = ({ instruments: one }: Group, { instruments: other }: Group) =>
  one.size === other.size && [...one.keys()].every((key) => other.has(key));

function compareGroups(
  one: Group,
  other: Group,
  { by }: Pick<FigureRequest, "by">,
  prompts: ReadonlyMap<string, PanelPromptDefinition>,
): number {
  for (const member of surfaceMembers) {
    const order = compareTexts(one.group[member], other.group[member]);
    if (order !== 0) return order;
  }
  if (by === "run" || by === "day") return compareTexts(one.first, other.first);
  if (by === "topic") return compareTexts(one.group.topic ?? "", other.group.topic ?? "");
  const places = [...prompts.keys()];
  return places.indexOf(one.group.promptId ?? "") - places.indexOf(other.group.promptId ?? "");
}

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
