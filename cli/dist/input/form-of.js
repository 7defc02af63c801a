import { closeSync, openSync, readSync } from "node:fs";
import { extname } from "node:path";
import { detectForm } from "@querent/client";
import { UsageError } from "../exit-codes.js";
/** The form of a file by its name; by how it begins where it comes from standard input, named `-`. */
export function formOf(name, path) {
  const extension = extname(name).toLowerCase();
  if ([".csv", ".tsv"].includes(extension)) return "csv";
  if ([".jsonl", ".ndjson"].includes(extension)) return "jsonl";
  if (extension === ".txt") return "lines";
  const found = name === "-" ? detectForm(beginningOf(path)) : "lines";
  // Any text can be read as lines, so a misread file would be submitted and charged.
  if (found === "lines") throw new UsageError(`${name}: specify the format with --format: csv, jsonl or lines.`);
  return found;
}
function beginningOf(path) {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(64 * 1024);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
