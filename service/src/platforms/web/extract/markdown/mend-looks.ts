/** Turns looks into meaning: bold spans, blocks that are spans, aligned cells, headings by role. The page's reader marks them. */
import type { Element, ElementContent } from "hast";
import { attribute, element, holdsBlock, isBlank, isBlock, type Parent } from "./hast.ts";

export function mendLooks(tree: Parent): void {
  for (const child of tree.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "pre") continue;
    mendLooks(child);
    mendElement(child);
  }
  tree.children = joinSame(tree.children as ElementContent[]).flatMap(outerSpace);
}

function mendElement(node: Element): void {
  const role = attribute(node, "role");
  const tag = (role === undefined ? undefined : tagsOfRoles[role]) ?? node.tagName;
  if (tag !== node.tagName && (isPlain(node) || role === "heading")) {
    node.tagName = role === "heading" ? `h${headingLevel(node)}` : tag;
  }
  if (node.tagName === "td" || node.tagName === "th") mendCell(node);
  for (const [look, wrapper] of wrappers) {
    if (node.properties[look] === undefined) continue;
    delete node.properties[look];
    if (!holdsBlock(node) && node.children.some((child) => !isBlank(child)))
      node.children = [element(wrapper, {}, node.children)];
  }
  if (node.properties["dataQuerentBlock"] !== undefined && node.tagName === "span") node.tagName = "div";
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

/** Without those at the beginning, and with one instead of several. */
function withoutIdleBreaks(children: readonly ElementContent[]): ElementContent[] {
  const kept: ElementContent[] = [];
  let isAtBreak = true;
  for (const child of children) {
    const isBreak = child.type === "element" && child.tagName === breakTag && child.properties["own"] !== true;
    if (isBreak && isAtBreak) continue;
    if (isAtBreak && child.type === "text" && isBlank(child)) continue;
    if (!isBlank(child)) isAtBreak = child.type === "element" && child.tagName === breakTag;
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
    if (child.tagName === "br") return [element(breakTag, { own: true }, [{ type: "text", value: "x" }])];
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
