/**
 * Writes a platform's citations into its text: links at the offsets that it gave, and links in place of its markers.
 *
 * The text's structure is the author's and stays as it is. Every change is made at a place that the parsed tree shows to be
 * text; a link whose place cannot hold one goes to the end of its block, or becomes a paragraph behind it. Each changed portion
 * is parsed again: where its tree without our links is not the tree before, its links move on to the end of their blocks, then
 * behind their top-level block, then into a list.
 *
 * The parser takes 5 ms for 1,000 characters of prose, and ten times as long for the slowest texts. So it gets portions that end
 * at an empty line, only those that have something to change or may leave a fence open, and no more than a budget allows: what is
 * beyond it is listed. The generator pauses between portions, so that a process can do something else.
 */
import { codeRanges, formulaRanges, isWithin, union, type Range, rangeAt } from "./code-ranges.ts";
import { citationLinks, citationsMax, type Citation, link } from "./links.ts";
import {
  parseMarkdown,
  placesIn,
  rangesOf,
  structuresOf,
  type Dialect,
  type LinkKind,
  isPlainText,
  placeInText,
  type TextPlaces,
  type TextBlock,
} from "./markdown-places.ts";
import type { Root } from "mdast";
import { completeAddress, isWebAddress } from "../../../kernel/web-address.ts";
import { markersIn, withoutHidden, type Marker, type Numbered } from "./markers.ts";

/** The text as Markdown with its citations as links. */
export function cite(cited: CitedText): string {
  const steps = citing(cited);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** In UTF-16 code units: what the parser gets at least, if there is that much, and at most. */
const portionChars = 2_000;
const portionCharsMax = 32_000;
/** The sum over everything that the parser gets, each portion weighted by its length, since some texts take it quadratic time. */
const workMax = 600_000;
const workOf = (chars: number): number => chars * (1 + chars / 16_000);
/** Underlined headings without an empty line between them take quadratic time: 2 s for 4,000 of them, 0.1 s for 1,000. */
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/gmu;
const underlinesMax = 1_000;
/** Quotes and list items that start in one line. */
const tooDeep = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){10}/mu;
/** What an empty line may not end. */
const opener = /^ {0,3}(?:```|~~~|\$\$|<)/mu;

/** Generates nothing: each pause is a chance to do something else. */
export function* citing(cited: CitedText): Generator<void, string> {
  const { text, edits, listed } = prepare(cited);
  if (edits.length === 0 && listed.length === 0) return text;
  const writer = new Writer(text, listed);
  let next = 0;
  while (next < edits.length) {
    yield;
    const count = writer.write(edits, next);
    if (count === null) break;
    next += count;
  }
  writer.list(edits.slice(next));
  return writer.finish();
}

/** Takes the text in portions from the start to the end, and writes each with its links. */
class Writer {
  readonly #text: string;
  readonly #listed: Citation[];
  /** Formulas that empty lines are part of, so that no portion ends in one. */
  readonly #formulas: readonly Range[];
  /** Definitions of the whole text, in front of each portion; null if there are too many. */
  readonly #definitions: string | null;
  readonly #written: string[] = [];
  #workLeft = workMax;
  /** Up to where the text is written. A top-level block begins here. */
  #at = 0;
  /** The part of the last piece in front of a block that nothing can follow. */
  #openFrom: number | null = null;
  /** A list of links can stand there, or at the end, and changes nothing of the block before it. */
  #canEndInList = true;

  constructor(text: string, listed: Citation[]) {
    this.#text = text;
    this.#listed = listed;
    this.#formulas = formulaRanges(text, codeRanges(text));
    this.#definitions = definitionsIn(text);
    const front = frontMatter.exec(text)?.[0] ?? "";
    this.#copyTo(front.length);
  }

  /** Writes one portion. The number of edits that are done with it; null if the rest of the text cannot be changed. */
  write(edits: readonly Edit[], next: number): number | null {
    const text = this.#text;
    const first = edits[next];
    if (first === undefined || this.#definitions === null || this.#at >= text.length) return null;
    if (first.at < this.#at) {
      this.list([first]);
      return 1;
    }
    const end = this.#boundary(this.#at + portionChars);
    const mayStayOpen = opener.test(text.slice(this.#at, end));
    if (first.at >= end && end < text.length && !mayStayOpen) {
      this.#copyTo(end);
      return 0;
    }
    const portion = this.#parse(end);
    if (portion === null) {
      if (mayStayOpen || this.#workLeft < 0) return null;
      const count = countBefore(edits, next, end, text.length);
      this.list(edits.slice(next, next + count));
      this.#copyTo(end);
      return count;
    }
    const count = countBefore(edits, next, portion.end, text.length);
    this.#change(portion, edits.slice(next, next + count));
    return count;
  }

  list(edits: readonly Edit[]): void {
    for (const { cited } of edits) this.#listed.push(...cited);
  }

  finish(): string {
    const rest = this.#text.slice(this.#at);
    const links = citationLinks(this.#listed).slice(0, citationsMax);
    if (links.length === 0) return this.#written.join("") + rest;
    const list = `(${links.join(", ")})`;
    const isSafe = !opener.test(rest) && !/\$\$|\\\[/u.test(rest);
    if (rest.trim() !== "" && !isSafe) return `${ended(this.#written.join(""))}${list}\n\n${rest}`;
    if (!this.#canEndInList) {
      const [front = "", ...others] = this.#written;
      return `${ended(front)}${list}\n\n${others.join("")}${rest}`;
    }
    if (this.#openFrom === null) return `${ended(this.#written.join("") + rest)}${list}`;
    const last = this.#written.pop() ?? "";
    const open = last.slice(this.#openFrom);
    return `${ended(this.#written.join("") + last.slice(0, this.#openFrom))}${list}\n\n${open}${rest}`;
  }

  #copyTo(end: number): void {
    this.#written.push(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  /**
   * The next place from an offset on where a top-level block begins unless one is open that an empty line does not end: the
   * start of a line at the margin behind an empty line. No item of a list, which may be part of the list before.
   */
  #boundary(from: number): number {
    const text = this.#text;
    let line = text.lastIndexOf("\n", Math.max(0, from - 1)) + 1;
    let isBehindEmpty = false;
    for (;;) {
      const end = text.indexOf("\n", line);
      const start = text.slice(line, Math.min(end < 0 ? text.length : end, line + 20));
      if (
        isBehindEmpty &&
        line >= from &&
        /^(?!(?:[-*+]|\d{1,9}[.)])(?:\s|$))\S/u.test(start) &&
        !isWithin(this.#formulas, line)
      )
        return line;
      if (end < 0) return text.length;
      isBehindEmpty = text.slice(line, end).trim() === "";
      line = end + 1;
    }
  }

  /** Reads a portion that ends at a boundary, further if a block is open there; null if it is too long, too deep, or too much. */
  #parse(boundary: number): Portion | null {
    for (let end = boundary; ;) {
      const from = this.#at;
      const text = this.#text.slice(from, end);
      if (text.length > portionCharsMax || tooDeep.test(text)) return null;
      if ([...text.matchAll(underline)].length > underlinesMax) return null;
      const plain = this.#tree(text, "plain");
      const withFormulas = text.includes("$") ? this.#tree(text, "formulas") : undefined;
      if (plain === null || withFormulas === null) return null;
      const isOpen = plain.openFrom !== null || (withFormulas?.openFrom ?? null) !== null;
      if (isOpen && end < this.#text.length) {
        end = this.#boundary(end + text.length);
        continue;
      }
      const written = formulaRanges(text, rangesOf(plain.tree, ["code", "inlineCode", "html"]));
      const parsed = withFormulas === undefined ? [] : rangesOf(withFormulas.tree, ["math", "inlineMath"]);
      const formulas = union(written, parsed);
      const places = placesIn(plain.tree);
      const readings = [readingOf("plain", plain)];
      if (withFormulas !== undefined) readings.push(readingOf("formulas", withFormulas));
      return { from, end, places, formulas, readings, openFrom: openFromIn(text, readings) };
    }
  }

  /** The tree of a portion, without the definitions that stand in front of it. Null if it is too much. */
  #tree(portion: string, dialect: Dialect): ParsedPortion | null {
    const given = `${this.#definitions ?? ""}${portion}${probe}`;
    const lead = given.length - portion.length - probe.length;
    this.#workLeft -= workOf(given.length);
    if (this.#workLeft < 0) return null;
    try {
      const parsed = parseMarkdown(given, dialect);
      moveBack(parsed, lead);
      const tree = { ...parsed, children: parsed.children.filter((top) => startOf(top) >= 0) };
      const last = tree.children.at(-1);
      const isOpen = last?.type !== "paragraph" || startOf(last) !== portion.length + probe.length - 1;
      if (!isOpen) tree.children.pop();
      return { tree, openFrom: isOpen ? lineStart(portion, last === undefined ? 0 : startOf(last)) : null };
    } catch (error) {
      // Nested deeper than the parser can follow.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  #change(portion: Portion, edits: readonly Edit[]): void {
    const text = this.#text.slice(portion.from, portion.end);
    const levels = portion.places.tops.map(() => inPlace);
    for (;;) {
      const { changes, listed } = plan(text, portion, edits, levels);
      const { written, ours } = applied(text, changes);
      const wrong = changes.length === 0 ? [] : this.#wrongTops(portion, written, ours);
      if (wrong.length === 0 || levels.length === 0) {
        this.#listed.push(...listed);
        this.#at = portion.end;
        this.#written.push(written);
        const { openFrom } = portion;
        if (openFrom !== null) {
          const before = changes.filter(({ to }) => to <= openFrom);
          this.#openFrom = applied(text.slice(0, openFrom), before).written.length;
        }
        if (this.#listed.length > 0 && portion.end === this.#text.length)
          this.#canEndInList = this.#canHoldList(portion, openFrom ?? text.length);
        return;
      }
      for (const top of wrong) levels[top] = Math.min(notAtAll, (levels[top] ?? 0) + 1);
    }
  }

  /** Whether a list of links can stand at a place between two blocks, or at the end. */
  #canHoldList(portion: Portion, at: number): boolean {
    const text = this.#text.slice(portion.from, portion.end);
    const before = `${ended(text.slice(0, at))}(`;
    const written = `${before}[x](https://x.example))\n\n${text.slice(at)}`;
    return this.#wrongTops(portion, written, new Map([[before.length, "page"]])).length === 0;
  }

  /** The top-level blocks whose structure is another one in the changed text, for any of the renderers. */
  #wrongTops({ places: { tops }, readings }: Portion, written: string, ours: ReadonlyMap<number, LinkKind>): number[] {
    const all = [...tops.keys()];
    const wrong = new Set<number>();
    for (const { dialect, tops: read, structures } of readings) {
      const parsed = this.#tree(written, dialect);
      if (parsed === null) return all;
      const found = structuresOf(parsed.tree, ours).filter((structure) => structure !== emptyParagraph);
      const expected = [...structures.keys()].filter((index) => structures[index] !== emptyParagraph);
      if (found.length !== expected.length) return all;
      for (const [place, index] of expected.entries()) {
        const range = read[index];
        if (structures[index] === found[place] || range === undefined) continue;
        for (const [top, { from, to }] of tops.entries()) if (from < range.to && to > range.from) wrong.add(top);
      }
    }
    return [...wrong];
  }
}

/** Metadata at the very beginning, which some renderers leave out. */
const frontMatter = /^(---|\+\+\+)[ \t]*\r?\n(?:(?!\1)[^\n]{0,1000}\n){0,100}\1[ \t]*(?:\r?\n|$)|^\uFEFF+/u;
/** A paragraph of its own behind a portion in which nothing is open. */
const probe = "\n\nx";
const emptyParagraph = JSON.stringify([JSON.stringify(["paragraph", {}])]);

/** The text with an empty line behind it. */
function ended(text: string): string {
  if (text === "" || /\n[ \t]*\r?\n$/u.test(text.slice(-100))) return text;
  return text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
}

function countBefore(edits: readonly Edit[], next: number, end: number, textEnd: number): number {
  let count = 0;
  while (next + count < edits.length && (end === textEnd || (edits[next + count]?.at ?? end) < end)) count += 1;
  return count;
}

// The definitions of a text's references and footnotes.

const labelChars = String.raw`(?:\\.|[^\\\]\[\n]){1,200}`;
const definition = new RegExp(String.raw`^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){0,5}\[(${labelChars})\]:`, "gmu");
const definitionsMax = 200;
const regionCharsMax = 2_000;

/**
 * The definitions of a text, without what they define: a portion read behind them has the same references as in the whole text.
 * `""` if there are none; null if there are too many to put them in front of every portion.
 */
function definitionsIn(text: string): string | null {
  const found = [...text.matchAll(definition)];
  if (found.length === 0) return "";
  if (found.length > definitionsMax) return null;
  const code = codeRanges(text);
  const labels = new Set<string>();
  for (const { 0: match, 1: label = "", index } of found) {
    const at = index + match.length;
    if (labels.has(label) || isWithin(code, at - 0.5) || !isDefinition(text, index, at)) continue;
    labels.add(label);
  }
  if (labels.size === 0) return "";
  const [notes, links] = [[...labels].filter(isNote), [...labels].filter((label) => !isNote(label))];
  // The last one ends the footnote before it, whatever a portion begins with.
  return [...notes, ...links, "querent"].map((label) => `[${label}]: #\n\n`).join("");
}

const isNote = (label: string): boolean => label.startsWith("^");

/** Whether the parser sees a definition there, within the lines up to the next empty ones. */
function isDefinition(text: string, from: number, to: number): boolean {
  const start = Math.max(text.lastIndexOf("\n\n", from) + 2, from - regionCharsMax);
  const end = text.indexOf("\n\n", to);
  const region = text.slice(start, Math.min(end < 0 ? text.length : end, to + regionCharsMax));
  const place = from - start + (/\[/u.exec(text.slice(from, to))?.index ?? 0);
  const within = (node: Root | Root["children"][number]): boolean => {
    if (node.type === "definition" || node.type === "footnoteDefinition") return node.position?.start.offset === place;
    return "children" in node && node.children.some(within);
  };
  return within(parseMarkdown(region, "plain"));
}

/** A text with everything that the platform said about its citations. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** What a number refers to in the text from an offset on, in order. */
  readonly numberings: readonly { readonly from: number; readonly addressOf: Numbered }[];
}

interface LinkEdit {
  readonly kind: "link";
  readonly at: number;
  readonly cited: Citation[];
  /** What stood here was removed: the link takes its place, behind a space that is there already. */
  readonly replaces: boolean;
}

interface MarkerEdit extends Range {
  readonly kind: "marker";
  readonly at: number;
  /** What replaces it, if it stands in text; null if it may be the author's own and stays. */
  readonly links: readonly string[] | null;
  /** The pages of citations that cover just the marker. */
  readonly cited: Citation[];
}

type Edit = LinkEdit | MarkerEdit;

interface Prepared {
  readonly text: string;
  /** In order. */
  readonly edits: readonly Edit[];
  /** Citations beyond the maximum of places. */
  readonly listed: Citation[];
}

/** Only the end of a long range is examined: an existing link to its source is there. */
const citedCharsMax = 10_000;

function prepare({ text: given, citations, numberings }: CitedText): Prepared {
  const { text, place } = withoutHidden(given);
  const starts = numberings.map(({ from, addressOf }) => ({ from: place(from), linkOf: linksBy(addressOf) }));
  const markers = new Map<number, MarkerEdit>();
  let numbering = 0;
  for (const marker of markersIn(text)) {
    while ((starts[numbering + 1]?.from ?? Number.POSITIVE_INFINITY) <= marker.from) numbering += 1;
    markers.set(marker.to, markerEdit(marker, starts[numbering]?.linkOf ?? (() => "")));
  }
  const listed: Citation[] = [];
  const places = new Map<number, LinkEdit>();
  for (const { start, end, url: named, ...rest } of citations) {
    const url = completeAddress(named.trim());
    if (end <= 0 || end > given.length || start < 0 || start > end || !isWebAddress(url)) continue;
    const citation = { start, end, url, ...rest };
    const stretch = given.slice(Math.max(start, end - citedCharsMax), end);
    if (stretch.includes(url) || stretch.includes(named)) continue;
    // What is cited is the text of a link: `[[1]](address)`.
    if (/^\]?\(/u.test(given.slice(end, end + 2)) && given.slice(end, end + url.length + 3).includes(url)) continue;
    const isMarker = stretch.length <= 200 && markerAlone.test(stretch);
    const replaces = isMarker && place(start) === place(end);
    const at = replaces ? place(end) : behindWord(text, place(end));
    const known = (isMarker ? markers.get(at) : undefined) ?? places.get(at);
    if (known !== undefined) known.cited.push(citation);
    else if (places.size >= citationsMax) listed.push(citation);
    else places.set(at, { kind: "link", at, cited: [citation], replaces });
  }
  const changing = [...markers.values()].filter(({ links, cited }) => links !== null || cited.length > 0);
  return { text, edits: [...changing, ...places.values()].sort((a, b) => a.at - b.at), listed };
}

const markerAlone = /^\s*(?:【[^】]*】|\[\[?\d{1,3}\]?\]|[\uE000-\uF8FF][^]*[\uE000-\uF8FF]|(?:cite)?turn\d+\w+)\s*$/u;

/** White space at the end of what is cited belongs to what follows. */
function behindWord(text: string, offset: number): number {
  const limit = Math.max(0, offset - whiteSpaceMax);
  let at = offset;
  while (at > limit && /\s/u.test(text[at - 1] ?? "")) at -= 1;
  return at === limit ? offset : at;
}
const whiteSpaceMax = 1_000;

/** The link in place of a number. Each is written once: a text may have hundreds of thousands of markers. */
function linksBy(addressOf: Numbered): (number: number) => string {
  const known = new Map<number, string>();
  return (number) => {
    const text = known.get(number) ?? link(`[${number}]`, completeAddress(addressOf(number) ?? ""));
    known.set(number, text);
    return text;
  };
}

function markerEdit({ from, to, numbers, mayBeProse }: Marker, linkOf: (number: number) => string): MarkerEdit {
  const links = (numbers ?? []).map(linkOf).filter((text) => text !== "");
  const isKept = mayBeProse && links.length < (numbers?.length ?? 0);
  return { kind: "marker", from, to, at: from, links: isKept ? null : links, cited: [] };
}

/** Where a text is changed. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly links: readonly string[];
  readonly after: string;
  readonly kind: LinkKind;
}

/** How far a top-level block has failed: its links go to their places, to the end of their blocks, behind it, or into the list. */
const inPlace = 0;
const atBlockEnds = 1;
const behindTop = 2;
const notAtAll = 3;

/** What to change in a portion, at its own offsets, and what can only be listed. */
function plan(
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

function applied(
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

/**
 * A portion of the text that the parser has read at once, since the whole text would take too long. All offsets but `from` and `end` count
 * from `from`.
 */
interface Portion {
  readonly from: number;
  readonly end: number;
  readonly places: TextPlaces;
  readonly formulas: readonly Range[];
  readonly readings: readonly DialectReading[];
  /** Where a block begins that does not end with the portion, so that nothing can follow it; null if there is none. */
  readonly openFrom: number | null;
}

/** A portion as one kind of renderers reads it. */
interface DialectReading {
  readonly dialect: Dialect;
  readonly tops: readonly Range[];
  readonly structures: readonly string[];
  readonly openFrom: number | null;
}

interface ParsedPortion {
  readonly tree: Root;
  readonly openFrom: number | null;
}

function readingOf(dialect: Dialect, { tree, openFrom }: ParsedPortion): DialectReading {
  const tops = tree.children.map((top) => ({ from: startOf(top), to: top.position?.end.offset ?? 0 }));
  return { dialect, tops, structures: structuresOf(tree, new Map()), openFrom };
}

/** Where a block begins, for all renderers, that nothing can follow for one of them; null if there is none. */
function openFromIn(text: string, readings: readonly DialectReading[]): number | null {
  const openings = readings.flatMap(({ openFrom }) => openFrom ?? []);
  if (openings.length === 0) return null;
  let at = Math.min(...openings);
  for (;;) {
    const within = readings.flatMap(({ tops }) => tops.filter(({ from, to }) => from < at && at < to));
    const before = lineStart(text, Math.min(at, ...within.map(({ from }) => from)));
    if (before === at) return at;
    at = before;
  }
}

const startOf = (node: Root["children"][number]): number => node.position?.start.offset ?? 0;
const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** Offsets of a text behind which it stood. */
function moveBack(node: Root | Root["children"][number], by: number): void {
  if (by === 0) return;
  if (node.position !== undefined) {
    node.position.start.offset = (node.position.start.offset ?? 0) - by;
    node.position.end.offset = (node.position.end.offset ?? 0) - by;
  }
  if ("children" in node) for (const child of node.children) moveBack(child, by);
}
