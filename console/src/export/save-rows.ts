import { csvLines } from "@querent/client";
import { saveFile } from "../ui/save-file.ts";
import type { Columns } from "./record-columns.ts";

export type ExportFormat = "csv" | "jsonl";

interface SaveInput<Row> {
  readonly name: string;
  readonly format: ExportFormat;
  readonly rows: AsyncIterable<Row>;
  readonly columns: Columns<Row>;
  readonly onProgress: (count: number) => void;
  readonly signal: AbortSignal;
}

/** The size of the parts handed to the browser, which keeps them outside the page's memory, and large files on disk. */
const partChars = 1_000_000;
const toldEvery = 100;

/** Writes rows into a file as they come, and has the browser save it. The page holds one part of it at a time. */
export async function saveRows<Row>({
  name,
  format,
  rows,
  columns,
  onProgress,
  signal,
}: SaveInput<Row>): Promise<number> {
  const parts: Blob[] = [];
  // The mark tells spreadsheets that it is UTF-8.
  let text = format === "csv" ? `\uFEFF${csvLines([columns.head])}` : "";
  let count = 0;
  for await (const row of rows) {
    signal.throwIfAborted();
    text += format === "csv" ? csvLines([columns.cells(row)]) : `${JSON.stringify(row)}\n`;
    if (++count % toldEvery === 0) onProgress(count);
    if (text.length < partChars) continue;
    parts.push(new Blob([text]));
    text = "";
  }
  parts.push(new Blob([text]));
  const type = format === "csv" ? "text/csv;charset=utf-8" : "application/x-ndjson";
  saveFile(`${name}.${format}`, new Blob(parts, { type }));
  onProgress(count);
  return count;
}
