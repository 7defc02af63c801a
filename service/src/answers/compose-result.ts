/**
 * Converts what a platform returned to what is stored and shown: cards are numbered from 1 over all kinds and written into the
 * text, sources are merged, everything is storable and bounded, and every empty field has a reason.
 */
import type {
  AdAvailability,
  ReasoningStep,
  SearchStep,
  StoredResult,
  TaskOptions,
  Truncation,
  Availability,
  AvailabilityValue,
  Source,
} from "@querent/contract";
import { siteOf } from "../kernel/web-address.ts";
import type { PlatformAnswer, Platform, ReturnedField, AnswerPart } from "../platforms/platform.ts";
import { composeAds } from "./ads.ts";
import { keptAddress, placeCard, type TextCard, type PlacedCard } from "./cards.ts";
import {
  factCharsMax,
  pageHtmlBytesMax,
  reasoningCharsMax,
  reasoningStepsMax,
  reasoningTextCharsMax,
  searchResultsPerStepMax,
  searchStepsMax,
  sourcesMax,
  titleCharsMax,
  summaryCharsMax,
  cardsMax,
  contentBytesMax,
} from "./bounds.ts";
import { closedIfCertain, closeOpenBlock } from "./close-open-block.ts";
import { oneLine, oneLineOrNull, severalLines, startOfBytes, storableText, severalLinesOrNull } from "./text.ts";
import { canonicalAddress, namedSite } from "../kernel/addresses/canonical-address.ts";
import { writeCards } from "./write-card.ts";

/** What must be known about a platform to compose its answers. */
export type AnsweringPlatform = Pick<Platform, "code" | "kind" | "returns" | "outputs">;

export function composeResult(answer: PlatformAnswer, platform: AnsweringPlatform, options: TaskOptions): StoredResult {
  const want = wanted(platform, options);
  const structure = want.structure ? composeStructure(answer) : noStructure;
  const pageHtml = want.pageHtml && answer.pageHtml !== null ? composePage(answer.pageHtml) : null;
  const filled = {
    content: structure.content !== null,
    sources: structure.sources.length > 0,
    products: structure.products.length > 0,
    videos: structure.videos.length > 0,
    media: structure.media.length > 0,
    reasoningProcess: structure.reasoningProcess !== null,
    searchProcess: structure.searchProcess !== null,
    pageHtml: pageHtml !== null,
  };
  return {
    ...structure,
    pageHtml,
    modelVersion: oneLineOrNull(answer.modelVersion, factCharsMax),
    observedAt: Number.isNaN(answer.observedAt.getTime()) ? null : answer.observedAt.toISOString(),
    ...(want.structure ? composeBeside(answer) : {}),
    screenshotUrl: null,
    shareUrl: null,
    ...(answer.truncatedBy ? { truncatedBy: answer.truncatedBy } : {}),
    availability: availability(filled, answer, platform, options),
    provenance: {
      kind: answer.byStandIn === true ? "sample" : platform.kind,
      platform: platform.code,
      endpoint: answer.endpoint,
      region: answer.region,
      ...(answer.byStandIn === true ? { standIn: true } : {}),
    },
    effective: answer.effective ?? {},
  };
}

const alternativesMax = 8;
const relatedMax = 50;

/** What the platform showed beside its answer, and what is no part of it. */
function composeBeside({ ads = [], alternatives = [], relatedQuestions = [], relatedSearches = [] }: PlatformAnswer) {
  const texts = (list: readonly string[]) =>
    [...new Set(list.map((text) => oneLine(text, titleCharsMax)))].filter((text) => text !== "").slice(0, relatedMax);
  const questions = texts(relatedQuestions);
  const searches = texts(relatedSearches);
  return {
    ...(ads.length === 0 ? {} : { ads: composeAds(ads) }),
    ...(alternatives.length === 0
      ? {}
      : {
          alternatives: alternatives
            .slice(0, alternativesMax)
            .map(({ position, content }) => ({ position, content: severalLines(content, reasoningTextCharsMax) })),
        }),
    ...(questions.length === 0 ? {} : { relatedQuestions: questions }),
    ...(searches.length === 0 ? {} : { relatedSearches: searches }),
  };
}

/** The result with the artifacts that were made from it. */
export function withArtifacts(
  result: StoredResult,
  { screenshotUrl, shareUrl }: { readonly screenshotUrl?: string; readonly shareUrl?: string },
): StoredResult {
  return {
    ...result,
    screenshotUrl: screenshotUrl ?? result.screenshotUrl,
    shareUrl: shareUrl ?? result.shareUrl,
    availability: {
      ...result.availability,
      ...(screenshotUrl === undefined ? {} : { screenshot: "present" }),
      ...(shareUrl === undefined ? {} : { share: "present" }),
    },
  };
}

type Structure = Pick<
  StoredResult,
  "content" | "sources" | "products" | "videos" | "media" | "reasoningProcess" | "searchProcess"
>;

const noStructure: Structure = {
  content: null,
  sources: [],
  products: [],
  videos: [],
  media: [],
  reasoningProcess: null,
  searchProcess: null,
};

function composeStructure(answer: PlatformAnswer): Structure {
  const written = writeContent(answer.parts);
  const sources = mergeSources(answer.sources, answer.observedAt);
  const reasoning = answer.reasoning?.filter(({ text }) => text.trim() !== "") ?? [];
  const keptReasoning = composeReasoning(reasoning);
  const search = answer.search ?? [];
  const leftOut = leftOutNotices([
    [written.cardsLeftOut, "cards"],
    [sources.length - sourcesMax, "sources"],
    [reasoning.length - keptReasoning.length, "reasoning steps"],
    [search.length - searchStepsMax, "search steps"],
  ]);
  const ended = answer.truncatedBy ? [endNotices[answer.truncatedBy]] : [];
  const content = withNotices(written.markdown, [...ended, ...leftOut]);
  return {
    content: content.trim() === "" ? null : content,
    sources: sources.slice(0, sourcesMax),
    products: written.cards.flatMap((placed) => (placed.type === "product" ? [placed.card] : [])),
    videos: written.cards.flatMap((placed) => (placed.type === "video" ? [placed.card] : [])),
    media: written.cards.flatMap((placed) => (placed.type === "media" ? [placed.card] : [])),
    reasoningProcess: keptReasoning.length === 0 ? null : keptReasoning,
    searchProcess: search.length === 0 ? null : composeSearch(search),
  };
}

const endNotices: Readonly<Record<Truncation, string>> = {
  length_limit: "*[The platform ended its answer here, at its limit of length.]*",
  content_filter: "*[The platform's content filter ended the answer here.]*",
};

function leftOutNotices(counts: readonly (readonly [number, string])[]): string[] {
  const over = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return over.length === 0 ? [] : [`*[Left out, over the limits of one result: ${over.join(", ")}.]*`];
}

/** An answer that ends in the middle often ends in a code fence, of which a notice must not become a part. */
function withNotices(markdown: string, notices: readonly string[]): string {
  if (notices.length === 0 || markdown.trim() === "") return [markdown, ...notices].filter(Boolean).join("\n\n");
  const text = markdown.trimEnd();
  return [closedIfCertain(text) ?? text, ...notices].join("\n\n");
}

function composeReasoning(steps: readonly { readonly text: string }[]): ReasoningStep[] {
  const kept: ReasoningStep[] = [];
  let charsLeft = reasoningCharsMax;
  for (const { text } of steps.slice(0, reasoningStepsMax)) {
    // Text that is truncated below is not cleaned first.
    const start = text.length > 2 * reasoningTextCharsMax ? text.slice(0, 2 * reasoningTextCharsMax) : text;
    const step = { position: kept.length + 1, text: severalLines(start, reasoningTextCharsMax) };
    charsLeft -= step.text.length;
    if (charsLeft < 0) break;
    kept.push(step);
  }
  return kept;
}

function composeSearch(steps: readonly Omit<SearchStep, "position">[]): SearchStep[] {
  return steps.slice(0, searchStepsMax).map(({ query, results }, index) => ({
    position: index + 1,
    query: oneLine(query, titleCharsMax),
    results: results.slice(0, searchResultsPerStepMax).map((result) => {
      const url = keptAddress(result.url);
      return {
        title: oneLine(result.title, titleCharsMax),
        url,
        site: oneLine(result.site, factCharsMax) || siteOf(url),
      };
    }),
  }));
}

function composePage(html: string): string | null {
  const text = storableText(html.length > pageHtmlBytesMax + 1 ? html.slice(0, pageHtmlBytesMax + 1) : html);
  const kept = startOfBytes(text, pageHtmlBytesMax);
  if (kept.trim() === "") return null;
  return kept === text ? kept : `${kept}<!-- The page was cut here: it is longer than ${pageHtmlBytesMax} bytes. -->`;
}

// States why a field is empty: nothing was found, nothing was requested, or nothing could be read.

/**
 * The parts of a result that the options request. `resultFormat` applies only to web-type platforms: `json` is the structured
 * answer (content, sources, cards, steps), `html` the page without content, `all` both. Other platforms return everything.
 */
export interface Wanted {
  readonly structure: boolean;
  readonly pageHtml: boolean;
}

function wanted(platform: Pick<Platform, "kind">, options: TaskOptions): Wanted {
  const isWeb = platform.kind === "web";
  return {
    structure: !isWeb || options.resultFormat !== "html",
    pageHtml: !isWeb || options.resultFormat !== "json",
  };
}

/** The fields of a result that are not empty. */
type Filled = Readonly<Record<ReturnedField | "content", boolean>>;

function availability(
  filled: Filled,
  answer: Pick<PlatformAnswer, "unreadable" | "ads" | "noAds">,
  platform: Pick<Platform, "kind" | "returns" | "outputs">,
  options: TaskOptions,
): Availability {
  const { structure, pageHtml } = wanted(platform, options);
  const of = (field: ReturnedField, requested: boolean): AvailabilityValue => {
    if (filled[field]) return "present";
    if (!platform.returns[field]) return "not_exposed";
    if (!requested) return "not_requested";
    if (answer.unreadable.includes(field)) return "parse_failed";
    // Without `deepAnalysis` no reasoning was requested.
    return field === "reasoningProcess" && !options.deepAnalysis ? "not_requested" : "none_on_platform";
  };
  const artifact = (output: "screenshot" | "share_link"): AvailabilityValue => {
    // Web-type platforms return none regardless of the request: their tasks say `answer` (interface 2.4).
    if (platform.kind === "web" && !platform.outputs.includes(output)) return "not_exposed";
    if (options.output !== output) return "not_requested";
    return platform.outputs.includes(output) ? "none_on_platform" : "not_exposed";
  };
  return {
    content: filled.content ? "present" : structure ? "none_on_platform" : "not_requested",
    sources: of("sources", structure),
    products: of("products", structure),
    videos: of("videos", structure),
    media: of("media", structure),
    reasoningProcess: of("reasoningProcess", structure),
    searchProcess: of("searchProcess", structure),
    pageHtml: of("pageHtml", pageHtml),
    screenshot: artifact("screenshot"),
    share: artifact("share_link"),
    ads: adAvailability(answer, structure),
  };
}

/**
 * Sources in the order of first citation, one per page. The first one's URL stays as given, including tracking parameters,
 * because it is evidence. Fields that the first one lacks are taken from later ones of the same page.
 */
function mergeSources(sources: readonly Source[], observedAt: Date): Source[] {
  const merged: Source[] = [];
  const byAddress = new Map<string, Source>();
  for (const [index, given] of sources.entries()) {
    const source = cleaned(given, observedAt);
    const page = index < comparedMax ? canonicalAddress(source.url) : null;
    const address = page?.address ?? source.url;
    const known = address === "" ? undefined : byAddress.get(address);
    if (known !== undefined) {
      known.title ||= source.title;
      known.site ||= source.site;
      known.summary ??= source.summary;
      known.publishedAt ??= source.publishedAt;
      continue;
    }
    if (address !== source.url) source.canonicalUrl = address;
    if (page?.isOpaque === true) source.opaque = true;
    merged.push(source);
    if (address !== "") byAddress.set(address, source);
  }
  for (const source of merged) {
    const { host = "", domain = "" } = (source.opaque && canonicalAddress(source.url, namedSite(source))) || {};
    if (source.opaque === true) source.domain = domain;
    source.site ||= host || siteOf(source.url);
    source.title ||= source.site;
  }
  return merged;
}

/** Twice as many as a result has. Those after them are the same only if their URL is, because comparing takes time. */
const comparedMax = 2 * sourcesMax;

function cleaned(source: Source, observedAt: Date): Source {
  return {
    title: oneLine(source.title, titleCharsMax),
    url: keptAddress(source.url),
    summary: severalLinesOrNull(source.summary, summaryCharsMax),
    site: oneLine(source.site, factCharsMax),
    publishedAt: possibleDate(source.publishedAt, observedAt),
  };
}

const dayMs = 24 * 60 * 60 * 1_000;
/** Clocks and time zones differ: a source's publication date may be this much later than the answer. */
const aheadMsMax = 2 * dayMs;
/** Nothing that an answer cites was published before printing; such dates are default values of some program (0001-01-01). */
const earliestMs = Date.UTC(1450, 0, 1);

/**
 * The date as an ISO 8601 timestamp, or null if it is impossible: unreadable, the epoch (a missing value), or in the future.
 */
function possibleDate(text: string | null, observedAt: Date): string | null {
  if (text === null) return null;
  const time = Date.parse(text);
  const isEpoch = Math.abs(time) < dayMs;
  if (
    Number.isNaN(time) ||
    !isOnCalendar(text) ||
    isEpoch ||
    time < earliestMs ||
    time > observedAt.getTime() + aheadMsMax
  )
    return null;
  return new Date(time).toISOString();
}

/** Whether a date such as 2024-02-30 exists: `Date.parse` makes the 1st of March of it. */
function isOnCalendar(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}/u.exec(text)?.[0];
  if (day === undefined) return true;
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

// `content`: the platform's own Markdown, unchanged, with the cards at their positions.

interface Written {
  /** `""` if the platform gave no answer. */
  readonly markdown: string;
  readonly cards: readonly PlacedCard[];
  readonly cardsLeftOut: number;
}

const cutNotice = `*[The answer was cut here: it is longer than ${contentBytesMax / 1024 / 1024} MiB.]*`;

function writeContent(parts: readonly AnswerPart[]): Written {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "markdown") {
    // Most answers: no Markdown is parsed or serialized here, and a text within the bounds is not even copied.
    const { kept, isCut } = bounded(only.markdown, contentBytesMax);
    const text = withoutImitations(kept);
    return { markdown: isCut ? `${closeOpenBlock(text)}\n\n${cutNotice}` : text, cards: [], cardsLeftOut: 0 };
  }
  return interleave(parts);
}

function interleave(parts: readonly AnswerPart[]): Written {
  /** Texts, with the cards and mentions between them. */
  const blocks: (string | PlacedCard | TextCard)[] = [];
  const cards: PlacedCard[] = [];
  let mentions = 0;
  let cardsLeftOut = 0;
  let bytesLeft = contentBytesMax;
  let text = "";
  const flushText = (beforeCard: boolean): void => {
    const { kept, isCut } = bounded(text.replace(/^(?:[ \t]*[\n\r])+/u, ""), bytesLeft);
    const cleaned = withoutImitations(kept).trimEnd();
    text = "";
    if (bytesLeft === 0 || (cleaned === "" && !isCut)) return;
    bytesLeft = isCut ? 0 : bytesLeft - Buffer.byteLength(cleaned);
    blocks.push(beforeCard || isCut ? closeOpenBlock(cleaned) : cleaned);
    if (isCut) blocks.push(cutNotice);
  };
  for (const part of parts) {
    if (part.type === "markdown") {
      text = text === "" ? part.markdown : `${text}\n\n${part.markdown}`;
    } else if (cards.length + mentions === cardsMax) {
      cardsLeftOut += 1;
    } else {
      flushText(true);
      const placed = placeCard(part, cards.length + 1);
      if (placed === null) continue;
      if (placed.type === "mention") mentions += 1;
      else cards.push(placed);
      blocks.push(placed);
    }
  }
  flushText(false);
  const written = writeCards(blocks.filter((block) => typeof block !== "string"))[Symbol.iterator]();
  const texts = blocks.map((block) => (typeof block === "string" ? block : (written.next().value ?? "")));
  return { markdown: texts.join("\n\n"), cards, cardsLeftOut };
}

/** The prefix of a text that fits, storable. What cannot fit is not even examined: a code unit takes at least one byte. */
function bounded(text: string, bytesMax: number): { kept: string; isCut: boolean } {
  const start = text.length > bytesMax + 1 ? text.slice(0, bytesMax + 1) : text;
  const storable = storableText(start);
  const kept = startOfBytes(storable, bytesMax);
  return { kept, isCut: kept !== storable };
}

/**
 * A platform's own text must not look like a card. A quote that begins like one loses the bold of its label and is otherwise
 * unchanged. The pattern matches more than the parser of cards accepts, and is applied to single lines, so that no text is
 * slow.
 */
function withoutImitations(markdown: string): string {
  if (!markdown.includes(">") || !/\*\*|__/u.test(markdown)) return markdown;
  let cleaned = markdown;
  // Repeated, because without its outer bold a label in doubled bold looks like one in plain bold.
  for (let before = ""; before !== cleaned;) {
    before = cleaned;
    cleaned = before.replace(imitation, "$1$3");
  }
  return cleaned;
}
const imitation = /^( {0,3}>[ \t]*)(\*\*|__)((?:[a-z0-9_]|&[#a-zA-Z0-9]{1,32};|\\.){1,64}?)\2(?=[ \t]*(?:$|[·&]))/gmu;

/**
 * The version of the code that turns a platform's response into a result, as part of the instrument of an observation. Increase it
 * when the same response is read differently, so that a series shows where that began.
 */
export const readerVersion = 1;

function adAvailability({ ads, noAds }: Pick<PlatformAnswer, "ads" | "noAds">, requested: boolean): AdAvailability {
  if (ads === undefined) return "not_exposed";
  if (!requested) return "not_requested";
  return ads.length > 0 ? "shown" : (noAds ?? "none");
}
