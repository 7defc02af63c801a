/** Panels as files: all of a panel as YAML or JSON, its prompts as CSV. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import {
  panelDocument,
  panelInput,
  promptCells,
  promptColumns,
  readPromptTable,
  type PanelInput,
  type PanelRecord,
} from "@querent/client";
import { stringify } from "csv-stringify/sync";
import { UsageError } from "../exit-codes.ts";
import { printable } from "../output/printable.ts";

export const panelForms = ["yaml", "json", "csv"] as const;
export type PanelForm = (typeof panelForms)[number];

type Prompt = PanelInput["prompts"][number];

export async function panelText(panel: PanelRecord, form: PanelForm): Promise<string> {
  if (form === "json") return `${JSON.stringify(panelInput(panel), null, 2)}\n`;
  if (form === "csv")
    return stringify([[...promptColumns], ...panel.prompts.map(promptCells)], { escape_formulas: true });
  const { stringify: toYaml } = await import("yaml");
  return toYaml(panelDocument(panel), { lineWidth: 0 });
}

/** The form of a file by its name. */
export function panelFormOf(file: string): PanelForm {
  const extension = extname(file).toLowerCase();
  if (extension === ".csv" || extension === ".tsv") return "csv";
  if (extension === ".json") return "json";
  if (extension === ".yaml" || extension === ".yml") return "yaml";
  throw new UsageError(`${file}: the name must end in .yaml, .yml, .json or .csv.`);
}

/** A whole panel, from YAML or JSON. The service checks what it says. */
export async function readPanelFile(file: string): Promise<PanelInput> {
  // Imported here: with the schemas of the journal, it was half of the time that every command took to start.
  const { parseDocument } = await import("yaml");
  // Every JSON text is also YAML.
  const document = parseDocument(textOf(file), { uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(`${file}: ${error.message} Nothing was sent.`);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${file}: expected a panel with \`name\`, \`prompts\` and \`platforms\`. Nothing was sent.`);
  // Checked by the service, which names every place that is not valid.
  return value as PanelInput;
}

/** The prompts of a CSV file with a header: `text`, and optionally `topic`, `intent` and `promptId`. */
export function readPrompts(file: string): Prompt[] {
  const rows = readPromptTable(textOf(file));
  const faults = rows.flatMap(({ line, fault }) => (fault === undefined ? [] : [`${file}:${line}: ${fault}`]));
  if (faults.length > 0) throw new UsageError(`Nothing was sent.\n${printable(faults.join("\n"))}`);
  return rows.flatMap((row) => (row.fault === undefined ? [row.prompt] : []));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${file} can't be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
