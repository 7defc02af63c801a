/** What is read from an answer, in the recipe language. */
import { Type } from "typebox";
import { Closed, Field, fields, listOf, Maybe, scope, Selector, Selectors, shared } from "./recipe-parts.ts";

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

const AdRule = Closed(
  {
    ...scope,
    fields: fields(["advertiser", "title", "text", "url", "displayUrl", "thumbnail", "label", "placement"]),
    products: Maybe(Closed({ each: Selectors, fields: fields(["title", "price", "url", "thumbnail"]) })),
  },
  "Advertisements. What this matches is read first, and is in no other field. Their pages are never opened.",
);

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
  ads: Maybe(Type.Union([AdRule, Type.Array(AdRule, { minItems: 1, maxItems: 10 })])),
  relatedQuestions: listOf(["text"]),
  relatedSearches: listOf(["text"]),
  drop: Maybe(
    shared(
      "left-out",
      Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 50 })], {
        description:
          "What is no part of the answer in any place that is read, such as links to help pages: neither text nor source. Every selector of the list counts.",
      }),
    ),
  ),
});
