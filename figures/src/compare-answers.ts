import type { RerunNoise } from "@querent/contract";
import { countWords, similarityOf, type WordBag } from "./words.ts";

/** One answer of a cell, reduced to what two runs are compared by. */
export interface ComparedAnswer {
  /** Names the cell. Only answers of the same cell are compared. */
  readonly cell: string;
  readonly run: string;
  readonly repeat: number;
  /** What the answer was taken with. Reruns with another instrument say nothing about chance. */
  readonly instrument: string;
  /** The text; null if it has expired, or was not read. */
  readonly text: string | null;
  /** Each once, in the order of their first mention. Null, here and below: not known, so it is not compared. */
  readonly brands: readonly string[] | null;
  readonly sources: readonly string[] | null;
  readonly cards: readonly ComparedCard[] | null;
}

export interface ComparedCard {
  /** The same card has the same key in all answers. */
  readonly key: string;
  /** The price; null if the card has none, or the result has expired. */
  readonly price: string | null;
}

/** Something that more, or fewer, answers of the cell contain. */
export interface ItemChange {
  readonly item: string;
  /** So many answers contain it. */
  readonly before: number;
  readonly after: number;
  readonly reruns: RerunNoise;
}

export interface PriceChange {
  readonly item: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly reruns: RerunNoise;
}

export interface TextChange {
  /** The share of words that both have, whatever their order: 1 if they are the same. The mean over repeats. */
  readonly similarity: number;
  readonly reruns: RerunNoise;
}

/** The answers of one cell in one run. */
export type Answers = readonly ComparedAnswer[];
export type Pair = readonly [Answers, Answers];
type ItemsOf = (answer: ComparedAnswer) => readonly string[] | null;
export const itemsOf = {
  brands: ({ brands }) => brands,
  first: ({ brands }) => brands?.slice(0, 1) ?? null,
  sources: ({ sources }) => sources,
  cards: ({ cards }) => cards?.map(({ key }) => key) ?? null,
} satisfies Record<string, ItemsOf>;

export function itemChanges(compared: Pair, reruns: readonly Pair[], items: ItemsOf): ItemChange[] {
  const changed = changedItems(compared, items);
  if (changed === null || changed.length === 0) return [];
  const pairs = reruns.map((pair) => countPair(pair, items)).filter((pair) => pair !== null);
  return changed.map(({ item, before, after, by }) => {
    const differ = pairs.filter(([one, other]) => differenceOf(item, one, other) >= by - rounding).length;
    return { item, before, after, reruns: { differ, pairs: pairs.length } };
  });
}

/** Shares of the same number of answers may differ in their last digit. */
const rounding = 1e-9;

/** The items that changed; null if one of the runs has no answer of which they are known. */
export function changedItems(pair: Pair, items: ItemsOf) {
  const counted = countPair(pair, items);
  if (counted === null) return null;
  const [one, other] = counted;
  return [...new Set([...one.counts.keys(), ...other.counts.keys()])]
    .map((item) => ({
      item,
      before: one.counts.get(item) ?? 0,
      after: other.counts.get(item) ?? 0,
      by: differenceOf(item, one, other),
    }))
    .filter(({ by }) => by > rounding);
}

interface Counted {
  /** Answers whose items are known. */
  readonly answers: number;
  readonly counts: ReadonlyMap<string, number>;
}

function countPair([one, other]: Pair, items: ItemsOf): readonly [Counted, Counted] | null {
  const [first, second] = [countItems(one, items), countItems(other, items)];
  return first.answers === 0 || second.answers === 0 ? null : [first, second];
}

function countItems(list: Answers, items: ItemsOf): Counted {
  const counts = new Map<string, number>();
  let answers = 0;
  for (const answer of list) {
    const found = items(answer);
    if (found === null) continue;
    answers++;
    for (const item of new Set(found)) counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return { answers, counts };
}

const shareOf = (item: string, { counts, answers }: Counted) => (counts.get(item) ?? 0) / answers;
const differenceOf = (item: string, one: Counted, other: Counted) =>
  Math.abs(shareOf(item, one) - shareOf(item, other));

export function priceChanges(compared: Pair, reruns: readonly Pair[]): PriceChange[] {
  const changed = pricedInBoth(compared).filter(({ isSame }) => !isSame);
  if (changed.length === 0) return [];
  const inReruns = reruns.map((pair) => new Map(pricedInBoth(pair).map((priced) => [priced.item, priced])));
  return changed.map(({ item, before, after }) => {
    const pairs = inReruns.flatMap((priced) => priced.get(item) ?? []);
    return {
      item,
      before,
      after,
      reruns: { differ: pairs.filter(({ isSame }) => !isSame).length, pairs: pairs.length },
    };
  });
}

export function pricedInBoth([one, other]: Pair) {
  const [before, after] = [pricesOf(one), pricesOf(other)];
  return [...before].flatMap(([item, prices]) => {
    const later = after.get(item);
    if (later === undefined) return [];
    const [first, second] = [[...prices].toSorted(), [...later].toSorted()];
    return [{ item, before: first, after: second, isSame: first.join("\n") === second.join("\n") }];
  });
}

function pricesOf(answers: Answers): Map<string, Set<string>> {
  const prices = new Map<string, Set<string>>();
  for (const { cards } of answers)
    for (const { key, price } of cards ?? [])
      if (price !== null) prices.set(key, (prices.get(key) ?? new Set<string>()).add(price));
  return prices;
}

export function textChange(compared: Pair, reruns: readonly Pair[]): TextChange | null {
  const texts = comparedTexts(compared);
  if (texts === null || texts.isSame) return null;
  const others = reruns.flatMap((pair) => comparedTexts(pair) ?? []);
  const differ = others.filter(({ isSame, similarity }) => !isSame && similarity <= texts.similarity + rounding).length;
  return { similarity: texts.similarity, reruns: { differ, pairs: others.length } };
}

/** Each repeat with the same repeat of the other run. Null: no two of them are there. */
export function comparedTexts([one, other]: Pair): { isSame: boolean; similarity: number } | null {
  const later = new Map(other.map((answer) => [answer.repeat, answer]));
  let count = 0;
  let total = 0;
  let isSame = true;
  for (const answer of one) {
    const itsOther = later.get(answer.repeat);
    if (itsOther === undefined || answer.text === null || itsOther.text === null) continue;
    count++;
    if (answer.text !== itsOther.text) isSame = false;
    total += answer.text === itsOther.text ? 1 : similarityOf(bagOf(answer), bagOf(itsOther));
  }
  return count === 0 ? null : { isSame, similarity: total / count };
}

/** Each text is compared with several others. */
const bags = new WeakMap<ComparedAnswer, WordBag>();

function bagOf(answer: ComparedAnswer): WordBag {
  const known = bags.get(answer);
  if (known !== undefined) return known;
  const bag = countWords(answer.text ?? "");
  bags.set(answer, bag);
  return bag;
}
