/** What a parser collects from one answer of any format, before it becomes an outcome. */
import type { SearchStep, Source } from "@querent/contract";
import type { Consumption } from "../../../kernel/consumption.ts";
import type { DraftCard } from "../../platform.ts";
import { completeAddress, isWebAddress, siteOf } from "../../../kernel/web-address.ts";
import type { EndingWord } from "../body/endings.ts";
import { isObject, string, type JsonObject } from "../body/json.ts";
import { cite, citing } from "./cite.ts";
import type { Citation } from "./links.ts";
import { withoutHidden, type Numbered } from "./markers.ts";
import { readDate } from "./read-date.ts";
import { splitThoughts } from "./thoughts.ts";
import { siteNamed } from "../../../kernel/addresses/canonical-address.ts";

/** How the answer ended according to the platform. */
export type Ending =
  | { readonly kind: "complete" }
  /** It stopped at a length limit. */
  | { readonly kind: "cut" }
  | {
      readonly kind: "refused";
      readonly reason: string;
      /** Why, in the platform's words. */
      readonly explanation?: string;
    }
  /** A content filter stopped it; what came before stands. */
  | { readonly kind: "filtered"; readonly reason: string }
  /** It failed, in a body that may have status 200. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** It is incomplete, or waits for something. */
  | {
      readonly kind: "unfinished";
      /** The platform's word for it. */
      readonly reason?: string;
    };

/** How an answer ended, by the word that the platform used. */
export function endingBy(ending: EndingWord, word: string): Ending {
  switch (ending) {
    case "complete":
    case "cut":
      return { kind: ending };
    case "filtered":
    case "refused":
    case "unfinished":
      return { kind: ending, reason: word };
    case "failed":
      return { kind: ending, error: { code: word } };
  }
}

export class Reading {
  readonly sources: Source[] = [];
  readonly search: Omit<SearchStep, "position">[] = [];
  readonly reasoning: string[] = [];
  readonly cards: DraftCard[] = [];
  modelVersion: string | null = null;
  consumption: Consumption = { inputTokens: null, outputTokens: null, searches: null };
  ending: Ending = { kind: "complete" };
  /** Queries of searches whose results have not arrived, by the id that the results refer to. */
  readonly openSearches = new Map<string, string>();
  readonly #known = new Map<string, Source>();
  /** The answer's text as the platform wrote it. */
  #text = "";
  readonly #citations: Citation[] = [];
  readonly #numberings: { readonly from: number; readonly addressOf: Numbered }[] = [];
  #markdown: string | null = null;
  #isThinking = false;
  readonly #observedAt: Date;

  /** Relative dates count back from the time at which the platform gave the answer. */
  constructor(observedAt: Date) {
    this.#observedAt = observedAt;
  }

  /** The answer so far, without its citations. */
  get text(): string {
    return this.#text;
  }

  /** The answer ends within its reasoning. */
  get isThinking(): boolean {
    return this.#isThinking;
  }

  /** The answer as Markdown, with a link at every citation. */
  get markdown(): string {
    return (this.#markdown ??= cite(this.#cited()));
  }

  /** Writes the citations in steps, so that a long answer does not keep a process from everything else. */
  *writing(): Generator<void, void> {
    this.#markdown ??= yield* citing(this.#cited());
  }

  /**
   * Adds a text to the answer, as a paragraph of its own. Reasoning in it becomes reasoning. The citations' offsets count from
   * its beginning; `addressOf` is what its markers refer to.
   */
  addText(
    given: string,
    { citations = [], addressOf = () => null }: { citations?: readonly Citation[]; addressOf?: Numbered } = {},
  ): void {
    const { thoughts, answer, place, isOpen } = splitThoughts(given);
    for (const thought of thoughts) this.addReasoning(thought);
    this.#isThinking = isOpen;
    if (answer.trim() === "") return;
    if (this.#text !== "") this.#text += "\n\n";
    const from = this.#text.length;
    this.#text += answer;
    this.#markdown = null;
    this.#numberings.push({ from, addressOf });
    for (const citation of citations) {
      const end = place(citation.end);
      // What backs the reasoning is a source, and nothing of the answer.
      if (end === null) continue;
      const start = Math.min(place(citation.start) ?? end, end);
      this.#citations.push({ ...citation, start: from + start, end: from + end });
    }
  }

  /** What a model says while it works is not its answer. */
  addAside(given: string): void {
    const { thoughts, answer } = splitThoughts(withoutHidden(given).text);
    for (const thought of [...thoughts, answer]) this.addReasoning(thought);
  }

  #cited() {
    return { text: this.#text, citations: this.#citations, numberings: this.#numberings };
  }

  /** Adds what one of several turns consumed. What a turn does not report counts as nothing. */
  addConsumption(more: Consumption): void {
    const sums = new Map<string, number | null>(Object.entries(this.consumption));
    for (const [member, figure] of Object.entries(more) as [string, number | null][]) {
      const before = sums.get(member) ?? null;
      sums.set(member, before === null || figure === null ? (before ?? figure) : before + figure);
    }
    this.consumption = { ...this.consumption, ...Object.fromEntries(sums) };
  }

  /** Adds a page that the answer is based on, and fills in what earlier mentions of it lacked. */
  addSource(page: { url: unknown; title?: unknown; summary?: unknown; site?: unknown; date?: unknown }): void {
    const url = addressOf(page.url);
    if (!isWebAddress(url)) return;
    const known = this.#known.get(url);
    const source = known ?? { title: "", url, summary: null, site: "", publishedAt: null };
    source.title ||= string(page.title).trim();
    source.summary ??= string(page.summary).trim() || null;
    source.site ||= string(page.site).trim();
    source.publishedAt ??= readDate(page.date, this.#observedAt);
    if (known !== undefined) return;
    this.#known.set(url, source);
    this.sources.push(source);
  }

  /** Adds a passage that the answer cites from a known page, after those that it cites already. */
  addPassage(page: unknown, passage: unknown): void {
    const source = this.#known.get(addressOf(page));
    const text = string(passage).trim();
    if (source === undefined || text === "") return;
    const before = source.summary ?? "";
    if (before.length > passagesCharsMax || before.includes(text)) return;
    source.summary = before === "" ? text : `${before}\n\n${text}`;
  }

  /** Adds a search; pages that it found are also sources. */
  addSearch(query: unknown, results: readonly JsonObject[] = []): void {
    this.search.push(...stepsOf(query, results));
  }

  /** Adds a page that was opened, not found: a source, and a step without a query, or with the text that was looked for in it. */
  addOpened({ url, title, pattern }: { url: unknown; title?: unknown; pattern?: unknown }): void {
    if (!isWebAddress(addressOf(url))) return;
    this.addSource({ url, title });
    this.addSearch(pattern, [{ url, title }]);
  }

  /** Adds what was found to the first search for `query`, or for anything if it is empty, whose results are not known yet. */
  addResults(query: unknown, results: readonly JsonObject[]): void {
    const text = string(query).trim();
    const open = this.search.findIndex((step) => step.results.length === 0 && (text === "" || step.query === text));
    if (open < 0) this.addSearch(text, results);
    else this.search.splice(open, 1, ...stepsOf(this.search[open]?.query, results));
  }

  addReasoning(value: unknown): void {
    const text = (isObject(value) ? string(value["text"]) : string(value)).trim();
    // Some vendors send the same text under two names.
    if (text !== "" && this.reasoning.at(-1) !== text) this.reasoning.push(text);
  }

  addVideo({ url, title, cover, duration, author }: JsonObject): void {
    if (string(url) === "") return;
    this.cards.push({
      type: "video",
      card: {
        // Perplexity lists a video among the pages that it found, without its position.
        title: string(title) || (this.#known.get(string(url))?.title ?? ""),
        url: string(url),
        cover: string(cover) || null,
        author: string(author) || null,
        duration: typeof duration === "number" ? clock(duration) : string(duration) || null,
        videoId: null,
        videoPlatform: siteOf(string(url)) || null,
      },
    });
  }

  addImage({ url, title, page }: JsonObject): void {
    if (string(url) === "") return;
    this.cards.push({
      type: "media",
      card: {
        mediaType: "image",
        title: string(title) || null,
        url: string(page) || string(url),
        thumbnail: string(url),
        content: null,
      },
    });
  }
}

/** The part of a page's passages beyond which no more are added. */
const passagesCharsMax = 10_000;

/** DeepSeek adds its id of the call to what it reports: `ws_call_id=...` among the queries, and as fragment of an opened URL. */
const callId = /#ws_call_id=[^#]*$/u;

function isBookkeeping(query: string): boolean {
  return callId.test(`#${query}`);
}

/** A search; none if the vendor only keeps its books with it. */
function stepsOf(query: unknown, results: readonly JsonObject[]): Omit<SearchStep, "position">[] {
  const text = string(query).trim();
  if (isBookkeeping(text) || (text === "" && results.length === 0)) return [];
  const found = results
    .filter(({ url }) => string(url) !== "")
    .map(({ url, title, site }) => ({ title: string(title), url: addressOf(url), site: string(site) }));
  return [{ query: text, results: found }];
}

/** Some platforms leave out the scheme. */
function addressOf(url: unknown): string {
  return completeAddress(string(url).trim().replace(callId, ""));
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** The host name that Gemini puts into a page's title, since the URL is a redirect of Google's; `""` if it is another title. */
export function siteInTitle(title: string): string {
  return siteNamed(title) === null ? "" : title.trim();
}
