/** Panels as files: all of a panel as YAML or JSON, its prompts as CSV. */
import { extname } from "node:path";
import {
  csvLines,
  panelDocument,
  panelInput,
  promptCells,
  promptColumns,
  readPromptTable,
  type PanelInput,
  type PanelRecord,
} from "@querent/client";
import { UsageError } from "../exit-codes.ts";
import { printableLine } from "../output/printable.ts";
import { Mistakes } from "./mistakes.ts";
import { readTextFile } from "./text-file.ts";

export const panelForms = ["yaml", "json", "csv"] as const;
export type PanelForm = (typeof panelForms)[number];

type Prompt = PanelInput["prompts"][number];

export async function panelText(panel: PanelRecord, form: PanelForm): Promise<string> {
  if (form === "json") return `${JSON.stringify(panelInput(panel), null, 2)}\n`;
  if (form === "csv") return csvLines([promptColumns, ...panel.prompts.map(promptCells)]);
  const { stringify: toYaml } = await import("yaml");
  return toYaml(panelDocument(panel), { lineWidth: 0 });
}

/** The form of a file by its name. */
export function panelFormOf(file: string): PanelForm {
  const extension = extname(file).toLowerCase();
  // Excel's "Unicode text" is a table with the extension .txt.
  if ([".csv", ".tsv", ".txt"].includes(extension)) return "csv";
  if (extension === ".json") return "json";
  if (extension === ".yaml" || extension === ".yml") return "yaml";
  throw new UsageError(`${file}: the name must end in .yaml, .yml, .json or .csv.`);
}

/** A whole panel, from YAML or JSON. The service checks what it says. */
export async function readPanelFile(file: string): Promise<PanelInput> {
  // Imported here: with the schemas of the journal, it was half of the time that every command took to start.
  const { parseDocument } = await import("yaml");
  // Every JSON text is also YAML.
  const document = parseDocument(await readTextFile(file), { uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(`${file}: ${error.message} Nothing was sent.`);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${file}: expected a panel with \`name\`, \`prompts\` and \`platforms\`. Nothing was sent.`);
  // Checked by the service, which names every place that is not valid.
  return value as PanelInput;
}

export interface PromptFile {
  readonly name: string;
  readonly prompts: Prompt[];
  /** The lines on which the prompts begin. */
  readonly lines: readonly number[];
}

/** The prompts of a CSV file with a header: `text`, and optionally `topic`, `intent` and `promptId`. */
export async function readPrompts(file: string): Promise<PromptFile> {
  const prompts: Prompt[] = [];
  const lines: number[] = [];
  const mistakes = new Mistakes(printableLine(file), "Nothing was sent.");
  for (const row of readPromptTable(await readTextFile(file))) {
    if (row.fault === undefined) {
      prompts.push(row.prompt);
      lines.push(row.line);
    } else mistakes.add(row.line, printableLine(row.fault));
  }
  mistakes.throwIfAny();
  return { name: file, prompts, lines };
}
