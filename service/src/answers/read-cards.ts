/** Parses the cards in an answer's Markdown: what a program sees that has only `content`. */
import type { Blockquote, Nodes, Paragraph, PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { labelPattern } from "./cards.ts";
import { fallbackTitle, separator } from "./write-card.ts";

export interface ReadCard {
  readonly type: "product" | "video" | "media";
  /** `product`, `video`, or the media type. */
  readonly label: string;
  readonly position: number;
  readonly title: string;
  /** What the card links: a web address, or an app's deep link. */
  readonly url: string | null;
  /** The web address beside an app's deep link. */
  readonly fallbackUrl: string | null;
  readonly image: string | null;
  /** Price, shop, author and the like as one line of plain text. */
  readonly facts: string | null;
}

/** The cards in `content`, in order. A card whose heading has no link gets its index in that order as its position. */
export function readCards(content: string): ReadCard[] {
  // CommonMark is sufficient for a quote, and GFM would turn a URL in a title into a link, escaped or not.
  const tree = fromMarkdown(content);
  const cards: ReadCard[] = [];
  for (const node of tree.children) {
    const card = node.type === "blockquote" ? readCard(node, cards.length + 1) : null;
    if (card !== null) cards.push(card);
  }
  return cards;
}

function readCard(quote: Blockquote, place: number): ReadCard | null {
  const [first, ...rest] = quote.children;
  if (first?.type !== "paragraph") return null;
  const heading = readHeading(first);
  if (heading === null) return null;
  const paragraphs = rest.filter((node): node is Paragraph => node.type === "paragraph");
  const image = paragraphs[0] === undefined ? null : onlyImage(paragraphs[0]);
  const facts = paragraphs[image === null ? 0 : 1];
  return {
    type: heading.label === "product" || heading.label === "video" ? heading.label : "media",
    ...heading,
    position: heading.position ?? place,
    image,
    facts: facts === undefined ? null : plainText(facts),
  };
}

type Heading = Pick<ReadCard, "label" | "title" | "url" | "fallbackUrl"> & { readonly position: number | null };

function readHeading(paragraph: Paragraph): Heading | null {
  const [strong, ...rest] = paragraph.children;
  if (strong?.type !== "strong") return null;
  const [word, ...more] = strong.children;
  if (word?.type !== "text" || more.length > 0 || !labelPattern.test(word.value)) return null;
  const label = word.value;
  if (rest.length === 0) return { label, title: "", url: null, fallbackUrl: null, position: null };
  return readLinked(label, rest) ?? readUnlinked(label, rest);
}

function readLinked(label: string, [between, link, ...more]: readonly PhrasingContent[]): Heading | null {
  if (between?.type !== "text" || between.value !== separator || link?.type !== "link") return null;
  const position = /^card ([1-9]\d{0,8})$/u.exec(link.title ?? "")?.[1];
  const fallbackUrl = more.length === 0 ? null : readFallback(more);
  if (position === undefined || fallbackUrl === undefined) return null;
  return { label, title: plainText(link), url: link.url, fallbackUrl, position: Number(position) };
}

function readFallback([between, link, ...more]: readonly PhrasingContent[]): string | undefined {
  if (between?.type !== "text" || between.value !== separator || link?.type !== "link" || more.length > 0)
    return undefined;
  return link.title === fallbackTitle ? link.url : undefined;
}

function readUnlinked(label: string, [text, ...more]: readonly PhrasingContent[]): Heading | null {
  if (text?.type !== "text" || !text.value.startsWith(separator) || more.length > 0) return null;
  return { label, title: text.value.slice(separator.length), url: null, fallbackUrl: null, position: null };
}

function onlyImage(paragraph: Paragraph): string | null {
  const [image, ...more] = paragraph.children;
  return image?.type === "image" && more.length === 0 ? image.url : null;
}

function plainText(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(plainText).join("") : "";
}
