/**
 * A text as atoms: folded characters with their offsets. Spaces, hyphens and apostrophes are not atoms but gaps before the next
 * one, so that a name is found however it is written. Accents are removed from Latin, Greek and Cyrillic letters only: the marks of
 * other scripts, such as dakuten and hamza, make other letters.
 */

/** What stands between an atom and the one before; bits. */
export const gap = { space: 1, hyphen: 2, newline: 4, apostrophe: 8, block: 16 } as const;

/** The scripts by how they separate words. */
export const scriptClass = { none: 0, spaced: 1, unspaced: 2, hangul: 3 } as const;

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

export function foldText(text: string): FoldedText {
  const writer = new AtomWriter(text.length);
  for (let at = 0; at < text.length;) at = readCharacter(text, at, writer);
  return writer.folded();
}

/** Adds the character at `at`, and returns where the next one starts. */
function readCharacter(text: string, at: number, writer: AtomWriter): number {
  const code = text.codePointAt(at) ?? 0;
  const end = at + (code > 0xffff ? 2 : 1);
  // A backslash before punctuation escapes it in Markdown.
  if (code === backslash && isAsciiPunctuation(text.charCodeAt(end))) return end;
  if (code === ampersand) {
    const [reference, character] = characterReference(text, at);
    if (reference > 0) {
      writer.add(foldCharacter(character), at, at + reference);
      return at + reference;
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

/** The character references that stand inside names: their length and their character. */
function characterReference(text: string, at: number): readonly [number, number] {
  for (const [reference, code] of characterReferences)
    if (text.startsWith(reference, at)) return [reference.length, code];
  return [0, 0];
}
const characterReferences: readonly (readonly [string, number])[] = [
  ["&amp;", 0x26],
  ["&nbsp;", 0xa0],
  ["&#160;", 0xa0],
  ["&apos;", 0x27],
  ["&#39;", 0x27],
  ["&#x27;", 0x27],
  ["&rsquo;", 0x2019],
  ["&shy;", 0xad],
];

interface FoldedCharacter {
  readonly kind: "atoms" | "mark" | "ignored" | "space" | "newline" | "hyphen" | "apostrophe" | "quote" | "emphasis";
  readonly codes: readonly number[];
  readonly cased: readonly number[];
  readonly scriptClass: number;
  /** Marks after it are removed. */
  readonly losesMarks: boolean;
}

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
    const size = textLength + 16;
    this.#codes = new Uint32Array(size);
    this.#cased = new Uint32Array(size);
    this.#starts = new Uint32Array(size);
    this.#ends = new Uint32Array(size);
    this.#gaps = new Uint8Array(size);
    this.#classes = new Uint8Array(size);
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
      case "emphasis":
        // At the start of a line these may be the marker of a list item. A quotation mark `>` there continues the paragraph.
        if (afterNewline && kind !== "quote") this.#gap |= gap.block;
        else if (kind === "hyphen") this.#gap |= gap.hyphen;
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

/** Of one character; those with more, such as U+FDFA, are cut. */
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
  // Hyphens, not dashes; the middle dots that separate the words of foreign names; the Persian half-space.
  if (/[-\u00ad\u2010\u2011\u2212\u00b7\u30fb\uff65\u200c\ufe63\uff0d]/u.test(character))
    return character === "\u00ad" ? "ignored" : "hyphen";
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
