/** How much answers to the same prompt have in common: on the same day, on neighbouring days, and on two platforms. */
import { domainsAt, type AnswerIndex, type IndexColumn } from "./answer-index.ts";
import { instrumentsOf, startCell, type ReadCell, type ReadCells } from "./cell-columns.ts";
import type { CellPlaces } from "./cell-places.ts";
import { countLeftOut, whyNotSearched, type LeftOut, type Subject } from "./readings.ts";
import { jaccardOfSorted, meanOverPairs, rankBiasedOverlap } from "./stability.ts";

interface Comparison {
  /** Which answers are compared with which. */
  readonly pairs: "within_days" | "between_days" | "between_runs" | "platforms";
  readonly items: (compared: Compared) => Items;
}

/** What is compared of the answers, which are named by their places. */
interface Items {
  /** Why there is nothing of an answer that could be compared. */
  readonly missing: (place: number) => LeftOut | null;
  /** Compares two answers; null if there is nothing to compare. */
  readonly compare: (one: number, other: number) => number | null;
  /** What of the answer is compared: domains, or entities in the order in which it names them. */
  readonly of: (place: number) => readonly string[];
}

/** Called with each pair of answers, by their places, that has a value. */
export type OnPair = (one: number, other: number, value: number, items: Pick<Items, "of">) => void;

/** The answers, and what a comparison is about. */
interface Compared {
  readonly index: AnswerIndex;
  readonly subject: Subject;
}

const sources: Comparison["items"] = ({ index }) => ({
  missing: (place) => index.missingSources[place] ?? null,
  compare: (one, other) => jaccardOfSorted(domainsAt(index, one), domainsAt(index, other)),
  of: (place) => [...domainsAt(index, place)].map((domain) => index.domains[domain] ?? ""),
});

const entities =
  (
    compare: (one: readonly string[], other: readonly string[]) => number | null,
    shownMax = Infinity,
  ): Comparison["items"] =>
  ({ index, subject: { compared, searchedSince } }) => {
    const found = index.answers.map(
      (answer) =>
        whyNotSearched(answer, searchedSince) ??
        answer.mentions.map(({ entityId }) => entityId).filter((entityId) => compared.has(entityId)),
    );
    const orderAt = (place: number) => {
      const order = found[place];
      return typeof order === "object" ? order : [];
    };
    return {
      missing: (place) => {
        const reason = found[place];
        return typeof reason === "string" ? reason : null;
      },
      compare: (one, other) => compare(orderAt(one), orderAt(other)),
      of: (place) => orderAt(place).slice(0, shownMax),
    };
  };

const order = entities((one, other) => rankBiasedOverlap(one, other));
const firstPlace = entities(
  ([one], [other]) => (one === undefined || other === undefined ? null : Number(one !== other)),
  1,
);

export const comparisons = {
  source_agreement_within_days: { items: sources, pairs: "within_days" },
  source_agreement_between_days: { items: sources, pairs: "between_days" },
  order_agreement_within_days: { items: order, pairs: "within_days" },
  order_agreement_between_days: { items: order, pairs: "between_days" },
  first_place_changes: { items: firstPlace, pairs: "between_days" },
  first_place_changes_between_runs: { items: firstPlace, pairs: "between_runs" },
  platform_source_agreement: { items: sources, pairs: "platforms" },
} as const satisfies Readonly<Record<string, Comparison>>;

/** The answers of a day that are compared, at most. */
const ofDayMax = 20;

/** Compares the answers of rows. */
export function answerComparer({ items: itemsOf, pairs }: Comparison, { index, subject }: Compared, onPair?: OnPair) {
  const items = itemsOf({ index, subject });
  return (byPrompt: ReadonlyMap<string, CellPlaces>): ReadCells => {
    const units = pairs === "between_runs" ? index.runs : index.days;
    const found = new Finding(items, index, units, onPair);
    const neighbours = pairs === "between_runs" ? pairsOfRuns(index, byPrompt) : pairsOfDays(index, byPrompt);
    for (const [promptId, { places }] of byPrompt) {
      const byUnit = found.placesByUnit(places);
      if (pairs === "within_days") for (const [day, ofDay] of byUnit) found.add(day, [ofDay]);
      else for (const [one, other] of neighbours) found.add(one, [byUnit.get(one) ?? [], byUnit.get(other) ?? []]);
      found.endCell(promptId);
    }
    return found.result();
  };
}

/** Compares the sources of the answers of two platforms. */
export function comparePlatforms(
  { index, subject }: Compared,
  [one, other]: readonly [ReadonlyMap<string, CellPlaces>, ReadonlyMap<string, CellPlaces>],
): ReadCells {
  const found = new Finding(sources({ index, subject }), index, index.runs);
  for (const [promptId, { places }] of one) {
    const ofOne = found.placesByUnit(places);
    const ofOther = found.placesByUnit(other.get(promptId)?.places ?? []);
    for (const [run, ofRun] of ofOne) found.add(run, [ofRun, ofOther.get(run) ?? []]);
    found.endCell(promptId);
  }
  return found.result();
}

class Finding {
  readonly #cells: ReadCell[] = [];
  readonly #columns = { runs: [] as number[], values: [] as number[], ofs: [] as number[] };
  /** That is being read. */
  #cell = startCell(0);
  /** Answers, by their places. */
  readonly #used = new Set<number>();
  readonly #read = new Set<number>();
  readonly #leftOut = new Map<LeftOut, number>();
  readonly #items: Items;
  readonly #index: AnswerIndex;
  readonly #units: IndexColumn<string>;
  readonly #onPair: OnPair | undefined;

  constructor(items: Items, index: AnswerIndex, units: IndexColumn<string>, onPair?: OnPair) {
    this.#onPair = onPair;
    this.#items = items;
    this.#index = index;
    this.#units = units;
  }

  /** The answers that can be compared by day or run, in their order. */
  placesByUnit(places: readonly number[]): Map<number, number[]> {
    const units = new Map<number, number[]>();
    for (const place of places) {
      const missing = this.#items.missing(place);
      if (missing !== null) {
        countLeftOut(this.#leftOut, missing);
        continue;
      }
      this.#read.add(place);
      const unit = this.#units.of[place] ?? 0;
      const ofUnit = units.get(unit);
      if (ofUnit === undefined) units.set(unit, [place]);
      else if (ofUnit.length < ofDayMax) ofUnit.push(place);
    }
    return units;
  }

  /** One list: all pairs in it. Two lists: the first with the first, the second with the second ... */
  add(unit: number, [one = [], other]: readonly (readonly number[])[]): void {
    const compare = (a: number, b: number) => {
      const value = this.#items.compare(a, b);
      if (value !== null) {
        this.#used.add(a).add(b);
        this.#onPair?.(a, b, value, this.#items);
      }
      return value;
    };
    const value = other === undefined ? meanOverPairs(one, compare) : meanInOrder(one, other, compare);
    // Without a value, the cell was asked once more, which the interval takes into account.
    const of = value === null ? 0 : 1;
    this.#columns.runs.push(unit);
    this.#columns.values.push(value ?? 0);
    this.#columns.ofs.push(of);
    this.#cell.answers++;
    this.#cell.value += value ?? 0;
    this.#cell.of += of;
  }

  /** What was added since the cell before is one that has a value, or nothing. */
  endCell(promptId: string): void {
    const to = this.#columns.runs.length;
    if (this.#cell.of > 0) this.#cells.push({ promptId, ...this.#cell, to });
    this.#cell = startCell(to);
  }

  result(): ReadCells {
    const { runs, values, ofs } = this.#columns;
    const { instruments } = this.#index;
    let unused = 0;
    for (const place of this.#read) if (!this.#used.has(place)) unused++;
    if (unused > 0) countLeftOut(this.#leftOut, "nothing_to_compare", unused);
    const used = new Set<number>();
    for (const place of this.#used) used.add(instruments.of[place] ?? 0);
    return {
      cells: this.#cells,
      columns: {
        runs: Int32Array.from(runs),
        answers: new Int32Array(runs.length).fill(1),
        values: Float64Array.from(values),
        ofs: Float64Array.from(ofs),
      },
      units: this.#units.values,
      answers: this.#used.size,
      instruments: instrumentsOf(used, instruments.values),
      leftOut: this.#leftOut,
    };
  }
}

function meanInOrder<Value>(
  one: readonly Value[],
  other: readonly Value[],
  compare: (a: Value, b: Value) => number | null,
): number | null {
  let sum = 0;
  let count = 0;
  for (let place = 0; place < one.length && place < other.length; place++) {
    const [a, b] = [one[place], other[place]];
    const value = a === undefined || b === undefined ? null : compare(a, b);
    if (value === null) continue;
    sum += value;
    count++;
  }
  return count === 0 ? null : sum / count;
}

/** The runs of the row's answers, in the order of their first answers, in pairs as days are. */
const pairsOfRuns = ({ runs }: AnswerIndex, byPrompt: ReadonlyMap<string, CellPlaces>): [number, number][] =>
  inPairs([...unitsOf(runs, byPrompt)].toSorted((one, other) => one - other));

function unitsOf(units: IndexColumn<string>, byPrompt: ReadonlyMap<string, CellPlaces>): Set<number> {
  const found = new Set<number>();
  for (const { places } of byPrompt.values()) for (const place of places) found.add(units.of[place] ?? 0);
  return found;
}

const inPairs = (sorted: readonly number[]): [number, number][] =>
  sorted.flatMap((unit, place) => {
    const next = sorted[place + 1];
    return place % 2 === 0 && next !== undefined ? [[unit, next] as [number, number]] : [];
  });

/** The days of the row's answers, the first with the second, the third with the fourth ... */
function pairsOfDays({ days }: AnswerIndex, byPrompt: ReadonlyMap<string, CellPlaces>): [number, number][] {
  const dayOf = (number: number) => days.values[number] ?? "";
  return inPairs([...unitsOf(days, byPrompt)].toSorted((one, other) => (dayOf(one) < dayOf(other) ? -1 : 1)));
}
