/**
 * Parses question files: CSV with a header, JSON lines, or one question per line. Used by the command line and by the
 * console, so that they accept the same files. See docs/question-files.md.
 */
import { closest } from "./closest.ts";
import { hasColumn, recordCharactersMax } from "./csv.ts";
import { splitOptions } from "./row-options.ts";
import { bareName, cut, faultAt, TableRows, type Fault, type TableFaultCode, type TableRow } from "./tables.ts";
import type { Question } from "./tasks.ts";

export type QuestionForm = "csv" | "jsonl" | "lines";

/** The members of a row. The caller fills in defaults for absent ones. */
export type RowItem = Partial<Question> & { readonly question: string };

export interface QuestionRow {
  readonly line: number;
  readonly item: RowItem;
  readonly fault?: undefined;
}

export type RowFaultCode =
  | TableFaultCode
  | "unknown_member"
  | "no_question"
  | "not_json"
  | "not_object"
  | "not_number"
  | "not_boolean"
  | "not_choice";

export type RowFault = Fault<RowFaultCode>;

const outputs = ["answer", "screenshot", "share_link"] as const;
const resultFormats = ["json", "html", "all"] as const;
const searchDepths = ["low", "medium", "high"] as const;
const unsupportedPolicies = ["refuse", "ignore"] as const;

/** The API's names and their aliases. */
const names = {
  question: [],
  platformCode: ["platform"],
  clientReference: ["reference"],
  tags: ["tag"],
  webhookUrl: ["webhook"],
  deepAnalysis: ["deep"],
  output: [],
  resultFormat: ["format"],
  priority: [],
  notBefore: [],
  startBefore: [],
  runTimeoutSeconds: ["timeout"],
  country: [],
  language: [],
  city: [],
  region: [],
  latitude: [],
  longitude: [],
  persona: [],
  model: [],
  searchDepth: ["depth"],
  domains: ["domain"],
  excludeDomains: ["excludeDomain"],
  since: [],
  onUnsupported: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The name of a column. */
export type RowName = keyof typeof names;
type Name = RowName;

/** The documented names of columns. */
export const questionColumns: readonly string[] = Object.entries(names).flatMap(([name, short]) => [name, ...short]);

const known = new Map<string, Name>(
  (Object.keys(names) as Name[]).flatMap((name) =>
    [name, ...names[name]].map((each) => [bareName(each), name] as const),
  ),
);
const nameOf = (text: string) => known.get(bareName(text));

/** Detects the format from the first line: a JSON value, a CSV header, or a question. */
export function detectForm(text: string): QuestionForm {
  const line = /^\uFEFF?\s*(.*)/.exec(text)?.[1]?.trimEnd() ?? "";
  if (line.startsWith("{")) return "jsonl";
  if (hasColumn(text, (cell) => nameOf(cell) === "question")) return "csv";
  return line.startsWith('"') && typeof parsed(line) === "string" ? "jsonl" : "lines";
}

/** Parses text in chunks. Returns rows and errors in the order of the lines. */
export class QuestionRows {
  readonly #form: QuestionForm;
  readonly #table = new TableRows<Name>({ names: questionColumns, nameOf, required: "question" });
  #line = 0;
  #rest = "";

  constructor(form: QuestionForm) {
    this.#form = form;
  }

  push(text: string): (QuestionRow | RowFault)[] {
    if (this.#form === "csv") return this.#table.push(text).flatMap((row) => this.#tableRow(row));
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    // Limits the memory for a line without a line break.
    if (this.#rest.length > 2 * recordCharactersMax) lines.push(this.#rest.slice(0, recordCharactersMax + 1));
    if (this.#rest.length > 2 * recordCharactersMax) this.#rest = "";
    return lines.flatMap((line) => this.#single(line));
  }

  end(): (QuestionRow | RowFault)[] {
    if (this.#form === "csv") return this.#table.end().flatMap((row) => this.#tableRow(row));
    return this.#rest === "" ? [] : this.#single(this.#rest.replace(/\r$/, ""));
  }

  #single(text: string): (QuestionRow | RowFault)[] {
    const line = ++this.#line;
    const trimmed = text.replace(/^\uFEFF/, "").trim();
    if (trimmed === "") return [];
    if (trimmed.length > recordCharactersMax) return [faultAt(line, "too_long")];
    return this.#form === "lines" ? [{ line, item: { question: trimmed } }] : jsonRow(line, trimmed);
  }

  #tableRow(row: TableRow<Name> | Fault<TableFaultCode>): (QuestionRow | RowFault)[] {
    if (row.fault !== undefined) return [row];
    const { line, cells } = row;
    const faults: RowFault[] = [];
    const given: Partial<Record<Name, unknown>> = {};
    for (const [name, cell] of cells) {
      const read = readCell(name, cell);
      if ("fault" in read) faults.push(faultAt(line, read.fault, { name, value: cut(cell), hint: read.hint ?? "" }));
      else given[name] = read.value;
    }
    return this.#table.isComplete ? rowOf(line, given, faults) : faults;
  }
}

/** All rows and errors of a text. */
export function readQuestionRows(text: string, form = detectForm(text)): (QuestionRow | RowFault)[] {
  const rows = new QuestionRows(form);
  return [...rows.push(text), ...rows.end()];
}

function readCell(
  name: Name,
  cell: string,
): { readonly value: unknown } | { readonly fault: RowFaultCode; readonly hint?: string } {
  switch (name) {
    case "priority":
    case "runTimeoutSeconds":
      return /^\d{1,6}$/.test(cell) ? { value: Number(cell) } : { fault: "not_number" };
    case "deepAnalysis":
      if (/^(true|yes|1)$/i.test(cell)) return { value: true };
      return /^(false|no|0)$/i.test(cell) ? { value: false } : { fault: "not_boolean" };
    case "output":
      return choice(cell, outputs);
    case "resultFormat":
      return choice(cell, resultFormats);
    case "searchDepth":
      return choice(cell, searchDepths);
    case "onUnsupported":
      return choice(cell, unsupportedPolicies);
    case "latitude":
    case "longitude":
      // The service rejects a value that is no number.
      return { value: Number.isFinite(Number(cell)) ? Number(cell) : cell };
    case "domains":
    case "excludeDomains":
    case "tags":
      return {
        value: cell
          .split(/[;|]/)
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ""),
      };
    default:
      return { value: cell };
  }
}

function choice(cell: string, choices: readonly string[]) {
  const found = choices.find((each) => bareName(each) === bareName(cell));
  return found === undefined ? ({ fault: "not_choice", hint: choices.join(", ") } as const) : { value: found };
}

/** A line is a question as a string, or an item of the API. The service validates the values of its members. */
function jsonRow(line: number, text: string): (QuestionRow | RowFault)[] {
  const value = parsed(text);
  if (value === undefined) return [faultAt(line, "not_json", { value: cut(text) })];
  if (typeof value === "string") return rowOf(line, { question: value }, []);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [faultAt(line, "not_object", { value: cut(text) })];
  const faults: RowFault[] = [];
  const given: Partial<Record<Name, unknown>> = {};
  let options: unknown = {};
  for (const [member, content] of Object.entries(value)) {
    const name = (questionColumns.includes(member) && nameOf(member)) || undefined;
    // As in the API, null is the same as an absent member.
    if (content === null && (name !== undefined || member === "options")) continue;
    if (member === "options") options = content;
    else if (name !== undefined) given[name] = content;
    else
      faults.push(
        faultAt(line, "unknown_member", {
          value: member,
          hint: closest(member, [...questionColumns, "options"]) ?? "",
        }),
      );
  }
  return rowOf(line, given, faults, options);
}

function rowOf(
  line: number,
  row: Partial<Record<Name, unknown>>,
  faults: readonly RowFault[],
  given: unknown = {},
): (QuestionRow | RowFault)[] {
  const { rest, options: own } = splitOptions(row);
  const { question } = rest;
  if (typeof question !== "string" || question.trim() === "") return [...faults, faultAt(line, "no_question")];
  if (faults.length > 0) return [...faults];
  // The service rejects options that are not an object.
  if (typeof given !== "object") return [{ line, item: { ...rest, question, options: given } as RowItem }];
  const options = { ...own, ...given };
  const members = { ...rest, question, ...(Object.keys(options).length === 0 ? {} : { options }) };
  // The service validates each member, so values that it rejects are passed on.
  return [{ line, item: members }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
