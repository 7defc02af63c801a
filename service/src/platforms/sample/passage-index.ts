/**
 * Full-text search over the passages and cards of a corpus: BM25 by MiniSearch, and the share of a question that a passage
 * covers.
 */
import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";
import type { CatalogueCard, Corpus, CorpusDocument, Passage } from "./corpus.ts";
import { terms, type Word } from "./words.ts";

export interface IndexedPassage {
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
export type SearchMode = "exact" | "near";

/** A passage costs about 0.1 ms, so a large folder takes seconds: it yields to the event loop meanwhile. */
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
