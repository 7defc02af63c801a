/**
 * Parses question files: CSV with a header, JSON lines, or one question per line. Used by the command line and by the
 * console, so that they accept the same files. See docs/question-files.md.
 */
import { closest } from "./closest.js";
import { CsvRecords, hasCell, recordCharactersMax } from "./csv-records.js";
const outputs = ["answer", "screenshot", "share_link"];
const resultFormats = ["json", "html", "all"];
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
};
/** The documented names of columns. */
export const questionColumns = Object.entries(names).flatMap(([name, short]) => [name, ...short]);
/** `Platform code`, `platform_code` and `platformcode` are the column `platformCode`. */
const bare = (name) => name.toLowerCase().replaceAll(/[\s_-]/g, "");
const known = new Map(Object.keys(names).flatMap((name) => [name, ...names[name]].map((each) => [bare(each), name])));
const nameOf = (text) => known.get(bare(text));
const isColumn = (cell) => nameOf(cell) !== undefined;
/** Detects the format from the first line: a JSON value, a CSV header, or a question. */
export function detectForm(text) {
  const line = /^\uFEFF?\s*(.*)/.exec(text)?.[1]?.trimEnd() ?? "";
  if (line.startsWith("{")) return "jsonl";
  if (hasCell(line, (cell) => nameOf(cell) === "question")) return "csv";
  return line.startsWith('"') && typeof parsed(line) === "string" ? "jsonl" : "lines";
}
/** Parses text in chunks. Returns rows and errors in the order of the lines. */
export class QuestionRows {
  #form;
  #records = new CsvRecords(isColumn);
  #columns = null;
  #line = 0;
  #rest = "";
  constructor(form) {
    this.#form = form;
  }
  push(text) {
    if (this.#form === "csv") return this.#records.push(text).flatMap((record) => this.#table(record));
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    // Limits the memory for a line without a line break.
    if (this.#rest.length > 2 * recordCharactersMax) lines.push(this.#rest.slice(0, recordCharactersMax + 1));
    if (this.#rest.length > 2 * recordCharactersMax) this.#rest = "";
    return lines.flatMap((line) => this.#single(line));
  }
  end() {
    if (this.#form === "csv") return this.#records.end().flatMap((record) => this.#table(record));
    return this.#rest === "" ? [] : this.#single(this.#rest.replace(/\r$/, ""));
  }
  #single(text) {
    const line = ++this.#line;
    const trimmed = text.replace(/^\uFEFF/, "").trim();
    if (trimmed === "") return [];
    if (trimmed.length > recordCharactersMax) return [faultAt(line, "too_long")];
    return this.#form === "lines" ? [{ line, item: { question: trimmed } }] : jsonRow(line, trimmed);
  }
  #table(record) {
    if (record.fault !== undefined) return [faultAt(record.line, record.fault)];
    const { line, cells } = record;
    if (this.#columns?.includes("question") === false) return [];
    if (this.#columns !== null) return tableRow(this.#columns, record);
    this.#columns = cells.map(nameOf);
    return headFaults(line, cells, this.#columns);
  }
}
/** All rows and errors of a text. */
export function readQuestionRows(text, form = detectForm(text)) {
  const rows = new QuestionRows(form);
  return [...rows.push(text), ...rows.end()];
}
/** An error in English, to follow its position. */
export function describeRowFault({ fault, name, value, hint }) {
  const meant = hint === "" ? "" : ` Did you mean ${hint}?`;
  switch (fault) {
    case "unknown_column":
      return `the column "${value}" is not known.${meant === "" ? ` Columns are ${questionColumns.join(", ")}.` : meant}`;
    case "repeated_column":
      return `the column "${value}" is a duplicate of ${name}. Remove one of them.`;
    case "no_question_column":
      return 'no column is named "question". The first line names the columns.';
    case "unknown_member":
      return `"${value}" is not known.${meant}`;
    case "too_many_cells":
      return `the row has more cells than the header has columns, from "${value}" on. A cell that contains a delimiter must be enclosed in double quotes.`;
    case "no_question":
      return "there is no question.";
    case "not_json":
      return `is not JSON: ${value}`;
    case "not_object":
      return `must be an object with a question, or text: ${value}`;
    case "not_number":
      return `${name} must be a whole number, not "${value}".`;
    case "not_boolean":
      return `${name} must be true or false, not "${value}".`;
    case "not_choice":
      return `${name} must be one of ${hint}, not "${value}".`;
    case "quote_not_closed":
      return "a double quote opens here and is not closed. A quote inside a quoted cell is written twice.";
    case "text_after_quote":
      return "text follows a closing double quote. A quote inside a quoted cell is written twice.";
    case "too_long":
      return "the line is longer than 1 MiB.";
  }
}
function faultAt(line, fault, more = {}) {
  return { line, fault, name: "", value: "", hint: "", ...more };
}
function headFaults(line, cells, columns) {
  const faults = columns.flatMap((name, index) => {
    const value = cells[index]?.trim() ?? "";
    if (name === undefined)
      return [faultAt(line, "unknown_column", { value, hint: closest(value, questionColumns) ?? "" })];
    return columns.indexOf(name) < index ? [faultAt(line, "repeated_column", { name, value })] : [];
  });
  return columns.includes("question") ? faults : [...faults, faultAt(line, "no_question_column")];
}
function tableRow(columns, { line, cells }) {
  const extra = cells.slice(columns.length).find((cell) => cell.trim() !== "");
  if (extra !== undefined) return [faultAt(line, "too_many_cells", { value: cut(extra.trim()) })];
  // Spreadsheets add rows of empty cells below a table.
  if (cells.length > 1 && cells.every((cell) => cell.trim() === "")) return [];
  const faults = [];
  const given = {};
  columns.forEach((name, index) => {
    const cell = cells[index]?.trim() ?? "";
    if (name === undefined || cell === "") return;
    const read = readCell(name, cell);
    if ("fault" in read) faults.push(faultAt(line, read.fault, { name, value: cut(cell), hint: read.hint ?? "" }));
    else given[name] = read.value;
  });
  return rowOf(line, given, faults);
}
function readCell(name, cell) {
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
function choice(cell, choices) {
  const found = choices.find((each) => bare(each) === bare(cell));
  return found === undefined ? { fault: "not_choice", hint: choices.join(", ") } : { value: found };
}
/** A line is a question as a string, or an item of the API. The service validates the values of its members. */
function jsonRow(line, text) {
  const value = parsed(text);
  if (value === undefined) return [faultAt(line, "not_json", { value: cut(text) })];
  if (typeof value === "string") return rowOf(line, { question: value }, []);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [faultAt(line, "not_object", { value: cut(text) })];
  const faults = [];
  const given = {};
  let options = {};
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
function rowOf(line, { deepAnalysis, output, resultFormat, ...rest }, faults, given = {}) {
  const { question } = rest;
  if (typeof question !== "string" || question.trim() === "") return [...faults, faultAt(line, "no_question")];
  if (faults.length > 0) return [...faults];
  // The service rejects options that are not an object.
  if (typeof given !== "object") return [{ line, item: { ...rest, question, options: given } }];
  const options = {
    ...(deepAnalysis === undefined ? {} : { deepAnalysis }),
    ...(output === undefined ? {} : { output }),
    ...(resultFormat === undefined ? {} : { resultFormat }),
    ...given,
  };
  const members = { ...rest, question, ...(Object.keys(options).length === 0 ? {} : { options }) };
  // The service validates each member, so values that it rejects are passed on.
  return [{ line, item: members }];
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
const cut = (text) => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);
