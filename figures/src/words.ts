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
