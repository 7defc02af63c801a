/**
 * A card as Markdown: a block quote, which looks right in every renderer that was tried and as plain text. It is built as
 * syntax tree nodes, so whatever a title contains is output as text and never as markup.
 *
 * > **product** · [Kettle](https://shop.example/kettle "card 1")
 * >
 * > ![Kettle](https://shop.example/kettle.jpg)
 * >
 * > **59 €** · Kettle shop · 2k+ sold
 */
import type { ProductCard } from "@querent/contract";
import type { Blockquote, Paragraph, PhrasingContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { isWebAddress } from "../kernel/web-address.ts";
import { cardTextCharsMax } from "./bounds.ts";
import { labelOf, priceText, type TextCard, type PlacedCard } from "./cards.ts";
import { oneLine } from "./text.ts";

/** Between the label, the title and the facts of a card. */
export const separator = " · ";

/** The title of a card's link: connects the text to the card with this position. */
export const linkTitle = (position: number): string => `card ${position}`;

const markdownOptions = { extensions: [gfmToMarkdown()] };

/** One text for each card and each mention. All are serialized together: setting up the serializer costs more than a card. */
export function writeCards(cards: readonly (PlacedCard | TextCard)[]): string[] {
  if (cards.length === 0) return [];
  const markdown = toMarkdown(
    { type: "root", children: cards.map((card) => (card.type === "mention" ? mention(card) : quote(card))) },
    markdownOptions,
  );
  // Every line of a quote begins with `>`, and a mention is one line, so empty lines only occur between them.
  return markdown.trimEnd().split("\n\n");
}

function quote(placed: PlacedCard): Blockquote {
  const shown = show(placed);
  const paragraphs: Paragraph[] = [paragraph(heading(placed, shown))];
  if (shown.image !== null) paragraphs.push(paragraph([{ type: "image", url: shown.image, alt: shown.title }]));
  if (shown.facts.length > 0) paragraphs.push(paragraph(joined(shown.facts)));
  return { type: "blockquote", children: paragraphs };
}

/** `Kettle · 59 € · Kettle shop`: a line of text that cannot be mistaken for a card. */
function mention({ texts }: TextCard): Paragraph {
  return paragraph(joined(facts(texts)));
}

interface Shown {
  readonly title: string;
  /** A web URL to link; null if there is none. */
  readonly link: string | null;
  /** An app deep link without a web URL. */
  readonly code: string | null;
  readonly image: string | null;
  readonly facts: readonly PhrasingContent[];
}

function show(placed: PlacedCard): Shown {
  switch (placed.type) {
    case "product": {
      const { card } = placed;
      const link = productLink(card);
      const deepLink = card.deepLink ?? (card.urlType === "app_deep_link" ? card.url || null : null);
      return {
        title: card.title,
        link,
        code: link === null ? deepLink : null,
        image: card.thumbnail || null,
        facts: [
          ...facts([priceText(card)]).map((text): PhrasingContent => ({ type: "strong", children: [text] })),
          ...facts([card.mall, card.sales, ...card.sellingPoints]),
        ],
      };
    }
    case "video": {
      const { card } = placed;
      return {
        title: card.title,
        link: webLink(card.url),
        code: null,
        image: card.cover,
        facts: facts([card.author, card.duration, card.videoPlatform]),
      };
    }
    case "media": {
      const { card } = placed;
      return {
        title: card.title ?? "",
        link: webLink(card.url),
        code: null,
        image: card.thumbnail,
        facts: facts([card.content === null ? null : oneLine(card.content, cardTextCharsMax)]),
      };
    }
  }
}

/** Renderers remove unknown schemes, so an app deep link is replaced by its web URL in the link. */
function productLink(card: ProductCard): string | null {
  const preferred = card.urlType === "web" ? webLink(card.url) : null;
  return preferred ?? webLink(card.fallbackUrl);
}

const webLink = (address: string | null): string | null => (address !== null && isWebAddress(address) ? address : null);

function heading(placed: PlacedCard, { title, link, code }: Shown): PhrasingContent[] {
  const nodes: PhrasingContent[] = [{ type: "strong", children: [{ type: "text", value: labelOf(placed) }] }];
  if (link !== null) {
    const text = { type: "text", value: title || link } as const;
    nodes.push({ type: "link", url: link, title: linkTitle(placed.card.position), children: [text] });
  } else {
    if (title !== "") nodes.push({ type: "text", value: title });
    if (code !== null) nodes.push({ type: "inlineCode", value: code });
  }
  return joined(nodes);
}

function facts(values: readonly (string | null)[]): { type: "text"; value: string }[] {
  return values
    .filter((value) => value !== null && value !== "")
    .map((value) => ({ type: "text", value: value ?? "" }));
}

function joined(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.flatMap((node, index) => (index === 0 ? [node] : [{ type: "text", value: separator } as const, node]));
}

const paragraph = (children: PhrasingContent[]): Paragraph => ({ type: "paragraph", children });
