/**
 * Elements that Markdown lacks, and those that pages add to a text: ruby, text that a style generates or breaks into lines, videos,
 * places to break a word, anchors of headings, links without words, checkboxes within labels.
 */
import type { Element, ElementContent, Text } from "hast";
import { attribute, element, find, holdsBlock, isBlank, isBlock, textOf, type Parent } from "./hast.ts";

export function mendElements(tree: Parent): void {
  const mended = (tree.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== "element" || child.tagName === "pre") return [child];
    mendElements(child);
    return mend(child, tree);
  });
  tree.children = joinTexts(joinLists(withGaps(inPlace(mended))));
}

/** In the order in which the page draws them. */
function inPlace(children: ElementContent[]): ElementContent[] {
  const places = children.map((child) =>
    child.type === "element" ? Number(attribute(child, "dataQuerentPlace") ?? Number.NaN) : Number.NaN,
  );
  if (places.every(Number.isNaN)) return children;
  const sorted = children
    .flatMap((child, at) => (Number.isNaN(places[at]) ? [] : [{ child, place: places[at] ?? 0 }]))
    .toSorted((a, b) => a.place - b.place);
  return children.map((child, at) => (Number.isNaN(places[at]) ? child : (sorted.shift()?.child ?? child)));
}

/** A style parts words without a space between them. */
function withGaps(children: ElementContent[]): ElementContent[] {
  return children.flatMap((child, at) => {
    const last = children[at - 1];
    const isApart =
      (child.type === "element" && child.properties["dataQuerentGapBefore"] !== undefined) ||
      (last?.type === "element" && last.properties["dataQuerentGapAfter"] !== undefined);
    const isWord = last !== undefined && /[\p{L}\p{N}]$/u.test(textOf(last)) && /^[\p{L}\p{N}]/u.test(textOf(child));
    return isApart && isWord ? [{ type: "text", value: " " }, child] : [child];
  });
}

function mend(node: Element, parent: Parent): ElementContent[] {
  addGenerated(node);
  switch (node.tagName) {
    case "wbr":
      return [];
    case "ruby":
      return readings(node);
    case "video":
    case "audio":
      return [mediaLink(node)];
    case "a":
      nameImage(node);
      return isAnchorOf(node, parent) || isEmptyLink(node) ? [] : [node];
    case "p":
      if (/^[\s\u200B-\u200D\u2060\uFEFF]+$/u.test(textOf(node)) && !holdsMore(node)) return [];
      break;
    case "li":
      hoistCheckbox(node);
      break;
    case "ol":
    case "ul":
      if (node.properties["reversed"] === true) numberDown(node);
      hoistLists(node);
      numberByStyle(node);
      break;
    case "table":
      sortParts(node);
      break;
  }
  return breakLines(node);
}

const holdsMore = (node: Element) => find(node, ({ tagName }) => tagName !== "span") !== undefined;

/** A picture without a description in a link that has one. */
function nameImage(link: Element): void {
  const image = textOf(link).trim() === "" ? find(link, ({ tagName }) => tagName === "img") : undefined;
  const words = (attribute(link, "ariaLabel") ?? attribute(link, "title") ?? "").trim();
  if (image !== undefined && words !== "" && (attribute(image, "alt") ?? "").trim() === "")
    image.properties["alt"] = words;
}

/** A list that stands in a list instead of in one of its items belongs to the item before it. */
function hoistLists(list: Element): void {
  let item: Element | undefined;
  list.children = list.children.filter((child) => {
    if (child.type !== "element") return true;
    if ((child.tagName === "ul" || child.tagName === "ol") && item !== undefined) {
      item.children.push(child);
      return false;
    }
    if (child.tagName === "li") item = child;
    return true;
  });
}

/** The numbers that counters draw before the items of a list, which are then those of the list. */
function numberByStyle(list: Element): void {
  const items = list.children.filter((child): child is Element => child.type === "element" && child.tagName === "li");
  const numbers = items.map((item) => attribute(item, "dataQuerentNumber"));
  if (numbers.every((number) => number === undefined)) {
    const texts = items.map((item) => /^\d+(?:\.\d+)+\.?\s/.test(textOf(item)));
    // Numbers such as 1.2 are text, because Markdown has no such lists.
    if (
      texts.length > 0 &&
      items.every((item, at) => texts[at] === true && item.properties["dataQuerentDrawn"] === "yes")
    )
      list.tagName = "ul";
    return;
  }
  if (numbers.every((number) => number !== undefined)) list.tagName = "ol";
  for (const [at, number] of numbers.entries()) {
    const item = items[at];
    if (number === undefined || item === undefined) continue;
    if (list.tagName === "ol") item.properties["value"] = String(Number(number));
    else item.children.unshift({ type: "text", value: `${number} ` });
  }
}

/** The head of a table stands above its rows, and its foot below them, wherever they are in the page. */
function sortParts(table: Element): void {
  const place = (node: ElementContent) =>
    node.type !== "element" ? 1 : node.tagName === "thead" ? 0 : node.tagName === "tfoot" ? 2 : 1;
  table.children = table.children.toSorted((a, b) => place(a) - place(b));
}

/** A text that a style adds before or after an element. */
function addGenerated(node: Element): void {
  for (const [look, isFirst] of [
    ["dataQuerentBefore", true],
    ["dataQuerentAfter", false],
  ] as const) {
    const value = attribute(node, look);
    if (value === undefined) continue;
    delete node.properties[look];
    if (isFirst) {
      node.properties["dataQuerentDrawn"] = "yes";
      firstLine(node).children.unshift({ type: "text", value });
    } else node.children.push({ type: "text", value });
  }
}

/** The paragraph that begins an element, or the element itself. */
function firstLine(node: Element): Element {
  const first = node.children.find((child) => !isBlank(child));
  return first?.type === "element" && (first.tagName === "p" || first.tagName === "div") ? firstLine(first) : node;
}

/** What ruby shows above a word stands in parentheses after it. */
function readings(ruby: Element): ElementContent[] {
  return ruby.children.flatMap((child): ElementContent[] => {
    if (child.type !== "element" || child.tagName === "rb") return child.type === "element" ? child.children : [child];
    if (child.tagName === "rp") return [];
    if (child.tagName !== "rt" && child.tagName !== "rtc") return [child];
    const reading = textOf(child).trim();
    return reading === "" ? [] : [{ type: "text", value: `(${reading})` }];
  });
}

/** A link with the words that describe the video, or its file's name. */
function mediaLink(node: Element): ElementContent {
  const source = attribute(node, "src") ?? attribute(find(node, ({ tagName }) => tagName === "source") ?? node, "src");
  const described = attribute(node, "ariaLabel") ?? attribute(node, "title") ?? "";
  const name = /([^/?#]+)(?:[?#].*)?$/.exec(source ?? "")?.[1] ?? node.tagName;
  const words: Text = { type: "text", value: described.trim() === "" ? name : described.trim() };
  return source === undefined || source === "" ? element("span", {}, [words]) : element("a", { href: source }, [words]);
}

/** The sign beside a heading that links to it. */
const isAnchorOf = (link: Element, parent: Parent): boolean =>
  parent.type === "element" &&
  /^h[1-6]$/.test(parent.tagName) &&
  (attribute(link, "href") ?? "").includes("#") &&
  /^[#¶§🔗\s]*$/u.test(textOf(link)) &&
  find(link, ({ tagName }) => tagName === "img") === undefined;

/** It would not be seen in the text either. An id is the place of a footnote. */
const isEmptyLink = (link: Element): boolean =>
  attribute(link, "id") === undefined &&
  textOf(link).trim() === "" &&
  find(link, ({ tagName }) => tagName !== "span" && tagName !== "div") === undefined;

/** A task's box is its item's first child in Markdown; pages put it into a label. */
function hoistCheckbox(item: Element): void {
  const holders: Element[] = [];
  let at: ElementContent | undefined = item.children.find((child) => !isBlank(child));
  while (at?.type === "element" && (at.tagName === "label" || at.tagName === "span" || at.tagName === "div")) {
    holders.push(at);
    at = at.children.find((child) => !isBlank(child));
  }
  const holder = holders.at(-1);
  if (holder === undefined || at?.type !== "element" || at.tagName !== "input") return;
  if (attribute(at, "type") !== "checkbox") return;
  holder.children.splice(holder.children.indexOf(at), 1);
  for (const each of holders) if (each.tagName === "label") each.tagName = "span";
  item.children.unshift(at, { type: "text", value: " " });
}

/** The numbers that a reversed list shows. */
function numberDown(list: Element): void {
  const items = list.children.filter((child): child is Element => child.type === "element" && child.tagName === "li");
  let next = Number(list.properties["start"] ?? items.length);
  for (const item of items) {
    const own = Number(item.properties["value"] ?? next);
    item.properties["value"] = String(own);
    next = own - 1;
  }
}

/** The lines of a text whose style keeps them, such as one that a page does not format: a line without words ends a paragraph. */
function breakLines(node: Element): ElementContent[] {
  if (node.properties["dataQuerentLines"] === undefined || holdsBlock(node)) return [node];
  delete node.properties["dataQuerentLines"];
  const paragraphs: ElementContent[][] = [[]];
  for (const child of node.children) {
    if (child.type !== "text") {
      paragraphs.at(-1)?.push(child);
      continue;
    }
    for (const [at, part] of child.value.split(/\n[^\S\n]*\n\s*/u).entries()) {
      if (at > 0) paragraphs.push([]);
      paragraphs.at(-1)?.push(...linesOf(part));
    }
  }
  const kept = paragraphs.map(withoutEndBreaks).filter((children) => children.some((child) => !isBlank(child)));
  const isBlockLike = isBlock(node) || node.properties["dataQuerentBlock"] !== undefined;
  if (kept.length <= 1 || !isBlockLike) {
    node.children = kept.flatMap((children, at) => (at === 0 ? children : [lineBreak(), lineBreak(), ...children]));
    return [node];
  }
  if (node.tagName === "p") return kept.map((children) => element("p", {}, children));
  node.children = kept.map((children) => element("p", {}, children));
  return [node];
}

const lineBreak = () => element("br", {}, []);

const linesOf = (text: string): ElementContent[] =>
  text
    .split("\n")
    .flatMap((line, at): ElementContent[] => [
      ...(at === 0 ? [] : [lineBreak()]),
      ...(line === "" ? [] : [{ type: "text" as const, value: line }]),
    ]);

function withoutEndBreaks(children: readonly ElementContent[]): ElementContent[] {
  const isEnd = (node: ElementContent | undefined) =>
    node !== undefined && (isBlank(node) || (node.type === "element" && node.tagName === "br"));
  const first = children.findIndex((child) => !isEnd(child));
  const last = children.findLastIndex((child) => !isEnd(child));
  return first < 0 ? [] : children.slice(first, last + 1);
}

/** Pages that format an answer piece by piece begin a list anew, which goes on with its numbers. */
function joinLists(children: readonly ElementContent[]): ElementContent[] {
  const joined: ElementContent[] = [];
  let list: Element | undefined;
  for (const child of children) {
    if (isOrdered(child) && list !== undefined && Number(child.properties["start"]) === startOf(list) + itemsIn(list)) {
      list.children.push(...child.children);
      continue;
    }
    if (isOrdered(child)) list = child;
    else if (!isBlank(child)) list = undefined;
    joined.push(child);
  }
  return joined;
}

const isOrdered = (node: ElementContent): node is Element =>
  node.type === "element" && node.tagName === "ol" && node.properties["reversed"] !== true;
const startOf = (list: Element): number => Number(list.properties["start"] ?? 1);
const itemsIn = (list: Element): number =>
  list.children.filter((child) => child.type === "element" && child.tagName === "li").length;

/** What stood between them is gone. */
function joinTexts(children: readonly ElementContent[]): ElementContent[] {
  const joined: ElementContent[] = [];
  for (const child of children) {
    const last = joined.at(-1);
    if (child.type === "text" && last?.type === "text")
      joined[joined.length - 1] = { ...last, value: last.value + child.value };
    else joined.push(child);
  }
  return joined;
}

const characters: Readonly<Record<string, readonly [from: string, to: string]>> = {
  sup: ["0123456789+-−=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ"],
  sub: ["0123456789+-−=()in", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ᵢₙ"],
};
const signs: Readonly<Record<string, string>> = { sup: "^", sub: "_" };
const code = new Set(["pre", "code", "kbd", "samp"]);

/**
 * Superscripts and subscripts, which Markdown lacks: 10<sup>6</sup> is not 106. Digits, signs, i and n become Unicode's own
 * characters, and other terms `^(…)` and `_(…)`. Words, such as ordinals and trademarks, stay text.
 */
export function mendRaised(tree: Parent): void {
  for (const [at, child] of tree.children.entries()) {
    if (child.type !== "element" || code.has(child.tagName)) continue;
    const before = tree.children[at - 1];
    const isAttached = before?.type === "text" && /[\p{L}\p{N})]$/u.test(before.value);
    const written = isRaised(child) ? raised(child.tagName, textOf(child).trim(), isAttached) : null;
    if (written === null) mendRaised(child);
    else tree.children[at] = { type: "text", value: written };
  }
}

/** A link in it is a citation. */
const isRaised = (node: Element): boolean => signs[node.tagName] !== undefined && hasTextOnly(node.children);
const hasTextOnly = (nodes: readonly ElementContent[]): boolean =>
  nodes.every(
    (node) =>
      node.type === "text" ||
      (node.type === "element" && ["em", "i", "span", "var"].includes(node.tagName) && hasTextOnly(node.children)),
  );

/** Letters that are written above others in words: 1ᵉ, Mᵉ, nᵒ, Dʳ, 2ᵈ. */
const ofWords = new Set("aeorsdºª");

/** `isAttached`: it follows a letter or a digit. */
function raised(tag: string, text: string, isAttached: boolean): string | null {
  const [from, to] = (characters[tag] ?? ["", ""]).map((list) => [...list]) as [string[], string[]];
  const mapped = [...text].map((character) => to[from.indexOf(character)]);
  if (text !== "" && mapped.every((character) => character !== undefined)) return mapped.join("");
  const isTerm =
    /^[\p{L}\d\s.,+\-−–=*/×·()]+$/u.test(text) && /[\d+−=*/×·,]/u.test(text) && /\p{L}|[.,/*×·]/u.test(text);
  // A variable above or below another.
  const isName = isAttached && /^\p{L}$/u.test(text) && (tag === "sub" || !ofWords.has(text.toLowerCase()));
  return isTerm || isName ? `${signs[tag]}(${text.replaceAll(/\s+/g, " ")})` : null;
}

/** Tables that only a style makes: boxes with rows and cells become a table, unless they are a layout. */
export function mendTables(tree: Parent): void {
  tree.children = (tree.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== "element" || child.tagName === "pre") return [child];
    mendTables(child);
    return displayOf(child) === "table" ? (tableOf(child) ?? [child]) : [child];
  });
}

const displayOf = (node: ElementContent): string =>
  node.type === "element" ? (attribute(node, "dataQuerentTable") ?? "") : "";

interface Row {
  readonly isHead: boolean;
  readonly cells: readonly Element[];
}

/** The table, below its captions; null if it is how a page places its parts: one row, one column, or rows that do not match. */
function tableOf(node: Element): ElementContent[] | null {
  const rows: Row[] = [];
  const captions: Element[] = [];
  const isWhole = node.children.every((child) => isBlank(child) || take(child, false));
  if (!isWhole || rows.length < 2) return null;
  const columns = rows[0]?.cells.length ?? 0;
  if (columns < 2 || rows.some(({ cells }) => cells.length !== columns)) return null;
  const rowOf = ({ isHead, cells }: Row) =>
    element(
      "tr",
      {},
      cells.map((cell) => ({ ...cell, tagName: isHead ? "th" : "td" })),
    );
  const head = rows.filter(({ isHead }) => isHead);
  const body = rows.filter(({ isHead }) => !isHead);
  return [
    ...captions.map((caption) => element("p", {}, caption.children)),
    element("table", {}, [
      ...(head.length === 0 ? [] : [element("thead", {}, head.map(rowOf))]),
      element("tbody", {}, body.map(rowOf)),
    ]),
  ];

  function take(child: ElementContent, isHead: boolean): boolean {
    if (child.type !== "element") return false;
    const display = displayOf(child);
    if (display === "table-caption") captions.push(child);
    else if (display === "table-row")
      rows.push({
        isHead,
        cells: child.children.filter((cell): cell is Element => displayOf(cell) === "table-cell"),
      });
    else if (/^table-(header|row|footer)-group$/.test(display))
      return child.children.every((row) => isBlank(row) || take(row, display === "table-header-group"));
    else return display.startsWith("table-column");
    return true;
  }
}
