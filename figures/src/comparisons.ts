/** How much answers to the same prompt have in common: on the same day, on neighbouring days, and on two platforms. */
import type { CellAnswer } from "./estimate.ts";
import type { Entry, Item } from "./group-answers.ts";
import { countLeftOut, whyDomainsAreMissing, whyNotSearched, type LeftOut, type Subject } from "./readings.ts";
import { coreAndTail, jaccard, meanOverPairs, rankBiasedOverlap } from "./stability.ts";

interface Comparison {
  /** Which answers are compared with which. */
  readonly pairs: "within_days" | "between_days" | "platforms";
  item(entry: Entry, subject: Subject): Item | LeftOut;
  /** Null: there is nothing to compare. */
  compare(one: Item, other: Item): number | null;
}

const sources: Omit<Comparison, "pairs"> = {
  item: (entry) =>
    whyDomainsAreMissing(entry.answer) ??
    // An answer is compared with those of several platforms.
    (entry.domains ??= { order: [], domains: new Set(entry.answer.sources.map(({ domain }) => domain)) }),
  compare: (one, other) => jaccard(one.domains, other.domains),
};

const entities: Comparison["item"] = ({ answer }, { compared, comparedSince }) =>
  whyNotSearched(answer, comparedSince) ?? {
    order: answer.mentions.map(({ entityId }) => entityId).filter((entityId) => compared.has(entityId)),
    domains: new Set(),
  };

const order: Omit<Comparison, "pairs"> = {
  item: entities,
  compare: (one, other) => rankBiasedOverlap(one.order, other.order),
};

export const comparisons = {
  source_agreement_within_days: { ...sources, pairs: "within_days" },
  source_agreement_between_days: { ...sources, pairs: "between_days" },
  order_agreement_within_days: { ...order, pairs: "within_days" },
  order_agreement_between_days: { ...order, pairs: "between_days" },
  first_place_changes: {
    item: entities,
    compare: ({ order: [one] }, { order: [other] }) =>
      one === undefined || other === undefined ? null : Number(one !== other),
    pairs: "between_days",
  },
  platform_source_agreement: { ...sources, pairs: "platforms" },
} as const satisfies Readonly<Record<string, Comparison>>;

/** The values of cells, and which answers they were made from. */
export interface Compared {
  readonly byPrompt: ReadonlyMap<string, readonly CellAnswer[]>;
  readonly used: readonly Entry[];
  readonly leftOut: ReadonlyMap<LeftOut, number>;
}

/** The answers of a day that are compared, at most. */
const ofDayMax = 20;

/** Compares the answers of one row. */
export function compareAnswers(
  comparison: Comparison,
  byPrompt: ReadonlyMap<string, readonly Entry[]>,
  subject: Subject,
): Compared {
  const found = new Finding(comparison, subject);
  const days = pairsOfDays(byPrompt);
  for (const [promptId, entries] of byPrompt) {
    const units = found.itemsBy(entries, ({ day }) => day);
    if (comparison.pairs === "within_days") for (const [day, items] of units) found.add(promptId, day, [items]);
    else
      for (const [one, other] of days) {
        const [first, second] = [units.get(one) ?? [], units.get(other) ?? []];
        found.add(promptId, one, [first, second]);
      }
  }
  return found.result();
}

/** Compares the answers of two platforms. */
export function comparePlatforms(
  comparison: Comparison,
  [one, other]: readonly [ReadonlyMap<string, readonly Entry[]>, ReadonlyMap<string, readonly Entry[]>],
  subject: Subject,
): Compared {
  const found = new Finding(comparison, subject);
  for (const [promptId, entries] of one) {
    const ofOne = found.itemsBy(entries, ({ run }) => run);
    const ofOther = found.itemsBy(other.get(promptId) ?? [], ({ run }) => run);
    for (const [run, items] of ofOne) found.add(promptId, run, [items, ofOther.get(run) ?? []]);
  }
  return found.result();
}

interface FoundItem {
  readonly entry: Entry;
  readonly item: Item;
}

class Finding {
  readonly #byPrompt = new Map<string, CellAnswer[]>();
  readonly #used = new Set<Entry>();
  readonly #read = new Set<Entry>();
  readonly #leftOut = new Map<LeftOut, number>();
  readonly #comparison: Comparison;
  readonly #subject: Subject;

  constructor(comparison: Comparison, subject: Subject) {
    this.#comparison = comparison;
    this.#subject = subject;
  }

  /** The items of the answers by day or run, in the order of the answers. */
  itemsBy(entries: readonly Entry[], unitOf: (entry: Entry) => string): Map<string, FoundItem[]> {
    const units = new Map<string, FoundItem[]>();
    for (const entry of entries) {
      const item = this.#comparison.item(entry, this.#subject);
      if (typeof item === "string") {
        countLeftOut(this.#leftOut, item);
        continue;
      }
      this.#read.add(entry);
      const unit = unitOf(entry);
      const items = units.get(unit);
      if (items === undefined) units.set(unit, [{ entry, item }]);
      else if (items.length < ofDayMax) items.push({ entry, item });
    }
    return units;
  }

  /** One list: all pairs in it. Two lists: the first with the first, the second with the second ... */
  add(promptId: string, run: string, [one = [], other]: readonly (readonly FoundItem[])[]): void {
    const compare = (a: FoundItem, b: FoundItem) => {
      const value = this.#comparison.compare(a.item, b.item);
      if (value !== null) this.#used.add(a.entry).add(b.entry);
      return value;
    };
    const value = other === undefined ? meanOverPairs(one, compare) : meanInOrder(one, other, compare);
    // Without a value, the cell was asked once more, which the interval takes into account.
    const compared = value === null ? { run, value: 0, of: 0 } : { run, value, of: 1 };
    const values = this.#byPrompt.get(promptId);
    if (values === undefined) this.#byPrompt.set(promptId, [compared]);
    else values.push(compared);
  }

  result(): Compared {
    const unused = [...this.#read].filter((entry) => !this.#used.has(entry)).length;
    if (unused > 0) countLeftOut(this.#leftOut, "nothing_to_compare", unused);
    const byPrompt = [...this.#byPrompt].filter(([, values]) => values.some(({ of }) => of !== 0));
    return {
      byPrompt: new Map(byPrompt),
      used: [...this.#used],
      leftOut: this.#leftOut,
    };
  }
}

function meanInOrder<Value>(
  one: readonly Value[],
  other: readonly Value[],
  compare: (a: Value, b: Value) => number | null,
): number | null {
  const values = one.flatMap((a, index) => {
    const b = other[index];
    return b === undefined ? [] : (compare(a, b) ?? []);
  });
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The days of the row's answers, the first with the second, the third with the fourth ... */
function pairsOfDays(byPrompt: ReadonlyMap<string, readonly Entry[]>): [string, string][] {
  const days = [...new Set([...byPrompt.values()].flatMap((entries) => entries.map(({ day }) => day)))].toSorted();
  return days.flatMap((day, index) => {
    const next = days[index + 1];
    return index % 2 === 0 && next !== undefined ? [[day, next] as [string, string]] : [];
  });
}

const coreAnswersMin = 5;

/** Citations of the domains that most answers of the cell cite. */
export function readCore(byPrompt: ReadonlyMap<string, readonly Entry[]>): Compared {
  const found = new Map<string, CellAnswer[]>();
  const used: Entry[] = [];
  const leftOut = new Map<LeftOut, number>();
  for (const [promptId, entries] of byPrompt) {
    const known = entries.filter(({ answer }) => {
      const missing = whyDomainsAreMissing(answer);
      if (missing !== null) countLeftOut(leftOut, missing);
      return missing === null;
    });
    if (known.length < coreAnswersMin) {
      if (known.length > 0) countLeftOut(leftOut, "too_few_in_cell", known.length);
      continue;
    }
    const core = new Set(
      coreAndTail(known.map(({ answer }) => new Set(answer.sources.map(({ domain }) => domain)))).core,
    );
    used.push(...known);
    const values = known.map(({ answer, run }) => ({
      run,
      value: answer.sources.filter(({ domain }) => core.has(domain)).length,
      of: answer.sources.length,
    }));
    found.set(promptId, values);
  }
  return { byPrompt: found, used, leftOut };
}
