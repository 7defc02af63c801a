import { decodeNamedCharacterReference } from "decode-named-character-reference";

/** A character reference of HTML, which Markdown has, too: `&ecirc;`, `&#234;`, `&#xEA;`. */
export interface CharacterReference {
  readonly length: number;
  readonly characters: string;
}

/** The longest name has 31 characters. */
const reference = /#x[0-9a-f]{1,6};|#[0-9]{1,7};|[a-z][a-z0-9]{1,30};/iuy;
const escapedAmpersand = "amp;";

/** The reference that starts at the ampersand at `at`. One that was escaped twice counts as one: `&amp;ecirc;`. */
export function characterReference(text: string, at: number): CharacterReference | null {
  let from = at + 1;
  while (text.startsWith(escapedAmpersand, from)) from += escapedAmpersand.length;
  reference.lastIndex = from;
  const found = reference.exec(text)?.[0];
  const characters = found === undefined ? null : charactersOf(found.slice(0, -1));
  if (found !== undefined && characters !== null) return { length: from - at + found.length, characters };
  return from > at + 1 ? { length: from - at, characters: "&" } : null;
}

function charactersOf(name: string): string | null {
  if (!name.startsWith("#")) return decodeNamedCharacterReference(name) || null;
  const isHexadecimal = /^#x/iu.test(name);
  const code = isHexadecimal ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}
