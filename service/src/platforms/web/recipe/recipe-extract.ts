/** What is read from an answer, in the recipe language. */
import { Closed, Field, fields, listOf, Maybe, scope, Selectors } from "./recipe-parts.ts";

export const productFields = [
  "title",
  "url",
  "deepLink",
  "trackingUrl",
  "fallbackUrl",
  "thumbnail",
  "mall",
  "mallPlatform",
  "mallProductId",
  "skuId",
  "shopId",
  "price",
  "priceUnit",
  "sales",
  "sellingPoints",
] as const;

export const Extract = Closed({
  sources: listOf(["title", "url", "summary", "site", "publishedAt"]),
  products: listOf(productFields),
  videos: listOf(["title", "url", "cover", "author", "duration", "videoId", "videoPlatform"]),
  media: listOf(["mediaType", "title", "url", "thumbnail", "content"]),
  reasoning: listOf(["text"]),
  search: Maybe(
    Closed({
      ...scope,
      query: Field,
      results: Maybe(Closed({ each: Selectors, fields: fields(["title", "url", "site"]) })),
    }),
  ),
  modelVersion: Maybe(Closed({ in: scope.in, field: Field })),
});
