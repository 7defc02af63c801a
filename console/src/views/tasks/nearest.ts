/** The one of `names` that `word` most likely means: it begins with the word, or differs by a slip or two. Null: none comes close. */
export function nearest<Name extends string>(word: string, names: readonly Name[]): Name | null {
  if (word === "" || word.length > 32) return null;
  const begun = word.length < 3 ? [] : names.filter((name) => name.startsWith(word.slice(0, 4)));
  if (begun.length === 1) return begun[0] ?? null;
  const close = names
    .map((name) => ({ name, slips: slipsBetween(word, name) }))
    .filter(({ name, slips }) => slips <= Math.max(1, Math.floor(Math.min(word.length, name.length) / 3)))
    .sort((one, other) => one.slips - other.slips);
  return close[0]?.name ?? null;
}

/** Letters to insert, remove or replace: Levenshtein's distance. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index++) {
      const replaced = (row[index - 1] ?? 0) + (letter === other[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
