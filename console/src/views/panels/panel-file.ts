/** Panels as files: all of a panel as YAML or JSON, its prompts as CSV, as `querent panel` reads and writes them. */
import {
  csvLines,
  panelDocument,
  promptCells,
  promptColumns,
  readPromptTable,
  type PanelInput,
  type PanelRecord,
} from "@querent/client";
import { parseDocument, stringify } from "yaml";
import { saveFile } from "../../ui/save-file.ts";

export type PanelFileForm = "yaml" | "csv";

export function savePanel(panel: PanelRecord, form: PanelFileForm): void {
  const text =
    form === "yaml"
      ? stringify(panelDocument(panel), { lineWidth: 0 })
      : `\uFEFF${csvLines([promptColumns, ...panel.prompts.map(promptCells)])}`;
  const name = panel.name.replaceAll(/[^\p{L}\p{N}.-]+/gu, "-").slice(0, 60);
  saveFile(`${name}.${form}`, new Blob([text], { type: form === "yaml" ? "application/yaml" : "text/csv" }));
}

/** What a file holds: a panel that nothing has checked yet, prompts, or what is wrong with it. */
export type PanelOfFile =
  | { readonly panel: PanelInput }
  | { readonly prompts: PanelInput["prompts"] }
  | { readonly faults: readonly string[] };

export function readPanel(name: string, text: string): PanelOfFile {
  if (/\.(?:csv|tsv|txt)$/i.test(name)) return readPrompts(text);
  // Every JSON text is also YAML.
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) return { faults: [error.message] };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (refused) {
    return { faults: [refused instanceof Error ? refused.message : String(refused)] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { faults: ["Expected a panel with `name`, `prompts` and `platforms`."] };
  // Checked by the service, which names every place that is not valid.
  return { panel: value as PanelInput };
}

function readPrompts(text: string): PanelOfFile {
  const rows = readPromptTable(text);
  const faults = rows.flatMap(({ line, fault }) => (fault === undefined ? [] : [`${line}: ${fault}`]));
  if (faults.length > 0) return { faults };
  return { prompts: rows.flatMap((row) => (row.fault === undefined ? [row.prompt] : [])) };
}
