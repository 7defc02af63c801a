/**
 * The code and the formulas of a Markdown text, found in one pass over its lines. This is not a parser: it serves where a
 * parser would be too slow or would be misled, and errs on the side of code.
 */

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Fenced and indented code, and code spans, in order. A fence without an end is code to the end. */
export function codeRanges(text: string): Range[] {
  if (!/`|~~~|^(?: {4}|\t)/mu.test(text)) return [];
  const ranges: Range[] = [];
  let fence: { readonly mark: string; readonly from: number } | null = null;
  /** The start of the lines in which a code span may end, and whether the last line that is not indented is a list item's. */
  let paragraph = -1;
  let afterBlank = true;
  let inList = false;
  for (const { from, to } of linesOf(text)) {
    const line = text.slice(from, Math.min(to, from + lineCharsMax));
    if (fence !== null) {
      const mark: string = fence.mark;
      const close: string = closing.exec(line)?.[1] ?? "";
      if (close.length < mark.length || close[0] !== mark[0] || to - from > lineCharsMax) continue;
      ranges.push({ from: fence.from, to });
      fence = null;
      afterBlank = false;
      continue;
    }
    const mark = opening.exec(line)?.[1];
    const isBlank = line.trim() === "";
    const isIndented = !isBlank && /^(?: {4}| {0,3}\t)/u.test(line);
    if (mark !== undefined || isBlank || (isIndented && afterBlank && !inList)) {
      if (paragraph >= 0) spansIn(text, paragraph, from, ranges);
      paragraph = -1;
    } else if (paragraph < 0) paragraph = from;
    if (mark !== undefined) fence = { mark, from };
    else if (isIndented && afterBlank && !inList) ranges.push({ from, to });
    else if (!isBlank) {
      afterBlank = false;
      if (!/^\s/u.test(line)) inList = /^(?:[-*+]|\d{1,9}[.)])\s/u.test(line);
    }
    if (isBlank) afterBlank = true;
  }
  if (fence !== null) ranges.push({ from: fence.from, to: text.length });
  else if (paragraph >= 0) spansIn(text, paragraph, text.length, ranges);
  return ranges;
}

/** What makes a line a fence stands at its beginning. */
const lineCharsMax = 1_000;
const opening = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){0,3}(`{3,}(?=[^`]*$)|~{3,})/u;
const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?$/u;

function* linesOf(text: string): Generator<Range> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    const next = end < 0 ? text.length : end + 1;
    yield { from, to: end < 0 ? next : end };
    from = next;
  }
}

/** The code spans of a paragraph: each run of backticks up to the next one of the same length. */
function spansIn(text: string, from: number, to: number, ranges: Range[]): void {
  const paragraph = text.slice(from, to);
  if (!paragraph.includes("`")) return;
  const runs = [...paragraph.matchAll(/`+/gu)];
  /** The runs of each length, last first, so that the next one can be popped. */
  const next = new Map<number, number[]>();
  for (const run of runs.toReversed()) {
    const places = next.get(run[0].length) ?? [];
    places.push(run.index);
    next.set(run[0].length, places);
  }
  let at = 0;
  for (const { 0: run, index } of runs) {
    if (index < at || /(?<!\\)(?:\\\\)*\\$/u.test(paragraph.slice(Math.max(0, index - 20), index))) continue;
    const places = next.get(run.length) ?? [];
    while ((places.at(-1) ?? Number.POSITIVE_INFINITY) <= index) places.pop();
    const close = places.at(-1);
    if (close === undefined) continue;
    at = close + run.length;
    ranges.push({ from: from + index, to: from + at });
  }
}

/** Whether one of the ranges, which are in order, contains a place strictly. */
export function isWithin(ranges: readonly Range[], place: number): boolean {
  return rangeAt(ranges, place) !== null;
}

export function rangeAt(ranges: readonly Range[], place: number): Range | null {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.to ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  const range = ranges[low];
  return range !== undefined && range.from < place ? range : null;
}

/** A formula that is longer is a bracket that stands for itself. */
const formulaCharsMax = 4_000;
const inlineFormulaCharsMax = 1_000;

/**
 * Formulas as assistants write them, in order: `\[…\]` and `\(…\)`, which the parser takes for escaped brackets; `$$…$$`, which
 * may have empty lines in it; and `$…$` by the rule of pandoc, which tells formulas from amounts of money: no space behind the
 * first sign or before the second, and no digit behind the second.
 */
export function formulaRanges(text: string, code: readonly Range[]): Range[] {
  if (!/\$|\\[[(]/u.test(text)) return [];
  const ranges: Range[] = [];
  /** Where the next closing mark of each kind is; infinity if there is none any more. Each is searched for once. */
  const known = new Map<string, number>();
  const next = (mark: string, from: number): number => {
    const before = known.get(mark) ?? -1;
    if (before >= from) return before;
    const found = text.indexOf(mark, from);
    const at = found < 0 ? Number.POSITIVE_INFINITY : found;
    known.set(mark, at);
    return at;
  };
  let at = 0;
  for (const { 0: mark, index } of text.matchAll(/\\[^]|\$\$|\$/gu)) {
    const close = closes[mark];
    if (close === undefined || index < at || isWithin(code, index + 0.5)) continue;
    const from = index + mark.length;
    const to = mark === "$" ? endOfInline(text, from, next) : next(close, from) + close.length;
    const isInline = mark === "$" || mark === String.raw`\(`;
    if (to - index > (isInline ? inlineFormulaCharsMax : formulaCharsMax)) continue;
    if (isInline && /\n[ \t]*\r?\n/u.test(text.slice(from, to))) continue;
    ranges.push({ from: index, to });
    at = to;
  }
  return ranges;
}
const closes: Readonly<Record<string, string>> = { "\\[": "\\]", "\\(": "\\)", $$: "$$", $: "$" };

/** The end of a formula that one dollar sign opens; infinity if it opens none. */
function endOfInline(text: string, from: number, next: (mark: string, from: number) => number): number {
  if (!/\S/u.test(text[from] ?? " ")) return Number.POSITIVE_INFINITY;
  let close = next("$", from);
  for (let tries = 0; text[close - 1] === "\\" && tries < 10; tries += 1) close = next("$", close + 1);
  const isClose = close > from && /^\S\$(?![\d$])/u.test(text.slice(close - 1, close + 2));
  return isClose ? close + 1 : Number.POSITIVE_INFINITY;
}

/** The ranges of both lists in order, joined where they overlap. */
export function union(one: readonly Range[], other: readonly Range[]): Range[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of [...one, ...other].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
