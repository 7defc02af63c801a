import type { MediaCard, ProductCard, VideoCard } from "./wire.ts";

export type Card =
  | { readonly kind: "product"; readonly card: ProductCard }
  | { readonly kind: "video"; readonly card: VideoCard }
  | { readonly kind: "media"; readonly card: MediaCard };

/** A task's products, videos and other media, in the order in which the platform showed them. */
export function mergeCards(task: {
  readonly products: readonly ProductCard[];
  readonly videos: readonly VideoCard[];
  readonly media: readonly MediaCard[];
}): Card[] {
  const cards: Card[] = [
    ...task.products.map((card) => ({ kind: "product", card }) as const),
    ...task.videos.map((card) => ({ kind: "video", card }) as const),
    ...task.media.map((card) => ({ kind: "media", card }) as const),
  ];
  return cards.sort((one, other) => one.card.position - other.card.position);
}
