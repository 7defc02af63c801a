import { closeSync, openSync, readSync } from "node:fs";
import { extname } from "node:path";
import { detectForm, EncodingError, TextBytes, type QuestionForm } from "@querent/client";
import { UsageError } from "../exit-codes.ts";

/** The form of a file by its name; by how it begins where it comes from standard input, named `-`. */
export function formOf(name: string, path: string): QuestionForm {
  const extension = extname(name).toLowerCase();
  if ([".csv", ".tsv"].includes(extension)) return "csv";
  if ([".jsonl", ".ndjson"].includes(extension)) return "jsonl";
  // Excel's "Unicode text" is a table. A file whose first line is a header has no question in it.
  if (extension === ".txt") return detectForm(beginningOf(path)) === "csv" ? "csv" : "lines";
  const found = name === "-" ? detectForm(beginningOf(path)) : "lines";
  // Any text can be read as lines, so a misread file would be submitted and charged.
  if (found === "lines") throw new UsageError(`${name}: specify the format with --format: csv, jsonl or lines.`);
  return found;
}

function beginningOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(64 * 1024);
    return new TextBytes().push(bytes.subarray(0, readSync(file, bytes)));
  } catch (error) {
    // Told with its line when the whole file is read.
    if (error instanceof EncodingError) return "";
    throw error;
  } finally {
    closeSync(file);
  }
}
