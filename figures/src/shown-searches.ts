/** The searches behind answers: how often each was made, and which are new or gone. */
import type { ObservedSearch, PanelSearch, PanelSearchRow } from "@querent/contract";
import { adjustPValues } from "./many-tests.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { wordingsOf } from "./panel-history.ts";
import { compareTexts, mostFrequent, spelled } from "./words.ts";

/** An answer, as its searches need it. */
export interface SearchingAnswer {
  readonly observedAt: string;
  readonly promptId: string;
  readonly promptDigest: string;
  readonly panelRevision: number;
  readonly platformCode: string;
  readonly kind: PanelSearchRow["kind"];
  readonly locale: string;
  readonly persona: string;
  /** Null: the platform does not report them. */
  readonly searchCount: number | null;
  /** Null: they were not recorded. */
  readonly searches: readonly ObservedSearch[] | null;
}

export interface SearchChoice {
  readonly kind: ObservedSearch["kind"];
  readonly by: "none" | "prompt";
  readonly entityId?: string;
  /** The most searches of a row. */
  readonly limit: number;
  /** The entities that a search names. */
  readonly namedIn: (query: string) => readonly string[];
}

/** An answer and its searches of one kind, by their spelling, as they were written. */
interface Read {
  readonly answer: SearchingAnswer;
  readonly prompt: string;
  readonly made: ReadonlyMap<string, readonly string[]>;
}

/** One row for each surface, and for each prompt if asked for. */
export function searchRows(
  panel: PanelDefinition,
  answers: readonly SearchingAnswer[],
  choice: SearchChoice,
): PanelSearchRow[] {
  const { keyOf } = wordingsOf(panel);
  const known = new Map<string, readonly string[]>();
  const namedIn = (query: string) => {
    const named = known.get(query) ?? choice.namedIn(query);
    known.set(query, named);
    return named;
  };
  const rows = Map.groupBy(answers, (answer) => {
    const { platformCode, kind, locale, persona } = answer;
    return JSON.stringify([platformCode, kind, locale, persona, choice.by === "prompt" ? answer.promptId : null]);
  });
  return [...rows]
    .toSorted(([one], [other]) => compareTexts(one, other))
    .map(([, ofRow]) => rowOf(panel, ofRow, { ...choice, namedIn }, keyOf));
}

function rowOf(
  panel: PanelDefinition,
  answers: readonly SearchingAnswer[],
  choice: SearchChoice,
  keyOf: ReturnType<typeof wordingsOf>["keyOf"],
): PanelSearchRow {
  const leftOut: Record<string, number> = {};
  const read: Read[] = [];
  for (const answer of answers) {
    const searches = searchesOf(answer, choice.kind);
    if (typeof searches === "string") leftOut[searches] = (leftOut[searches] ?? 0) + 1;
    else read.push({ answer, prompt: keyOf(answer), made: Map.groupBy(searches, spelled) });
  }
  const [first] = answers;
  const halves = halvesOf(read);
  const found = queriesOf(read, choice, halves);
  return {
    platformCode: first?.platformCode ?? "",
    kind: first?.kind ?? "api",
    locale: first?.locale ?? "",
    persona: first?.persona ?? "",
    promptId: choice.by === "prompt" ? (first?.promptId ?? null) : null,
    answers: read.length,
    leftOut,
    middle: halves?.middle ?? null,
    queryCount: found.length,
    entities: entitiesOf(panel, read, choice),
    searches: found.slice(0, choice.limit),
  };
}

/** The searches of a kind, or why they are not known. An answer without any is known, also if an earlier version recorded it. */
function searchesOf(
  { searchCount, searches }: SearchingAnswer,
  kind: ObservedSearch["kind"],
): readonly string[] | "not_reported" | "not_recorded" {
  if (kind === "search" && searchCount === null) return "not_reported";
  if (kind === "search" && searchCount === 0) return [];
  if (searches === null) return "not_recorded";
  return searches.filter((search) => search.kind === kind).map(({ query }) => query);
}

interface Halves {
  readonly middle: string;
  /** Of the prompts that were answered in both halves: the answers of each. */
  readonly byPrompt: ReadonlyMap<string, { readonly earlier: number; readonly later: number }>;
  readonly earlier: number;
  readonly later: number;
}

/** Null if there is no earlier and later. */
function halvesOf(read: readonly Read[]): Halves | null {
  const times = read.map(({ answer }) => Date.parse(answer.observedAt));
  const [first, last] = times.reduce(
    ([least, most], time) => [Math.min(least, time), Math.max(most, time)],
    [Infinity, -Infinity],
  );
  if (!(first < last)) return null;
  const middle = new Date((first + last) / 2).toISOString();
  const byPrompt = new Map<string, { earlier: number; later: number }>();
  for (const { prompt, answer } of read) {
    const counts = byPrompt.get(prompt) ?? { earlier: 0, later: 0 };
    counts[answer.observedAt < middle ? "earlier" : "later"]++;
    byPrompt.set(prompt, counts);
  }
  const both = new Map([...byPrompt].filter(([, { earlier, later }]) => earlier > 0 && later > 0));
  const sum = (half: "earlier" | "later") => [...both.values()].reduce((total, counts) => total + counts[half], 0);
  return { middle, byPrompt: both, earlier: sum("earlier"), later: sum("later") };
}

function queriesOf(read: readonly Read[], { entityId, namedIn }: SearchChoice, halves: Halves | null): PanelSearch[] {
  const byQuery = new Map<string, Read[]>();
  for (const one of read)
    for (const query of one.made.keys()) {
      if (query === "") continue;
      const known = byQuery.get(query);
      if (known === undefined) byQuery.set(query, [one]);
      else known.push(one);
    }
  const queries = [...byQuery].flatMap(([key, found]) => {
    const written = found.flatMap(({ made }) => made.get(key) ?? []);
    const query = mostFrequent(written);
    const entityIds = [...namedIn(query)].toSorted();
    if (entityId !== undefined && !entityIds.includes(entityId)) return [];
    return [{ key, found, query, entityIds, times: written.length, sides: sidesOf(found, halves) }];
  });
  const verdicts = judge(queries.map(({ sides }) => sides));
  return queries
    .map(({ key, found, query, entityIds, times, sides }, index) => {
      const seen = found.map(({ answer }) => answer.observedAt).toSorted();
      return {
        key,
        search: {
          query,
          answers: found.length,
          share: found.length / read.length,
          times,
          prompts: new Set(found.map(({ prompt }) => prompt)).size,
          entityIds,
          firstSeenAt: seen[0] ?? "",
          lastSeenAt: seen.at(-1) ?? "",
          ...(verdicts[index] ?? { trend: "not_distinguishable" as const, pValue: null }),
          earlier: { with: sides.earlier, answers: halves?.earlier ?? 0 },
          later: { with: sides.later, answers: halves?.later ?? 0 },
        },
      };
    })
    .toSorted((one, other) => other.search.answers - one.search.answers || compareTexts(one.key, other.key))
    .map(({ search }) => search);
}

interface Sides {
  readonly earlier: number;
  readonly later: number;
  /** How likely all of its answers are in the earlier half, and in the later one, if each place of a prompt is as likely as any other. */
  readonly allEarlier: number;
  readonly allLater: number;
}

function sidesOf(found: readonly Read[], halves: Halves | null): Sides {
  const sides = { earlier: 0, later: 0, allEarlier: 1, allLater: 1 };
  if (halves === null) return sides;
  const withIt = new Map<string, number>();
  for (const { prompt, answer } of found) {
    if (!halves.byPrompt.has(prompt)) continue;
    withIt.set(prompt, (withIt.get(prompt) ?? 0) + 1);
    sides[answer.observedAt < halves.middle ? "earlier" : "later"]++;
  }
  for (const [prompt, count] of withIt) {
    const { earlier, later } = halves.byPrompt.get(prompt) ?? { earlier: 0, later: 0 };
    sides.allEarlier *= shareOfDraws(earlier, later, count);
    sides.allLater *= shareOfDraws(later, earlier, count);
  }
  return sides;
}

/** How likely `count` draws without replacement from `one` and `other` are all from `one`. */
function shareOfDraws(one: number, other: number, count: number): number {
  let share = 1;
  for (let drawn = 0; drawn < count; drawn++) share *= Math.max(0, one - drawn) / (one + other - drawn);
  return share;
}

const rate = 0.05;

/**
 * Which searches are new or gone. Those that could not reach a verdict however their answers fell are no tests (Tarone 1990): hundreds of
 * searches that were made once would hide the others.
 */
function judge(all: readonly Sides[]): Pick<PanelSearch, "trend" | "pValue">[] {
  // Both sides could have been empty, so each is looked at twice.
  const pOf = ({ earlier, allEarlier, allLater }: Sides) => Math.min(1, 2 * (earlier > 0 ? allEarlier : allLater));
  const isOneSided = ({ earlier, later }: Sides) => earlier + later > 0 && (earlier === 0 || later === 0);
  const isTest = ({ earlier, later, allEarlier, allLater }: Sides) =>
    earlier + later > 0 && 2 * Math.min(allEarlier, allLater) <= rate;
  const tests = all.filter(isTest);
  const adjusted = new Map(
    adjustPValues(tests.map((sides) => (isOneSided(sides) ? pOf(sides) : 1))).map((value, index) => [
      tests[index],
      value,
    ]),
  );
  return all.map((sides) => {
    if (sides.earlier > 0 && sides.later > 0) return { trend: "in_both", pValue: null };
    const pValue = adjusted.get(sides) ?? null;
    if (pValue === null || pValue > rate) return { trend: "not_distinguishable", pValue };
    return { trend: sides.earlier === 0 ? "new" : "gone", pValue };
  });
}

/** Of the own entities and competitors, in how many answers a search names them that the prompt does not. */
function entitiesOf(panel: PanelDefinition, read: readonly Read[], { namedIn, entityId }: SearchChoice) {
  const { get } = wordingsOf(panel);
  const branded = new Map(
    [...new Set(read.map(({ prompt }) => prompt))].map((key) => [key, new Set(get(key)?.branded)] as const),
  );
  const names = read.map(
    ({ made }) => new Set([...made.values()].flatMap((written) => [...namedIn(written[0] ?? "")])),
  );
  return panel.entities
    .filter((entity) => entity.relation !== "other" && (entityId === undefined || entity.entityId === entityId))
    .map((entity) => {
      let of = 0;
      let answers = 0;
      for (const [index, { prompt }] of read.entries()) {
        if (branded.get(prompt)?.has(entity.entityId) === true) continue;
        of++;
        answers += Number(names[index]?.has(entity.entityId) === true);
      }
      return { entityId: entity.entityId, answers, of, share: of === 0 ? null : answers / of };
    });
}
