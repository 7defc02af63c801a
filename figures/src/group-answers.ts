import type { Answer } from "./answer.ts";
import type { AnswerIndex, IndexColumn } from "./answer-index.ts";
import { runFinder, type CellPlaces } from "./cell-places.ts";
import { headlines, type InstrumentUse } from "./headline.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { promptIdOf, wordingsOf } from "./panel-history.ts";
import type { Surface } from "./state-figures.ts";
import { compareTexts } from "./words.ts";

/** By what answers are split, and which of them are meant. */
export interface Selection {
  readonly platformCode?: string;
  readonly locale?: string;
  readonly persona?: string;
  /** As `observedAt` is written, so that the texts can be compared; null: without an end. */
  readonly from: string | null;
  readonly to: string | null;
  readonly by: "none" | "prompt" | "topic" | "run" | "day";
  /** Whether answers of all instruments are one group: asked for, and labelled as a blend. */
  readonly blend?: boolean;
  /** Whether tasks that failed make a group by themselves. */
  readonly failures?: boolean;
}

/** The answers of one row. */
export interface Group extends InstrumentPart {
  readonly surface: Surface;
  readonly split: { promptId: string | null; topic: string | null; runId: string | null; day: string | null };
  /** The same of the other instruments, the latest first. Empty in series, whose seams show where the instrument changed, and in blends. */
  readonly others: readonly InstrumentPart[];
}

/** The answers that were taken with one instrument; in series and blends, with any. */
export interface InstrumentPart {
  /** Its number in the index. Null: any. */
  readonly instrument: number | null;
  /** By the keys of their cells' prompts. */
  readonly byPrompt: ReadonlyMap<string, CellPlaces>;
  /** When the first and the last of its answers were observed. */
  readonly first: string;
  readonly last: string;
}

interface GrowingGroup {
  readonly surface: number;
  readonly split: Group["split"];
  /** By the number of the instrument, or `anyInstrument`. */
  readonly parts: Map<number, GrowingPart>;
}

interface GrowingPart {
  readonly byPrompt: Map<string, number[]>;
  first: string;
  last: string;
}

const anyInstrument = -2;

/** The answers by platform, kind of platform, locale and persona, and by what they are split; sorted by these, and runs by time. */
export function groupAnswers(panel: PanelDefinition, index: AnswerIndex, selection: Selection): Group[] {
  const places = new Map(panel.prompts.map(({ promptId }, place) => [promptId, place]));
  const { count, of: splitOf, split } = splitting(panel, index, selection.by);
  const isWhole = selection.blend === true || isSeries(selection);
  const { surfaces, countsFor, answered } = index;
  const groups = new Map<number, GrowingGroup>();
  const selected: number[] = [];
  for (const [number, answer] of index.answers.entries()) {
    if (!isSelected(answer, selection)) continue;
    const surface = surfaces.of[number] ?? 0;
    const key = surface * count + splitOf(number);
    let group = groups.get(key);
    if (group === undefined) {
      // Failed tasks come last.
      if (number >= answered && selection.failures !== true) continue;
      group = { surface, split: split(number), parts: new Map() };
      groups.set(key, group);
    }
    if (number < answered) selected.push(number);
    const part = partOf(group, isWhole ? anyInstrument : (countsFor[number] ?? anyInstrument), answer);
    addAnswer(part, number, index.prompts.values[index.prompts.of[number] ?? 0] ?? "");
    if (number < answered || selection.failures === true) addTime(part, answer);
  }
  const uses = isWhole ? new Map<number, readonly InstrumentUse[]>() : headlines(index, selected);
  const finish = finisher(index);
  const finished = [...groups.values()].map((group): Group => finish(group, uses.get(group.surface) ?? []));
  const place = ({ split: { promptId } }: Group) => places.get(promptId ?? "") ?? places.size;
  return finished.toSorted(
    (one, other) =>
      compareSurfaces(one.surface, other.surface) ||
      (isSeries(selection) ? compareTexts(one.first, other.first) : 0) ||
      place(one) - place(other) ||
      compareTexts(one.split.topic ?? "", other.split.topic ?? ""),
  );
}

function partOf({ parts }: GrowingGroup, key: number, { observedAt }: Answer): GrowingPart {
  const known = parts.get(key);
  if (known !== undefined) return known;
  const part: GrowingPart = { byPrompt: new Map(), first: observedAt, last: observedAt };
  parts.set(key, part);
  return part;
}

function addAnswer({ byPrompt }: GrowingPart, number: number, prompt: string): void {
  const ofPrompt = byPrompt.get(prompt);
  if (ofPrompt === undefined) byPrompt.set(prompt, [number]);
  else ofPrompt.push(number);
}

function addTime(part: GrowingPart, { observedAt }: Answer): void {
  if (observedAt < part.first) part.first = observedAt;
  if (observedAt > part.last) part.last = observedAt;
}

/** Makes the groups, with what the headline of their surface is of first. */
function finisher(index: AnswerIndex): (group: GrowingGroup, uses: readonly InstrumentUse[]) => Group {
  const findRuns = runFinder(index);
  const finish = (instrument: number | null, { byPrompt, first, last }: GrowingPart): InstrumentPart => ({
    instrument,
    byPrompt: new Map(Array.from(byPrompt, ([promptId, of]) => [promptId, findRuns(of)])),
    first,
    last,
  });
  const finishUse = ({ instrument, first, last }: InstrumentUse, part?: GrowingPart): InstrumentPart =>
    finish(instrument, { byPrompt: part?.byPrompt ?? new Map<string, number[]>(), first, last });
  return ({ surface: number, split, parts }, [headline, ...others]) => {
    const surface = index.surfaces.values[number];
    if (surface === undefined) throw new RangeError("There is no such surface.");
    if (headline === undefined) return { surface, split, ...finish(null, together(parts)), others: [] };
    return {
      surface,
      split,
      ...finishUse(headline, parts.get(headline.instrument)),
      others: others.flatMap((other) => {
        const part = parts.get(other.instrument);
        return part === undefined ? [] : [finishUse(other, part)];
      }),
    };
  };
}

/** All parts as one: there is one, unless only failed tasks are left. */
function together(parts: GrowingGroup["parts"]): GrowingPart {
  const whole: GrowingPart = { byPrompt: new Map(), first: "", last: "" };
  for (const { byPrompt, first, last } of parts.values()) {
    for (const [promptId, places] of byPrompt)
      whole.byPrompt.set(promptId, [...(whole.byPrompt.get(promptId) ?? []), ...places]);
    if (whole.first === "" || first < whole.first) whole.first = first;
    if (last > whole.last) whole.last = last;
  }
  return whole;
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
function splitting(panel: PanelDefinition, index: AnswerIndex, by: Selection["by"]) {
  const none = { promptId: null, topic: null, runId: null, day: null };
  const prompts = wordingsOf(panel);
  const topicOf = (number: number) => prompts.get(valueOf(index.prompts, number) ?? "")?.topic ?? null;
  switch (by) {
    case "none":
      return { count: 1, of: () => 0, split: (): Group["split"] => none };
    case "prompt":
      // The wordings of a prompt are one row: they differ in their instruments.
      return splitBy(promptIds(index.prompts), (number) => {
        const promptId = promptIdOf(valueOf(index.prompts, number) ?? "");
        return { ...none, promptId, topic: prompts.get(promptId)?.topic ?? null };
      });
    case "topic": {
      const topics = index.prompts.values.map((key) => prompts.get(key)?.topic ?? null);
      const numbers = new Map([...new Set(topics).add(null)].map((topic, number) => [topic, number]));
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

function promptIds({ values, of }: IndexColumn<string>): IndexColumn<string> {
  const ids = [...new Set(values.map(promptIdOf))];
  const numberOf = new Map(ids.map((id, number) => [id, number]));
  const numbers = values.map((key) => numberOf.get(promptIdOf(key)) ?? 0);
  return { values: ids, of: of.map((number) => numbers[number] ?? 0) };
}

const splitBy = ({ values, of }: IndexColumn<string>, split: (number: number) => Group["split"]) => ({
  count: values.length,
  of: (number: number) => of[number] ?? 0,
  split,
});

const valueOf = ({ values, of }: IndexColumn<string>, number: number) => values[of[number] ?? 0] ?? null;
