/** A file of questions, row by row: CSV with a header, or JSON lines. A row that is not right is told by its line. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Question, SubmittedOptions } from "@querent/client";
import { parse } from "csv-parse";
import { didYouMean } from "../closest.ts";
import { UsageError } from "../exit-codes.ts";

export type InputForm = "csv" | "jsonl";

export interface Defaults {
  /** Platforms for rows that name none: each such row becomes a question for each of them. */
  readonly platforms: readonly string[];
  readonly options: SubmittedOptions;
  readonly tags: readonly string[];
}

const lineBytesMax = 1024 * 1024;

/** What a row may say, by the names of columns and members. */
const members: Readonly<Record<string, (text: string) => Partial<Question>>> = {
  question: (question) => ({ question }),
  platformCode: (platformCode) => ({ platformCode }),
  clientReference: (clientReference) => ({ clientReference }),
  webhookUrl: (webhookUrl) => ({ webhookUrl }),
  notBefore: (notBefore) => ({ notBefore }),
  startBefore: (startBefore) => ({ startBefore }),
  priority: (text) => ({ priority: numberOf(text) }),
  runTimeoutSeconds: (text) => ({ runTimeoutSeconds: numberOf(text) }),
  tags: (text) => ({
    tags: text
      .split(";")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
  }),
  deepAnalysis: (text) => ({ options: { deepAnalysis: booleanOf(text) } }),
  output: (text) => ({ options: { output: oneOf(text, ["answer", "screenshot", "share_link"] as const) } }),
  resultFormat: (text) => ({ options: { resultFormat: oneOf(text, ["json", "html", "all"] as const) } }),
};
const aliases: Readonly<Record<string, string>> = {
  platform: "platformCode",
  reference: "clientReference",
  deep: "deepAnalysis",
  tag: "tags",
};

export const columnNames = [...Object.keys(members), ...Object.keys(aliases)];

/** The questions of a file, in its order: always the same ones for the same file and defaults. */
export async function* readQuestions(
  file: string,
  form: InputForm,
  defaults: Defaults,
): AsyncGenerator<Question, void, void> {
  let row = 0;
  for await (const { question, line } of form === "csv" ? csvRows(file) : jsonRows(file)) {
    row++;
    yield* complete(question, defaults, `${file}:${line}`, row);
  }
  if (row === 0) throw new UsageError(`${file} holds no question.`);
}

function* complete(question: Partial<Question>, defaults: Defaults, place: string, row: number): Generator<Question> {
  const text = question.question;
  if (typeof text !== "string" || text.trim() === "") throw new UsageError(`${place}: there is no question.`);
  const platforms = question.platformCode === undefined ? defaults.platforms : [question.platformCode];
  if (platforms.length === 0)
    throw new UsageError(`${place}: names no platform; give one with --platform, or a column platformCode.`);
  const tags = [...defaults.tags, ...(question.tags ?? [])];
  for (const platformCode of platforms) {
    yield {
      ...question,
      question: text,
      platformCode,
      options: { ...defaults.options, ...question.options },
      clientReference: question.clientReference ?? `row-${row}`,
      ...(tags.length === 0 ? {} : { tags }),
    };
  }
}

async function* csvRows(file: string): AsyncGenerator<{ question: Partial<Question>; line: number }> {
  const parser = createReadStream(file).pipe(
    parse({ bom: true, info: true, skip_empty_lines: true, relax_column_count: false, max_record_size: lineBytesMax }),
  );
  let columns: string[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns === null) columns = record.map((name) => columnOf(name, `${file}:${info.lines}`));
      else yield { question: rowOf(columns, record, `${file}:${info.lines}`), line: info.lines };
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function columnOf(name: string, place: string): string {
  const bare = name.trim();
  const known = columnNames.find((column) => column.toLowerCase() === bare.toLowerCase());
  if (known === undefined)
    throw new UsageError(
      `${place}: the column "${bare}" is not known.${didYouMean(bare, columnNames)} The first line names the columns; "question" is the one that there must be.`,
    );
  return aliases[known] ?? known;
}

function rowOf(columns: readonly string[], cells: readonly string[], place: string): Partial<Question> {
  let question: Partial<Question> = {};
  columns.forEach((column, index) => {
    const cell = cells[index]?.trim() ?? "";
    if (cell === "") return;
    try {
      const read = members[column]?.(cell) ?? {};
      question = {
        ...question,
        ...read,
        ...(read.options === undefined ? {} : { options: { ...question.options, ...read.options } }),
      };
    } catch (error) {
      throw new UsageError(`${place}: ${column} ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return question;
}

async function* jsonRows(file: string): AsyncGenerator<{ question: Partial<Question>; line: number }> {
  const input = createReadStream(file, { encoding: "utf8" });
  let failure: Error | null = null;
  input.once("error", (error) => (failure = error));
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line++;
    if (text.trim() === "") continue;
    if (text.length > lineBytesMax) throw new UsageError(`${file}:${line}: the line is longer than 1 MiB.`);
    yield { question: itemOf(text.replace(/^\uFEFF/, ""), `${file}:${line}`), line };
  }
  if (failure !== null) throw new UsageError(`${file}: ${(failure as Error).message}`);
}

/** A line is a question as text, or an item as the service takes it. What its members hold is for the service to judge. */
function itemOf(text: string, place: string): Partial<Question> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${place}: is not JSON.`);
  }
  if (typeof value === "string") return { question: value };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${place}: must be an object with a question, or text.`);
  for (const name of Object.keys(value)) {
    if (name !== "options" && !(name in members) && !(name in aliases))
      throw new UsageError(
        `${place}: "${name}" is not known.${didYouMean(name, [...Object.keys(members), "options"])}`,
      );
  }
  return value;
}

function numberOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`must be a whole number, not "${text}".`);
  return Number(text);
}

function booleanOf(text: string): boolean {
  if (/^(true|yes|1)$/i.test(text)) return true;
  if (/^(false|no|0)$/i.test(text)) return false;
  throw new Error(`must be true or false, not "${text}".`);
}

function oneOf<Value extends string>(text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new Error(`must be one of ${values.join(", ")}, not "${text}".`);
  return found;
}
