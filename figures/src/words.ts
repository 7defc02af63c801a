/** The words of a text in lower case. Scripts that do not separate words by spaces are taken character by character. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(word) ?? [];
}

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/** The words that two texts have in common, whatever their order, as a share of all of their words (Dice): 1 if they are the same. */
export function similarityOf(one: readonly string[], other: readonly string[]): number {
  if (one.length + other.length === 0) return 1;
  const counts = new Map<string, number>();
  for (const each of one) counts.set(each, (counts.get(each) ?? 0) + 1);
  let common = 0;
  for (const each of other) {
    const left = counts.get(each) ?? 0;
    if (left === 0) continue;
    counts.set(each, left - 1);
    common++;
  }
  return (2 * common) / (one.length + other.length);
}
