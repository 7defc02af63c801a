import type { Answer, Instrument } from "./answer.ts";
import type { PanelDefinition, PanelPromptDefinition } from "./panel-definition.ts";
import type { Surface } from "./state-figures.ts";

/** By what answers are split, and which of them are meant. */
export interface Selection {
  readonly platformCode?: string;
  readonly locale?: string;
  readonly persona?: string;
  /** As `observedAt` is written, so that the texts can be compared; null: without an end. */
  readonly from: string | null;
  readonly to: string | null;
  readonly by: "none" | "prompt" | "topic" | "run" | "day";
}

/** An answer, with what is needed of it again and again. */
export interface Entry {
  readonly answer: Answer;
  readonly run: string;
  readonly day: string;
  /** One object for equal instruments. */
  readonly instrument: Instrument;
  /** Null until they are compared. */
  domains: Item | null;
}

/** What is compared of an answer: entities in their order, or domains. */
export interface Item {
  readonly order: readonly string[];
  readonly domains: ReadonlySet<string>;
}

/** The answers of one row. */
export interface Group {
  readonly surface: Surface;
  readonly split: { promptId: string | null; topic: string | null; runId: string | null; day: string | null };
  readonly byPrompt: ReadonlyMap<string, readonly Entry[]>;
  /** When the first and the last of its answers were observed. */
  readonly first: string;
  readonly last: string;
}

interface GrowingGroup extends Group {
  readonly byPrompt: Map<string, Entry[]>;
  first: string;
  last: string;
}

/** The answers by platform, kind of platform, locale and persona, and by what they are split; sorted by these, and runs by time. */
export function groupAnswers(panel: PanelDefinition, answers: Iterable<Answer>, selection: Selection): Group[] {
  const prompts = new Map(panel.prompts.map((prompt) => [prompt.promptId, prompt]));
  const places = new Map(panel.prompts.map(({ promptId }, index) => [promptId, index]));
  const instruments = oneOfEach();
  const groups = new Map<string, GrowingGroup>();
  for (const answer of answers) {
    if (!isSelected(answer, selection)) continue;
    const entry: Entry = {
      answer,
      run: answer.runId ?? dayOf(answer),
      day: dayOf(answer),
      instrument: instruments(answer.instrument),
      domains: null,
    };
    const group = groupFor(groups, entry, selection, prompts.get(answer.promptId));
    const ofPrompt = group.byPrompt.get(answer.promptId);
    if (ofPrompt === undefined) group.byPrompt.set(answer.promptId, [entry]);
    else ofPrompt.push(entry);
    if (answer.observedAt < group.first) group.first = answer.observedAt;
    if (answer.observedAt > group.last) group.last = answer.observedAt;
  }
  const place = ({ split }: Group) => places.get(split.promptId ?? "") ?? prompts.size;
  return [...groups.values()].toSorted(
    (one, other) =>
      compareSurfaces(one.surface, other.surface) ||
      (isSeries(selection) ? compareTexts(one.first, other.first) : 0) ||
      place(one) - place(other) ||
      compareTexts(one.split.topic ?? "", other.split.topic ?? ""),
  );
}

export const isSeries = ({ by }: Pick<Selection, "by">) => by === "run" || by === "day";

export const isSameSurface = (one: Surface, other: Surface) => compareSurfaces(one, other) === 0;

export function compareSurfaces(one: Surface, other: Surface): number {
  for (const member of ["platformCode", "kind", "locale", "persona"] as const) {
    const order = compareTexts(one[member], other[member]);
    if (order !== 0) return order;
  }
  return 0;
}

function isSelected(answer: Answer, { platformCode, locale, persona, from, to }: Selection): boolean {
  return (
    (platformCode === undefined || answer.platformCode === platformCode) &&
    (locale === undefined || answer.locale === locale) &&
    (persona === undefined || answer.persona === persona) &&
    (from === null || answer.observedAt >= from) &&
    (to === null || answer.observedAt < to)
  );
}

function groupFor(
  groups: Map<string, GrowingGroup>,
  { answer, run, day }: Entry,
  { by }: Selection,
  prompt: PanelPromptDefinition | undefined,
): GrowingGroup {
  const { platformCode, locale, persona, observedAt, promptId, runId } = answer;
  const { kind } = answer.instrument;
  const topic = prompt?.topic ?? null;
  const split = by === "prompt" ? promptId : by === "topic" ? topic : by === "run" ? run : by === "day" ? day : null;
  const key = JSON.stringify([platformCode, kind, locale, persona, split]);
  const before = groups.get(key);
  if (before !== undefined) return before;
  const group: GrowingGroup = {
    surface: { platformCode, kind, locale, persona },
    split: {
      promptId: by === "prompt" ? promptId : null,
      topic: by === "prompt" || by === "topic" ? topic : null,
      runId: by === "run" ? runId : null,
      day: by === "run" || by === "day" ? day : null,
    },
    byPrompt: new Map(),
    first: observedAt,
    last: observedAt,
  };
  groups.set(key, group);
  return group;
}

/** The first of equal instruments, so that they can be compared by identity. */
function oneOfEach(): (instrument: Instrument) => Instrument {
  const known = new Map<string, Instrument>();
  const keyed = new Map<Instrument, Instrument>();
  return (instrument) => {
    const same = keyed.get(instrument);
    if (same !== undefined) return same;
    const { kind, modelVersion, recipe, reader, matcher, sourceRules } = instrument;
    const key = JSON.stringify([kind, modelVersion, recipe, reader, matcher, sourceRules]);
    const first = known.get(key) ?? instrument;
    known.set(key, first);
    keyed.set(instrument, first);
    return first;
  };
}

const dayOf = ({ observedAt }: Answer) => observedAt.slice(0, 10);
const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
