import { scriptClass, Folder, gap, type FoldedText } from "./fold-text.ts";
import { NameAutomaton } from "./name-automaton.ts";

/** How a brand, product or person is found in a text. */
export interface EntityDefinition {
  readonly entityId: string;
  readonly variants: readonly EntityVariant[];
  /**
   * Phrases that show that a name means something else. A phrase that contains the name excludes the mention in it: `Monday morning`.
   * Any other phrase excludes the mentions of its sentence: `horsepower`.
   */
  readonly negativeContexts: readonly string[];
  /** Entities of different projects are looked for as if there were no others. Null: the default project. */
  readonly project?: string | null;
}

export interface EntityVariant {
  readonly text: string;
  /** Found only in this case: `HP`, not `hp`. */
  readonly isCaseSensitive: boolean;
}

/** A variant or a negative context. */
export interface Pattern {
  readonly entityId: string;
  readonly text: string;
  readonly kind: "variant" | "phrase" | "sentence";
  readonly isCaseSensitive: boolean;
  /** Its place among all patterns. */
  readonly order: number;
}

/** Patterns of the same folded characters that may be written with the same separators. */
export interface Spelling {
  /** For each atom, the `joint` before it; null: all are tight. */
  readonly joints: Uint8Array | null;
  /** The number of joints that are `apart`. */
  readonly aparts: number;
  /** Those that are found in any case, one for each entity. */
  readonly inAnyCase: readonly Pattern[];
  /**
   * By their characters with their case, those that are found only in it; and, if a joint may demand the case, all. So a thousand of
   * them cost one look.
   */
  readonly byCase: ReadonlyMap<string, readonly Pattern[]> | null;
}

/** The spellings of one sequence of folded characters. */
export interface Spellings {
  readonly all: readonly Spelling[];
  /** Those that match where the text has no separator, as one. */
  readonly unseparated: Spelling | null;
}

/** What may stand between two atoms of a name. */
export const joint = {
  /** Nothing but a hyphen at the end of a line. */
  tight: 0,
  /** A space, a hyphen or nothing. */
  loose: 1,
  /** An apostrophe or nothing. */
  apostrophe: 2,
  /** A space or nothing: beside a sign such as `&`. */
  sign: 3,
  /** A hyphen or nothing; or, if the whole name is written in its case, a space: `You Tube` for `YouTube`. */
  inner: 4,
  /** A space or a hyphen, in negative contexts: `ta ta` is not Tata. */
  apart: 5,
  /** As loose, or a long dash: the name has a hyphen. */
  hyphenated: 6,
  /** Nothing; or, if the whole name is written in its case, a space or a hyphen: `1 Password` for `1Password`. */
  exact: 7,
  /** As loose; but in its case after a word in lower case: `open ai` is `OpenAI`, `open AI` is not. */
  abbreviation: 8,
} as const;

/** True if a joint may demand the case of the name. */
const mayNeedCase = (one: number): boolean => one === joint.inner || one === joint.exact || one === joint.abbreviation;

/** Entities for `findMentions`. Reusable for any number of texts. */
export interface CompiledEntities {
  readonly automaton: NameAutomaton;
  /** By the node of the automaton. */
  readonly spellings: ReadonlyMap<number, Spellings>;
  /** The projects of entities, but for the default one. */
  readonly projects: ReadonlyMap<string, string>;
  /** The memory that it takes, in units of about 40 bytes. */
  readonly size: number;
}

export function compileEntities(entities: Iterable<EntityDefinition>): CompiledEntities {
  const compiler = new EntityCompiler();
  for (const entity of entities) compiler.add(entity);
  return compiler.compiled();
}

interface GrowingSpelling {
  readonly node: number;
  readonly joints: Uint8Array | null;
  readonly aparts: number;
  readonly inAnyCase: Pattern[];
  byCase: Map<string, Pattern[]> | null;
}

/** Compiles entities one by one, so that a caller can stop where they become too many. */
export class EntityCompiler {
  readonly #automaton = new NameAutomaton();
  readonly #spellings = new Map<string, GrowingSpelling>();
  readonly #folder = new Folder();
  readonly #projects = new Map<string, string>();
  #patterns = 0;

  get size(): number {
    return this.#automaton.nodes + patternSize * this.#patterns;
  }

  add({ entityId, variants, negativeContexts, project = null }: EntityDefinition): void {
    if (project !== null) this.#projects.set(entityId, project);
    for (const { text, isCaseSensitive } of variants) {
      this.#add({ entityId, text, kind: "variant", isCaseSensitive });
      for (const other of otherSpellings(text))
        this.#add(
          { entityId, text, kind: "variant", isCaseSensitive: isCaseSensitive || other.isCaseSensitive },
          other.text,
        );
    }
    if (negativeContexts.length === 0) return;
    const names = variants.map(({ text }) => this.#nameIn(text));
    for (const text of negativeContexts) {
      const words = wordsOf(this.#folder.fold(text));
      const hasName = names.some(
        ({ name, isUnspaced }) => ` ${words} `.includes(` ${name} `) || (isUnspaced && words.includes(name)),
      );
      this.#add({ entityId, text, kind: hasName ? "phrase" : "sentence", isCaseSensitive: false });
    }
  }

  compiled(): CompiledEntities {
    this.#automaton.complete();
    const spellings = new Map<number, Spellings>();
    const ofNodes = Map.groupBy(this.#spellings.values(), ({ node }) => node);
    for (const [node, all] of ofNodes) spellings.set(node, { all, unseparated: joined(all) });
    return { automaton: this.#automaton, spellings, projects: this.#projects, size: this.size };
  }

  /** In scripts without spaces, a phrase contains a name wherever it contains its characters. */
  #nameIn(text: string): { readonly name: string; readonly isUnspaced: boolean } {
    const folded = this.#folder.fold(text);
    const isUnspaced = folded.classes
      .subarray(0, folded.length)
      .every((found) => found !== scriptClass.spaced && found !== scriptClass.none);
    return { name: wordsOf(folded), isUnspaced };
  }

  #add(given: Omit<Pattern, "order">, written = given.text): void {
    const folded = this.#folder.fold(written);
    const { length } = folded;
    if (length === 0) return;
    const pattern = { ...given, order: this.#patterns++ };
    const node = this.#automaton.add(folded.codes, length);
    const joints = Uint8Array.from({ length }, (_, at) => jointBefore(folded, at, given.kind));
    const key = `${node} ${joints.every((one) => one === joint.tight) ? "" : String.fromCharCode(...joints)}`;
    let spelling = this.#spellings.get(key);
    if (spelling === undefined) {
      const aparts = joints.reduce((sum, one) => sum + Number(one === joint.apart), 0);
      spelling = { node, joints: key.endsWith(" ") ? null : joints, aparts, inAnyCase: [], byCase: null };
      this.#spellings.set(key, spelling);
    }
    const { inAnyCase } = spelling;
    if (!pattern.isCaseSensitive) addOnce(inAnyCase, pattern);
    if (!pattern.isCaseSensitive && !joints.some(mayNeedCase)) return;
    spelling.byCase ??= new Map();
    addTo(spelling.byCase, String.fromCodePoint(...folded.cased.subarray(0, length)), pattern);
  }
}

/** What a pattern takes beside its nodes, in units of `size`. */
const patternSize = 8;

function addTo(byCase: Map<string, Pattern[]>, written: string, pattern: Pattern): void {
  const same = byCase.get(written);
  if (same === undefined) byCase.set(written, [pattern]);
  else addOnce(same, pattern);
}

/** The patterns of an entity follow each other: of those that are the same to the matcher, the first is enough. */
function addOnce(patterns: Pattern[], pattern: Pattern): void {
  const last = patterns.at(-1);
  const isSame =
    last?.entityId === pattern.entityId &&
    last.kind === pattern.kind &&
    last.isCaseSensitive === pattern.isCaseSensitive;
  if (!isSame) patterns.push(pattern);
}

function joined(all: readonly GrowingSpelling[]): Spelling | null {
  const unseparated = all.filter(({ aparts }) => aparts === 0);
  const [first] = unseparated;
  if (first === undefined) return null;
  if (unseparated.length === 1) return first;
  const byOrder = (one: Pattern, other: Pattern): number => one.order - other.order;
  const inAnyCase: Pattern[] = [];
  for (const pattern of unseparated.flatMap((one) => one.inAnyCase).toSorted(byOrder)) addOnce(inAnyCase, pattern);
  const byCase = new Map<string, Pattern[]>();
  const cased = unseparated.flatMap((one) =>
    [...(one.byCase ?? [])].flatMap(([written, patterns]) => patterns.map((pattern) => ({ written, pattern }))),
  );
  for (const { written, pattern } of cased.toSorted((one, other) => byOrder(one.pattern, other.pattern)))
    if (pattern.isCaseSensitive) addTo(byCase, written, pattern);
  return { joints: null, aparts: 0, inAnyCase, byCase };
}

/** The folded characters, with a space wherever there is a gap. */
function wordsOf({ length, codes, gaps }: FoldedText): string {
  let words = "";
  for (let at = 0; at < length; at++)
    words += (at > 0 && (gaps[at] ?? 0) !== 0 ? " " : "") + String.fromCodePoint(codes[at] ?? 0);
  return words;
}

function jointBefore(folded: FoldedText, at: number, kind: Pattern["kind"]): number {
  if (at === 0) return joint.tight;
  const { codes, cased, gaps, classes } = folded;
  const found = gaps[at] ?? 0;
  if ((found & (gap.space | gap.hyphen | gap.newline | gap.dash)) !== 0) {
    if (kind !== "variant") return joint.apart;
    return (found & (gap.hyphen | gap.dash)) === 0 ? joint.loose : joint.hyphenated;
  }
  if ((found & gap.apostrophe) !== 0) return joint.apostrophe;
  const [before, after] = [classes[at - 1] ?? 0, classes[at] ?? 0];
  if (before === scriptClass.none || after === scriptClass.none) {
    const sign = String.fromCodePoint((before === scriptClass.none ? codes[at - 1] : codes[at]) ?? 0);
    // After a full stop only before a capital: `J. Crew`, not `you. com`.
    const isInitial = sign === "." && before === scriptClass.none && cased[at] !== codes[at];
    return sign === "&" || sign === "+" || isInitial ? joint.sign : joint.tight;
  }
  if (before !== after) return joint.loose;
  return before === scriptClass.spaced ? jointInWord(folded, at) : joint.tight;
}

/** Names are also written in parts where they have a capital letter or a number inside a word. */
function jointInWord(folded: FoldedText, at: number): number {
  const { codes } = folded;
  const isCapital = (index: number): boolean => folded.cased[index] !== codes[index];
  const isDigit = (index: number): boolean => (codes[index] ?? 0) >= 0x30 && (codes[index] ?? 0) <= 0x39;
  if (isDigit(at)) {
    if (isDigit(at - 1) || at < 2) return joint.tight;
    // `GPT4` and `iPhone15` are no words with a number, as `Level3` is one.
    return isCapital(at - 1) || hasInnerCapital(folded, at) ? joint.loose : joint.exact;
  }
  if (!isCapital(at)) return joint.tight;
  if (isDigit(at - 1)) return lettersFrom(folded, at) > 2 ? joint.exact : joint.tight;
  if (isCapital(at - 1)) return joint.tight;
  const letters = lettersFrom(folded, at);
  let capitals = 1;
  while (capitals < letters && isCapital(at + capitals)) capitals++;
  if (capitals < letters || letters === 1) return joint.inner;
  return capitals === 2 ? joint.abbreviation : joint.loose;
}

/** True if the word that ends before `at` has a capital letter that is not its first. */
function hasInnerCapital({ codes, cased, gaps }: FoldedText, at: number): boolean {
  for (let index = at - 1; index > 0 && index > at - lettersMax && gaps[index] === 0; index--)
    if (cased[index] !== codes[index]) return true;
  return false;
}

/** So many letters of a word are looked at, so that the work is in proportion to the length of a name. */
const lettersMax = 8;

/** The number of letters of the word from `at` on. */
function lettersFrom({ length, codes, gaps, classes }: FoldedText, at: number): number {
  let end = at + 1;
  while (
    end < Math.min(length, at + lettersMax) &&
    gaps[end] === 0 &&
    classes[end] === scriptClass.spaced &&
    (codes[end] ?? 0) > 0x39
  )
    end++;
  return end - at;
}

/**
 * The other spellings of a name that are the same name to every reader, but have other characters than separators: `Dr Martens` of
 * `Dr. Martens`, `NodeJS` of `Node.js`. Each is searched for like the name itself.
 */
export interface NameSpelling {
  readonly text: string;
  /** Found only in this case, because in another it is something else: `Head and Shoulders`. */
  readonly isCaseSensitive: boolean;
}

function otherSpellings(name: string): readonly NameSpelling[] {
  if (!/[.&\s]|\p{Ll}\p{Lu}|^ال/u.test(name)) return [];
  const found = new Map<string, NameSpelling>();
  const add = (text: string, isCaseSensitive = false): void => {
    if (text !== name && !found.has(text)) found.set(text, { text, isCaseSensitive });
  };
  add(withAbbreviations(name, /(^|\s)(\p{L}{1,4})\.(?=\s|$)/gu, ""));
  add(withAbbreviations(name, /(^|\s)(\p{L}{1,4})(?=\s)/gu, "."));
  add(name.replace(initials, (whole) => whole.replaceAll(/\.\s?/gu, "")));
  add(name.replace(/^\p{Lu}{2,3}(?=\s)/u, (letters) => Array.from(letters, (letter) => `${letter}.`).join("")));
  add(withoutEnding(name));
  // `Node.js` of NodeJS.
  add(
    name.replace(/^(\S*\p{Ll})(\p{Lu}{2})$/u, (_, word: string, ending: string) => `${word}.${ending.toLowerCase()}`),
  );
  add(name.replaceAll(" & ", " and "), true);
  add(name.replaceAll(/ and /giu, " & "));
  // Arabic contracts the preposition and the article that a name begins with.
  add(name.replace(/^ال(?=ل)/u, "").replace(/^ال/u, "لل"));
  return [...found.values()];
}

/** Words that are written with or without a full stop, as initials are. A full stop after any other word ends a sentence. */
const abbreviations = new Set("dr drs mr mrs ms st ste mt ft prof jr sr bros co inc ltd corp".split(" "));

function withAbbreviations(name: string, word: RegExp, ending: string): string {
  return name.replaceAll(word, (whole, before: string, letters: string) => {
    const isInitial = /^\p{Lu}$/u.test(letters);
    return isInitial || abbreviations.has(letters.toLowerCase()) ? `${before}${letters}${ending}` : whole;
  });
}

/** `J.P.` before another word. */
const initials = /^\p{Lu}\.(?:\s?\p{Lu}\.)+(?=\s\p{L}{2})/u;

/** `NodeJS` of `Node.js`, and `OtterAI` of `Otter.ai`. Other endings that are domains are words: `Notion.so`. */
function withoutEnding(name: string): string {
  return name.replace(
    /^(\S*\p{Ll})\.([Jj][Ss]|[Aa][Ii])$/u,
    (_, word: string, ending: string) => `${word}${ending.toUpperCase()}`,
  );
}
