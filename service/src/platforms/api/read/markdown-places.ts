/**
 * Where in a Markdown text a link can stand, and what of the text's structure a change must not touch. A text is parsed as
 * GitHub's dialect and, if it has dollar signs, with formulas too, since renderers differ in them.
 */
import type { Nodes, Parents, PhrasingContent, Root, RootContent } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { isWithin, rangeAt, type Range } from "./code-ranges.ts";
import { withoutMarkers } from "./markers.ts";

/** A paragraph, a heading or a cell: text that may hold links. */
export interface TextBlock extends Range {
  /** The top-level block that it is part of. */
  readonly root: number;
  readonly texts: Range[];
  /** Code, links, images, HTML, formulas: a link cannot stand within. */
  readonly closed: Range[];
  /** Emphasis: a link at the end of its text stands behind it. */
  readonly wrapped: (Range & { readonly textTo: number })[];
}

export interface TopBlock extends Range {
  readonly type: RootContent["type"];
}

export interface TextPlaces {
  readonly tops: readonly TopBlock[];
  readonly blocks: readonly TextBlock[];
}

const transforms = gfmFromMarkdown().flatMap((extension) => extension.transforms ?? []);
// Links that a transform makes of a text have no places. They are made after the places are known.
const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
const dialects = {
  plain: { extensions: [gfm()], mdastExtensions },
  formulas: { extensions: [gfm(), math()], mdastExtensions: [...mdastExtensions, mathFromMarkdown()] },
} satisfies Readonly<Record<string, Options>>;
export type Dialect = keyof typeof dialects;

/** With `formulas`, dollar signs of amounts of money are none of a formula's: "$5 and $6". */
export function parseMarkdown(markdown: string, dialect: Dialect): Root {
  return fromMarkdown(dialect === "plain" ? markdown : withoutMoney(markdown), dialects[dialect]);
}

/**
 * The text with another punctuation mark for each dollar sign in front of a digit, if the next dollar sign of its paragraph is
 * in front of a digit as well. Renderers that take the text between the two for a formula are wrong.
 */
function withoutMoney(markdown: string): string {
  const signs = [...markdown.matchAll(/\$+|\n[ \t]*\r?\n/gu)];
  const isAmount = (sign: RegExpExecArray | undefined) =>
    sign?.[0] === "$" && /\d/u.test(markdown[sign.index + 1] ?? "");
  let written = "";
  let at = 0;
  for (const [index, sign] of signs.entries()) {
    if (!isAmount(sign) || !isAmount(signs[index + 1])) continue;
    written += `${markdown.slice(at, sign.index)}%`;
    at = sign.index + 1;
  }
  return written + markdown.slice(at);
}

/** Where the nodes of some types are, in order. */
export function rangesOf(node: Nodes, types: readonly Nodes["type"][]): Range[] {
  if (types.includes(node.type)) return [{ from: startOf(node), to: endOf(node) }];
  return "children" in node ? node.children.flatMap((child) => rangesOf(child, types)) : [];
}

const startOf = (node: Nodes): number => node.position?.start.offset ?? 0;
const endOf = (node: Nodes): number => node.position?.end.offset ?? 0;

export function placesIn(tree: Root): TextPlaces {
  const blocks: TextBlock[] = [];
  for (const [root, top] of tree.children.entries()) findBlocks(top, root, blocks);
  return { tops: tree.children.map((top) => ({ type: top.type, from: startOf(top), to: endOf(top) })), blocks };
}

function findBlocks(node: Nodes, root: number, blocks: TextBlock[]): void {
  if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
    const [first] = node.children;
    const last = node.children.at(-1);
    if (first === undefined || last === undefined) return;
    const block = { root, from: startOf(first), to: endOf(last), texts: [], closed: [], wrapped: [] };
    findTexts(node.children, block);
    blocks.push(block);
  } else if (node.type !== "footnoteDefinition" && "children" in node) {
    for (const child of node.children) findBlocks(child, root, blocks);
  }
}

/** HTML whose text is a link's, code or a control's. */
const closedElement = /^<(a|code|pre|kbd|samp|var|math|svg|script|style|button|textarea|title)[\s>]/iu;

function findTexts(children: readonly PhrasingContent[], block: TextBlock): void {
  /** The HTML element that is open, and where it began. */
  let element: { readonly name: string; readonly from: number } | null = null;
  for (const node of children) {
    const range = { from: startOf(node), to: endOf(node) };
    if (node.type === "html") {
      const name = closedElement.exec(node.value)?.[1]?.toLowerCase();
      if (element !== null && new RegExp(`^</${element.name}\\s*>`, "iu").test(node.value)) {
        block.closed.push({ from: element.from, to: range.to });
        element = null;
      } else if (element === null && name !== undefined) element = { name, from: range.from };
      else block.closed.push(range);
    } else if (element !== null) continue;
    else if (node.type === "text") block.texts.push(range);
    else if (node.type === "emphasis" || node.type === "strong" || node.type === "delete") {
      const last = node.children.at(-1);
      block.wrapped.push({ ...range, textTo: last === undefined ? range.to : endOf(last) });
      findTexts(node.children, block);
    } else block.closed.push(range);
  }
  if (element !== null) block.closed.push({ from: element.from, to: block.to });
}

/**
 * The place for a link that the platform put at an offset of a text block; null if nothing but the end of the block can hold
 * it.
 */
export function placeInText(text: string, block: TextBlock, formulas: readonly Range[], offset: number): number | null {
  let at = offset;
  // The first places of a later line may be marks of a container, and there a text could become a list or a heading.
  const line = Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;
  if (line > block.from && /^[ \t>]*$/u.test(text.slice(line, at))) at = line;
  while (at > block.from && /\s/u.test(text[at - 1] ?? "")) at -= 1;
  if (at <= block.from) at = Math.max(offset, block.from);
  if (block.closed.some(({ from, to }) => from < at && at < to) || isWithin(formulas, at)) return null;
  for (const { textTo, to } of block.wrapped.toReversed()) if (textTo <= at && at < to) at = to;
  at = behindCharacter(text, at);
  const isInText = block.texts.some(({ from, to }) => from <= at && at <= to);
  const isBetween = [...block.closed, ...block.wrapped].some(({ to }) => to === at);
  return (isInText || isBetween) && at > block.from && at <= block.to ? at : null;
}

/** Not within a surrogate pair, an escape or a character reference. */
function behindCharacter(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  let at = code >= 0xdc00 && code <= 0xdfff ? offset + 1 : offset;
  const escapes = /\\+$/u.exec(text.slice(Math.max(0, at - 40), at))?.[0].length ?? 0;
  if (escapes % 2 === 1 && escapable.test(text[at] ?? "")) at += 1;
  const start = text.lastIndexOf("&", at - 1);
  if (start >= 0 && at - start < 34) {
    const reference = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iu.exec(text.slice(start, start + 40));
    if (reference !== null && start + reference[0].length > at) at = start + reference[0].length;
  }
  return at;
}

const escapable = /[!-/:-@[-`{-~]/u;

/** Whether a marker is the text's own words, not a part of code, a link, a formula or an escape. */
export function isPlainText(text: string, block: TextBlock, formulas: readonly Range[], { from, to }: Range): boolean {
  if (!block.texts.some((range) => range.from <= from && to <= range.to)) return false;
  const formula = rangeAt(formulas, from + 0.5);
  if (formula !== null) return false;
  const escapes = /\\+$/u.exec(text.slice(Math.max(0, from - 40), from))?.[0].length ?? 0;
  return escapes % 2 === 0 || !escapable.test(text[from] ?? "");
}

/** In place of one of our links: `[2]` in place of a marker, or a page between parentheses. */
const marks = { number: "\uE000", page: "\uE001" };
export type LinkKind = keyof typeof marks;

/**
 * The structure of each top-level block as text: equal for two texts that differ only in markers, in white space, and in our
 * links, which are known by where they begin. Changes the tree.
 */
export function structuresOf(tree: Root, ours: ReadonlyMap<number, LinkKind>): string[] {
  if (ours.size > 0) markLinks(tree, ours);
  for (const transform of transforms) transform(tree);
  return tree.children.map((top) => JSON.stringify(structureOf(top)));
}

function markLinks(parent: Parents, ours: ReadonlyMap<number, LinkKind>): void {
  for (const [index, child] of parent.children.entries()) {
    const kind = child.type === "link" ? ours.get(startOf(child)) : undefined;
    if (kind !== undefined) parent.children[index] = { type: "text", value: marks[kind] };
    else if ("children" in child) markLinks(child, ours);
  }
}

/** The words of a text, or a node: its type and attributes, then its children. */
type Structure = string | readonly Structure[];

function structureOf(node: Nodes): Structure {
  const { type, position: _position, ...rest } = node as Nodes & { children?: Nodes[]; value?: string };
  const { children, ...attributes } = rest;
  if (type === "text") return textOf(rest.value ?? "");
  const head = JSON.stringify([type, attributes]);
  if (children === undefined) return [head];
  const below: Structure[] = [];
  let words = "";
  const flush = () => {
    const plain = textOf(words);
    words = "";
    if (plain !== "") below.push(plain);
  };
  for (const child of children) {
    if (child.type === "text") words += child.value;
    else {
      flush();
      below.push(structureOf(child));
    }
  }
  flush();
  return [head, ...below];
}

/** The words alone. */
function textOf(value: string): string {
  const words = value.replace(/\(\uE001(?:, \uE001)*\)|\uE000/gu, "");
  return withoutMarkers(words).replace(/\s+/gu, "");
}
