import { distance } from "fastest-levenshtein";

/**
 * ` Did you mean \`name\`?` if one of the names is similar, otherwise `""`: at most a third of the characters may differ,
 * ignoring case and `_` and `-` between words.
 */
export function didYouMean(word: string, names: readonly string[], quote = "`"): string {
  const meant = plain(word);
  let best: { readonly name: string; readonly share: number } | null = null;
  for (const name of names) {
    const candidate = plain(name);
    const share = distance(meant, candidate) / Math.max(meant.length, candidate.length, 1);
    if (share <= 1 / 3 && share < (best?.share ?? 1)) best = { name, share };
  }
  return best === null ? "" : ` Did you mean ${quote}${best.name}${quote}?`;
}

/** Longer words are not compared completely: the time grows with the square. */
const plain = (word: string) => word.slice(0, 200).toLowerCase().replace(/[_-]/g, "");
