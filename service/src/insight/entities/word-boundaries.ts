import { scriptClass } from "./fold-character.ts";
import type { FoldedText } from "./fold-text.ts";

/** Whether a name stands as a word of its own, by the rules of its script. */
export class WordBoundaries {
  readonly #folded: FoldedText;
  readonly #unspaced: UnspacedWords;
  /** Where a name may start after a proclitic, and where one may end before a particle. */
  readonly #proclitics: Remembered;
  readonly #particles: Remembered;

  constructor(text: string, folded: FoldedText) {
    this.#folded = folded;
    this.#unspaced = new UnspacedWords(text, folded);
    this.#proclitics = new Remembered(folded.length, (first) => this.#isAfterProclitic(first));
    this.#particles = new Remembered(folded.length, (next) => this.#isBeforeParticle(next));
  }

  /** A quick check before a search: true if no name starts at this atom. */
  isInsideWord(first: number): boolean {
    const { gaps, classes, codes } = this.#folded;
    if (first === 0 || (gaps[first] ?? 0) !== 0) return false;
    const [before, own] = [classes[first - 1] ?? 0, classes[first] ?? 0];
    if (before !== own || own !== scriptClass.spaced) return false;
    return !isAbjad(codes[first] ?? 0);
  }

  /** A quick check before a search: true if no name ends at this atom. */
  isBeforeLetter(last: number): boolean {
    const { length, gaps, classes } = this.#folded;
    const next = last + 1;
    return (
      next < length &&
      (gaps[next] ?? 0) === 0 &&
      classes[last] === scriptClass.spaced &&
      classes[next] === scriptClass.spaced
    );
  }

  isStart(first: number, last: number): boolean {
    const { gaps, classes, codes, starts } = this.#folded;
    if (first === 0 || (gaps[first] ?? 0) !== 0) return true;
    if (starts[first] === starts[first - 1]) return false;
    const [before, own] = [classes[first - 1] ?? 0, classes[first] ?? 0];
    if (before === scriptClass.none) return !this.#isJoinedBefore(first);
    if (own === scriptClass.none || before !== own) return codes[first] !== joiner && !isModifier(codes[first] ?? 0);
    if (own === scriptClass.unspaced) return this.#unspaced.isBoundary(starts[first] ?? 0);
    return own === scriptClass.spaced && last - first >= 3 && this.#proclitics.at(first);
  }

  isEnd(first: number, last: number): boolean {
    const { length, gaps, classes, starts, ends } = this.#folded;
    const next = last + 1;
    if (next >= length || (gaps[next] ?? 0) !== 0) return true;
    if (starts[next] === starts[last]) return false;
    const [own, after] = [classes[last] ?? 0, classes[next] ?? 0];
    if (after === scriptClass.none) return !this.#isJoinedAfter(last);
    if (own === scriptClass.none || after !== own) return true;
    if (own === scriptClass.unspaced) return this.#unspaced.isBoundary(ends[last] ?? 0);
    return own === scriptClass.hangul && last - first >= 1 && this.#particles.at(next);
  }

  /** A sign before the name that makes it a part of something else: `$3M`, `2.3M`, `my_apple`, `AT&T`. */
  #isJoinedBefore(first: number): boolean {
    const { codes, gaps, classes } = this.#folded;
    const sign = String.fromCodePoint(codes[first - 1] ?? 0);
    const isAfterWord = first >= 2 && (gaps[first - 1] ?? 0) === 0 && (classes[first - 2] ?? 0) === scriptClass.spaced;
    if (codes[first - 1] === joiner) return true;
    if (isDigit(codes[first] ?? 0)) {
      if (/\p{Sc}/u.test(sign)) return true;
      if ((sign === "." || sign === ",") && isAfterWord && isDigit(codes[first - 2] ?? 0)) return true;
    }
    return (sign === "_" || sign === "&") && isAfterWord && (classes[first] ?? 0) === scriptClass.spaced;
  }

  #isJoinedAfter(last: number): boolean {
    const { length, codes, gaps, classes } = this.#folded;
    const code = codes[last + 1] ?? 0;
    if (code === joiner || isModifier(code)) return true;
    if ((classes[last] ?? 0) !== scriptClass.spaced) return false;
    const sign = String.fromCodePoint(code);
    const isBeforeWord =
      last + 2 < length && (gaps[last + 2] ?? 0) === 0 && (classes[last + 2] ?? 0) === scriptClass.spaced;
    if (sign === "." || sign === ",") return isBeforeWord && isDigit(codes[last] ?? 0) && isDigit(codes[last + 2] ?? 0);
    if (sign === "_" || sign === "&") return isBeforeWord;
    // `Disney+` and `C#` are other names than `Disney` and `C`; `Nike+Adidas` are two.
    return (sign === "+" || sign === "#") && !isBeforeWord;
  }

  /** Arabic and Hebrew write conjunctions, prepositions and the article with the word that follows. */
  #isAfterProclitic(first: number): boolean {
    const { codes, gaps, classes } = this.#folded;
    let prefix = "";
    let at = first;
    while (at > 0 && (gaps[at] ?? 0) === 0 && (classes[at - 1] ?? 0) === scriptClass.spaced) {
      if (prefix.length > 5) return false;
      prefix = String.fromCodePoint(codes[--at] ?? 0) + prefix;
    }
    return /^(?:[وف]?(?:ب|ل|ك|لل)?(?:ال)?|[ושכהבלמ]{1,3})$/u.test(prefix);
  }

  /** Korean writes particles with the word before. */
  #isBeforeParticle(next: number): boolean {
    const { length, codes, gaps, classes } = this.#folded;
    let suffix = "";
    for (let at = next; at < length; at++) {
      if ((gaps[at] ?? 0) !== 0 || (classes[at] ?? 0) !== scriptClass.hangul) break;
      if (suffix.length > particleAtomsMax) return false;
      suffix += String.fromCodePoint(codes[at] ?? 0);
    }
    return particles.has(suffix);
  }
}

/** An answer for each atom, which is found once: a thousand names may end at one place. */
class Remembered {
  readonly #length: number;
  readonly #find: (at: number) => boolean;
  /** 0: unknown; 1: true; 2: false. */
  #known: Uint8Array | null = null;

  constructor(length: number, find: (at: number) => boolean) {
    this.#length = length;
    this.#find = find;
  }

  at(place: number): boolean {
    this.#known ??= new Uint8Array(this.#length);
    if (this.#known[place] === 0) this.#known[place] = this.#find(place) ? 1 : 2;
    return this.#known[place] === 1;
  }
}

const joiner = 0x200d;
const isModifier = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isAbjad = (code: number): boolean => code >= 0x0590 && code <= 0x08ff;

const particles = new Set(
  "은 는 이 가 을 를 의 에 에서 에게 에는 에도 와 과 도 만 로 으로 로는 으로는 로서 으로서 부터 까지 보다 처럼 같은 이나 나 이라는 라는 이란 이다 입니다 이며 이고 측은 의도 하고 이랑 랑 에서는 에서도 마다 조차 뿐"
    .split(" ")
    .map((particle) => particle.normalize("NFKD")),
);
const particleAtomsMax = Math.max(...[...particles].map(({ length }) => length));

/** The words of scripts without spaces, by ICU's dictionaries. Each run is divided once, and only if a name may be in it. */
class UnspacedWords {
  readonly #text: string;
  readonly #folded: FoldedText;
  /** For each offset: 0 unknown, 1 boundary, 2 none. */
  #known: Uint8Array | null = null;

  constructor(text: string, folded: FoldedText) {
    this.#text = text;
    this.#folded = folded;
  }

  isBoundary(offset: number): boolean {
    this.#known ??= this.#unknownRuns();
    if (this.#known[offset] === 0) this.#divideRun(offset);
    return this.#known[offset] !== 2;
  }

  /** Offsets in runs are unknown, all others are boundaries. */
  #unknownRuns(): Uint8Array {
    const known = new Uint8Array(this.#text.length + 1).fill(1);
    const { length, classes, starts, ends, gaps } = this.#folded;
    for (let at = 1; at < length; at++) {
      const isInside = classes[at] === scriptClass.unspaced && classes[at - 1] === scriptClass.unspaced;
      if (isInside && (gaps[at] ?? 0) === 0) known.fill(0, ends[at - 1] ?? 0, (starts[at] ?? 0) + 1);
    }
    return known;
  }

  #divideRun(offset: number): void {
    const known = this.#known ?? new Uint8Array();
    // The characters of a run may be longer than one unit.
    const isInRun = (at: number): boolean =>
      at > 0 && at < this.#text.length && (known[at] === 0 || isLowSurrogate(this.#text, at));
    let [from, to] = [offset, offset];
    while (isInRun(from)) from--;
    while (isInRun(to)) to++;
    for (let at = from + 1; at < to; at++) known[at] = 2;
    for (const { index } of segmenter.segment(this.#text.slice(from, to))) if (index > 0) known[from + index] = 1;
  }
}

const isLowSurrogate = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};

const segmenter = new Intl.Segmenter("und", { granularity: "word" });
