import { joint, type CompiledEntities, type Pattern } from "./compile-entities.ts";
import { foldText, gap, type FoldedText } from "./fold-text.ts";
import { sentencesOf } from "./sentences.ts";
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
 * The version of the rules, which belongs to every count. From 2 on, lists and recommendations are looked for, too. The words
 * of Chinese, Japanese and Thai are those of ICU's dictionary, so its version is part of it.
 */
export const matcherVersion = `2-icu${process.versions["icu"]}`;

/** At most so many mentions of a text are returned. */
export const mentionsMax = 10_000;

export interface FoundMentions {
  readonly mentions: readonly Mention[];
  /** False if the text has more than `mentionsMax`. */
  readonly isComplete: boolean;
}

/**
 * The mentions of entities in a Markdown text, by their order. Where mentions overlap, the one that starts first counts, then the
 * longest: `Delta Faucet` is not Delta. Entities with the same variant are all mentioned.
 */
export function findMentions(text: string, { root }: CompiledEntities): FoundMentions {
  if (root.next.size === 0) return { mentions: [], isComplete: true };
  const folded = foldText(text);
  const candidates = findCandidates(text, folded, root);
  const { hits, contexts } = candidates;
  const allowed = contexts.length === 0 ? hits : withoutContexts(text, hits, contexts);
  const skipped = allowed.length === 0 ? null : findSkippedSpans(text);
  const prose = allowed.filter(({ start, end }) => skipped?.covers(start, end) === false);
  const mentions = resolveOverlaps(prose);
  return {
    mentions: mentions.slice(0, mentionsMax),
    isComplete: candidates.isComplete && mentions.length <= mentionsMax,
  };
}

interface Hit {
  readonly pattern: Pattern;
  readonly start: number;
  readonly end: number;
}

/** Bounds the memory and the time of a text that names thousands of entities at every word. */
const candidatesMax = 100_000;

function findCandidates(text: string, folded: FoldedText, root: CompiledEntities["root"]) {
  const { length, codes, starts, ends } = folded;
  const boundaries = new WordBoundaries(text, folded);
  const hits: Hit[] = [];
  const contexts: Hit[] = [];
  for (let first = 0; first < length; first++) {
    let node = root.next.get(codes[first] ?? 0);
    if (node === undefined || boundaries.isInsideWord(first)) continue;
    for (let last = first; node !== undefined; node = node.next.get(codes[++last] ?? 0)) {
      if (last >= length) break;
      if (last > first && ((folded.gaps[last] ?? 0) & gap.block) !== 0) break;
      if (node.patterns === null || !boundaries.isEnd(first, last) || !boundaries.isStart(first, last)) continue;
      for (const pattern of node.patterns) {
        if (!isWritten(pattern, folded, first)) continue;
        if (hits.length + contexts.length >= candidatesMax) return { hits, contexts, isComplete: false };
        const hit = { pattern, start: starts[first] ?? 0, end: ends[last] ?? 0 };
        if (pattern.kind === "variant") hits.push(hit);
        else contexts.push(hit);
      }
    }
  }
  return { hits, contexts, isComplete: true };
}

/** True if the gaps and the case of the text are those that the pattern allows. */
function isWritten({ cased, joints, isCaseSensitive }: Pattern, folded: FoldedText, first: number): boolean {
  let needsCase = isCaseSensitive;
  for (let at = 1; at < joints.length; at++) {
    const found = folded.gaps[first + at] ?? 0;
    if (found === 0) {
      if (joints[at] === joint.apart) return false;
      continue;
    }
    // A word that is broken at the end of a line.
    if (found === (gap.hyphen | gap.newline)) continue;
    switch (joints[at]) {
      case joint.loose:
      case joint.apart:
        if (!isSeparator(found)) return false;
        break;
      case joint.apostrophe:
        if (found !== gap.apostrophe) return false;
        break;
      case joint.sign:
        if (found !== gap.space) return false;
        break;
      case joint.inner:
        if (!isSeparator(found)) return false;
        needsCase = true;
        break;
      default:
        return false;
    }
  }
  return !needsCase || cased.every((code, at) => folded.cased[first + at] === code);
}

/** A space, a hyphen or the end of a line. A hyphen between spaces is a dash. */
const isSeparator = (found: number): boolean =>
  (found & (gap.apostrophe | gap.block)) === 0 && (found & (gap.space | gap.hyphen)) !== (gap.space | gap.hyphen);

function withoutContexts(text: string, hits: readonly Hit[], contexts: readonly Hit[]): readonly Hit[] {
  const sentences = sentencesOf(text);
  const excluded = new Set<string>();
  const phrases = new Map<string, Hit[]>();
  for (const context of contexts) {
    const { entityId, kind } = context.pattern;
    if (kind === "sentence") excluded.add(`${entityId} ${sentences.indexAt(context.start)}`);
    else {
      const of = phrases.get(entityId);
      if (of === undefined) phrases.set(entityId, [context]);
      else of.push(context);
    }
  }
  const covering = new Map([...phrases].map(([entityId, of]) => [entityId, joined(of)]));
  return hits.filter(({ pattern: { entityId }, start, end }) => {
    if (excluded.has(`${entityId} ${sentences.indexAt(start)}`)) return false;
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
  const ordered = hits.toSorted((a, b) => a.start - b.start || b.end - a.end);
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
