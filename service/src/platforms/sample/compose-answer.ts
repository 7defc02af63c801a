/**
 * The answer: unchanged quotations from the folder, each with its source. Nothing is rephrased or added, so it cannot state
 * what no document states; if no document matches the question, it says so.
 */
import type { PhrasingContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { forEachAskedAs, type Source, type Support } from "@querent/contract";
import { describeAskedAs, optionSupport } from "../option-support.ts";
import { siteOf } from "../../kernel/web-address.ts";
import type { PlatformAnswer, AnswerPart, PlatformQuestion, DraftCard } from "../platform.ts";
import type { CorpusDocument } from "./corpus.ts";
import {
  coverageMin,
  findPassages,
  passagesMax,
  passagesPerDocumentMax,
  type FoundPassages,
  type Search,
  type Hit,
  type Index,
  type CardHit,
} from "./find-passages.ts";
import { terms, type Word } from "./words.ts";

/**
 * Search depth, domains and date select documents. The quotations are the same for every reader: the other options are shown in
 * the answer, so that clients can be tried with them.
 */
export const sampleOptions = optionSupport(
  {
    ...forEachAskedAs((): Support => "prompted"),
    model: "native",
    searchDepth: "native",
    domains: "native",
    since: "native",
  },
  { model: ["sample-1"], domains: { allowMax: 100, denyMax: 100, together: true } },
);

export function composeAnswer(index: Index, question: PlatformQuestion, observedAt: Date): PlatformAnswer {
  const { corpus } = index;
  const deep = question.options.deepAnalysis;
  const { domains, since, searchDepth } = question.options;
  const search = findPassages(index, question.text, deep || searchDepth === "high");
  const isWanted = ({ document: { url, publishedAt } }: Hit) =>
    (domains === undefined || isAllowed(siteOf(url), domains)) &&
    (since === undefined || (publishedAt !== null && publishedAt.slice(0, 10) >= since));
  const found = { ...search, passages: search.passages.filter(isWanted) };
  const cards = chooseCards(index, found.words, found.passages, deep);
  return {
    parts: [...parts(index, question.text, found, cards), ...receivedPart(question)],
    sources: sourcesOf(found.passages),
    reasoning: deep ? reasoning(index, found, cards).map((text) => ({ text })) : null,
    search: found.searches.map(({ query, mode, hits }) => ({
      query: mode === "near" ? `${query} (and words like these)` : query,
      results: resultsOf(hits),
    })),
    pageHtml: null,
    modelVersion: `sample-1 (${corpus.name}@${corpus.hash})`,
    observedAt,
    endpoint: null,
    region: null,
    unreadable: [],
  };
}

function parts(index: Index, question: string, found: FoundPassages, cards: ChosenCards): AnswerPart[] {
  const say =
    /\p{Script=Han}/u.test(question) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question) ? chinese : english;
  const name = escaped(index.corpus.name);
  if (found.passages.length === 0) {
    return [{ type: "markdown", markdown: say.nothing(name, index.corpus.documents.length) }];
  }
  const parts: AnswerPart[] = [{ type: "markdown", markdown: say.opening(name, found.passages.length) }];
  for (const [place, hit] of found.passages.entries()) {
    const isLastOfDocument = found.passages[place + 1]?.document !== hit.document;
    const quote = hit.passage.markdown.replaceAll(/^(?=.)/gmu, "> ").replaceAll(/^$/gmu, ">");
    parts.push({ type: "markdown", markdown: isLastOfDocument ? `${quote}\n\n— ${citation(hit.document)}` : quote });
    for (const card of cards.afterPassage[place] ?? []) parts.push(card);
  }
  return parts;
}

function isAllowed(
  host: string,
  { allow = [], deny = [] }: NonNullable<PlatformQuestion["options"]["domains"]>,
): boolean {
  const isIn = (domain: string) => host === domain || host.endsWith(`.${domain}`);
  return (allow.length === 0 || allow.some(isIn)) && !deny.some(isIn);
}

function receivedPart({ options }: PlatformQuestion): AnswerPart[] {
  const received = describeAskedAs(sampleOptions, options);
  if (received === null) return [];
  return [{ type: "markdown", markdown: `Asked with:\n\n${received.replaceAll(/^/gmu, "    ")}` }];
}

const english = {
  opening: (name: string, count: number) =>
    `What the documents of “${name}” say about this, in ${count === 1 ? "one passage" : `${count} passages`}, quoted verbatim:`,
  nothing: (name: string, documents: number) =>
    `Nothing in the ${documents} documents of “${name}” answers this question. This platform quotes those documents and knows nothing else.`,
};
const chinese: typeof english = {
  opening: (name, count) => `“${name}”中的文档对此有如下说明（原文引用 ${count} 段）：`,
  nothing: (name, documents) =>
    `“${name}”的 ${documents} 篇文档中没有这个问题的答案。本平台只引用这些文档，不作其他回答。`,
};

const markdownOptions = { extensions: [gfmToMarkdown()] };
const inline = (children: PhrasingContent[]): string =>
  toMarkdown({ type: "paragraph", children }, markdownOptions).trimEnd();

const escaped = (text: string): string => inline([{ type: "text", value: text }]);

const citations = new WeakMap<CorpusDocument, string>();

function citation(document: CorpusDocument): string {
  const known = citations.get(document);
  if (known !== undefined) return known;
  const title: PhrasingContent = { type: "text", value: document.title };
  const nodes: PhrasingContent[] =
    document.url === ""
      ? [title, { type: "text", value: " " }, { type: "inlineCode", value: document.file }]
      : [{ type: "link", url: document.url, children: [title] }];
  const about = [document.site, document.publishedAt?.slice(0, 10) ?? ""].filter((text) => text !== "").join(", ");
  if (about !== "") nodes.push({ type: "text", value: `, ${about}` });
  const written = inline(nodes);
  citations.set(document, written);
  return written;
}

const summaryCharsMax = 240;

function sourcesOf(passages: readonly Hit[]): Source[] {
  const sources = new Map<string, Source>();
  for (const { document, passage } of passages) {
    if (sources.has(document.file)) continue;
    const { title, url, site, publishedAt } = document;
    sources.set(document.file, { title, url, site, publishedAt, summary: summary(passage.markdown) });
  }
  return [...sources.values()];
}

function summary(markdown: string): string {
  const text = markdown.replace(/\s+/gu, " ");
  return text.length <= summaryCharsMax
    ? text
    : `${text.slice(0, summaryCharsMax - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const resultsPerSearchMax = 10;

function resultsOf(hits: readonly Hit[]) {
  const documents = [...new Set(hits.map(({ document }) => document))].slice(0, resultsPerSearchMax);
  return documents.map(({ title, url, site }) => ({ title, url, site }));
}

/** The steps, from the record of the search. */
function reasoning(index: Index, found: FoundPassages, cards: ChosenCards): string[] {
  const { corpus, passages } = index;
  const [first, ...wider] = found.searches;
  const quoted = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join(", ");
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const searched = ({ query, mode, hits }: Search): string =>
    `“${query}”${mode === "near" ? ", also words that begin alike or differ by a letter," : ""} matched ${hits.length} passages${
      hits[0] === undefined ? "" : `, best in “${hits[0].document.title}”`
    }`;
  const steps = [
    `Took the question as ${found.words.length} words to search for: ${quoted(found.words.map(({ shown }) => shown))}. Words that every question has were left out.`,
  ];
  if (first !== undefined) {
    steps.push(
      `First pass over ${passages.length} passages of ${corpus.documents.length} documents: ${searched(first)}. Rare words weigh more, words in titles three times as much (BM25).`,
    );
  }
  if (found.related.length > 0) {
    steps.push(
      `Took ${quoted(found.related.map(({ shown }) => shown))} from the best passages of the first pass: the most telling words there that the question did not have.`,
    );
  }
  if (wider.length > 0) steps.push(`Second pass: ${wider.map(searched).join("; ")}.`);
  steps.push(
    `Put the ${found.searches.length} lists together by reciprocal rank: of ${found.candidates} passages, those come first that several searches place high. A passage is quoted when it covers at least ${percent(coverageMin.deep)} of the question's weight; at most ${passagesMax.deep} in all and ${passagesPerDocumentMax} of one document.`,
  );
  steps.push(
    found.passages.length === 0
      ? "No passage covered enough of the question, so the answer says that nothing here answers it."
      : `Quoted ${found.passages.length} passages: ${found.passages.map((hit) => `“${hit.document.title}” (covers ${percent(hit.coverage)})`).join(", ")}.`,
  );
  if (corpus.cards.length > 0) {
    steps.push(
      `Cards of the catalogue that match the question, each put after the passage that it belongs to: ${cards.count} of ${corpus.cards.length}.`,
    );
  }
  return steps;
}

// Selects the catalogue's cards for an answer, and the passage that each follows.

const cardsMax = { plain: 3, deep: 6 } as const;
const cardsPerTypeMax = { plain: 2, deep: 3 } as const;
/** The share of the question's weight that a card must cover; a card of a quoted document needs less. */
const coverageMinOfCards = 0.6;
const coverageMinOfQuoted = 0.4;

interface ChosenCards {
  /** For each passage, in order, the cards that follow it. */
  readonly afterPassage: readonly (readonly DraftCard[])[];
  readonly count: number;
}

function chooseCards(index: Index, question: readonly Word[], passages: readonly Hit[], deep: boolean): ChosenCards {
  const depth = deep ? "deep" : "plain";
  const afterPassage: DraftCard[][] = passages.map(() => []);
  const perType = new Map<string, number>();
  let count = 0;
  for (const hit of index.searchCards(question)) {
    if (count === cardsMax[depth]) break;
    const own = lastPassageAbout(hit, passages);
    if (hit.coverage < (own === null ? coverageMinOfCards : coverageMinOfQuoted)) continue;
    const type = hit.card.draft.type;
    if (perType.get(type) === cardsPerTypeMax[depth]) continue;
    afterPassage[own ?? mostAlike(hit, passages)]?.push(hit.card.draft);
    perType.set(type, (perType.get(type) ?? 0) + 1);
    count += 1;
  }
  return { afterPassage, count };
}

/**
 * The last passage of the first quoted document that the card names, so that the card does not separate passages of one
 * document.
 */
function lastPassageAbout({ card }: CardHit, passages: readonly Hit[]): number | null {
  const isAbout = ({ document }: Hit): boolean => card.about.includes(document.file.replace(/\.[^./]+(?:#\d+)?$/u, ""));
  const first = passages.find(isAbout);
  return first === undefined ? null : passages.findLastIndex(({ document }) => document === first.document);
}

function mostAlike({ card }: CardHit, passages: readonly Hit[]): number {
  const own = new Set([card.draft.card.title ?? "", ...card.keywords].flatMap((text) => terms(text)));
  let best = passages.length - 1;
  let bestCount = 0;
  for (const [place, { document, passage }] of passages.entries()) {
    const shared = new Set(terms(`${document.title} ${passage.heading} ${passage.markdown}`)).intersection(own).size;
    if (shared > bestCount) [best, bestCount] = [place, shared];
  }
  return best;
}
