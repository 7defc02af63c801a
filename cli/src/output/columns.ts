/** Text in columns of a terminal: by its width there, whatever the script. */
import stringWidth from "string-width";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Lines of at most `width` cells, broken between words where that is possible. An indent or a quote's sign goes on. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (stringWidth(line) <= width) return [line.trimEnd()];
  const lead = /^(\s*(>\s?)*)/.exec(line)?.[0] ?? "";
  const prefix = stringWidth(lead) < width / 2 ? lead : "";
  const lines: string[] = [];
  let current = prefix;
  let used = stringWidth(prefix);
  const start = used;
  for (const word of line.slice(prefix.length).split(/(?<=\s)/)) {
    const bare = stringWidth(word.trimEnd());
    if (used > start && used + bare > width) {
      lines.push(current.trimEnd());
      current = prefix;
      used = start;
    }
    if (used + bare <= width) {
      current += word;
      used += stringWidth(word);
      continue;
    }
    for (const { segment } of segmenter.segment(word)) {
      const cells = stringWidth(segment);
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

/** A table: every column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[], alignRight: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return alignRight.includes(column)
          ? `${" ".repeat(Math.max(0, width - stringWidth(cell)))}${cell}`
          : padded(cell, width);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Cut to a width, with a sign that it was. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segmenter.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

const padded = (text: string, width: number) => `${text}${" ".repeat(Math.max(0, width - stringWidth(text)))}`;
