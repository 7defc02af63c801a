/** `catalogue.json` or `catalogue.yaml`: the name of the collection, and the cards to show with its passages. */
import type { DraftCard } from "../platform.ts";
import { type Catalogue, type CatalogueCard, UnreadableError } from "./corpus.ts";
import { fields, onlyKnown, optionalText, requiredText, texts, webAddress, type Fields } from "./fields.ts";
import { cardsMax, titleCharsMax } from "./limits.ts";

export function readCatalogue(data: unknown): Catalogue {
  const from = fields(data, "/");
  onlyKnown(from, ["name", "cards"], "");
  const cards = from["cards"] ?? [];
  if (!Array.isArray(cards)) throw new UnreadableError("/cards", "must be a list of cards");
  if (cards.length > cardsMax) throw new UnreadableError("/cards", `has more than ${cardsMax} cards`);
  return {
    name: optionalText(from, "name", "", titleCharsMax),
    cards: cards.map((card: unknown, index) => readCard(fields(card, `/cards/${index}`), `/cards/${index}`)),
  };
}

const always = ["type", "keywords", "about"] as const;

function readCard(from: Fields, place: string): CatalogueCard {
  const type = requiredText(from, "type", place, 32);
  return {
    keywords: texts(from, "keywords", place),
    about: texts(from, "about", place),
    draft: type === "product" ? product(from, place) : type === "video" ? video(from, place) : media(type, from, place),
  };
}

const productTexts = [
  "mall",
  "mallPlatform",
  "mallProductId",
  "skuId",
  "shopId",
  "price",
  "priceUnit",
  "sales",
] as const;

function product(from: Fields, place: string): DraftCard {
  onlyKnown(
    from,
    [
      ...always,
      "title",
      "url",
      "deepLink",
      "trackingUrl",
      "fallbackUrl",
      "thumbnail",
      "sellingPoints",
      ...productTexts,
    ],
    place,
  );
  const text = (name: (typeof productTexts)[number]): string => optionalText(from, name, place, 500) ?? "";
  const deepLink = optionalText(from, "deepLink", place, 2_048);
  if (deepLink !== null && !/^[a-z][a-z0-9+.-]*:/iu.test(deepLink)) {
    throw new UnreadableError(`${place}/deepLink`, "must be an address that an app opens, such as shopapp://item/1");
  }
  const url = webAddress(from, "url", place);
  if (url === null && deepLink === null)
    throw new UnreadableError(`${place}/url`, "is missing, and there is no deepLink");
  return {
    type: "product",
    card: {
      title: requiredText(from, "title", place, titleCharsMax),
      url: url ?? deepLink ?? "",
      urlType: url === null ? "app_deep_link" : "web",
      deepLink,
      trackingUrl: webAddress(from, "trackingUrl", place),
      fallbackUrl: webAddress(from, "fallbackUrl", place),
      thumbnail: webAddress(from, "thumbnail", place) ?? "",
      mall: text("mall"),
      mallPlatform: text("mallPlatform"),
      mallProductId: text("mallProductId"),
      skuId: text("skuId"),
      shopId: text("shopId"),
      price: text("price"),
      priceUnit: text("priceUnit"),
      sales: text("sales"),
      sellingPoints: texts(from, "sellingPoints", place),
    },
  };
}

function video(from: Fields, place: string): DraftCard {
  onlyKnown(from, [...always, "title", "url", "cover", "author", "duration", "videoId", "videoPlatform"], place);
  const url = webAddress(from, "url", place);
  if (url === null) throw new UnreadableError(`${place}/url`, "is missing");
  return {
    type: "video",
    card: {
      title: requiredText(from, "title", place, titleCharsMax),
      url,
      cover: webAddress(from, "cover", place),
      author: optionalText(from, "author", place, 500),
      duration: optionalText(from, "duration", place, 100),
      videoId: optionalText(from, "videoId", place, 500),
      videoPlatform: optionalText(from, "videoPlatform", place, 500),
    },
  };
}

function media(mediaType: string, from: Fields, place: string): DraftCard {
  onlyKnown(from, [...always, "title", "url", "thumbnail", "content"], place);
  return {
    type: "media",
    card: {
      mediaType,
      title: requiredText(from, "title", place, titleCharsMax),
      url: webAddress(from, "url", place),
      thumbnail: webAddress(from, "thumbnail", place),
      content: optionalText(from, "content", place),
    },
  };
}
