/** The rows of a whole CSV file, and what is wrong with it in English sentences. */
import { describeRowFault } from "./describe-row-fault.ts";
import { bareName, TableRows } from "./tables.ts";

export interface NamedRow<Column extends string> {
  readonly line: number;
  /** The text of a column, without spaces around it. Empty if the file does not have the column. */
  readonly cell: (column: Column) => string;
  readonly fault?: undefined;
}

export interface SentencedFault {
  readonly line: number;
  readonly fault: string;
}

/** Only the first column is required. */
export function readTableRows<Column extends string>(
  text: string,
  columns: readonly [Column, ...Column[]],
): (NamedRow<Column> | SentencedFault)[] {
  const known = new Map(columns.map((column) => [bareName(column), column] as const));
  const table = new TableRows({
    names: columns,
    nameOf: (cell) => known.get(bareName(cell)),
    required: columns[0],
  });
  const rows = [...table.push(text), ...table.end()].flatMap((row): (NamedRow<Column> | SentencedFault)[] => {
    const { line } = row;
    if (row.fault !== undefined) return [{ line, fault: describeRowFault(row, columns) }];
    return table.isComplete ? [{ line, cell: (column) => row.cells.get(column) ?? "" }] : [];
  });
  return table.isBegun || rows.length > 0 ? rows : [{ line: 1, fault: "the file is empty." }];
}
