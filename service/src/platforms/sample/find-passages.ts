/** Finds passages that answer a question: one exact search, or with `deepAnalysis` several wider ones, merged. */
import { isCommon, questionWords, words, type Word, terms } from "./words.ts";
import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";
import type { CatalogueCard, Corpus, CorpusDocument, Passage } from "./corpus.ts";

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

interface IndexedPassage {
  readonly document: CorpusDocument;
  readonly passage: Passage;
  /** Its index in the whole corpus. */
  readonly id: number;
}

export interface Hit extends IndexedPassage {
  readonly score: number;
  /** From 0 to 1: the share of the question's weight on words that the passage contains. Rare words weigh more. */
  readonly coverage: number;
}

export interface CardHit {
  readonly card: CatalogueCard;
  readonly id: number;
  readonly score: number;
  readonly coverage: number;
}

export interface Index {
  readonly corpus: Corpus;
  readonly passages: readonly IndexedPassage[];
  search(query: readonly Word[], mode: SearchMode): Hit[];
  searchCards(query: readonly Word[]): CardHit[];
  /** How characteristic a term is: high for rare ones. */
  weight(term: string): number;
}

/** `near` also matches words that begin with a word of the query, or differ from it by about a letter. */
type SearchMode = "exact" | "near";

/**
 * Indexes a corpus for a full-text search over its passages and cards: BM25 by MiniSearch, and the share of a question that a passage
 * covers. A passage costs about 0.1 ms, so a large folder takes seconds: it yields to the event loop meanwhile.
 */
export async function buildIndex(corpus: Corpus): Promise<Index> {
  const pause = yieldToEventLoop();
  const passages: IndexedPassage[] = [];
  const frequencies = new Map<string, number>();
  const count = (found: Iterable<string>): void => {
    for (const term of new Set(found)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  };

  const search = newSearch(["title", "heading", "text"]);
  for (const document of corpus.documents) {
    const title = terms(document.title);
    for (const passage of document.passages) {
      await pause();
      const id = passages.length;
      const heading = terms(passage.heading);
      const text = terms(passage.markdown);
      count([...title, ...heading, ...text]);
      search.add({ id, title: title.join(" "), heading: heading.join(" "), text: text.join(" ") });
      passages.push({ document, passage, id });
    }
  }

  const cardSearch = newSearch(["title", "keywords"]);
  for (const [id, card] of corpus.cards.entries()) {
    await pause();
    const title = terms(card.draft.card.title ?? "");
    cardSearch.add({ id, title: title.join(" "), keywords: card.keywords.flatMap((word) => terms(word)).join(" ") });
  }

  const weight = (term: string): number => weightOf(term, frequencies.get(term), passages.length);
  const coverageOf = (query: readonly Word[], { queryTerms, match }: SearchResult, factor: number): number => {
    const found = new Set(queryTerms);
    const inTitle = new Set(Object.keys(match).filter((term) => match[term]?.includes("title")));
    let total = 0;
    let covered = 0;
    for (const { term } of query) {
      total += weight(term);
      if (found.has(term)) covered += weight(term) * (inTitle.has(term) ? factor : 1);
    }
    return total === 0 ? 0 : Math.min(1, covered / total);
  };
  /** In a large corpus, words that half of the passages contain are useless and cost the most. */
  const telling = (query: readonly Word[]): readonly Word[] => {
    if (passages.length < 1_000) return query;
    const rare = query.filter(({ term }) => (frequencies.get(term) ?? 0) < passages.length / 5);
    return rare.length > 0 ? rare : query;
  };

  return {
    corpus,
    passages,
    weight,
    search(query, mode) {
      const results = search.search(queryText(telling(query)), mode === "near" ? near : exact);
      const hits: Hit[] = [];
      for (const result of results.slice(0, hitsMax)) {
        const indexed = passages[Number(result.id)];
        if (indexed !== undefined)
          hits.push({ ...indexed, score: result.score, coverage: coverageOf(query, result, titleFactor) });
      }
      return hits.sort(byScore);
    },
    searchCards(query) {
      const hits: CardHit[] = [];
      for (const result of cardSearch.search(queryText(query), exact).slice(0, hitsMax)) {
        const id = Number(result.id);
        const card = corpus.cards[id];
        if (card !== undefined) hits.push({ card, id, score: result.score, coverage: coverageOf(query, result, 1) });
      }
      return hits.sort(byScore);
    },
  };
}

/** How much a term distinguishes passages. */
function weightOf(term: string, known: number | undefined, passages: number): number {
  // A word that the corpus does not contain counts, but must not dominate: the question may not need it. A word that nearly all
  // passages contain counts for nothing.
  const frequency = Math.min(passages, known === undefined ? 2 + passages / unknownShare : Math.max(known, 2));
  const rarity = Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5));
  return /^\p{N}+$/u.test(term) ? rarity * numberFactor : rarity;
}

/** A word of the question in the document's title counts more than one in its text. */
const titleFactor = 1.25;
const hitsMax = 200;
/** A word that no passage contains weighs as much as one that a fortieth of them, and two more, contain. */
const unknownShare = 40;
/** Numbers in a question are mostly amounts and years; few documents contain the same ones. */
const numberFactor = 0.3;

const exact: SearchOptions = { boost: { title: 3, heading: 1.5, keywords: 1 } };
const near: SearchOptions = {
  ...exact,
  prefix: (term) => term.length >= 4,
  fuzzy: (term) => (term.length >= 5 && /^[a-z]+$/u.test(term) ? 0.15 : false),
  weights: { prefix: 0.4, fuzzy: 0.3 },
};

/** The texts are passed as terms separated by spaces: each text is tokenized once, here, and not again by MiniSearch. */
function newSearch(fields: string[]): MiniSearch {
  return new MiniSearch({
    fields,
    tokenize: (text) => (text === "" ? [] : text.split(" ")),
    processTerm: (term) => term,
    autoVacuum: false,
  });
}

const queryText = (query: readonly Word[]): string => query.map(({ term }) => term).join(" ");

/** A stable order: ties are sorted by position in the folder. */
function byScore(a: { score: number; id: number }, b: { score: number; id: number }): number {
  return b.score - a.score || a.id - b.id;
}
