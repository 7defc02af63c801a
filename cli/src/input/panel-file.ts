/** Panels as files: all of a panel as YAML or JSON, its prompts as CSV. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { PanelInput, PanelRecord } from "@querent/client";
import { CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { UsageError } from "../exit-codes.ts";

export const panelForms = ["yaml", "json", "csv"] as const;
export type PanelForm = (typeof panelForms)[number];

const columns = ["text", "topic", "intent", "promptId"] as const;
type Prompt = PanelInput["prompts"][number];

/** What can be sent again of a panel that was read. */
export function inputOf({
  name,
  prompts,
  platforms,
  locales,
  personas,
  repeats,
  platformShare,
  askUntil,
  tags,
  options,
  schedule,
}: PanelRecord): PanelInput {
  const shares = platformShare === undefined ? {} : { platformShare };
  const waves = askUntil === undefined ? {} : { askUntil };
  return { name, prompts, platforms, locales, personas, repeats, ...shares, ...waves, tags, options, schedule };
}

export async function panelText(panel: PanelRecord, form: PanelForm): Promise<string> {
  const input = inputOf(panel);
  if (form === "json") return `${JSON.stringify(input, null, 2)}\n`;
  if (form === "csv") return stringify([...panel.prompts], { header: true, columns: [...columns] });
  const { stringify: toYaml } = await import("yaml");
  return toYaml(withoutEmpty(input), { lineWidth: 0 });
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
  const rows = csvRows(file);
  const names = Object.keys(rows[0] ?? {});
  const unknown = names.filter((name) => !columns.some((column) => column === name));
  if (!names.includes("text") || unknown.length > 0) {
    const problem = unknown.length > 0 ? `unknown columns: ${unknown.join(", ")}` : "there is no column `text`";
    throw new UsageError(`${file}: ${problem}. The columns are ${columns.join(", ")}. Nothing was sent.`);
  }
  return rows.map((row) => ({
    text: row["text"] ?? "",
    ...Object.fromEntries(columns.slice(1).flatMap((name) => ((row[name] ?? "") === "" ? [] : [[name, row[name]]]))),
  }));
}

function csvRows(file: string): Record<string, string>[] {
  const text = textOf(file);
  // By the header, whose names contain none of them: spreadsheets write what their language uses.
  const delimiter = /^[^\n]*?([,;\t])/.exec(text)?.[1] ?? ",";
  try {
    return parse(text, {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      delimiter,
    });
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${file}: ${error.message}. Nothing was sent.`);
    throw error;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${file} can't be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Members that say nothing are left out, so that the file is short. */
function withoutEmpty(value: object): object {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]: [string, unknown]) => !isEmpty(member))
      .map(([name, member]: [string, unknown]) => [
        name,
        Array.isArray(member)
          ? member.map((each: unknown) => (typeof each === "object" && each !== null ? withoutEmpty(each) : each))
          : member,
      ]),
  );
}

const isEmpty = (value: unknown) => value === null || (typeof value === "object" && Object.keys(value).length === 0);
