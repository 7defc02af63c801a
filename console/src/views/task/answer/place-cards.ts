/** Joins the answer's text to its cards: a block quote that stands for a card gives way to the card itself. */
import type { Blockquote, RootContent } from "mdast";
import { labelOf, type AnyCard } from "./cards-of.ts";

export type AnswerBlock =
  | { readonly kind: "text"; readonly node: RootContent }
  | { readonly kind: "card"; readonly card: AnyCard };

/** The blocks of an answer in order. A card that the text has no place for comes last, as the arrays have it. */
export function placeCards(blocks: readonly RootContent[], cards: readonly AnyCard[]): AnswerBlock[] {
  const left = new Map(cards.map((any) => [any.card.position, any]));
  const placed = blocks.map((node): AnswerBlock => {
    const card = node.type === "blockquote" ? standsFor(node, left) : undefined;
    if (card === undefined) return { kind: "text", node };
    left.delete(card.card.position);
    return { kind: "card", card };
  });
  return [...placed, ...[...left.values()].map((card) => ({ kind: "card", card }) as const)];
}

/** The heading of a card's quote: its label in bold, then a link called `card N`, or a title without a link. */
function standsFor({ children: [heading] }: Blockquote, left: ReadonlyMap<number, AnyCard>): AnyCard | undefined {
  if (heading?.type !== "paragraph") return undefined;
  const [strong, ...rest] = heading.children;
  const word = strong?.type === "strong" && strong.children.length === 1 ? strong.children[0] : undefined;
  if (word?.type !== "text") return undefined;
  const link = rest.find((node) => node.type === "link");
  const position = Number(/^card ([1-9]\d{0,8})$/.exec(link?.title ?? "")?.[1] ?? Number.NaN);
  if (link !== undefined && Number.isNaN(position)) return undefined;
  // A card without a link is the next one, because cards stand in the text in their order.
  const card = link === undefined ? left.values().next().value : left.get(position);
  return card !== undefined && labelOf(card) === word.value ? card : undefined;
}
