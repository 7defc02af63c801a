/** Rows of a table with a header, from CSV in chunks: what is read of every table that somebody gives. */
import { closest } from "./closest.ts";
import { CsvRecords, type CsvFault, type CsvRecord } from "./csv.ts";

/** What is wrong with a row, or with the header. */
export interface Fault<Code extends string> {
  readonly line: number;
  readonly fault: Code;
  /** The column or member: its name, or its number from 1. Empty if the error concerns the whole row. */
  readonly name: string;
  /** The value. */
  readonly value: string;
  /** A suggestion, or the allowed values. Empty if there is none. */
  readonly hint: string;
}

export type TableFaultCode =
  | CsvFault["fault"]
  | "unknown_column"
  | "repeated_column"
  | "no_column"
  | "unnamed_column"
  | "too_many_cells";

export interface TableRow<Name extends string> {
  readonly line: number;
  /** The cells that are not empty, without spaces around them. */
  readonly cells: ReadonlyMap<Name, string>;
  readonly fault?: undefined;
}

export interface TableColumns<Name extends string> {
  /** The names that a header may have. */
  readonly names: readonly string[];
  readonly nameOf: (cell: string) => Name | undefined;
  readonly required: Name;
}

type Read<Name extends string> = TableRow<Name> | Fault<TableFaultCode>;

/**
 * Columns may be in any order. Rows of empty cells, and columns without a name and without any value, are nothing: spreadsheets
 * write them.
 */
export class TableRows<Name extends string> {
  readonly #columns: TableColumns<Name>;
  readonly #records: CsvRecords;
  /** The name of each column: null for a column without one, undefined for a name that is not known. */
  #header: readonly (Name | null | undefined)[] | null = null;

  constructor(columns: TableColumns<Name>) {
    this.#columns = columns;
    this.#records = new CsvRecords((cell) => columns.nameOf(cell) !== undefined);
  }

  /** False after a header without the required column. */
  get isComplete(): boolean {
    return this.#header?.includes(this.#columns.required) !== false;
  }

  /** True if there was a header. */
  get isBegun(): boolean {
    return this.#header !== null;
  }

  push(text: string): Read<Name>[] {
    return this.#records.push(text).flatMap((record) => this.#read(record));
  }

  end(): Read<Name>[] {
    return this.#records.end().flatMap((record) => this.#read(record));
  }

  #read(record: CsvRecord | CsvFault): Read<Name>[] {
    if (record.fault !== undefined)
      return [faultAt(record.line, record.fault, { name: this.#header?.[record.cell - 1] ?? String(record.cell) })];
    // An empty cell in quotes is the whole row of a table of one column: somebody wrote it.
    const isWritten = this.#header?.length === 1 && record.cells.length === 1 && record.cells[0] === "";
    if (record.cells.every(isEmpty) && !isWritten) return [];
    if (this.#header !== null) return [this.#row(this.#header, record)];
    this.#header = record.cells.map((cell) => (isEmpty(cell) ? null : this.#columns.nameOf(cell)));
    return this.#headerFaults(this.#header, record);
  }

  #headerFaults(header: readonly (Name | null | undefined)[], { line, cells }: CsvRecord): Fault<TableFaultCode>[] {
    const { names, required } = this.#columns;
    const faults = header.flatMap((name, index): Fault<TableFaultCode>[] => {
      const value = cut(cells[index]?.trim() ?? "");
      if (name === undefined) return [faultAt(line, "unknown_column", { value, hint: closest(value, names) ?? "" })];
      const isRepeated = name !== null && header.indexOf(name) < index;
      return isRepeated ? [faultAt(line, "repeated_column", { name, value })] : [];
    });
    return header.includes(required) ? faults : [...faults, faultAt(line, "no_column", { name: required })];
  }

  #row(header: readonly (Name | null | undefined)[], { line, cells }: CsvRecord): Read<Name> {
    const found = new Map<Name, string>();
    for (const [index, cell] of cells.entries()) {
      const name = header[index];
      const value = cell.trim();
      if (value === "" || (name === undefined && index < header.length)) continue;
      if (name === undefined) return faultAt(line, "too_many_cells", { value: cut(value) });
      if (name === null) return faultAt(line, "unnamed_column", { name: String(index + 1), value: cut(value) });
      found.set(name, value);
    }
    return { line, cells: found };
  }
}

const isEmpty = (cell: string) => cell.trim() === "";

export function faultAt<Code extends string>(line: number, fault: Code, more: Partial<Fault<Code>> = {}): Fault<Code> {
  return { line, fault, name: "", value: "", hint: "", ...more };
}

/** The beginning of a value, as long as a message quotes. */
export const cut = (text: string) => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);

/** `Platform code`, `platform_code` and `platformcode` are the column `platformCode`. */
export const bareName = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, "");
