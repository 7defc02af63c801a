/** Text in columns, by its display width in a terminal. */
import { displayWidth } from "./display-width.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Lines of at most `width` cells, broken between words if possible. Indents and quote markers are repeated. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line.trimEnd()];
  const lead = /^(\s*(>\s?)*)/.exec(line)?.[0] ?? "";
  const prefix = displayWidth(lead) < width / 2 ? lead : "";
  const lines: string[] = [];
  let current = prefix;
  let used = displayWidth(prefix);
  const start = used;
  for (const word of line.slice(prefix.length).split(/(?<=\s)/)) {
    const bare = displayWidth(word.trimEnd());
    if (used > start && used + bare > width) {
      lines.push(current.trimEnd());
      current = prefix;
      used = start;
    }
    if (used + bare <= width) {
      current += word;
      used += displayWidth(word);
      continue;
    }
    for (const { segment } of segmenter.segment(word)) {
      const cells = displayWidth(segment);
      if (used > start && used + cells > width) {
        lines.push(current.trimEnd());
        current = prefix;
        used = start;
      }
      current += segment;
      used += cells;
    }
  }
  lines.push(current.trimEnd());
  return lines;
}

/** Blocks of lines beside each other, each `width` cells wide. */
export function beside(blocks: readonly (readonly string[])[], width: number, gap = " │ "): string[] {
  const height = Math.max(0, ...blocks.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    blocks
      .map((block) => padded(block[row] ?? "", width))
      .join(gap)
      .trimEnd(),
  );
}

export interface Column {
  readonly head: string;
  readonly align?: "right";
  /** The smallest width to which the column may be cut. Without it, the column is never cut. */
  readonly least?: number;
  /** Omitted if the terminal is too narrow for all columns, the highest number first. */
  readonly optional?: number;
  /** Omitted if no row has anything in it. */
  readonly unlessEmpty?: true;
}

const tableGap = 2;

/**
 * A table that fits a width: optional columns are omitted until the others fit, and cells are cut, the widest column first.
 * Without a width, all columns are shown in full.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width = Infinity): string[] {
  let shown = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column, index }) => column.unlessEmpty !== true || rows.some((row) => (row[index] ?? "") !== ""));
  const naturalOf = (index: number) =>
    Math.max(...[columns.map(({ head }) => head), ...rows].map((row) => displayWidth(row[index] ?? "")));
  const naturals = columns.map((_, index) => naturalOf(index));
  const leastOf = (index: number) => Math.min(naturals[index] ?? 0, columns[index]?.least ?? Infinity);
  const total = (sizeOf: (index: number) => number) =>
    shown.reduce((sum, { index }) => sum + sizeOf(index), tableGap * (shown.length - 1));
  while (total(leastOf) > width) {
    const dropped = Math.max(...shown.map(({ column }) => column.optional ?? 0));
    if (dropped === 0) break;
    shown = shown.filter(({ column }) => column.optional !== dropped);
  }
  const widths = [...naturals];
  for (let over = total((index) => widths[index] ?? 0) - width; over > 0; over--) {
    const cuttable = shown.filter(({ index }) => (widths[index] ?? 0) > leastOf(index));
    const widest = cuttable.sort((one, other) => (widths[other.index] ?? 0) - (widths[one.index] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest.index] = (widths[widest.index] ?? 0) - 1;
  }
  return [columns.map(({ head }) => head), ...rows].map((row) =>
    shown
      .map(({ column, index }) => {
        const size = widths[index] ?? 0;
        const cell = row[index] ?? "";
        // Colored cells are never cut, because they would lose the sequence that resets the color.
        const fitted = column.least === undefined ? cell : cut(cell, size);
        return column.align === "right"
          ? `${" ".repeat(Math.max(0, size - displayWidth(fitted)))}${fitted}`
          : padded(fitted, size);
      })
      .join(" ".repeat(tableGap))
      .trimEnd(),
  );
}

/** Cuts text to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segmenter.segment(text)) {
    used += displayWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

const padded = (text: string, width: number) => `${text}${" ".repeat(Math.max(0, width - displayWidth(text)))}`;
