/** Decides where in a portion of a text each link goes, given what failed before. */
import { citationLinks, type Citation } from "./links.ts";
import { isWithin, rangeAt, type Range } from "./code-ranges.ts";
import type { Edit } from "./citation-edits.ts";
import { isPlainText, placeInText, type LinkKind, type TextPlaces, type TextBlock } from "./markdown-places.ts";
import type { Portion } from "./portion.ts";

/** Where a text is changed. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly links: readonly string[];
  readonly after: string;
  readonly kind: LinkKind;
}

/** How far a top-level block has failed: its links go to their places, to the end of their blocks, behind it, or into the list. */
export const inPlace = 0;
const atBlockEnds = 1;
const behindTop = 2;
export const notAtAll = 3;

/** What to change in a portion, at its own offsets, and what can only be listed. */
export function plan(
  text: string,
  { from, places: { tops, blocks }, formulas, openFrom }: Portion,
  edits: readonly Edit[],
  levels: readonly number[],
): { readonly changes: readonly Change[]; readonly listed: readonly Citation[] } {
  const changes: Change[] = [];
  const listed: Citation[] = [];
  const ends = new Map<TextBlock, Citation[]>();
  const behind = new Map<number, Citation[]>();
  const insert = (at: number, cited: readonly Citation[], space: string): void => {
    const links = citationLinks(cited);
    if (links.length > 0) changes.push({ from: at, to: at, before: `${space}(`, links, after: ")", kind: "page" });
  };
  const put = (edit: Edit, offset: number): void => {
    const top = topAt(tops, offset);
    const level = levels[top] ?? notAtAll;
    const block = blockAt(blocks, offset);
    if (level === inPlace && edit.kind === "link" && block !== null && offset <= block.to) {
      const at = edit.replaces && !isWithin(formulas, offset) ? offset : placeInText(text, block, formulas, offset);
      if (at !== null) return insert(at, edit.cited, edit.replaces && /\s/u.test(text[at - 1] ?? "x") ? "" : " ");
    }
    const end = level <= atBlockEnds ? endOf(blocks, formulas, block, top) : null;
    if (end !== null) add(ends, end, edit.cited);
    else if (level > behindTop) listed.push(...edit.cited);
    else add(behind, topAt(tops, rangeAt(formulas, tops[top]?.to ?? 0)?.to ?? offset), edit.cited);
  };
  for (const edit of edits) {
    const offset = edit.at - from;
    if (edit.kind === "link") {
      put(edit, offset);
      continue;
    }
    const range = { from: offset, to: edit.to - from };
    const block = blockAt(blocks, offset);
    const level = levels[topAt(tops, offset)] ?? notAtAll;
    const isText = level <= atBlockEnds && block !== null && isPlainText(text, block, formulas, range);
    if (isText && edit.cited.length > 0) {
      const space = /\s/u.test(text[offset - 1] ?? " ") ? "" : " ";
      changes.push({ ...range, before: `${space}(`, links: citationLinks(edit.cited), after: ")", kind: "page" });
    } else if (isText && edit.links !== null) {
      changes.push({ ...range, before: "", links: edit.links, after: "", kind: "number" });
    } else if (edit.cited.length > 0) put(edit, range.to);
  }
  for (const [block, cited] of ends) insert(block.to, cited, " ");
  for (const [top, cited] of behind) {
    const block = tops[top];
    const links = citationLinks(cited);
    if (block === undefined || links.length === 0) continue;
    const isLast = openFrom !== null && block.to > openFrom;
    const next = text.indexOf("\n", Math.max(0, block.to - 1));
    const at = isLast ? openFrom : next < 0 ? text.length : next;
    const isApart = /\n[ \t]*\r?\n$/u.test(text.slice(Math.max(0, at - 100), at));
    const [before, after] = isLast
      ? [at === 0 || isApart ? "(" : "\n(", ")\n\n"]
      : ["\n\n(", /^\r?\n[ \t]*(?:\r?\n|$)/u.test(text.slice(at, at + 100)) || at === text.length ? ")" : ")\n"];
    changes.push({ from: at, to: at, before, links, after, kind: "page" });
  }
  return { changes: inOrder(changes), listed };
}

/** In order. A link whose place is within a marker that is replaced stands behind it. */
function inOrder(changes: readonly Change[]): Change[] {
  let end = 0;
  return changes
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .map((change) => {
      const from = Math.max(change.from, end);
      end = Math.max(change.to, end);
      return { ...change, from, to: end };
    });
}

export function applied(
  text: string,
  changes: readonly Change[],
): { readonly written: string; readonly ours: ReadonlyMap<number, LinkKind> } {
  const ours = new Map<number, LinkKind>();
  let written = "";
  let at = 0;
  for (const { from, to, before, links, after, kind } of changes) {
    written += text.slice(at, from) + before;
    for (const [index, text] of links.entries()) {
      if (index > 0 && kind === "page") written += ", ";
      ours.set(written.length, kind);
      written += text;
    }
    written += after;
    at = to;
  }
  return { written: written + text.slice(at), ours };
}

function add<Key>(map: Map<Key, Citation[]>, key: Key, cited: readonly Citation[]): void {
  const before = map.get(key);
  if (before === undefined) map.set(key, [...cited]);
  else before.push(...cited);
}

/** The top-level block at an offset, or else the one before it, or else the first. */
function topAt(tops: TextPlaces["tops"], offset: number): number {
  return Math.max(0, lastUpTo(tops, offset));
}

/** The text block at an offset, or else the one before it. */
function blockAt(blocks: readonly TextBlock[], offset: number): TextBlock | null {
  return blocks[lastUpTo(blocks, offset)] ?? null;
}

function lastUpTo(ranges: readonly Range[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.from ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The block at whose end a link of this top-level block can stand; null if it has none. */
function endOf(
  blocks: readonly TextBlock[],
  formulas: readonly Range[],
  before: TextBlock | null,
  top: number,
): TextBlock | null {
  const block = before?.root === top ? before : blocks.find(({ root }) => root === top);
  if (block === undefined) return null;
  const formula = rangeAt(formulas, block.to);
  if (formula === null) return block;
  const next = blockAt(blocks, formula.to);
  return next !== null && next.root === top && next.to >= formula.to && !isWithin(formulas, next.to) ? next : null;
}
