/**
 * Parses CSV as written by spreadsheets (RFC 4180), from text in chunks. The delimiter is a comma, a semicolon or a tab,
 * whichever splits the first line into the most names that `isName` accepts.
 */
export interface CsvRecord {
  /** The line on which it starts. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault?: undefined;
}
export interface CsvFault {
  readonly line: number;
  readonly fault: "quote_not_closed" | "text_after_quote" | "too_long";
}
export declare const recordCharactersMax: number;
export declare class CsvRecords {
  #private;
  constructor(isName: (cell: string) => boolean);
  push(text: string): (CsvRecord | CsvFault)[];
  /** Returns the last record. */
  end(): (CsvRecord | CsvFault)[];
}
/** The cells of a header line, without quotes. */
export declare function cellsOf(line: string, delimiter: string): string[];
/** True if a line, split by one of the delimiters, contains a cell that `isName` accepts. */
export declare const hasCell: (line: string, isName: (cell: string) => boolean) => boolean;
