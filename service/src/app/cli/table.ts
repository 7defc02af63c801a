import stringWidth from "string-width";

export interface TableColumn {
  readonly head: string;
  /** The smallest width to which its cells may be cut. Without it they are never cut. */
  readonly least?: number;
  /** Omitted if the terminal is too narrow for all columns, the highest number first. */
  readonly optional?: number;
}

const gap = 2;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * A table that fits the terminal: optional columns are omitted until the others fit, and cells are cut, the widest column
 * first. Output to a pipe or a file has all columns in full.
 */
export function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | number)[])[],
  width = process.stdout.columns ?? Infinity,
): string {
  const lines = [columns.map(({ head }) => head), ...rows.map((row) => row.map(String))];
  let shown = columns.map(({ least = Infinity, optional = 0 }, index) => {
    const size = Math.max(...lines.map((line) => stringWidth(line[index] ?? "")));
    return { index, size, least: Math.min(least, size), optional };
  });
  const excess = (of: "size" | "least") =>
    shown.reduce((sum, column) => sum + column[of], gap * (shown.length - 1)) - width;
  while (excess("least") > 0) {
    const dropped = Math.max(...shown.map(({ optional }) => optional));
    if (dropped === 0) break;
    shown = shown.filter(({ optional }) => optional !== dropped);
  }
  for (let over = excess("size"); over > 0; over--) {
    const [widest] = shown.filter(({ size, least }) => size > least).sort((one, other) => other.size - one.size);
    if (widest === undefined) break;
    widest.size--;
  }
  return lines
    .map((line) =>
      shown
        .map(({ index, size }) => padded(cut(line[index] ?? "", size), size))
        .join(" ".repeat(gap))
        .trimEnd(),
    )
    .join("\n");
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - stringWidth(text)));
