import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";

/** Source: interface 2.5. Duplicates by canonical address are merged, in the order of first citation. */
export const Source = Type.Object(
  {
    title: Type.String(),
    url: Type.String({
      description: "The address as the platform gave it; tracking parameters stay, they are evidence.",
    }),
    summary: Nullable(Type.String()),
    site: Type.String({ description: "Site name; the host name when the platform gives none." }),
    publishedAt: Nullable(Timestamp),
  },
  { description: "A source that the answer cites." },
);
export type Source = Static<typeof Source>;

const position = Type.Integer({
  minimum: 1,
  description: "Place in the one order shared by `products`, `videos` and `media`: 1..n, no gap, no tie.",
});

/**
 * A string of a product card that the platform may not give. Interface 2.6 says string for it, without null, so what is missing is `""`,
 * also where an address is meant. Where 2.6 says "or null", what is missing is null. Only `url` is never missing: a product without any
 * address to click is no card, but text in `content`.
 */
const given = (about: string) =>
  Type.String({ description: `${about}${about === "" ? "" : " "}\`""\` when the platform gives none.` });

/** Product card: interface 2.6. */
export const ProductCard = Type.Object(
  {
    position,
    title: Type.String(),
    url: Type.String({
      description:
        "Preferred click address: a web address or an app deep link. Click this first. Never empty: where the platform gives none, it is its `deepLink`, else its `fallbackUrl`.",
    }),
    urlType: Type.Enum(["web", "app_deep_link"], {
      description: "`web` opens in a browser. `app_deep_link` needs the app; on failure try `fallbackUrl`.",
    }),
    deepLink: Nullable(Type.String()),
    trackingUrl: Nullable(Type.String()),
    fallbackUrl: Nullable(Type.String()),
    thumbnail: given("Web address of a picture."),
    mall: given("Name of the shop or mall."),
    mallPlatform: given(""),
    mallProductId: given("For reference only. Clients must not build a mall address from it."),
    skuId: given(""),
    shopId: given(""),
    price: given("Display price; not used in billing."),
    priceUnit: given(""),
    sales: given("Display text."),
    sellingPoints: Type.Array(Type.String()),
  },
  { description: "A product that the platform showed in its answer." },
);
export type ProductCard = Static<typeof ProductCard>;

/** Video card: interface 2.7. `duration` is display text. */
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

/** The media types known today. The field is an open string: a platform may show others. */
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

/** Other media card: interface 2.7. */
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
