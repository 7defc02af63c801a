/** The prompts of a panel as rows of a table, for CSV files. */
import { readTableRows } from "./table-rows.ts";
import type { PanelInput, PanelRecord } from "./wire.ts";

export const promptColumns = ["text", "topic", "intent", "promptId"] as const;

export const promptCells = (prompt: PanelRecord["prompts"][number]): (string | null)[] =>
  promptColumns.map((column) => prompt[column]);

/** A row of a file, or what is wrong with it. */
export type PromptRow =
  | { readonly line: number; readonly prompt: PanelInput["prompts"][number]; readonly fault?: undefined }
  | { readonly line: number; readonly fault: string };

/** Reads a CSV file with a header. Only `text` is required; columns may be in any order. */
export function readPromptTable(text: string): PromptRow[] {
  const rows = readTableRows(text, promptColumns);
  if (rows.length === 0) return [{ line: 2, fault: "there are no prompts under the header." }];
  return rows.map((row): PromptRow => {
    if (row.fault !== undefined) return row;
    const { line, cell } = row;
    if (cell("text") === "") return { line, fault: "there is no text." };
    const [, ...others] = promptColumns;
    const given = others.filter((column) => cell(column) !== "").map((column) => [column, cell(column)] as const);
    return { line, prompt: { text: cell("text"), ...Object.fromEntries(given) } };
  });
}
