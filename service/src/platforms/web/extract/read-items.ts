/** What a recipe's rule reads from one element: a source, a card. */
import type { MediaCard, ProductCard, Source, VideoCard } from "@querent/contract";
import type { Cheerio, CheerioAPI } from "cheerio/slim";
import type { AnyNode } from "domhandler";
import type { DraftCard } from "../../platform.ts";
import { readField } from "../recipe/read-field.ts";
import { type RecipeField, productFields } from "../recipe/recipe.ts";

export type ItemFields = Readonly<Record<string, RecipeField | undefined>>;
export interface FoundItem {
  readonly $: CheerioAPI;
  readonly element: Cheerio<AnyNode>;
  readonly fields: ItemFields;
}
export interface FoundCard extends FoundItem {
  readonly draft: DraftCard;
}

export function reader({ $, element, fields }: FoundItem) {
  return {
    text: (name: string) => readField($, element, fields[name])[0] ?? "",
    maybe: (name: string) => readField($, element, fields[name])[0] ?? null,
    many: (name: string) => readField($, element, fields[name]),
  };
}

export function readSource(found: FoundItem): Source {
  const { text, maybe } = reader(found);
  return {
    // What a page says to screen readers about a link is no part of its title.
    title: text("title").replace(/[\s.,(]*opens in (a )?new (tab|window)[).\s]*$/i, ""),
    url: text("url"),
    summary: maybe("summary"),
    site: text("site"),
    publishedAt: maybe("publishedAt"),
  };
}

export function readProduct(found: FoundItem): Omit<ProductCard, "position"> {
  const { text, maybe, many } = reader(found);
  const plain = Object.fromEntries(productFields.map((name) => [name, text(name)])) as Record<
    (typeof productFields)[number],
    string
  >;
  const isWeb = /^https?:/i.test(plain.url);
  return {
    ...plain,
    urlType: plain.url === "" || isWeb ? "web" : "app_deep_link",
    deepLink: maybe("deepLink") ?? (plain.url === "" || isWeb ? null : plain.url),
    trackingUrl: maybe("trackingUrl"),
    fallbackUrl: maybe("fallbackUrl"),
    sellingPoints: many("sellingPoints"),
  };
}

export function readVideo(found: FoundItem): Omit<VideoCard, "position"> {
  const { text, maybe } = reader(found);
  return {
    title: text("title"),
    url: text("url"),
    cover: maybe("cover"),
    author: maybe("author"),
    duration: maybe("duration"),
    videoId: maybe("videoId"),
    videoPlatform: maybe("videoPlatform"),
  };
}

export function readMedia(found: FoundItem): Omit<MediaCard, "position"> {
  const { text, maybe } = reader(found);
  return {
    mediaType: text("mediaType") || "other",
    title: maybe("title"),
    url: maybe("url"),
    thumbnail: maybe("thumbnail"),
    content: maybe("content"),
  };
}
