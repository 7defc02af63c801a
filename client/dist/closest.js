/** The most similar word. Null if more than a third of it differs. */
export function closest(word, words) {
  let best = null;
  let least = 1 / 3;
  for (const candidate of words) {
    const share = distance(word.toLowerCase(), candidate.toLowerCase()) / Math.max(word.length, candidate.length, 1);
    if (share < least || (share === least && best === null)) [best, least] = [candidate, share];
  }
  return best;
}
/** The Levenshtein distance. */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++)
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
