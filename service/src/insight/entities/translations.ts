/** A mention of an entity. */
interface Named {
  readonly entityId: string;
  readonly start: number;
  readonly end: number;
}

/** `小米（Xiaomi）` is one mention. */
export function withoutTranslations<Mention extends Named>(
  text: string,
  mentions: readonly Mention[],
): readonly Mention[] {
  const mayBeTranslated = ({ start }: Mention, index: number): boolean => {
    const gapLength = start - (mentions[index - 1]?.end ?? start);
    return gapLength > 0 && gapLength <= bracketCharsMax;
  };
  if (!mentions.some(mayBeTranslated)) return mentions;
  const joined: Mention[] = [];
  const lastOf = new Map<string, number>();
  for (const mention of mentions) {
    const index = lastOf.get(mention.entityId) ?? -1;
    const last = joined[index];
    const end = last === undefined ? null : translationEnd(text, last, mention);
    if (last === undefined || end === null) lastOf.set(mention.entityId, joined.push(mention) - 1);
    else joined[index] = { ...last, end };
  }
  return joined;
}

/** Where the brackets end in which a mention repeats the one before in another script. Null: it doesn't. */
function translationEnd(text: string, before: Named, { start, end }: Named): number | null {
  if (start - before.end > bracketCharsMax || start <= before.end) return null;
  if (!/^[*_"”』」]{0,4} ?[(（【][*_"“『「]{0,4}$/u.test(text.slice(before.end, start))) return null;
  const closing = /^[*_"”』」]{0,4}[)）】]/u.exec(text.slice(end, end + bracketCharsMax))?.[0];
  if (closing === undefined) return null;
  const isLatin = (from: number, to: number): boolean => /\p{Script=Latin}/u.test(text.slice(from, to));
  if (isLatin(before.start, before.end) === isLatin(start, end)) return null;
  return end + closing.length;
}

const bracketCharsMax = 10;
