/** Tables with a column of ranks. */
import { rankInCell } from "./rank-numbers.ts";

export interface TableCell {
  readonly start: number;
  readonly end: number;
}

/** Cells behind these are not looked at. */
const cellsMax = 20;

/** A table whose rows have ranks, and the column in which they stand. */
export interface RankedTable {
  readonly column: number;
}

const delimiterRow = /^[ \t]*\|?[ \t]*:?-{1,100}:?[ \t]*(?:\|[ \t]*:?-{1,100}:?[ \t]*){1,50}\|?[ \t]*$/u;
export const delimiterCharsMax = 2000;
export const isDelimiterRow = (line: string): boolean => line.length <= delimiterCharsMax && delimiterRow.test(line);

const rankHeading =
  /^(?:#|№|no\.?|nr\.?|n°|rank(?:ing)?|rang|platz|platzierung|place|placement|position|pos\.?|classement|puesto|lugar|posición|posição|posizione|posto|plaats|排名|名次|排行|顺位|順位|序号|序號|순위|место|ранг)$/iu;

/** The first row decides where no heading does: `firstRows` are the two rows after the delimiter. */
export function rankedTable(heading: string, firstRows: readonly string[]): RankedTable | null {
  const cells = cellsOf(heading);
  const column = cells.findIndex(({ start, end }) =>
    rankHeading.test(
      heading
        .slice(start, end)
        .replaceAll(/[*_\\]/gu, "")
        .trim(),
    ),
  );
  if (column !== -1) return column + 1 < cells.length ? { column } : null;
  const ranks = firstRows.map((row) => {
    const [first] = cellsOf(row);
    return first === undefined ? null : rankInCell(row.slice(first.start, first.end));
  });
  return ranks[0] === 1 && ranks[1] === 2 ? { column: 0 } : null;
}

/** The cell that follows the rank of a row, and the rank. */
export function rankedCell(row: string, { column }: RankedTable): { cell: TableCell; rank: number } | null {
  const cells = cellsOf(row);
  const [ranked, cell] = [cells[column], cells[column + 1]];
  if (ranked === undefined || cell === undefined) return null;
  const rank = rankInCell(row.slice(ranked.start, ranked.end));
  return rank === null ? null : { cell, rank };
}

/** The cells of a row; a bar in a cell is escaped. */
export function cellsOf(row: string): TableCell[] {
  const cells: TableCell[] = [];
  let start = row.length - row.trimStart().length;
  if (row[start] === "|") start++;
  for (let at = start; at < row.length && cells.length < cellsMax; at++) {
    if (row[at] === "\\") at++;
    else if (row[at] === "|") {
      cells.push({ start, end: at });
      start = at + 1;
    }
  }
  if (cells.length < cellsMax && row.slice(start).trim() !== "") cells.push({ start, end: row.length });
  return cells;
}
