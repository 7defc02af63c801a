/**
 * Converts what a platform returned to what is stored and shown: cards are numbered from 1 over all kinds and written into the
 * text, sources are merged, everything is storable and bounded, and every empty field has a reason.
 */
import type { ReasoningStep, SearchStep, StoredResult, TaskOptions, Truncation } from "@querent/contract";
import { siteOf } from "../kernel/web-address.ts";
import type { PlatformAnswer, Platform } from "../platforms/platform.ts";
import { keptAddress } from "./address.ts";
import { availability, wanted } from "./availability.ts";
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
} from "./bounds.ts";
import { closedIfCertain } from "./close-open-block.ts";
import { mergeSources } from "./merge-sources.ts";
import { oneLine, oneLineOrNull, severalLines, startOfBytes, storableText } from "./text.ts";
import { writeContent } from "./write-content.ts";

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
