/** Finds passages that answer a question: one exact search, or with `deepAnalysis` several wider ones, merged. */
import type { Hit, Index, SearchMode } from "./passage-index.ts";
import { isCommon, questionWords, words, type Word } from "./words.ts";

export interface Search {
  /** The query that was run, in readable words. */
  readonly query: string;
  readonly mode: SearchMode;
  readonly hits: readonly Hit[];
}

export interface FoundPassages {
  readonly words: readonly Word[];
  readonly searches: readonly Search[];
  /** Best document first; the passages of one document together, in its order. */
  readonly passages: readonly Hit[];
  readonly related: readonly Word[];
  /** The number of passages that were found but not quoted, for lack of coverage or space. */
  readonly candidates: number;
}

/** The share of a question that a passage must cover to be quoted. */
export const coverageMin = { plain: 0.48, deep: 0.45 } as const;
export const passagesMax = { plain: 4, deep: 8 } as const;
export const passagesPerDocumentMax = 2;
/** A passage with less than this share of the best score is not quoted beside it. */
const scoreShareMin = 0.35;
const relatedMax = 5;
const aspectsMax = 4;

export function findPassages(index: Index, question: string, deep: boolean): FoundPassages {
  const asked = questionWords(question);
  const first: Search = { query: shown(asked), mode: "exact", hits: index.search(asked, "exact") };
  if (!deep) return found(asked, [first], select(first.hits, "plain"), [], first.hits.length);

  const searches = [first, { query: shown(asked), mode: "near", hits: index.search(asked, "near") } satisfies Search];
  for (const aspect of aspectsOf(question)) {
    searches.push({ query: shown(aspect), mode: "near", hits: index.search(aspect, "near") });
  }
  const related = relatedWords(index, asked, select(first.hits, "plain"));
  if (related.length > 0) {
    const wider = [...asked, ...related];
    searches.push({ query: shown(wider), mode: "exact", hits: index.search(wider, "exact") });
  }
  const fused = fuse(searches, asked, index);
  return found(asked, searches, select(fused, "deep"), related, fused.length);
}

function found(
  asked: readonly Word[],
  searches: readonly Search[],
  passages: readonly Hit[],
  related: readonly Word[],
  candidates: number,
): FoundPassages {
  return { words: asked, searches, passages, related, candidates };
}

function select(hits: readonly Hit[], depth: "plain" | "deep"): Hit[] {
  const best = hits[0]?.score ?? 0;
  const perDocument = new Map<string, Hit[]>();
  let count = 0;
  for (const hit of hits) {
    if (count === passagesMax[depth] || hit.score < best * scoreShareMin) break;
    if (hit.coverage < coverageMin[depth]) continue;
    const chosen = perDocument.get(hit.document.file) ?? [];
    if (chosen.length === passagesPerDocumentMax) continue;
    perDocument.set(
      hit.document.file,
      [...chosen, hit].sort((a, b) => a.id - b.id),
    );
    count += 1;
  }
  return [...perDocument.values()].flat();
}

/** Reciprocal rank fusion: combines the ranks of several searches, regardless of the meaning of their scores. */
function fuse(searches: readonly Search[], asked: readonly Word[], index: Index): Hit[] {
  const fused = new Map<number, Hit>();
  const wholeQuestion = shown(asked);
  for (const { query, mode, hits } of searches) {
    for (const [rank, hit] of hits.slice(0, fusedPerSearchMax).entries()) {
      const before = fused.get(hit.id);
      const score = (before?.score ?? 0) + 1 / (rankOffset + rank);
      const covered = query === wholeQuestion ? hit.coverage * modeFactor[mode] : coverage(hit, asked, index);
      fused.set(hit.id, { ...hit, score, coverage: Math.max(before?.coverage ?? 0, covered) });
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || a.id - b.id);
}
const fusedPerSearchMax = 30;
const rankOffset = 10;
/** A similar word is a weaker sign than the word itself. */
const modeFactor = { exact: 1, near: 0.8 } as const;

/**
 * Searches for an aspect cover that aspect, but the whole question counts in the end. Words with the same beginning as one of
 * its words count too.
 */
function coverage(hit: Hit, asked: readonly Word[], index: Index): number {
  const text = `${hit.document.title} ${hit.passage.heading} ${hit.passage.markdown}`;
  const own = new Set([...words(text)].map(({ term }) => term));
  let total = 0;
  let covered = 0;
  for (const { term } of asked) {
    total += index.weight(term);
    if (own.has(term) || (term.length >= 4 && [...own].some((word) => word.startsWith(term))))
      covered += index.weight(term);
  }
  return total === 0 ? 0 : covered / total;
}

/** `Which grinder and what water?` has two aspects. */
function aspectsOf(question: string): Word[][] {
  const parts = question.split(
    /[,;:?!.，、；：？！。\n]|\b(?:and|or|vs\.?|versus|but|with|without)\b|和|与|及|或者|还是/iu,
  );
  const aspects = parts
    .map((part) => questionWords(part).filter((word) => !isCommon(word)))
    .filter((part) => part.length > 0);
  return aspects.length < 2 ? [] : aspects.slice(0, aspectsMax);
}

/** Characteristic words of the best passages that the question did not contain. */
function relatedWords(index: Index, asked: readonly Word[], best: readonly Hit[]): Word[] {
  const own = new Set(asked.map(({ term }) => term));
  const weights = new Map<string, { word: Word; weight: number }>();
  for (const { passage } of best) {
    for (const word of words(passage.markdown)) {
      if (own.has(word.term) || isCommon(word) || word.shown.length < 2 || /^\p{N}/u.test(word.shown)) continue;
      const entry = weights.get(word.term) ?? { word, weight: 0 };
      entry.weight += index.weight(word.term);
      weights.set(word.term, entry);
    }
  }
  return [...weights.values()]
    .sort((a, b) => b.weight - a.weight || (a.word.term < b.word.term ? -1 : 1))
    .slice(0, relatedMax)
    .map(({ word }) => word);
}

const shown = (query: readonly Word[]): string => query.map((word) => word.shown).join(" ");
