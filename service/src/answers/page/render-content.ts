import type { StoredResult } from "@querent/contract";
import type { Element, ElementContent, Nodes, Root, RootContent } from "hast";
import type { Blockquote } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { defaultHandlers, toHast, type Handlers } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";
import { isWebAddress, siteOf } from "../../kernel/web-address.ts";
import { mergeCards, labelOf, priceText, type PlacedCard } from "../cards.ts";
import { readCards } from "../read-cards.ts";
import { h, outwardLink, visible, type Child } from "../../kernel/element.ts";

/**
 * An answer's Markdown as elements: its cards from the structured cards, HTML in it as text, links only to the web, and no
 * images, since an image would reveal to a third party who reads the page.
 */
export function renderContent(
  content: string,
  result: Pick<StoredResult, "products" | "videos" | "media">,
): ElementContent[] {
  const markdown = visible(content);
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const cards = mergeCards(result);
  const drawn = new Map<Blockquote, PlacedCard>();
  for (const node of tree.children) {
    if (node.type !== "blockquote") continue;
    const text = markdown.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
    // Cards are in the text in order, each once.
    const card = readCards(text).length === 1 ? cards[drawn.size] : undefined;
    if (card !== undefined) drawn.set(node, card);
  }
  const handlers: Handlers = {
    html: (_state, { value }: { value: string }): ElementContent | undefined => {
      if (/^<br\s*\/?>$/iu.test(value)) return h("br", {});
      return /^<!--[^]*-->$/u.test(value.trim()) ? undefined : { type: "text", value };
    },
    blockquote: (state, node: Blockquote) => {
      const card = drawn.get(node);
      return card === undefined ? defaultHandlers.blockquote(state, node) : renderCard(card);
    },
  };
  const html = toHast(tree, {
    handlers,
    clobberPrefix: "answer-",
    footnoteLabel: "Notes",
    footnoteBackContent: "↑",
  }) as Root;
  return html.children.flatMap((node) => harmless(node, false));
}

const directed = new Set(["p", "ul", "ol", "li", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "td", "th"]);

/** The allowed part of what Markdown can become. Elements that we created ourselves are unchanged. */
function harmless(node: RootContent, inLink: boolean): ElementContent[] {
  if (node.type === "text") return [node];
  if (node.type !== "element") return [];
  if (node.tagName === "section" && isCard(node)) return [node];
  if (node.tagName === "img") return [picture(node, inLink)];
  if (node.tagName === "a") return [link(node)];
  const children = node.children.flatMap((child) => harmless(child, inLink));
  const heading = /^h([1-6])$/u.exec(node.tagName)?.[1];
  const tagName = heading === undefined ? node.tagName : `h${Math.min(6, Number(heading) + 1)}`;
  // The only class that comes from a text is a fence's language, which can be anything.
  const properties = tagName === "code" ? {} : { ...node.properties };
  if (directed.has(tagName)) properties["dir"] = directionOf(node);
  const element: Element = { type: "element", tagName, properties, children };
  if (tagName === "table") return [h("div", { className: ["table"], tabIndex: 0, dir: directionOf(node) }, element)];
  return tagName === "pre" ? [h("pre", { dir: "ltr" }, ...children)] : [element];
}

function link(node: Element): Element {
  const address = textProperty(node, "href");
  const children = node.children.flatMap((child) => harmless(child, true));
  // Footnotes are links within the page.
  if (address.startsWith("#answer-")) return { ...node, children };
  if (!isWebAddress(address)) return h("span", {}, ...children);
  return outwardLink(address, /^\[?\d{1,3}\]?$/u.test(textOf(node)) ? "cite" : "out", ...children);
}

function isCard({ properties: { className } }: Element): boolean {
  return Array.isArray(className) && className.includes("card");
}

function textProperty(node: Element, name: "href" | "src" | "alt"): string {
  const value = node.properties[name];
  return typeof value === "string" ? value : "";
}

/** An image is named and linked, but not shown. */
function picture(node: Element, inLink: boolean): Element {
  const address = textProperty(node, "src");
  const title = h("bdi", {}, textProperty(node, "alt") || "Picture");
  if (!isWebAddress(address)) return h("span", { className: ["picture"] }, title);
  const site = h("span", { className: ["site"] }, siteOf(address));
  return inLink
    ? h("span", { className: ["picture"] }, title, " ", site)
    : outwardLink(address, "picture", title, " ", site);
}

/**
 * The direction of the first letter. Browsers determine it as well (`dir=auto`), but not for a list or a quote whose paragraphs
 * have directions of their own: its markers would be on the wrong side.
 */
function directionOf(node: Nodes): "rtl" | "ltr" {
  const letter = firstLetter(node);
  return letter !== null && rightToLeft.test(letter) ? "rtl" : "ltr";
}
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

function firstLetter(node: Nodes): string | null {
  if (node.type === "text") return /\p{L}/u.exec(node.value)?.[0] ?? null;
  if (!("children" in node) || (node.type === "element" && node.tagName === "code")) return null;
  for (const child of node.children) {
    const letter = firstLetter(child);
    if (letter !== null) return letter;
  }
  return null;
}

/** The text of a tree, for choosing fonts. */
export function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join(" ") : "";
}

const factCharsMax = 400;

/** A product, a video or another card as a box with its known fields. */
function renderCard(placed: PlacedCard): Element {
  const { title, address, deepLink, thumbnail, strong, facts, text } = shown(placed);
  const name = h("bdi", {}, title || (address === null ? "Untitled" : siteOf(address)));
  return h(
    "section",
    { className: ["card"], ariaLabel: `Card ${placed.card.position}` },
    h(
      "span",
      { className: ["tile", tone(labelOf(placed))], ariaHidden: "true" },
      labelOf(placed).charAt(0).toUpperCase(),
    ),
    h(
      "div",
      { className: ["about"] },
      h("p", { className: ["label"] }, labelOf(placed).replaceAll("_", " ")),
      h("p", { className: ["name"], dir: "auto" }, address === null ? name : outwardLink(address, "out", name)),
      strong !== "" && h("p", { className: ["strong"], dir: "auto" }, strong),
      facts.length > 0 && h("p", { className: ["facts"], dir: "auto" }, ...separated(facts)),
      text !== null && h("p", { className: ["text"], dir: "auto" }, text.slice(0, factCharsMax)),
      h(
        "p",
        { className: ["where"] },
        ...separated([
          ...(address === null ? [] : [h("span", {}, siteOf(address))]),
          ...(deepLink === null ? [] : [h("code", { title: "App link" }, deepLink.slice(0, factCharsMax))]),
          ...(thumbnail === null ? [] : [outwardLink(thumbnail, "quiet", "picture")]),
        ]),
      ),
    ),
  );
}

interface Shown {
  readonly title: string;
  readonly address: string | null;
  readonly deepLink: string | null;
  readonly thumbnail: string | null;
  readonly strong: string;
  readonly facts: readonly string[];
  readonly text: string | null;
}

function shown(placed: PlacedCard): Shown {
  switch (placed.type) {
    case "product": {
      const { card } = placed;
      const address = [card.url, card.fallbackUrl].map(web).find((one) => one !== null) ?? null;
      return {
        title: card.title,
        address,
        deepLink: card.deepLink ?? (card.urlType === "app_deep_link" ? card.url || null : null),
        thumbnail: web(card.thumbnail),
        strong: priceText(card),
        facts: [card.mall, card.sales, ...card.sellingPoints].filter((fact) => fact !== ""),
        text: null,
      };
    }
    case "video": {
      const { card } = placed;
      return {
        title: card.title,
        address: web(card.url),
        deepLink: null,
        thumbnail: web(card.cover),
        strong: "",
        facts: [card.author, card.duration, card.videoPlatform].filter(
          (fact) => fact !== null && fact !== "",
        ) as string[],
        text: null,
      };
    }
    case "media": {
      const { card } = placed;
      return {
        title: card.title ?? "",
        address: web(card.url),
        deepLink: null,
        thumbnail: web(card.thumbnail),
        strong: "",
        facts: [],
        text: card.content,
      };
    }
  }
}

const web = (address: string | null): string | null => (address !== null && isWebAddress(address) ? address : null);

function separated(facts: readonly Child[]): Child[] {
  return facts.flatMap((fact, index) => [
    index === 0 ? null : h("span", { className: ["dot"], ariaHidden: "true" }, " · "),
    typeof fact === "string" ? h("bdi", {}, fact) : fact,
  ]);
}

const tones = ["tone-a", "tone-b", "tone-c", "tone-d"] as const;
const toneOf: Readonly<Record<string, (typeof tones)[number]>> = {
  product: "tone-a",
  video: "tone-b",
  music: "tone-b",
  album: "tone-b",
  playlist: "tone-b",
  map: "tone-c",
  place: "tone-c",
  weather: "tone-c",
  image: "tone-c",
};
const tone = (label: string): string => toneOf[label] ?? "tone-d";
