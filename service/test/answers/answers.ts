/** Answers and platforms for the tests of this folder. */
import { composeResult, type AnsweringPlatform, type PageInput } from "../../src/answers/index.ts";
import type { PlatformAnswer, AnswerPart, DraftCard } from "../../src/platforms/platform.ts";
import type { Source, TaskOptions } from "@querent/contract";

export const observedAt = new Date("2026-11-01T09:30:00Z");

export function answer(changes: Partial<PlatformAnswer> = {}): PlatformAnswer {
  return {
    parts: [],
    sources: [],
    reasoning: null,
    search: null,
    pageHtml: null,
    modelVersion: null,
    observedAt,
    endpoint: null,
    region: null,
    unreadable: [],
    ...changes,
  };
}

export const markdown = (text: string): AnswerPart => ({ type: "markdown", markdown: text });

export const options: TaskOptions = { deepAnalysis: false, output: "answer", resultFormat: "json" };

export const everything = {
  sources: true,
  products: true,
  videos: true,
  media: true,
  reasoningProcess: true,
  searchProcess: true,
  pageHtml: true,
} as const;

export const apiPlatform: AnsweringPlatform = {
  code: "example",
  kind: "api",
  returns: { ...everything, pageHtml: false },
  outputs: ["answer", "screenshot"],
};
export const webPlatform: AnsweringPlatform = {
  code: "example-web",
  kind: "web",
  returns: everything,
  outputs: ["answer"],
};

export const source = (changes: Partial<Source> = {}): Source => ({
  title: "A page",
  url: "https://site.example/page",
  summary: null,
  site: "",
  publishedAt: null,
  ...changes,
});

type DraftOf<T extends DraftCard["type"]> = Extract<DraftCard, { type: T }>;

export const product = (changes: Partial<DraftOf<"product">["card"]> = {}): DraftCard => ({
  type: "product",
  card: {
    title: "Kettle",
    url: "https://shop.example/kettle",
    urlType: "web",
    deepLink: null,
    trackingUrl: null,
    fallbackUrl: null,
    thumbnail: "",
    mall: "",
    mallPlatform: "",
    mallProductId: "",
    skuId: "",
    shopId: "",
    price: "",
    priceUnit: "",
    sales: "",
    sellingPoints: [],
    ...changes,
  },
});

export const video = (changes: Partial<DraftOf<"video">["card"]> = {}): DraftCard => ({
  type: "video",
  card: {
    title: "Pouring",
    url: "https://video.example/1",
    cover: null,
    author: null,
    duration: null,
    videoId: null,
    videoPlatform: null,
    ...changes,
  },
});

export const media = (changes: Partial<DraftOf<"media">["card"]> = {}): DraftCard => ({
  type: "media",
  card: { mediaType: "image", title: null, url: null, thumbnail: null, content: null, ...changes },
});

/** What a page is made from. */
export const pageInput = (
  parts: readonly AnswerPart[],
  changes: Parameters<typeof answer>[0] = {},
  more: Partial<PageInput> = {},
): PageInput => ({
  taskId: "01a1fe2b-2faa-7230-b56a-51692740303c",
  question: "How fine?",
  platformName: "Example",
  options,
  result: composeResult(answer({ parts, ...changes }), apiPlatform, options),
  ...more,
});
