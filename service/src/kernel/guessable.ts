/** Secrets that anybody can guess: placeholders of examples, and values that nobody drew at random. */

/** Words of placeholders. None is in a random text of 40 characters by chance more than once in ten million. */
const placeholder =
  /replace[-_. ]?(this|me|with)|change[-_. ]?(this|me|it)\b|changeme|placeholder|your[-_.](access|token|key|secret|password|master)|insert[-_.](your|here|token|key)|(secret|token|password|key)[-_.](goes[-_.])?here|[-_.]goes[-_.]here|access[-_.]?token$|\bexample\b|not[-_.]so[-_.]secret|super[-_.]?secret|top[-_.]?secret|password1|correct[-_.]?horse|deadbeef|cafebabe/i;

export const isPlaceholder = (text: string): boolean => placeholder.test(text);

/** What is wrong with the characters or bytes of a secret, as the end of "It ..."; null: it may be random. */
export function whyGuessable(values: ArrayLike<number>, distinctMin: number): string | null {
  const { length } = values;
  const all = Array.from(values);
  const distinct = new Set(all).size;
  if (distinct === 1) return "consists of one repeated value";
  for (let period = 2; period <= length / 2; period++)
    if (all.every((value, at) => value === all[at % period])) return "repeats a shorter value";
  const steps = all.slice(1).map((value, at) => (value - (all[at] ?? 0)) & 0xff);
  const most = Math.max(...[...Map.groupBy(steps, (step) => step).values()].map((same) => same.length));
  if (most > length / 2) return "counts up or down";
  return distinct < distinctMin ? "has few different values" : null;
}

/** A random key of 32 bytes has about 30 different ones, and fewer than 17 once in 10^15. */
const keyDistinctMin = 17;
/** The fewest different characters of a random text: 22 hexadecimal digits have fewer once in ten thousand keys, and 64 never. */
const textDistinctMin = 8;

export function whyKeyGuessable(key: Uint8Array): string | null {
  // Printable: the characters of a sentence or password, instead of 32 bytes that were drawn.
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return "consists of printable characters, as a password does";
  return whyGuessable(key, keyDistinctMin);
}

export function whyTokenGuessable(token: string): string | null {
  if (isPlaceholder(token)) return "is the placeholder of an example";
  const drawn = token.replace(/^qrt_/, "").toLowerCase();
  return whyGuessable(
    Array.from(drawn, (char) => char.codePointAt(0) ?? 0),
    textDistinctMin,
  );
}
