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
import type { Blockquote, Paragraph, PhrasingContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { isWebAddress, siteOf } from "../kernel/web-address.ts";
import { cardTextCharsMax } from "./bounds.ts";
import { labelOf, priceText, type TextCard, type PlacedCard } from "./cards.ts";
import { oneLine } from "./text.ts";

/** Between the label, the title and the facts of a card. */
export const separator = " · ";

/** The title of a card's link: connects the text to the card with this position. */
export const linkTitle = (position: number): string => `card ${position}`;

/** The title of the link beside it, which is for readers without the app. */
export const fallbackTitle = "fallback";

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
  readonly link: string | null;
  /** A web URL beside an app's deep link, which many renderers and all readers without the app cannot follow. */
  readonly fallback: string | null;
  readonly image: string | null;
  readonly facts: readonly PhrasingContent[];
}

function show(placed: PlacedCard): Shown {
  switch (placed.type) {
    case "product": {
      const { card } = placed;
      const fallback = card.urlType === "app_deep_link" ? webLink(card.fallbackUrl) : null;
      return {
        title: card.title,
        link: card.url || null,
        fallback: fallback === card.url ? null : fallback,
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
        fallback: null,
        image: card.cover,
        facts: facts([card.author, card.duration, card.videoPlatform]),
      };
    }
    case "media": {
      const { card } = placed;
      return {
        title: card.title ?? "",
        link: webLink(card.url),
        fallback: null,
        image: card.thumbnail,
        facts: facts([card.content === null ? null : oneLine(card.content, cardTextCharsMax)]),
      };
    }
  }
}

const webLink = (address: string | null): string | null => (address !== null && isWebAddress(address) ? address : null);

function heading(placed: PlacedCard, { title, link, fallback }: Shown): PhrasingContent[] {
  const nodes: PhrasingContent[] = [{ type: "strong", children: [{ type: "text", value: labelOf(placed) }] }];
  if (link !== null) nodes.push(linked(title || link, link, linkTitle(placed.card.position)));
  else if (title !== "") nodes.push({ type: "text", value: title });
  if (fallback !== null) nodes.push(linked(siteOf(fallback) || fallback, fallback, fallbackTitle));
  return joined(nodes);
}

const linked = (value: string, url: string, title: string): PhrasingContent => ({
  type: "link",
  url,
  title,
  children: [{ type: "text", value }],
});

function facts(values: readonly (string | null)[]): { type: "text"; value: string }[] {
  return values
    .filter((value) => value !== null && value !== "")
    .map((value) => ({ type: "text", value: value ?? "" }));
}

function joined(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.flatMap((node, index) => (index === 0 ? [node] : [{ type: "text", value: separator } as const, node]));
}

const paragraph = (children: PhrasingContent[]): Paragraph => ({ type: "paragraph", children });
