import { decodeNamedCharacterReference } from "decode-named-character-reference";

/**
 * A text as atoms: folded characters with their offsets. Spaces, hyphens and apostrophes are not atoms but gaps before the next
 * one, so that a name is found however it is written. Accents are removed from Latin, Greek and Cyrillic letters only: the marks of
 * other scripts, such as dakuten and hamza, make other letters.
 */

/** What stands between an atom and the one before; bits. */
export const gap = { space: 1, hyphen: 2, newline: 4, apostrophe: 8, block: 16, dash: 32 } as const;

export interface FoldedText {
  readonly length: number;
  /** Folded code points, in lower case. */
  readonly codes: Uint32Array;
  /** The same with their case. */
  readonly cased: Uint32Array;
  /** UTF-16 offsets in the text. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Bits of `gap`: what precedes the atom. */
  readonly gaps: Uint8Array;
  /** Values of `scriptClass`. */
  readonly classes: Uint8Array;
}

export const foldText = (text: string): FoldedText => new Folder().fold(text);

/** Folds one text after another into the same arrays: what it returns is valid until the next call. */
export class Folder {
  #writer = new AtomWriter(0);

  fold(text: string): FoldedText {
    if (!this.#writer.holds(text.length)) this.#writer = new AtomWriter(text.length);
    const writer = this.#writer;
    writer.begin();
    for (let at = 0; at < text.length;) {
      const folded = foldedAscii[text.charCodeAt(at)];
      if (folded?.kind === "atoms" && folded.scriptClass === scriptClass.spaced) writer.addOne(folded, at++);
      else at = readCharacter(text, at, writer);
    }
    return writer.folded();
  }
}

/** True if a text has an atom: anything that could be found. */
export function hasAtoms(text: string): boolean {
  const first = text.codePointAt(0) ?? ampersand;
  const isPlain = first !== ampersand && first !== backslash && foldCharacter(first).kind === "atoms";
  return isPlain || foldText(text).length > 0;
}

/** Adds the character at `at`, and returns where the next one starts. */
function readCharacter(text: string, at: number, writer: AtomWriter): number {
  const code = text.codePointAt(at) ?? 0;
  const end = at + (code > 0xffff ? 2 : 1);
  // A backslash before punctuation escapes it in Markdown.
  if (code === backslash && isAsciiPunctuation(text.charCodeAt(end))) return end;
  if (code === ampersand) {
    const reference = characterReference(text, at);
    if (reference !== null) {
      const after = at + reference.length;
      for (const character of reference.characters) writer.add(foldCharacter(character.codePointAt(0) ?? 0), at, after);
      return after;
    }
  }
  writer.add(foldCharacter(code), at, end);
  return end;
}

const backslash = 0x5c;
const ampersand = 0x26;
const isAsciiPunctuation = (code: number): boolean =>
  (code >= 0x21 && code <= 0x2f) ||
  (code >= 0x3a && code <= 0x40) ||
  (code >= 0x5b && code <= 0x60) ||
  (code >= 0x7b && code <= 0x7e);

class AtomWriter {
  #codes: Uint32Array;
  #cased: Uint32Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  #gaps: Uint8Array;
  #classes: Uint8Array;
  #length = 0;
  #gap = 0;
  #losesMarks = false;

  constructor(textLength: number) {
    const size = Math.max(atomsAtFirst, textLength + 16);
    this.#codes = new Uint32Array(size);
    this.#cased = new Uint32Array(size);
    this.#starts = new Uint32Array(size);
    this.#ends = new Uint32Array(size);
    this.#gaps = new Uint8Array(size);
    this.#classes = new Uint8Array(size);
  }

  /** True if the arrays suit a text of this length: a short one does not keep those of a long one. */
  holds(textLength: number): boolean {
    const size = this.#codes.length;
    return size >= textLength + 16 && (size <= atomsKept || size <= 4 * textLength);
  }

  begin(): void {
    this.#length = 0;
    this.#gap = 0;
    this.#losesMarks = false;
  }

  /** Adds a character of one unit with one atom, which is what most of a text consists of. */
  addOne({ codes, cased, losesMarks }: FoldedCharacter, start: number): void {
    if (this.#length === this.#codes.length) this.#grow();
    const at = this.#length++;
    this.#codes[at] = codes[0] ?? 0;
    this.#cased[at] = cased[0] ?? 0;
    this.#starts[at] = start;
    this.#ends[at] = start + 1;
    this.#gaps[at] = this.#gap;
    this.#classes[at] = scriptClass.spaced;
    this.#gap = 0;
    this.#losesMarks = losesMarks;
  }

  /** Few characters have several atoms, so the arrays seldom grow. */
  #grow(): void {
    const size = this.#codes.length * 2;
    const longer = <T extends Uint32Array | Uint8Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#codes = longer(this.#codes, new Uint32Array(size));
    this.#cased = longer(this.#cased, new Uint32Array(size));
    this.#starts = longer(this.#starts, new Uint32Array(size));
    this.#ends = longer(this.#ends, new Uint32Array(size));
    this.#gaps = longer(this.#gaps, new Uint8Array(size));
    this.#classes = longer(this.#classes, new Uint8Array(size));
  }

  add(character: FoldedCharacter, start: number, end: number): void {
    if (character.kind === "atoms") {
      this.#losesMarks = character.losesMarks;
      this.#addAtoms(character, start, end, character.scriptClass);
    } else if (character.kind === "mark") {
      if (!this.#losesMarks) this.#addAtoms(character, start, end, this.#classes[this.#length - 1] ?? 0);
      else if (this.#length > 0 && this.#gap === 0) this.#ends[this.#length - 1] = end;
    } else this.#addGap(character.kind);
  }

  #addAtoms({ codes, cased }: FoldedCharacter, start: number, end: number, scriptClass: number): void {
    for (let index = 0; index < codes.length; index++) {
      if (this.#length === this.#codes.length) this.#grow();
      const at = this.#length++;
      this.#codes[at] = codes[index] ?? 0;
      this.#cased[at] = cased[index] ?? 0;
      this.#starts[at] = start;
      this.#ends[at] = end;
      this.#gaps[at] = index === 0 ? this.#gap : 0;
      this.#classes[at] = scriptClass;
    }
    this.#gap = 0;
  }

  #addGap(kind: Exclude<FoldedCharacter["kind"], "atoms" | "mark">): void {
    const afterNewline = (this.#gap & gap.newline) !== 0;
    switch (kind) {
      case "ignored":
        return;
      case "newline":
        this.#gap |= afterNewline ? gap.block : gap.newline;
        return;
      case "space":
        if (!afterNewline) this.#gap |= gap.space;
        return;
      case "quote":
      case "hyphen":
      case "dash":
      case "emphasis":
        // At the start of a line these may be the marker of a list item. A quotation mark `>` there continues the paragraph.
        if (afterNewline && kind !== "quote") this.#gap |= gap.block;
        else if (kind === "hyphen") this.#gap |= gap.hyphen;
        else if (kind === "dash") this.#gap |= gap.dash;
        else if (kind === "quote" && !afterNewline) this.#gap |= gap.block;
        return;
      case "apostrophe":
        this.#gap |= gap.apostrophe;
        return;
    }
  }

  folded(): FoldedText {
    return {
      length: this.#length,
      codes: this.#codes,
      cased: this.#cased,
      starts: this.#starts,
      ends: this.#ends,
      gaps: this.#gaps,
      classes: this.#classes,
    };
  }
}

const atomsAtFirst = 1024;
/** Arrays of up to this size are kept for the next text. */
const atomsKept = 64 * 1024;

/** A character reference of HTML, which Markdown has, too: `&ecirc;`, `&#234;`, `&#xEA;`. */
export interface CharacterReference {
  readonly length: number;
  readonly characters: string;
}

/** The longest name has 31 characters. */
const reference = /#x[0-9a-f]{1,6};|#[0-9]{1,7};|[a-z][a-z0-9]{1,30};/iuy;
const escapedAmpersand = "amp;";

/** The reference that starts at the ampersand at `at`. One that was escaped twice counts as one: `&amp;ecirc;`. */
function characterReference(text: string, at: number): CharacterReference | null {
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

/** The scripts by how they separate words. */
export const scriptClass = { none: 0, spaced: 1, unspaced: 2, hangul: 3 } as const;

interface FoldedCharacter {
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

const foldedAscii: FoldedCharacter[] = [];
const foldedOthers = new Map<number, FoldedCharacter>();
/** More than any language uses; a text with all of Unicode does not fill the memory. */
const foldedMax = 50_000;

function foldCharacter(code: number): FoldedCharacter {
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
