/** A task's products, videos and other media, in the order in which the platform showed them. */
export function mergeCards(task) {
  const cards = [
    ...task.products.map((card) => ({ kind: "product", card })),
    ...task.videos.map((card) => ({ kind: "video", card })),
    ...task.media.map((card) => ({ kind: "media", card })),
  ];
  return cards.sort((one, other) => one.card.position - other.card.position);
}
