/**
 * How the blocks of CommonMark begin and end, as one line tells it. The patterns that ignore case do without the flag `u`: with
 * it `K` (a Kelvin sign) and `ſ` count as the letters k and s, which they are not in the name of a tag.
 */

/** An HTML block of the kinds 1 to 5: it ends in the line that holds its mark; the others end at an empty line. */
export interface HtmlBlock {
  readonly start: RegExp;
  readonly end: RegExp;
  /** Characters of the start that can't be part of the end. */
  readonly skip: number;
  readonly closing: string;
  /** An end that not every parser takes for one. */
  readonly doubtfulEnd: RegExp | null;
}

export const htmlBlocks: readonly HtmlBlock[] = [
  {
    start: /^<(?:script|pre|style|textarea)(?:[ \t>]|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
    skip: 1,
    closing: "</pre>",
    doubtfulEnd: null,
  },
  { start: /^<!--/, end: /-->/, skip: 4, closing: "-->", doubtfulEnd: null },
  { start: /^<\?/, end: /\?>/, skip: 2, closing: "?>", doubtfulEnd: null },
  { start: /^<!\[CDATA\[/, end: /\]\]>/, skip: 9, closing: "]]>", doubtfulEnd: /\]\]\]>/ },
  { start: /^<![a-z]/i, end: />/, skip: 3, closing: ">", doubtfulEnd: null },
];

/** Kind 6: it ends at an empty line, and may break into running text. */
export const htmlToEmptyLine =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t]|\/?>|$)/i;

/** All that may be kind 7, one whole tag alone on its line, and more: whether it is depends on its attributes and on the line before. */
export const perhapsLoneTag = /^<\/?[a-z][a-z0-9-]*(?:[ \t/>].*)?>[ \t]*$/is;

/** The fence that a line opens. */
export function fenceStart(text: string): string | null {
  const [, ticks, tildes] = /^(?:(`{3,})[^`]*|(~{3,}).*)$/su.exec(text) ?? [];
  return ticks ?? tildes ?? null;
}

export function isFenceEnd(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line)?.[1];
  return mark?.startsWith(fence) === true;
}

export interface ItemStart {
  /** `-`, `+`, `*`, `.` or `)`: items of one list have one. */
  readonly delimiter: string;
  readonly isEmpty: boolean;
  /** It begins a list also where running text stands before it. */
  readonly breaksText: boolean;
  /** From the marker to where the item's text stands; null where tabs decide it. */
  readonly width: number | null;
}

/** The list item that a line begins, thematic breaks apart. */
export function itemStart(text: string): ItemStart | null {
  const [, marker = "", rest = ""] = /^([-*+]|\d{1,9}[.)])((?:[ \t].*)?)$/su.exec(text) ?? [];
  if (marker === "") return null;
  const [space = ""] = /^[ \t]*/u.exec(rest) ?? [];
  const isEmpty = space === rest;
  return {
    delimiter: marker.slice(-1),
    isEmpty,
    breaksText: !isEmpty && (/^[-*+]/u.test(marker) || /^1[.)]/u.test(marker)),
    // Code in the item, or nothing, counts as one space.
    width: space.includes("\t") ? null : marker.length + (isEmpty || space.length > 4 ? 1 : space.length),
  };
}

export const isThematicBreak = (text: string): boolean => /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/u.test(text);
export const isHeading = (text: string): boolean => /^#{1,6}(?:[ \t]|$)/u.test(text);

/** How many columns white space at the beginning of a line takes. */
export function columns(space: string): number {
  let column = 0;
  for (const character of space) column += character === "\t" ? 4 - (column % 4) : 1;
  return column;
}
