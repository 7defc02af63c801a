/** The words of a text in lower case, and how often each occurs. */
export interface WordBag {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Scripts that do not separate words by spaces are taken character by character. */
export function countWords(text: string): WordBag {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [found] of text.toLowerCase().matchAll(word)) {
    counts.set(found, (counts.get(found) ?? 0) + 1);
    total++;
  }
  return { counts, total };
}

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/** The words that two texts have in common, whatever their order, as a share of all of their words (Dice): 1 if they are the same. */
export function similarityOf(one: WordBag, other: WordBag): number {
  if (one.total + other.total === 0) return 1;
  let common = 0;
  for (const [each, count] of one.counts) common += Math.min(count, other.counts.get(each) ?? 0);
  return (2 * common) / (one.total + other.total);
}

/** A short text, such as a name, without what is written differently: case, and what separates words. */
export const spelled = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** The first of those that are there most often, in their order. */
export function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([one, a], [other, b]) => b - a || compareTexts(one, other))[0]?.[0] ?? "";
}

/** By code units, whatever the language of the machine is. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
