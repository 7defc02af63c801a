/** Rows of a CSV file with a header of known columns, in any order. */
import { CsvRecords } from "./csv-records.ts";

export interface TableRow<Column extends string> {
  readonly line: number;
  /** The text of a column, without spaces around it. Empty if the file does not have the column. */
  readonly cell: (column: Column) => string;
  readonly fault?: undefined;
}

/** What is wrong with a row, or with the header. */
export interface TableFault {
  readonly line: number;
  readonly fault: string;
}

/** Reads a whole file. Only the first column is required. */
export function readTableRows<Column extends string>(
  text: string,
  columns: readonly [Column, ...Column[]],
): (TableRow<Column> | TableFault)[] {
  const isColumn = (name: string) => columns.some((column) => column === name.trim());
  const reader = new CsvRecords(isColumn);
  const [header, ...records] = [...reader.push(text), ...reader.end()];
  if (header === undefined) return [{ line: 1, fault: "The file is empty." }];
  if (header.fault !== undefined) return [{ line: header.line, fault: faults[header.fault] }];
  const names = header.cells.map((cell) => cell.trim());
  const wrong = wrongHeader(names, columns);
  if (wrong !== null) return [{ line: 1, fault: `The header is wrong: ${wrong}. Columns: ${columns.join(", ")}.` }];
  return records.map((record) => {
    const { line } = record;
    if (record.fault !== undefined) return { line, fault: faults[record.fault] };
    if (record.cells.length > names.length)
      return { line, fault: `There are ${record.cells.length} cells; the header has ${names.length}.` };
    const cells = new Map(names.map((name, index) => [name, record.cells[index] ?? ""]));
    return { line, cell: (column) => (cells.get(column) ?? "").trim().replace(beforeFormula, "") };
  });
}

function wrongHeader(names: readonly string[], columns: readonly string[]): string | null {
  const unknown = names.filter((name) => !columns.includes(name));
  if (unknown.length > 0) return `unknown columns: ${unknown.join(", ")}`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `\`${twice}\` is there twice`;
  return names.includes(columns[0] ?? "") ? null : `there is no column \`${columns[0]}\``;
}

/** The apostrophe that keeps a spreadsheet from reading a cell as a formula. */
const beforeFormula = /^'(?=[=+\-@])/u;

const faults = {
  quote_not_closed: "A quotation mark is not closed.",
  text_after_quote: "There is text after a closing quotation mark.",
  too_long: "The record is too long.",
} as const;
