/** What somebody pasted or dropped, as rows: plain lines, CSV with a head, or JSON lines. */
import { readCsv } from "./read-csv.ts";

export type RowFault = "not_json" | "not_object" | "unknown_column";

export type Row =
  | { readonly line: number; readonly members: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly fault: RowFault; readonly detail: string };

export type RowFormat = "lines" | "csv" | "jsonl";

/** The members that a row may give by a column; what is left out is taken from the choices beside the list. */
export const columns = [
  "question",
  "platformCode",
  "clientReference",
  "tags",
  "webhookUrl",
  "deepAnalysis",
  "output",
  "resultFormat",
] as const;

export function readRows(text: string): { format: RowFormat; rows: Row[] } {
  const format = formatOf(text);
  const read = { lines: readLines, csv: readTable, jsonl: readJsonLines }[format];
  return { format, rows: read(text) };
}

function formatOf(text: string): RowFormat {
  const first = /^\uFEFF?\s*(.*)/.exec(text)?.[1] ?? "";
  if (first.startsWith("{")) return "jsonl";
  const names = (readCsv(first)[0] ?? []).map((name) => name.trim().toLowerCase());
  return names.includes("question") ? "csv" : "lines";
}

const lineList = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter(({ text }) => text !== "");

const readLines = (text: string): Row[] =>
  lineList(text).map(({ text, line }) => ({ line, members: { question: text } }));

function readJsonLines(text: string): Row[] {
  return lineList(text).map(({ text, line }): Row => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return { line, fault: "not_object", detail: text.slice(0, 80) };
      return { line, members: { ...value } };
    } catch {
      return { line, fault: "not_json", detail: text.slice(0, 80) };
    }
  });
}

function readTable(text: string): Row[] {
  const [head = [], ...body] = readCsv(text);
  const known = head.map((name) => columns.find((column) => column.toLowerCase() === name.trim().toLowerCase()));
  const unknown = head.find((_, index) => known[index] === undefined);
  if (unknown !== undefined) return [{ line: 1, fault: "unknown_column", detail: unknown }];
  return body.map((fields, index) => ({ line: index + 2, members: membersOf(known, fields) }));
}

function membersOf(names: readonly (string | undefined)[], fields: readonly string[]): Record<string, unknown> {
  const given = names.flatMap((name, index) => {
    const value = fields[index]?.trim() ?? "";
    return name === undefined || value === "" ? [] : [[name, value] as const];
  });
  const { tags, deepAnalysis, output, resultFormat, ...rest } = Object.fromEntries(given);
  const options = {
    ...(deepAnalysis === undefined
      ? {}
      : {
          deepAnalysis: /^(true|1|yes)$/i.test(deepAnalysis)
            ? true
            : /^(false|0|no)$/i.test(deepAnalysis)
              ? false
              : deepAnalysis,
        }),
    ...(output === undefined ? {} : { output }),
    ...(resultFormat === undefined ? {} : { resultFormat }),
  };
  return {
    ...rest,
    ...(tags === undefined
      ? {}
      : {
          tags: tags
            .split(/[;|]/)
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ""),
        }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}
