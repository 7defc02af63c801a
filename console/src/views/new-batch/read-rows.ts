/** What somebody pasted or dropped, as rows: plain lines, CSV with a header, or JSON lines, as `querent submit` reads them. */
import { detectForm, readQuestionRows, type QuestionForm, type RowFault } from "@querent/client";

export type Row = RowFault | { readonly line: number; readonly members: Readonly<Record<string, unknown>> };

export function readRows(text: string): { format: QuestionForm; rows: Row[] } {
  const format = detectForm(text);
  const rows = readQuestionRows(text, format).map((row) =>
    row.fault === undefined ? { line: row.line, members: { ...row.item } } : row,
  );
  return { format, rows };
}
