/**
 * Closes what a text leaves open and what would take in a card written after it: a code fence, or an HTML block that ends at a
 * mark and not at an empty line. Only blocks at the left margin matter; a quote at the margin ends lists and quotes by itself.
 *
 * It reads lines and not a syntax tree: a parser takes 8 s for 20,000 characters of nested list markers, and this takes text from anywhere.
 */
export function closeOpenBlock(markdown: string): string {
  if (!/```|~~~|</u.test(markdown)) return markdown;
  const open = openBlock(markdown);
  return open === null ? markdown : `${markdown}\n${open}`;
}

/** The line that ends the open block; null when none is open. */
function openBlock(markdown: string): string | null {
  let fence: string | null = null;
  let html: HtmlBlock | null = null;
  /** In an HTML block that ends at an empty line, and in which nothing else begins. */
  let untilEmpty = false;
  /** Lines indented this far belong to the list item above them; 0 outside of lists. */
  let itemIndent = 0;
  let itemIsEmpty = false;
  /** The line before is running text, which a line at the margin may go on with and not every line may end. */
  let inText = false;
  for (const line of markdown.split(/\r\n?|\n/u)) {
    if (fence !== null) {
      if (isFenceEnd(line, fence)) fence = null;
      continue;
    }
    if (html !== null) {
      if (html.end.test(line)) html = null;
      continue;
    }
    const text = line.trimStart();
    if (untilEmpty && text !== "") continue;
    if (text === "") {
      untilEmpty = false;
      inText = false;
      // An item may begin with one empty line and not with two.
      if (itemIsEmpty) itemIndent = 0;
      continue;
    }
    const indent = columns(line.slice(0, line.length - text.length));
    if (itemIndent > 0 && indent >= itemIndent) {
      itemIsEmpty = false;
      inText = isText(text);
      continue;
    }
    if (indent > 3) {
      if (!inText) itemIndent = 0;
      continue;
    }
    if (htmlToEmptyLine.test(text) || (!inText && loneTag.test(text))) {
      untilEmpty = true;
      itemIndent = 0;
      inText = false;
      continue;
    }
    const marker = markerOf(text, inText && itemIndent === 0);
    if (marker === null && isText(text)) {
      if (!inText) itemIndent = 0;
      inText = true;
      continue;
    }
    itemIndent = 0;
    inText = false;
    if (marker !== null) {
      const after = text.slice(marker.length);
      itemIndent = indent + marker.length + itemSpace(after);
      itemIsEmpty = after.trim() === "";
      inText = !itemIsEmpty && isText(after.trimStart());
      continue;
    }
    fence = fenceStart(text);
    html = htmlBlocks.find(({ start }) => start.test(text)) ?? null;
    if (html?.end.test(text.slice(html.skip)) === true) html = null;
  }
  return fence ?? html?.closing ?? null;
}

/** In running text only an item with text in it begins a list, and of the numbered ones only the first. */
function markerOf(text: string, inText: boolean): string | null {
  if (isThematicBreak(text)) return null;
  const marker = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/u.exec(text)?.[0] ?? null;
  if (marker === null || !inText) return marker;
  const isEmpty = text.slice(marker.length).trim() === "";
  return isEmpty || /^(?!0*1[.)])\d/u.test(marker) ? null : marker;
}

function isText(text: string): boolean {
  if (/^(?:>|#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/u.test(text) || isThematicBreak(text)) return false;
  return fenceStart(text) === null && !htmlToEmptyLine.test(text) && !htmlBlocks.some(({ start }) => start.test(text));
}

interface HtmlBlock {
  readonly start: RegExp;
  readonly end: RegExp;
  /** Characters of the start that can't be part of the end. */
  readonly skip: number;
  readonly closing: string;
}

/** Kind 6 of CommonMark's HTML blocks. */
const htmlToEmptyLine =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t]|\/?>|$)/iu;

/** Kind 7: one whole tag alone on its line, which does not break into running text. */
const loneTag =
  /^<(?!(?:script|pre|style|textarea)\b)(?:[a-z][a-z0-9-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?|\/[a-z][a-z0-9-]*[ \t]*)>[ \t]*$/iu;

/** The kinds 1 to 5 of CommonMark; the others end at an empty line. */
const htmlBlocks: readonly HtmlBlock[] = [
  {
    start: /^<(?:script|pre|style|textarea)(?:[ \t>]|$)/iu,
    end: /<\/(?:script|pre|style|textarea)>/iu,
    skip: 0,
    closing: "</pre>",
  },
  { start: /^<!--/u, end: /-->/u, skip: 2, closing: "-->" },
  { start: /^<\?/u, end: /\?>/u, skip: 1, closing: "?>" },
  { start: /^<!\[CDATA\[/u, end: /\]\]>/u, skip: 9, closing: "]]>" },
  { start: /^<![a-z]/iu, end: />/u, skip: 0, closing: ">" },
];

function fenceStart(text: string): string | null {
  const [, ticks, tildes] = /^(?:(`{3,})[^`]*|(~{3,}).*)$/u.exec(text) ?? [];
  return ticks ?? tildes ?? null;
}

function isFenceEnd(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line)?.[1];
  return mark?.startsWith(fence) === true;
}

const isThematicBreak = (text: string): boolean => /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/u.test(text);

/** How far the text of a list item stands from its marker: code in it, or nothing, counts as one space. */
function itemSpace(afterMarker: string): number {
  const text = afterMarker.trimStart();
  const space = columns(afterMarker.slice(0, afterMarker.length - text.length));
  return text === "" || space > 4 ? 1 : space;
}

function columns(space: string): number {
  let column = 0;
  for (const character of space) column += character === "\t" ? 4 - (column % 4) : 1;
  return column;
}
