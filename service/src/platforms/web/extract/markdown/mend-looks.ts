/** Turns looks into meaning: bold spans, blocks that are spans, aligned cells, headings by role. The page's reader marks them. */
import type { Element, ElementContent } from "hast";
import { attribute, element, find, holdsBlock, isBlank, isBlock, textOf, type Parent } from "./hast.ts";

export function mendLooks(tree: Parent): void {
  for (const child of tree.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "pre") continue;
    mendLooks(child);
    mendElement(child);
  }
  tree.children = outerMarks(joinSame(tree.children as ElementContent[]).flatMap(outerSpace));
}

function mendElement(node: Element): void {
  const role = attribute(node, "role");
  const tag = (role === undefined ? undefined : tagsOfRoles[role]) ?? node.tagName;
  if (tag !== node.tagName && (isPlain(node) || role === "heading")) {
    node.tagName = role === "heading" ? `h${headingLevel(node)}` : tag;
  }
  if (node.tagName === "td" || node.tagName === "th") mendCell(node);
  if (/^h[1-6]$/.test(node.tagName)) withoutBreaks(node);
  if (node.tagName === "table") mendRowHeaders(node);
  for (const [look, wrapper] of wrappers) {
    if (node.properties[look] === undefined) continue;
    delete node.properties[look];
    if (!holdsBlock(node) && node.children.some((child) => !isBlank(child)))
      node.children = [element(wrapper, {}, node.children)];
  }
  if (node.properties["dataQuerentBlock"] !== undefined && node.tagName === "span") node.tagName = "div";
  // A block in a paragraph ends its line.
  if (node.tagName === "p" && holdsBlock(node)) node.tagName = "div";
  if (node.tagName === "a" && find(node, ({ tagName }) => linked.has(tagName)) !== undefined) linkWithin(node);
}

/** A heading is one line in Markdown. */
function withoutBreaks(heading: Element): void {
  heading.children = heading.children.map((child) => {
    if (child.type !== "element") return child;
    if (child.tagName === "br") return { type: "text", value: " " };
    withoutBreaks(child);
    return child;
  });
}

/** A first row with words in a cell that is no header is a row of the table, and its header that of the row. */
function mendRowHeaders(table: Element): void {
  const row = find(table, ({ tagName }) => tagName === "tr");
  if (row === undefined || find(table, ({ tagName }) => tagName === "thead") !== undefined) return;
  const cells = row.children.filter((child): child is Element => child.type === "element");
  if (cells.every((cell) => cell.tagName === "th" || cell.children.every(isBlank))) return;
  for (const cell of cells) if (cell.tagName === "th") cell.tagName = "td";
}

/** Blocks that a link can stand in and not around. */
const linked = new Set(["ul", "ol", "table", "blockquote", "dl", "pre"]);

/** Puts a link around blocks into each of their lines. */
function linkWithin(link: Element): void {
  const { href } = link.properties;
  const lines = (children: readonly ElementContent[]): ElementContent[] => {
    const out: ElementContent[] = [];
    for (const child of children) {
      const last = out.at(-1);
      if (child.type === "element" && (isBlock(child) || holdsBlock(child)))
        out.push(child.tagName === "pre" ? child : { ...child, children: lines(child.children) });
      else if (isBlank(child) && last?.type !== "element") out.push(child);
      else if (last?.type === "element" && last.tagName === "a") last.children.push(child);
      else out.push(element("a", { href }, [child]));
    }
    return out.filter((child) => child.type !== "element" || child.tagName !== "a" || !child.children.every(isBlank));
  };
  link.children = lines(link.children);
  link.tagName = "div";
  link.properties = {};
}

const wrappers = [
  ["dataQuerentBold", "strong"],
  ["dataQuerentItalic", "em"],
  ["dataQuerentStruck", "del"],
] as const;

const tagsOfRoles: Readonly<Record<string, string>> = {
  heading: "h2",
  table: "table",
  row: "tr",
  columnheader: "th",
  rowheader: "td",
  cell: "td",
  list: "ul",
  listitem: "li",
  paragraph: "p",
};
const isPlain = ({ tagName }: Element) => tagName === "div" || tagName === "span" || tagName === "section";

function headingLevel(node: Element): number {
  const level = Number(attribute(node, "ariaLevel") ?? /^h([1-6])$/.exec(node.tagName)?.[1] ?? 2);
  return Number.isInteger(level) && level >= 1 && level <= 6 ? level : 2;
}

function mendCell(cell: Element): void {
  const styled = /(?:^|;)\s*text-align\s*:\s*(left|center|right)/i.exec(attribute(cell, "style") ?? "")?.[1];
  const align = styled?.toLowerCase() ?? attribute(cell, "align") ?? attribute(cell, "dataQuerentAlign");
  if (align !== undefined) cell.properties["align"] = align;
  cell.children = withoutIdleBreaks(inLine(cell.children));
  // A break at the end of a cell only gives it its height.
  while (cell.children.length > 0 && isEnd(cell.children.at(-1))) cell.children.pop();
}

const isEnd = (node: ElementContent | undefined) =>
  node !== undefined && (isBlank(node) || (node.type === "element" && node.tagName === breakTag));

/** A line break within a cell, which Markdown can only write as HTML. */
export const breakTag = "querent-break";

/** A line of code within a cell. */
export const cellCodeTag = "querent-cell-code";

function linesOfCode(code: Element): string[] {
  const text = (node: ElementContent): string => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return "";
    return node.tagName === "br" ? "\n" : node.children.map(text).join("");
  };
  return text(code).replace(/\n$/, "").split("\n");
}

/** Without those at the beginning, and with one instead of several. */
function withoutIdleBreaks(children: readonly ElementContent[]): ElementContent[] {
  const kept: ElementContent[] = [];
  let isAtBreak = true;
  for (const child of children) {
    const isBreak = child.type === "element" && child.tagName === breakTag && child.properties["own"] !== true;
    if (isBreak && isAtBreak) continue;
    if (isAtBreak && child.type === "text" && isBlank(child)) continue;
    if (!isBlank(child)) isAtBreak = child.type === "element" && child.tagName === breakTag;
    if (isAtBreak) while (kept.length > 0 && kept.at(-1)?.type === "text" && isBlank(kept.at(-1) ?? child)) kept.pop();
    kept.push(child);
  }
  return kept;
}

/** Blocks in a cell become one line, with a break or a space where each begins and ends. */
function inLine(children: readonly ElementContent[]): ElementContent[] {
  const line = (): ElementContent => element(breakTag, {}, [{ type: "text", value: "x" }]);
  const space = (): ElementContent => ({ type: "text", value: " " });
  return children.flatMap((child): ElementContent[] => {
    if (child.type !== "element") return [child];
    const ownLine = () => element(breakTag, { own: true }, [{ type: "text", value: "x" }]);
    if (child.tagName === "br") return [ownLine()];
    if (child.tagName === "pre" || (child.tagName === "code" && linesOfCode(child).length > 1)) {
      const lines = linesOfCode(child).flatMap((text, at): ElementContent[] => [
        ...(at === 0 ? [] : [ownLine()]),
        ...(text.trim() === "" ? [] : [element(cellCodeTag, { text }, [{ type: "text", value: "x" }])]),
      ]);
      return child.tagName === "pre" ? [line(), ...lines, line()] : lines;
    }
    const isLine = isBlock(child) || child.properties["dataQuerentBlock"] !== undefined;
    const within = { ...child, children: inLine(child.children) };
    // Paragraphs and items are lines of their own; other blocks are how a page lays out a line.
    const around = child.tagName === "p" || child.tagName === "li" ? line : space;
    return isLine ? [around(), ...within.children, around()] : [within];
  });
}

const inline = new Set(["strong", "em", "del", "b", "i"]);

/** One bold text in several spans is one. */
function joinSame(children: ElementContent[]): ElementContent[] {
  const joined: ElementContent[] = [];
  for (const child of children.map(innermost)) {
    const last = joined.at(-1);
    if (
      child.type === "element" &&
      last?.type === "element" &&
      inline.has(child.tagName) &&
      last.tagName === child.tagName
    ) {
      last.children.push(...child.children);
    } else joined.push(child);
  }
  return joined;
}

/** A span that contains only a mark of emphasis is that. */
function innermost(node: ElementContent): ElementContent {
  if (node.type !== "element" || node.tagName !== "span" || node.children.length !== 1) return node;
  const [only] = node.children;
  return only?.type === "element" && inline.has(only.tagName) ? only : node;
}

const mark = /[\p{P}\p{S}]/u;
const pairs = ["“”", "‘’", "「」", "『』", "《》", "〈〉", "（）", "()", "【】", "[]", "«»", "„“", '""', "''"];

/**
 * Punctuation at the end of emphasis belongs outside of it where a letter follows without a space, as Chinese is written: Markdown does not
 * take `**“a”**b` for bold.
 */
function outerMarks(children: readonly ElementContent[]): ElementContent[] {
  return children.flatMap((node, at): ElementContent[] => {
    if (node.type !== "element" || !inline.has(node.tagName)) return [node];
    const [first, last] = [node.children.at(0), node.children.at(-1)];
    const before = edge(children[at - 1], -1);
    const after = edge(children[at + 1], 0);
    const start = first?.type === "text" ? (/^[\p{P}\p{S}]+/u.exec(first.value)?.[0] ?? "") : "";
    const end = last?.type === "text" ? (/[\p{P}\p{S}]+$/u.exec(last.value)?.[0] ?? "") : "";
    if (node.children.length === 1 && (isLetter(before) || isLetter(after)) && first?.type === "element") {
      // A link can stand around what is emphasized in it, and code stands out by itself.
      if (first.tagName === "a") return [{ ...first, children: [{ ...node, children: first.children }] }];
      if (first.tagName === "code") return [first];
    }
    const isOpen = start !== "" && isLetter(before);
    const isClosed = end !== "" && isLetter(after);
    if ((!isOpen && !isClosed) || textOf(node).length <= start.length + end.length) return [node];
    const isPair = pairs.includes(`${start.at(-1) ?? ""}${end.at(0) ?? ""}`);
    const [cutStart, cutEnd] = [isOpen || isPair ? start : "", isClosed || isPair ? end : ""];
    if (first?.type === "text") first.value = first.value.slice(cutStart.length);
    if (last?.type === "text") last.value = last.value.slice(0, last.value.length - cutEnd.length);
    return [
      ...(cutStart === "" ? [] : [{ type: "text" as const, value: cutStart }]),
      node,
      ...(cutEnd === "" ? [] : [{ type: "text" as const, value: cutEnd }]),
    ];
  });
}

const isLetter = (character: string) => character.trim() !== "" && !mark.test(character);
const edge = (node: ElementContent | undefined, at: 0 | -1): string =>
  node === undefined || (node.type === "element" && (isBlock(node) || node.tagName === "br"))
    ? ""
    : ([...textOf(node)].at(at) ?? "");

/** White space at the ends of emphasis belongs around it: `**bold **` is not bold in Markdown. */
function outerSpace(node: ElementContent): ElementContent[] {
  if (node.type !== "element" || !inline.has(node.tagName)) return [node];
  const first = node.children[0];
  const before = first?.type === "text" ? (/^\s+/.exec(first.value)?.[0] ?? "") : "";
  if (first?.type === "text") first.value = first.value.slice(before.length);
  const last = node.children.at(-1);
  const after = last?.type === "text" ? (/\s+$/.exec(last.value)?.[0] ?? "") : "";
  if (last?.type === "text") last.value = last.value.slice(0, last.value.length - after.length);
  const isEmpty = node.children.every(isBlank);
  return [
    ...(before === "" ? [] : [{ type: "text" as const, value: before }]),
    ...(isEmpty ? [] : [node]),
    ...(after === "" ? [] : [{ type: "text" as const, value: after }]),
  ];
}
