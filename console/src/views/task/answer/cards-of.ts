import type { MediaCard, ProductCard, TaskRecord, VideoCard } from "@querent/client";

/** A card of an answer, whatever its kind. */
export type AnyCard =
  | { readonly kind: "product"; readonly card: ProductCard }
  | { readonly kind: "video"; readonly card: VideoCard }
  | { readonly kind: "media"; readonly card: MediaCard };

/** The three arrays merged by `position`: the order in which the platform showed them. */
export function cardsOf({ products, videos, media }: Pick<TaskRecord, "products" | "videos" | "media">): AnyCard[] {
  const all: AnyCard[] = [
    ...products.map((card) => ({ kind: "product", card }) as const),
    ...videos.map((card) => ({ kind: "video", card }) as const),
    ...media.map((card) => ({ kind: "media", card }) as const),
  ];
  return all.sort((one, other) => one.card.position - other.card.position);
}

/** What a card calls itself in `content`. */
export const labelOf = (any: AnyCard): string => (any.kind === "media" ? any.card.mediaType : any.kind);

export function pictureOf(any: AnyCard): string | null {
  switch (any.kind) {
    case "product":
      return any.card.thumbnail || null;
    case "video":
      return any.card.cover;
    case "media":
      return any.card.thumbnail;
  }
}
