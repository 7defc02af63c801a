import type { Answer } from "./answer.ts";
import type { AnswerIndex, Column } from "./answer-index.ts";
import { runFinder, type CellPlaces } from "./cell-places.ts";
import type { PanelDefinition } from "./panel-definition.ts";
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

/** The answers of one row. */
export interface Group {
  readonly surface: Surface;
  readonly split: { promptId: string | null; topic: string | null; runId: string | null; day: string | null };
  readonly byPrompt: ReadonlyMap<string, CellPlaces>;
  /** When the first and the last of its answers were observed. */
  readonly first: string;
  readonly last: string;
}

interface GrowingGroup extends Omit<Group, "byPrompt"> {
  readonly places: Map<string, number[]>;
  first: string;
  last: string;
}

/** The answers by platform, kind of platform, locale and persona, and by what they are split; sorted by these, and runs by time. */
export function groupAnswers(panel: PanelDefinition, index: AnswerIndex, selection: Selection): Group[] {
  const places = new Map(panel.prompts.map(({ promptId }, place) => [promptId, place]));
  const { count, of: splitOf, split } = splitting(panel, index, selection.by);
  const { surfaces } = index;
  const groups = new Map<number, GrowingGroup>();
  for (const [number, answer] of index.answers.entries()) {
    if (!isSelected(answer, selection)) continue;
    const surface = surfaces.of[number] ?? 0;
    const named = surfaces.values[surface];
    if (named === undefined) continue;
    const key = surface * count + splitOf(number);
    let group = groups.get(key);
    if (group === undefined) {
      const { observedAt } = answer;
      group = { surface: named, split: split(number), places: new Map(), first: observedAt, last: observedAt };
      groups.set(key, group);
    }
    const ofPrompt = group.places.get(answer.promptId);
    if (ofPrompt === undefined) group.places.set(answer.promptId, [number]);
    else ofPrompt.push(number);
    if (answer.observedAt < group.first) group.first = answer.observedAt;
    if (answer.observedAt > group.last) group.last = answer.observedAt;
  }
  const findRuns = runFinder(index);
  const finished = [...groups.values()].map(({ places: byPrompt, ...group }): Group => {
    return { ...group, byPrompt: new Map(Array.from(byPrompt, ([promptId, of]) => [promptId, findRuns(of)])) };
  });
  const place = ({ split: { promptId } }: Group) => places.get(promptId ?? "") ?? places.size;
  return finished.toSorted(
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

/** By what the answers of a surface are split: a number for each part, fewer than `count`, and the names of an answer's part. */
function splitting({ prompts }: PanelDefinition, index: AnswerIndex, by: Selection["by"]) {
  const none = { promptId: null, topic: null, runId: null, day: null };
  const topics = new Map(prompts.map(({ promptId, topic }) => [promptId, topic]));
  const topicOf = (number: number) => topics.get(valueOf(index.prompts, number) ?? "") ?? null;
  switch (by) {
    case "none":
      return { count: 1, of: () => 0, split: (): Group["split"] => none };
    case "prompt":
      return splitBy(index.prompts, (number) => ({
        ...none,
        promptId: valueOf(index.prompts, number),
        topic: topicOf(number),
      }));
    case "topic": {
      const numbers = new Map([...new Set(topics.values()).add(null)].map((topic, number) => [topic, number]));
      const of = (number: number) => numbers.get(topicOf(number)) ?? 0;
      return {
        count: numbers.size,
        of,
        split: (number: number): Group["split"] => ({ ...none, topic: topicOf(number) }),
      };
    }
    case "run":
      return splitBy(index.runs, (number) => ({
        ...none,
        runId: index.answers[number]?.runId ?? null,
        day: valueOf(index.days, number),
      }));
    case "day":
      return splitBy(index.days, (number) => ({ ...none, day: valueOf(index.days, number) }));
  }
}

const splitBy = ({ values, of }: Column<string>, split: (number: number) => Group["split"]) => ({
  count: values.length,
  of: (number: number) => of[number] ?? 0,
  split,
});

const valueOf = ({ values, of }: Column<string>, number: number) => values[of[number] ?? 0] ?? null;

const compareTexts = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
