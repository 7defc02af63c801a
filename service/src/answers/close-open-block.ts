/**
 * Sees to it that a card written after a text stands by itself. What could take it in is a code fence, or an HTML block that
 * ends at a mark and not at an empty line, that the text leaves open at the left margin; everything else is ended by an
 * empty line and a quote at the margin. Such a block is closed.
 *
 * It reads lines and not a syntax tree: a parser takes 8 s for 20,000 characters of nested list markers, and this takes text
 * from anywhere. Lines do not always tell whether a list goes on, or HTML. So each step knows what is certain and what is
 * doubtful, and **a line that may open a block at the margin, or may not, is kept from it by a backslash**. What is open at
 * the end is certain, then, whatever the text. That takes odd texts: a fence that is set in by two or three columns under a list
 * that may have ended, or one in HTML that may have begun.
 */
import {
  columns,
  fenceStart,
  htmlBlocks,
  htmlToEmptyLine,
  isFenceEnd,
  isHeading,
  isThematicBreak,
  itemStart,
  perhapsLoneTag,
  type HtmlBlock,
  type ItemStart,
} from "./block-starts.ts";

export function closeOpenBlock(markdown: string): string {
  if (!/```|~~~|</u.test(markdown)) return markdown;
  const margin = markdown.startsWith(byteOrderMark) ? doubtfulStart() : emptyMargin();
  let written = "";
  let copiedTo = 0;
  for (const { at, line } of lines(markdown)) {
    const isMarked = at === 0 && line.startsWith(byteOrderMark);
    const edit = isMarked ? readMarkedLine(margin, line) : readLine(margin, line);
    if (edit !== null) {
      written += markdown.slice(copiedTo, at + edit.column) + edit.insert;
      copiedTo = at + edit.column;
    }
  }
  const text = copiedTo === 0 ? markdown : written + markdown.slice(copiedTo);
  const { open } = margin;
  return open === null ? text : `${text}\n${typeof open === "string" ? open : open.closing}`;
}

/** One after the other: 16 MiB of short lines are not held as millions of strings. */
function* lines(text: string): Generator<{ at: number; line: string }> {
  const lineEnd = /\r\n?|\n/gu;
  for (let at = 0; ;) {
    lineEnd.lastIndex = at;
    const end = lineEnd.exec(text);
    yield { at, line: text.slice(at, end?.index ?? text.length) };
    if (end === null) return;
    at = end.index + end[0].length;
  }
}

type Doubt = "no" | "perhaps" | "yes";
/** An item that lines set in this far belong to. `perhaps`: there may be one, and how far is not known; two columns at least. */
type Item =
  | { readonly is: "no" | "perhaps" }
  | { readonly is: "yes"; readonly indent: number; readonly start: ItemStart };

/** What is known at the beginning of a line of the blocks at the margin. */
interface Margin {
  /** A fence, or HTML that ends at a mark. Certain. */
  open: string | HtmlBlock | null;
  /** In HTML that ends at an empty line. */
  untilEmpty: Doubt;
  item: Item;
  /** The line before may be running text, which goes on over lines of lesser indent. */
  perhapsText: boolean;
  /** The last line that was not empty may be code that is set in. A parser takes what follows as breaking into it, empty lines or not. */
  perhapsCode: boolean;
}

/** Something to be put into a line. */
interface Edit {
  readonly column: number;
  readonly insert: string;
}

const noItem: Item = { is: "no" };
const perhapsItem: Item = { is: "perhaps" };
const emptyMargin = (): Margin => ({
  open: null,
  untilEmpty: "no",
  item: noItem,
  perhapsText: false,
  perhapsCode: false,
});

/** At the very beginning of a document parsers skip this mark, and nowhere else; the text may stand there or not. */
const byteOrderMark = "\uFEFF";
const doubtfulStart = (): Margin => ({
  open: null,
  untilEmpty: "perhaps",
  item: perhapsItem,
  perhapsText: true,
  perhapsCode: false,
});

function readMarkedLine(margin: Margin, line: string): Edit | null {
  const edit = readLine(margin, line.slice(byteOrderMark.length));
  Object.assign(margin, { ...doubtfulStart(), untilEmpty: margin.untilEmpty === "no" ? "no" : "perhaps" });
  return edit === null ? null : { ...edit, column: edit.column + byteOrderMark.length };
}

function readLine(margin: Margin, line: string): Edit | null {
  if (margin.open !== null) return readInside(margin, margin.open, line);
  const [space = ""] = /^[ \t]*/u.exec(line) ?? [];
  const text = line.slice(space.length);
  if (text === "") {
    // An item may begin with an empty line, and not with two.
    if (margin.item.is === "yes" && margin.item.start.isEmpty) margin.item = perhapsItem;
    margin.untilEmpty = "no";
    margin.perhapsText = false;
    return null;
  }
  if (margin.untilEmpty === "yes") return null;
  const indent = columns(space);
  if (margin.item.is === "yes" && indent >= margin.item.indent) {
    if (margin.item.start.isEmpty) margin.item = { ...margin.item, start: { ...margin.item.start, isEmpty: false } };
    margin.perhapsText = true;
    return null;
  }
  if (indent > 3) {
    readText(margin, indent);
    margin.perhapsCode = true;
    return null;
  }
  const edit = readAtMargin(margin, text, indent);
  margin.perhapsCode = false;
  return edit;
}

/** The lines of an open block say certainly where it ends, but for one that parsers are not of one mind about: it is ended again. */
function readInside(margin: Margin, open: string | HtmlBlock, line: string): Edit | null {
  if (typeof open === "string") {
    if (isFenceEnd(line, open)) margin.open = null;
    return null;
  }
  if (!open.end.test(line)) return null;
  margin.open = null;
  if (open.doubtfulEnd?.test(line) !== true) return null;
  margin.perhapsText = true;
  return { column: line.length, insert: `\n${open.closing}` };
}

/** A line that is set in by three columns at most, and does not certainly belong to an item. */
function readAtMargin(margin: Margin, text: string, indent: number): Edit | null {
  const outOfItem = margin.item.is !== "perhaps" || indent < 2;
  const isCertain = outOfItem && margin.untilEmpty === "no";
  const fence = fenceStart(text);
  const html = htmlBlocks.find(({ start }) => start.test(text));
  if (fence !== null || html !== undefined) {
    const ends = html === undefined ? "no" : endsAtOnce(html, text);
    if (ends === "yes") return becomeOther(margin, isCertain);
    if (isCertain && ends === "no") {
      Object.assign(margin, { ...emptyMargin(), open: fence ?? html ?? null });
      return null;
    }
    readText(margin, indent);
    return { column: indent, insert: "\\" };
  }
  if (htmlToEmptyLine.test(text)) {
    margin.untilEmpty = outOfItem ? "yes" : "perhaps";
    margin.item = outOfItem ? noItem : perhapsItem;
    return null;
  }
  if (perhapsLoneTag.test(text)) {
    margin.untilEmpty = "perhaps";
    if (margin.item.is === "yes") margin.item = perhapsItem;
    margin.perhapsText = true;
    return null;
  }
  if (isThematicBreak(text) || isHeading(text)) return becomeOther(margin, isCertain);
  if (text.startsWith(">")) {
    becomeOther(margin, isCertain);
    margin.perhapsText = true;
    return null;
  }
  const start = itemStart(text);
  if (start !== null) readItemStart(margin, start, indent, isCertain);
  else readText(margin, indent);
  return null;
}

/** Something that is no running text, and ends lists, if it stands where it seems to. */
function becomeOther(margin: Margin, isCertain: boolean): null {
  margin.item = isCertain ? noItem : perhapsItem;
  margin.perhapsText = !isCertain;
  return null;
}

function readItemStart(margin: Margin, start: ItemStart, indent: number, isCertain: boolean): void {
  const { item } = margin;
  const isNext = item.is === "yes" && item.start.delimiter === start.delimiter && !start.isEmpty;
  const begins = isCertain && (start.breaksText || isNext || !(margin.perhapsText || margin.perhapsCode));
  margin.item = begins && start.width !== null ? { is: "yes", indent: indent + start.width, start } : perhapsItem;
  margin.perhapsText = true;
}

/** Running text, or code that is set in. */
function readText(margin: Margin, indent: number): void {
  // After an empty line, and set in by less than any item's text, it ends the list.
  const endsItem = margin.item.is === "yes" || (indent < 2 && margin.untilEmpty === "no");
  if (margin.item.is !== "no") margin.item = endsItem && !margin.perhapsText ? noItem : perhapsItem;
  margin.perhapsText = true;
}

/** Whether HTML ends in the line that begins it. Parsers differ in whether its first characters may be part of the end. */
function endsAtOnce(html: HtmlBlock, text: string): Doubt {
  const isEnd = (part: string) => html.end.test(part) && html.doubtfulEnd?.test(part) !== true;
  if (isEnd(text.slice(html.skip))) return "yes";
  return html.end.test(text) ? "perhaps" : "no";
}
