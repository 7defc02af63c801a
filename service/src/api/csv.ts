import { stringify } from "csv-stringify/sync";

/**
 * Rows as CSV (RFC 4180, UTF-8). Cells that a spreadsheet would take for a formula get a leading apostrophe: answers are
 * other people's text.
 */
export function csvLines(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return stringify(rows as (string | number | boolean | null)[][], {
    escape_formulas: true,
    record_delimiter: "\r\n",
    cast: { boolean: String },
  });
}

/** True when the client would rather have CSV than JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/csv\b/i.test(accept);
}
