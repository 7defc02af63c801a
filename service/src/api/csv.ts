import { stringify } from "csv-stringify/sync";

/**
 * Rows as CSV (RFC 4180, UTF-8). Cells that a spreadsheet would interpret as a formula get a leading apostrophe, since answers
 * are untrusted text.
 */
export function csvLines(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return stringify(rows as (string | number | boolean | null)[][], {
    escape_formulas: true,
    record_delimiter: "\r\n",
    cast: { boolean: String },
  });
}
