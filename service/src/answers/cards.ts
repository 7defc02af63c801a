/** Cards, cleaned and numbered in the order in which the platform showed them. Positions count all kinds together. */
import type { MediaCard, ProductCard, StoredResult, VideoCard } from "@querent/contract";
import { isWebAddress, completeAddress } from "../kernel/web-address.ts";
import type { DraftCard } from "../platforms/platform.ts";
import { factCharsMax, sellingPointsMax, summaryCharsMax, titleCharsMax, addressCharsMax } from "./bounds.ts";
import { oneLine, oneLineOrNull, severalLinesOrNull, storableText } from "./text.ts";

export type PlacedCard =
  | { readonly type: "product"; readonly card: ProductCard }
  | { readonly type: "video"; readonly card: VideoCard }
  | { readonly type: "media"; readonly card: MediaCard };

/** Merges the three arrays of a result into the one sequence that the platform showed. */
export function mergeCards(result: Pick<StoredResult, "products" | "videos" | "media">): PlacedCard[] {
  const cards: PlacedCard[] = [
    ...result.products.map((card) => ({ type: "product", card }) as const),
    ...result.videos.map((card) => ({ type: "video", card }) as const),
    ...result.media.map((card) => ({ type: "media", card }) as const),
  ];
  return cards.sort((a, b) => a.card.position - b.card.position);
}

/** The label in a card's heading: a lower-case machine word. */
export function labelOf(placed: PlacedCard): string {
  return placed.type === "media" ? placed.card.mediaType : placed.type;
}
export const labelPattern = /^[a-z][a-z0-9_]{0,31}$/u;

/** A product's price as text: `$129.99`, `59 CNY`, `59元`. A unit in Latin letters is separated by a space. */
export function priceText({ price, priceUnit }: ProductCard): string {
  if (price === "") return "";
  return /^[a-z]/iu.test(priceUnit) ? `${price} ${priceUnit}` : price + priceUnit;
}

/** Text that replaces a product card without any link. */
export interface TextCard {
  readonly type: "mention";
  /** Title, price and the like; at least one. */
  readonly texts: readonly string[];
}

/** The card. A product without any URL becomes a mention in the text instead. Null: the draft is empty. */
export function placeCard(draft: DraftCard, position: number): PlacedCard | TextCard | null {
  switch (draft.type) {
    case "product": {
      const card = product(draft.card, position);
      if (card.url !== "") return { type: "product", card };
      const texts = [card.title, priceText(card), card.mall, card.sales, ...card.sellingPoints].filter(Boolean);
      return texts.length === 0 ? null : { type: "mention", texts };
    }
    case "video":
      return { type: "video", card: video(draft.card, position) };
    case "media":
      return { type: "media", card: media(draft.card, position) };
  }
}

function product(given: Omit<ProductCard, "position">, position: number): ProductCard {
  const deepLink = keptAddress(given.deepLink ?? "") || null;
  const fallbackUrl = keptAddress(given.fallbackUrl ?? "") || null;
  return {
    position,
    title: oneLine(given.title, titleCharsMax),
    ...preferredAddress({ url: keptAddress(given.url), urlType: given.urlType, deepLink, fallbackUrl }),
    deepLink,
    trackingUrl: keptAddress(given.trackingUrl ?? "") || null,
    fallbackUrl,
    thumbnail: keptWebAddress(given.thumbnail),
    mall: fact(given.mall),
    mallPlatform: fact(given.mallPlatform),
    mallProductId: fact(given.mallProductId),
    skuId: fact(given.skuId),
    shopId: fact(given.shopId),
    price: fact(given.price),
    priceUnit: fact(given.priceUnit),
    sales: fact(given.sales),
    sellingPoints: given.sellingPoints
      .map(fact)
      .filter((point) => point !== "")
      .slice(0, sellingPointsMax),
  };
}

/** Clients open `url` first, so it is the best one available: the platform's own, the app's, or the fallback. */
function preferredAddress({
  url,
  urlType,
  deepLink,
  fallbackUrl,
}: Pick<ProductCard, "url" | "urlType" | "deepLink" | "fallbackUrl">): Pick<ProductCard, "url" | "urlType"> {
  // A URL that no browser opens is a deep link, whatever the platform called it.
  if (url !== "") return { url, urlType: isWebAddress(url) ? urlType : "app_deep_link" };
  if (deepLink !== null) return { url: deepLink, urlType: "app_deep_link" };
  if (fallbackUrl !== null) return { url: fallbackUrl, urlType: isWebAddress(fallbackUrl) ? "web" : "app_deep_link" };
  return { url: "", urlType: "web" };
}

function video(given: Omit<VideoCard, "position">, position: number): VideoCard {
  return {
    position,
    title: oneLine(given.title, titleCharsMax),
    url: keptAddress(given.url),
    cover: keptWebAddress(given.cover ?? "") || null,
    author: oneLineOrNull(given.author, factCharsMax),
    duration: oneLineOrNull(given.duration, factCharsMax),
    videoId: oneLineOrNull(given.videoId, factCharsMax),
    videoPlatform: oneLineOrNull(given.videoPlatform, factCharsMax),
  };
}

function media(given: Omit<MediaCard, "position">, position: number): MediaCard {
  return {
    position,
    mediaType: mediaType(given.mediaType),
    title: oneLineOrNull(given.title, titleCharsMax),
    url: keptAddress(given.url ?? "") || null,
    thumbnail: keptWebAddress(given.thumbnail ?? "") || null,
    content: severalLinesOrNull(given.content, summaryCharsMax),
  };
}

/** A lower-case machine word; `product` and `video` are the labels of other arrays. */
function mediaType(given: string): string {
  const word = given
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "_")
    .replace(/^[_0-9]+/u, "")
    .slice(0, 32)
    .replace(/_+$/u, "");
  return word === "" || word === "product" || word === "video" ? "other" : word;
}

const fact = (text: string): string => oneLine(text, factCharsMax);

// URLs as platforms return them: which are stored, and which can be linked.

/** Schemes that execute or show their own content, or access the reader's machine. */
const dangerousSchemes = new Set(["javascript:", "vbscript:", "data:", "blob:", "file:", "filesystem:", "about:"]);

/**
 * The URL as given, without surrounding white space and control characters, and with the scheme https if it has none; `""` if it is
 * missing, too long, or dangerous to click.
 */
export function keptAddress(address: string): string {
  const cleaned = completeAddress(
    storableText(address)
      .replace(/\p{Cc}+/gu, "")
      .trim(),
  );
  if (cleaned === "" || cleaned.length > addressCharsMax) return "";
  const url = URL.parse(cleaned);
  return url === null || dangerousSchemes.has(url.protocol) ? "" : cleaned;
}

/** The same, for web URLs only. */
function keptWebAddress(address: string): string {
  const kept = keptAddress(address);
  return isWebAddress(kept) ? kept : "";
}
