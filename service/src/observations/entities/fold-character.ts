/** The scripts by how they separate words. */
export const scriptClass = { none: 0, spaced: 1, unspaced: 2, hangul: 3 } as const;

export interface FoldedCharacter {
  readonly kind:
    | "atoms"
    | "mark"
    | "ignored"
    | "space"
    | "newline"
    | "hyphen"
    | "dash"
    | "apostrophe"
    | "quote"
    | "emphasis";
  readonly codes: readonly number[];
  readonly cased: readonly number[];
  readonly scriptClass: number;
  /** Marks after it are removed. */
  readonly losesMarks: boolean;
}

/** The most atoms of one character. Those with more, such as U+FDFA, are cut. */
const atomsMax = 4;

export const foldedAscii: FoldedCharacter[] = [];
const foldedOthers = new Map<number, FoldedCharacter>();
/** More than any language uses; a text with all of Unicode does not fill the memory. */
const foldedMax = 50_000;

export function foldCharacter(code: number): FoldedCharacter {
  const known = foldedAscii[code] ?? foldedOthers.get(code);
  if (known !== undefined) return known;
  const made = foldNew(code);
  if (code < 128) foldedAscii[code] = made;
  else if (foldedOthers.size < foldedMax) foldedOthers.set(code, made);
  return made;
}

function foldNew(code: number): FoldedCharacter {
  const character = String.fromCodePoint(code);
  const kind = kindOf(character);
  if (kind !== "atoms") {
    const codes = kind === "mark" ? [code] : [];
    return { kind, codes, cased: codes, scriptClass: 0, losesMarks: false };
  }
  const decomposed = character.normalize("NFKD");
  const losesMarks = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(decomposed);
  const plain = losesMarks ? decomposed.replace(/\p{Mn}/gu, "") : decomposed;
  const cased = Array.from(plain, (part) => plainLetters.get(part) ?? part)
    .join("")
    .slice(0, atomsMax);
  return {
    kind,
    codes: codePoints(cased.toLowerCase().replace(/ς/gu, "σ")).slice(0, atomsMax),
    cased: codePoints(cased),
    scriptClass: classOf(plain),
    losesMarks,
  };
}

function kindOf(character: string): FoldedCharacter["kind"] {
  if (character === "\n" || character === "\u2028" || character === "\u2029") return "newline";
  if (character === ">") return "quote";
  if (character === "*") return "emphasis";
  if (/[\p{Zs}\t\r\v\f]/u.test(character)) return "space";
  if (character === "\u00ad") return "ignored";
  // Long dashes stand between the parts of a sentence.
  if (/[\u2014\u2015\u2e3a\u2e3b\u301c\u3030\ufe31\ufe32\ufe58]/u.test(character)) return "dash";
  // The other hyphens and dashes; the minus; the middle dots that separate the words of foreign names; the Persian half-space.
  if (/[\p{Pd}\u02d7\u2043\u2212\u00b7\u30fb\uff65\u200c]/u.test(character)) return "hyphen";
  if (/['\u2018\u2019\u02bc\u00b4\uff07]/u.test(character)) return "apostrophe";
  // Invisible characters but the joiner of emoji, marks of registration, footnotes, the vowel signs and the stretching of Arabic.
  if (/\p{Default_Ignorable_Code_Point}/u.test(character) && character !== "\u200d") return "ignored";
  if (/[\u2122\u00ae\u00a9\u2120]/u.test(character)) return "ignored";
  if (/[\u00b9\u00b2\u00b3\u2070-\u209f\u0640\u064b-\u0652\u0670]/u.test(character)) return "ignored";
  return /\p{Mn}/u.test(character) ? "mark" : "atoms";
}

/** Letters with strokes and ligatures, which Unicode does not decompose. */
const plainLetters = new Map([
  ["ø", "o"],
  ["Ø", "O"],
  ["ł", "l"],
  ["Ł", "L"],
  ["đ", "d"],
  ["Đ", "D"],
  ["ħ", "h"],
  ["Ħ", "H"],
  ["ı", "i"],
  ["æ", "ae"],
  ["Æ", "AE"],
  ["œ", "oe"],
  ["Œ", "OE"],
  ["ß", "ss"],
  ["ẞ", "SS"],
]);

const codePoints = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

function classOf(character: string): number {
  if (/^[\p{Script=Hangul}]/u.test(character)) return scriptClass.hangul;
  if (
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
      character,
    )
  )
    return scriptClass.unspaced;
  return /^[\p{L}\p{N}\p{M}]/u.test(character) ? scriptClass.spaced : scriptClass.none;
}

/** The folded characters of a word or phrase, without what separates them: two that are the same to the matcher have the same. */
export function foldWord(word: string): string {
  let folded = "";
  for (const character of word) {
    const { kind, codes } = foldCharacter(character.codePointAt(0) ?? 0);
    if (kind === "atoms") folded += String.fromCodePoint(...codes);
  }
  return folded;
}
