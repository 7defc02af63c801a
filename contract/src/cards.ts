import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";

/** A source. Duplicates by canonical URL are merged, in the order of first citation. */
export const Source = Type.Object(
  {
    title: Type.String(),
    url: Type.String({
      description: "The URL as the platform returned it, including tracking parameters.",
    }),
    summary: Nullable(Type.String()),
    site: Type.String({ description: "Site name, or the host name if the platform gives none." }),
    publishedAt: Nullable(Timestamp),
    canonicalUrl: Type.Optional(
      Type.String({
        description:
          "The URL that all URLs of the page have in common: without tracking parameters and wrappers. Left out if it is `url` itself, and in results of earlier versions.",
      }),
    ),
    opaque: Type.Optional(
      Type.Literal(true, {
        description:
          "`url` is a redirect that does not contain the address of its page, such as those of Gemini. Left out for all other sources.",
      }),
    ),
    domain: Type.Optional(
      Type.String({
        description:
          "With `opaque`: the registrable domain of the site that the platform names beside the redirect. Empty if it names none.",
      }),
    ),
  },
  { description: "A source that the answer cites." },
);
export type Source = Static<typeof Source>;

const position = Type.Integer({
  minimum: 1,
  description: "Position in the order shared by `products`, `videos` and `media`: 1 to n, without gaps or duplicates.",
});

/**
 * A string of a product card that the platform may not give. On the wire it is a string and never null, so a missing value is `""`, also
 * for URLs. Members that are nullable on the wire are null if missing. Only `url` is never missing: a product without a URL
 * is not a card, but text in `content`.
 */
const given = (about: string) =>
  Type.String({ description: `${about}${about === "" ? "" : " "}\`""\` if the platform gives none.` });

/** A product card. */
export const ProductCard = Type.Object(
  {
    position,
    title: Type.String(),
    url: Type.String({
      description:
        "The URL to open first: a web URL or an app deep link. Never empty: if the platform gives none, it is the `deepLink`, or else the `fallbackUrl`.",
    }),
    urlType: Type.Enum(["web", "app_deep_link"], {
      description: "`web` opens in a browser. `app_deep_link` requires the app. If it fails, open `fallbackUrl`.",
    }),
    deepLink: Nullable(Type.String()),
    trackingUrl: Nullable(Type.String()),
    fallbackUrl: Nullable(Type.String()),
    thumbnail: given("URL of a picture."),
    mall: given("Name of the shop or mall."),
    mallPlatform: given(""),
    mallProductId: given("For reference only. Clients must not build a URL from it."),
    skuId: given(""),
    shopId: given(""),
    price: given("Display price. Not used for billing."),
    priceUnit: given(""),
    sales: given("Display text."),
    sellingPoints: Type.Array(Type.String()),
  },
  { description: "A product that the platform showed in its answer." },
);
export type ProductCard = Static<typeof ProductCard>;

/** A video card. `duration` is display text. */
export const VideoCard = Type.Object(
  {
    position,
    title: Type.String(),
    url: Type.String(),
    cover: Nullable(Type.String()),
    author: Nullable(Type.String()),
    duration: Nullable(Type.String({ description: "Display text, such as `12:30`." })),
    videoId: Nullable(Type.String()),
    videoPlatform: Nullable(Type.String()),
  },
  { description: "A video that the platform showed in its answer." },
);
export type VideoCard = Static<typeof VideoCard>;

/** The known media types. The field is an open string: a platform may show others. */
export const knownMediaTypes = [
  "image",
  "music",
  "album",
  "playlist",
  "map",
  "place",
  "weather",
  "stock",
  "chart",
  "news",
  "file",
  "other",
] as const;

/** A card of any other kind. */
export const MediaCard = Type.Object(
  {
    position,
    mediaType: Type.String({ description: `An open string. Known values: ${knownMediaTypes.join(", ")}.` }),
    title: Nullable(Type.String()),
    url: Nullable(Type.String()),
    thumbnail: Nullable(Type.String()),
    content: Nullable(Type.String()),
  },
  { description: "Any other rich media that the platform showed in its answer." },
);
export type MediaCard = Static<typeof MediaCard>;

/** What an advertisement offers. */
const AdProduct = Type.Object({
  title: Type.String(),
  price: Nullable(Type.String({ description: "Display price." })),
  url: Nullable(Type.String()),
  thumbnail: Nullable(Type.String()),
});

/** The known placements of advertisements. The field is an open string. */
export const knownAdPlacements = [
  "above_answer",
  "in_answer",
  "below_answer",
  "beside_answer",
  "in_products",
  "other",
] as const;

/** An advertisement. It is no part of the answer: neither text, source nor card. */
export const Ad = Type.Object(
  {
    position: Type.Integer({ minimum: 1, description: "The order in which the advertisements were shown: 1 to n." }),
    advertiser: Nullable(Type.String()),
    title: Nullable(Type.String()),
    text: Nullable(Type.String()),
    url: Nullable(
      Type.String({
        description:
          "The landing page, without identifiers of clicks. It was not opened, because that would count as a click.",
      }),
    ),
    displayUrl: Nullable(Type.String({ description: "The address as the advertisement shows it." })),
    thumbnail: Nullable(Type.String()),
    products: Type.Array(AdProduct),
    placement: Type.String({ description: `An open string. Known values: ${knownAdPlacements.join(", ")}.` }),
    label: Nullable(Type.String({ description: "How the platform marks it, such as `Sponsored`." })),
    removed: Type.Array(Type.String(), {
      description:
        "The names of the parameters that were removed from `url`, because they identify a click. `redirect` if `url` was taken out of an address that counts clicks.",
    }),
  },
  { description: "An advertisement that the platform showed with its answer. It is in no other field." },
);
export type Ad = Static<typeof Ad>;
