import { joint, type CompiledEntities, type Pattern, type Spelling } from "./compile-entities.ts";
import { Folder, gap, type FoldedText } from "./fold-text.ts";
import { NameAutomaton } from "./name-automaton.ts";
import { findSkippedSpans } from "./skipped-spans.ts";
import { WordBoundaries } from "./word-boundaries.ts";

/** One place at which a text names an entity. */
export interface Mention {
  readonly entityId: string;
  /** The variant as it is defined. */
  readonly variant: string;
  /** UTF-16 offsets in the text: `text.slice(start, end)` is what was written. */
  readonly start: number;
  readonly end: number;
}

/**
 * The version of the rules, which belongs to every count. From 2 on, lists are looked for, too; from 3 on, in every form, and without those
 * that warn or name sources, and names in other spellings. The words of Chinese, Japanese and Thai are those of ICU's dictionary, so its
 * version is part of it.
 */
export const matcherVersion = `3-icu${process.versions["icu"]}`;

/** At most so many mentions of a text are returned. */
export const mentionsMax = 10_000;

export interface FoundMentions {
  readonly mentions: readonly Mention[];
  /** False if the text has more than `mentionsMax`, or was not searched to its end because that takes too many steps. */
  readonly isComplete: boolean;
}

/**
 * The steps that the search of a text may take, in addition to reading it once: a step is a name that ends at a place of the text and
 * is looked at, or a part of this. Brands take less than one for each hundred characters. More are needed where thousands of
 * names are nested into each other, or differ only in their separators.
 */
export const stepsMaxOf = (text: string): number => 200_000 + 16 * text.length;

export interface SearchOptions {
  readonly stepsMax?: number;
  /** Each entity is searched for as if there were no other; the mentions are in order for each of them. */
  readonly isEachAlone?: boolean;
}

/**
 * The mentions of entities in a Markdown text, by their order. Where mentions overlap, the one that starts first counts, then the
 * longest: `Delta Faucet` is not Delta. Entities with the same variant are all mentioned. The time is in proportion to the length of
 * the text, whatever the entities are.
 */
export function findMentions(
  text: string,
  compiled: CompiledEntities,
  { stepsMax = stepsMaxOf(text), isEachAlone = false }: SearchOptions = {},
): FoundMentions {
  if (compiled.spellings.size === 0) return { mentions: [], isComplete: true };
  const candidates = new CandidateSearch(text, compiled, stepsMax);
  const isSearched = candidates.run();
  const { hits, contexts } = candidates;
  const allowed = contexts.length === 0 ? hits : withoutContexts(text, hits, contexts);
  const mentions = eachProject(allowed, compiled, (hits) => {
    const prose = hits.length === 0 ? [] : inProse(text, hits);
    const resolved = isEachAlone
      ? [...Map.groupBy(prose, ({ pattern }) => pattern.entityId).values()].flatMap(resolveOverlaps)
      : resolveOverlaps(prose);
    return withoutTranslations(text, resolved);
  });
  const isComplete = isSearched && (isEachAlone || mentions.length <= mentionsMax);
  return { mentions: isEachAlone ? mentions : mentions.slice(0, mentionsMax), isComplete };
}

/** The mentions of each project are those that there would be without the others. */
function eachProject(
  hits: readonly Hit[],
  { projects }: CompiledEntities,
  mentionsOf: (hits: readonly Hit[]) => readonly Mention[],
): readonly Mention[] {
  if (projects.size === 0) return mentionsOf(hits);
  const groups = [...Map.groupBy(hits, ({ pattern }) => projects.get(pattern.entityId) ?? null).values()];
  if (groups.length <= 1) return mentionsOf(hits);
  return groups.flatMap(mentionsOf).toSorted((one, other) => one.start - other.start || other.end - one.end);
}

/** Without those in code and in addresses, and those that are numbers. A name that is written as a host counts with its ending. */
function inProse(text: string, hits: readonly Hit[]): readonly Hit[] {
  const skipped = findSkippedSpans(text);
  const prose: Hit[] = [];
  const hosts: Hit[] = [];
  for (const hit of hits) {
    const { pattern, start, end } = hit;
    if (isQuantity(text, start, end)) continue;
    const endInProse = skipped.endInProse(start, end);
    if (endInProse === end) prose.push(hit);
    else if (endInProse !== null) hosts.push({ pattern, start, end: endInProse });
  }
  if (hosts.length === 0) return prose;
  // If the host itself is the name of an entity, it is not another one's name with an ending.
  const wholes = new Set(prose.map(({ end }) => end));
  for (const host of hosts) if (!wholes.has(host.end)) prose.push(host);
  return prose;
}

interface Hit {
  readonly pattern: Pattern;
  readonly start: number;
  readonly end: number;
}

/** Bounds the memory of a text that names thousands of entities at every word. */
const candidatesMax = 100_000;

const folder = new Folder();

/** The names and contexts that stand in a text as words, wherever they overlap. */
class CandidateSearch {
  readonly hits: Hit[] = [];
  readonly contexts: Hit[] = [];
  readonly #compiled: CompiledEntities;
  readonly #folded: FoldedText;
  readonly #boundaries: WordBoundaries;
  /** For each atom, the last one up to it that has a gap before it. */
  readonly #gapUpTo: Uint32Array;
  #stepsLeft: number;

  constructor(text: string, compiled: CompiledEntities, stepsMax: number) {
    this.#compiled = compiled;
    this.#folded = folder.fold(text);
    this.#boundaries = new WordBoundaries(text, this.#folded);
    this.#gapUpTo = gapArray(this.#folded.length);
    this.#stepsLeft = stepsMax;
  }

  /** False if it was given up. */
  run(): boolean {
    const { automaton } = this.#compiled;
    const { length, codes, gaps } = this.#folded;
    const boundaries = this.#boundaries;
    let node: number = NameAutomaton.root;
    let gapAt = 0;
    for (let last = 0; last < length; last++) {
      const found = gaps[last] ?? 0;
      if (found !== 0) {
        gapAt = last;
        // No name continues in another block.
        if ((found & gap.block) !== 0) node = NameAutomaton.root;
      }
      this.#gapUpTo[last] = gapAt;
      if (node === NameAutomaton.root && boundaries.isInsideWord(last)) continue;
      node = automaton.next(node, codes[last] ?? 0);
      if (node === NameAutomaton.root) continue;
      let name = automaton.nameAt(node);
      if (name === 0 || boundaries.isBeforeLetter(last)) continue;
      for (; name !== 0; name = automaton.shorterName(name)) {
        if (--this.#stepsLeft < 0) return false;
        const first = last + 1 - automaton.lengthOf(name);
        if (boundaries.isInsideWord(first) || !boundaries.isEnd(first, last) || !boundaries.isStart(first, last))
          continue;
        if (!this.#take(name, first, last)) return false;
      }
    }
    return true;
  }

  /** Adds the patterns of a name that are written as the text is. */
  #take(name: number, first: number, last: number): boolean {
    const spellings = this.#compiled.spellings.get(name);
    if (spellings === undefined) return true;
    let written: string | null = null;
    const writtenText = (): string => (written ??= this.#writtenText(first, last));
    if ((this.#gapUpTo[last] ?? 0) <= first) {
      const { unseparated } = spellings;
      return unseparated === null || this.#takeSpelling(unseparated, false, writtenText, first, last);
    }
    for (const spelling of spellings.all) {
      const needsCase = this.#needsCase(spelling, first, last);
      if (needsCase !== null && !this.#takeSpelling(spelling, needsCase, writtenText, first, last)) return false;
      if (this.#stepsLeft < 0) return false;
    }
    return true;
  }

  #takeSpelling(
    { inAnyCase, byCase }: Spelling,
    needsCase: boolean,
    writtenText: () => string,
    first: number,
    last: number,
  ): boolean {
    if (!needsCase) for (const pattern of inAnyCase) if (!this.#takePattern(pattern, first, last)) return false;
    if (byCase === null) return true;
    for (const pattern of byCase.get(writtenText()) ?? [])
      if ((needsCase || pattern.isCaseSensitive) && !this.#takePattern(pattern, first, last)) return false;
    return true;
  }

  #takePattern(pattern: Pattern, first: number, last: number): boolean {
    const { hits, contexts } = this;
    if (--this.#stepsLeft < 0 || hits.length + contexts.length >= candidatesMax) return false;
    const hit = { pattern, start: this.#folded.starts[first] ?? 0, end: this.#folded.ends[last] ?? 0 };
    if (pattern.kind === "variant") hits.push(hit);
    else contexts.push(hit);
    return true;
  }

  /** The characters with their case. */
  #writtenText(first: number, last: number): string {
    const { cased } = this.#folded;
    this.#stepsLeft -= last - first;
    let written = "";
    for (let at = first; at <= last; at++) written += String.fromCodePoint(cased[at] ?? 0);
    return written;
  }

  /** Whether the separators demand the case of the pattern; null if they are not those of the spelling. */
  #needsCase({ joints, aparts }: Spelling, first: number, last: number): boolean | null {
    let needsCase = false;
    let apartsLeft = aparts;
    for (let at = this.#gapUpTo[last] ?? 0; at > first; at = this.#gapUpTo[at - 1] ?? 0) {
      this.#stepsLeft--;
      const found = this.#folded.gaps[at] ?? 0;
      const allowed = joints?.[at - first] ?? joint.tight;
      if (allowed === joint.apart) apartsLeft--;
      // A word that is broken at the end of a line.
      if (found === (gap.hyphen | gap.newline)) continue;
      if (!isAllowed(allowed, found)) return null;
      needsCase ||= this.#jointNeedsCase(allowed, first, at);
    }
    return apartsLeft === 0 ? needsCase : null;
  }

  /** Whether a separator before the atom `at` demands that the name is written in its case. */
  #jointNeedsCase(allowed: number, first: number, at: number): boolean {
    const { gaps, codes, cased } = this.#folded;
    const isCapital = (atom: number): boolean => cased[atom] !== codes[atom];
    switch (allowed) {
      case joint.exact:
        return true;
      case joint.inner:
        return gaps[at] !== gap.hyphen;
      case joint.abbreviation: {
        const wordStart = Math.max(first, this.#gapUpTo[at - 1] ?? 0);
        return gaps[at] !== gap.hyphen && isCapital(at) && !isCapital(wordStart);
      }
      default:
        return false;
    }
  }
}

let gapsKept = new Uint32Array(1024);
/** An array for a text of this length, which is kept for the next one. */
function gapArray(length: number): Uint32Array {
  if (length > gapsKept.length) {
    const longer = new Uint32Array(2 * length);
    if (length > 64 * 1024) return longer;
    gapsKept = longer;
  }
  return gapsKept;
}

function withoutContexts(text: string, hits: readonly Hit[], contexts: readonly Hit[]): readonly Hit[] {
  const sentences = contexts.some(({ pattern }) => pattern.kind === "sentence") ? sentencesOf(text) : null;
  const excluded = new Set<string>();
  const phrases = new Map<string, Hit[]>();
  for (const context of contexts) {
    const { entityId, kind } = context.pattern;
    if (kind === "sentence") excluded.add(`${entityId} ${sentences?.indexAt(context.start)}`);
    else {
      const of = phrases.get(entityId);
      if (of === undefined) phrases.set(entityId, [context]);
      else of.push(context);
    }
  }
  const covering = new Map([...phrases].map(([entityId, of]) => [entityId, joined(of)]));
  return hits.filter(({ pattern: { entityId }, start, end }) => {
    if (sentences !== null && excluded.has(`${entityId} ${sentences.indexAt(start)}`)) return false;
    return !isCovered(covering.get(entityId) ?? [], start, end);
  });
}

/** Phrases by their start, each with the furthest end of those up to it. */
function joined(phrases: readonly Hit[]): { start: number; end: number }[] {
  let furthest = 0;
  return phrases.map(({ start, end }) => ({ start, end: (furthest = Math.max(furthest, end)) }));
}

function isCovered(phrases: readonly { start: number; end: number }[], start: number, end: number): boolean {
  let [low, high] = [0, phrases.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((phrases[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return (phrases[low - 1]?.end ?? 0) >= end;
}

function resolveOverlaps(hits: readonly Hit[]): Mention[] {
  const ordered = hits.toSorted((a, b) => a.start - b.start || b.end - a.end || a.pattern.order - b.pattern.order);
  const mentions: Mention[] = [];
  const atSpan = new Set<string>();
  let last = { start: -1, end: -1 };
  for (const { pattern, start, end } of ordered) {
    const isSame = start === last.start && end === last.end;
    if (start < last.end && !isSame) continue;
    if (!isSame) atSpan.clear();
    if (atSpan.has(pattern.entityId)) continue;
    atSpan.add(pattern.entityId);
    last = { start, end };
    mentions.push({ entityId: pattern.entityId, variant: pattern.text, start, end });
  }
  return mentions;
}

/** `3M` before `users` is a number. Only names that can be one are looked at. */

const numberAndMagnitude = /^\d+(?:\.\d+)?[kmb]$/iu;

const counted =
  "accounts?|answers?|articles?|barrels?|billion|calls|citizens|clicks|coins|companies|copies|creators|customers|daily|deals|developers|" +
  "devices|dollars|downloads|downloaders|drivers|employees|euros|events|families|fans|files|followers|gamers|guests|homes|hours|households|" +
  "images|impressions|installs|installations|items|jobs|km|kilometers|kilometres|likes|listeners|listings|lines|members|messages|meters|metres|" +
  "miles|minutes|monthly|orders|pages|parameters|patients|people|photos|players|plays|posts|pounds|products sold|questions|readers|records|" +
  "requests|residents|reviews|riders|rows|sales|searches|seconds|sellers|sessions|shares|shoppers|songs|stars|streams|students|subscribers|" +
  "subscriptions|teams|tokens|tons|tonnes|transactions|trips|tweets|units|usd|eur|users?|vehicles|videos|viewers|views|visitors|visits|" +
  "voters|votes|websites|weekly|women|men|children|words|workers|yen|yuan|years";
const adjectives =
  "active|additional|concurrent|daily|different|free|global|happy|logged-in|monthly|more|new|online|other|paid|paying|registered|total|unique|weekly|yearly";
const after = new RegExp(
  `^\\+?(?:[ \\u00a0]|-)(?:(?:of )?(?:${adjectives}),? (?:and )?){0,2}(?:${counted})(?![\\p{L}\\p{N}])`,
  "iu",
);
const before = /(?:[~≈]|(?<!\p{L})(?:nearly|almost|roughly|approximately|(?:more|fewer|less) than))[ \u00a0]?$/iu;
/** More than the longest of them. */
const charsBeforeMax = 20;
const charsAfterMax = 80;

/** True if the text between the offsets is a number that counts what stands after it. */
function isQuantity(text: string, start: number, end: number): boolean {
  if (!isDigit(text.charCodeAt(start)) || end - start > charsBeforeMax) return false;
  if (!numberAndMagnitude.test(text.slice(start, end))) return false;
  return (
    after.test(text.slice(end, end + charsAfterMax)) ||
    before.test(text.slice(Math.max(0, start - charsBeforeMax), start))
  );
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The sentences of a text, for negative contexts: the end of a line ends one too. */
export interface Sentences {
  /** Ascending with the offset. */
  indexAt(offset: number): number;
}

function sentencesOf(text: string): Sentences {
  const ends = Array.from(text.matchAll(/[.!?…؟][*_"'”’)\]]*(?=\s)|[。！？]|\n/gu), ({ index }) => index);
  return {
    indexAt(offset) {
      let [low, high] = [0, ends.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((ends[middle] ?? 0) < offset) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** Whether a text may have a separator, as bits of `gap`, at a joint of a name. */
function isAllowed(allowed: number, found: number): boolean {
  switch (allowed) {
    case joint.loose:
    case joint.apart:
    case joint.inner:
    case joint.exact:
    case joint.abbreviation:
      return isSeparator(found);
    case joint.hyphenated:
      return isSeparator(found) || found === gap.dash;
    case joint.apostrophe:
      return found === gap.apostrophe;
    case joint.sign:
      return found === gap.space;
    default:
      return false;
  }
}

/** A space, a hyphen or the end of a line. A hyphen between spaces is a dash. */
const isSeparator = (found: number): boolean =>
  (found & (gap.apostrophe | gap.block | gap.dash)) === 0 &&
  (found & (gap.space | gap.hyphen)) !== (gap.space | gap.hyphen);

/** A mention of an entity. */
interface Named {
  readonly entityId: string;
  readonly start: number;
  readonly end: number;
}

/** `小米（Xiaomi）` is one mention. */
function withoutTranslations<Mention extends Named>(text: string, mentions: readonly Mention[]): readonly Mention[] {
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
