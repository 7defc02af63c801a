import type { RerunNoise } from "@querent/contract";
import {
  changedItems,
  comparedTexts,
  itemChanges,
  itemsOf,
  priceChanges,
  pricedInBoth,
  textChange,
  type Answers,
  type ComparedAnswer,
  type ItemChange,
  type Pair,
  type PriceChange,
  type TextChange,
} from "./compare-answers.ts";

export interface CellDiff {
  readonly cell: string;
  /** Answers of the cell in each run. 0: only the other run has any, and nothing is compared. */
  readonly answers: { readonly before: number; readonly after: number };
  readonly instruments: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** How the text changed; null if it is the same, or not known. */
  readonly text: TextChange | null;
  readonly brands: readonly ItemChange[];
  /** The brand that is named first. */
  readonly first: readonly ItemChange[];
  readonly sources: readonly ItemChange[];
  readonly cards: readonly ItemChange[];
  /** The changed prices of cards that have a price in both runs. */
  readonly prices: readonly PriceChange[];
}

export const diffAspects = ["text", "brands", "first", "sources", "cards", "prices"] as const;
export type DiffAspect = (typeof diffAspects)[number];

/** In how many cells an aspect differs, and in how many it differs from one rerun to the next. */
export interface AspectDiff {
  readonly aspect: DiffAspect;
  /** Cells that differ, of those that could be compared. */
  readonly changed: number;
  readonly cells: number;
  /** The same, summed over the pairs of reruns of all cells. */
  readonly reruns: RerunNoise;
}

export interface RunDiff {
  readonly cells: { readonly both: number; readonly onlyBefore: number; readonly onlyAfter: number };
  readonly aspects: readonly AspectDiff[];
  /** The cells that differ, in the order of the input. Empty: both runs brought the same. */
  readonly changes: readonly CellDiff[];
}

/**
 * What differs between two runs, cell by cell, and how much of it is chance. A rerun is a run and the one after it, both other than the
 * two that are compared, and both on the same side of each of them: a real change between the two then does not count as chance.
 *
 * @param order all runs, in the order of time
 */
export function diffRuns(
  answers: Iterable<ComparedAnswer>,
  { before, after, order }: { readonly before: string; readonly after: string; readonly order: readonly string[] },
): RunDiff {
  const count = { both: 0, onlyBefore: 0, onlyAfter: 0 };
  const totals = new Map(diffAspects.map((aspect) => [aspect, { changed: 0, cells: 0, differ: 0, pairs: 0 }]));
  const changes: CellDiff[] = [];
  for (const [cell, runs] of groupByCell(answers)) {
    const [one, other] = [runs.get(before), runs.get(after)];
    if (one === undefined && other === undefined) continue;
    if (one === undefined || other === undefined) {
      count[one === undefined ? "onlyAfter" : "onlyBefore"]++;
      changes.push({ ...sidesOf(cell, one ?? [], other ?? []), ...nothing });
      continue;
    }
    count.both++;
    const reruns = rerunsOf(runs, { before, after, order });
    const differences = { ...sidesOf(cell, one, other), ...differencesOf(one, other, reruns) };
    if (diffAspects.some((aspect) => isDifferent(differences, aspect))) changes.push(differences);
    for (const [aspect, total] of totals) addTo(total, aspect, [one, other], reruns);
  }
  const aspects = [...totals].map(([aspect, { changed, cells, differ, pairs }]) => ({
    aspect,
    changed,
    cells,
    reruns: { differ, pairs },
  }));
  return { cells: count, aspects, changes };
}

type Differences = Omit<CellDiff, "cell" | "answers" | "instruments">;

const nothing: Differences = { text: null, brands: [], first: [], sources: [], cards: [], prices: [] };
const isDifferent = (differences: Differences, aspect: DiffAspect) =>
  aspect === "text" ? differences.text !== null : differences[aspect].length > 0;

function groupByCell(answers: Iterable<ComparedAnswer>): Map<string, Map<string, ComparedAnswer[]>> {
  const cells = new Map<string, Map<string, ComparedAnswer[]>>();
  for (const answer of answers) {
    const runs = cells.get(answer.cell) ?? new Map<string, ComparedAnswer[]>();
    cells.set(answer.cell, runs);
    const group = runs.get(answer.run);
    if (group === undefined) runs.set(answer.run, [answer]);
    else group.push(answer);
  }
  return cells;
}

function sidesOf(cell: string, one: Answers, other: Answers): Pick<CellDiff, "cell" | "answers" | "instruments"> {
  return {
    cell,
    answers: { before: one.length, after: other.length },
    instruments: { before: instrumentsOf(one), after: instrumentsOf(other) },
  };
}

const instrumentsOf = (answers: Answers) => [...new Set(answers.map(({ instrument }) => instrument))].toSorted();
const instrumentKey = (answers: Answers) => JSON.stringify(instrumentsOf(answers));

function rerunsOf(
  runs: ReadonlyMap<string, Answers>,
  { before, after, order }: { before: string; after: string; order: readonly string[] },
): Pair[] {
  const instruments = new Set([before, after].map((run) => instrumentKey(runs.get(run) ?? [])));
  const pairs: Pair[] = [];
  let last: Answers | undefined;
  for (const run of order) {
    const answers = runs.get(run);
    if (run === before || run === after) {
      last = undefined;
      continue;
    }
    if (answers === undefined) continue;
    const key = instrumentKey(answers);
    if (last !== undefined && instruments.has(key) && key === instrumentKey(last)) pairs.push([last, answers]);
    last = answers;
  }
  return pairs;
}

function differencesOf(one: Answers, other: Answers, reruns: readonly Pair[]): Differences {
  return {
    text: textChange([one, other], reruns),
    brands: itemChanges([one, other], reruns, itemsOf.brands),
    first: itemChanges([one, other], reruns, itemsOf.first),
    sources: itemChanges([one, other], reruns, itemsOf.sources),
    cards: itemChanges([one, other], reruns, itemsOf.cards),
    prices: priceChanges([one, other], reruns),
  };
}

function addTo(
  total: { changed: number; cells: number; differ: number; pairs: number },
  aspect: DiffAspect,
  compared: Pair,
  reruns: readonly Pair[],
): void {
  const isChanged = changedBy(aspect);
  const isNow = isChanged(compared);
  if (isNow === null) return;
  total.cells++;
  if (isNow) total.changed++;
  for (const pair of reruns) {
    const isInRerun = isChanged(pair);
    if (isInRerun === null) continue;
    total.pairs++;
    if (isInRerun) total.differ++;
  }
}

/** Whether the aspect differs between the two; null: it could not be compared. */
function changedBy(aspect: DiffAspect): (pair: Pair) => boolean | null {
  if (aspect === "text")
    return (pair) => {
      const texts = comparedTexts(pair);
      return texts === null ? null : !texts.isSame;
    };
  if (aspect === "prices")
    return (pair) => {
      const priced = pricedInBoth(pair);
      return priced.length === 0 ? null : priced.some(({ isSame }) => !isSame);
    };
  const items = itemsOf[aspect];
  return (pair) => {
    const changed = changedItems(pair, items);
    return changed === null ? null : changed.length > 0;
  };
}
