import { distance } from "fastest-levenshtein";

/** ` Did you mean X?` when one of the words is close enough to be what was meant: at most a third of it differs. `""` when none is. */
export function didYouMean(word: string, words: readonly string[]): string {
  const [best] = words
    .map((one) => ({ one, share: distance(plain(word), plain(one)) / Math.max(word.length, one.length, 1) }))
    .filter(({ share }) => share <= 1 / 3)
    .toSorted((a, b) => a.share - b.share);
  return best === undefined ? "" : ` Did you mean ${best.one}?`;
}

const plain = (word: string) => word.slice(0, 200).toLowerCase();
