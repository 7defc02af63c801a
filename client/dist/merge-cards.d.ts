import type { MediaCard, ProductCard, VideoCard } from "./wire.ts";
export type Card =
  | {
      readonly kind: "product";
      readonly card: ProductCard;
    }
  | {
      readonly kind: "video";
      readonly card: VideoCard;
    }
  | {
      readonly kind: "media";
      readonly card: MediaCard;
    };
/** A task's products, videos and other media, in the order in which the platform showed them. */
export declare function mergeCards(task: {
  readonly products: readonly ProductCard[];
  readonly videos: readonly VideoCard[];
  readonly media: readonly MediaCard[];
}): Card[];
