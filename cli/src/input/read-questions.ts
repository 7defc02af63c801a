/** A file of questions as what is submitted: each row a question for each of its platforms, with its line. */
import { createReadStream } from "node:fs";
import { TextDecoder } from "node:util";
import {
  describeRowFault,
  QuestionRows,
  type Question,
  type QuestionForm,
  type QuestionRow,
  type RowFault,
  type SubmittedOptions,
} from "@querent/client";
import { UsageError } from "../exit-codes.ts";
import { Mistakes } from "./mistakes.ts";

export interface Defaults {
  /** Platforms for rows that name none: each such row becomes a question for each of them. */
  readonly platforms: readonly string[];
  readonly options: SubmittedOptions;
  readonly tags: readonly string[];
}

export interface InputFile {
  readonly path: string;
  /** As the user calls it. */
  readonly name: string;
  readonly form: QuestionForm;
}

export interface LocatedQuestion {
  readonly line: number;
  readonly question: Question;
}

/** Reads all of a file, and fails with every mistake in it. How many questions it makes. */
export async function countQuestions(input: InputFile, defaults: Defaults): Promise<number> {
  const mistakes = new Mistakes(input.name);
  let rows = 0;
  let count = 0;
  for await (const row of rowsOf(input)) {
    rows++;
    if (row.fault !== undefined) mistakes.add(row.line, describeRowFault(row));
    else {
      const questions = questionsOf(row, defaults, rows);
      if (questions.length === 0)
        mistakes.add(row.line, "names no platform; give one with --platform, or a column platformCode.");
      count += questions.length;
    }
  }
  mistakes.throwIfAny();
  if (count === 0) throw new UsageError(`${input.name} holds no question.`);
  return count;
}

/** The questions of a file, in its order: always the same ones for the same file and defaults. */
export async function* readQuestions(
  input: InputFile,
  defaults: Defaults,
): AsyncGenerator<LocatedQuestion, void, void> {
  let row = 0;
  for await (const read of rowsOf(input)) {
    row++;
    if (read.fault !== undefined)
      throw new UsageError(`${input.name}:${read.line}: ${describeRowFault(read)} The file changed while it was read.`);
    for (const question of questionsOf(read, defaults, row)) yield { line: read.line, question };
  }
}

function questionsOf({ item }: QuestionRow, defaults: Defaults, row: number): Question[] {
  const platforms = item.platformCode === undefined ? defaults.platforms : [item.platformCode];
  // Tags that are no list are for the service to refuse.
  const own = item.tags ?? [];
  const tags = Array.isArray(own) ? [...new Set([...defaults.tags, ...own])] : own;
  const { options } = item;
  const isObject = options === undefined || typeof options === "object";
  return platforms.map((platformCode) => ({
    ...item,
    platformCode,
    options: isObject ? { ...defaults.options, ...options } : options,
    clientReference: item.clientReference ?? `row-${row}`,
    ...(tags.length === 0 ? {} : { tags }),
  }));
}

async function* rowsOf({ path, name, form }: InputFile): AsyncGenerator<QuestionRow | RowFault, void, void> {
  const rows = new QuestionRows(form);
  // Text in another encoding would be asked, and paid for, as a heap of signs.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>)
      yield* rows.push(decoder.decode(chunk, { stream: true }));
    yield* rows.push(decoder.decode());
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const isEncoding = error instanceof TypeError;
    throw new UsageError(
      isEncoding
        ? `${name} is not UTF-8 text. Save it as "CSV UTF-8", or convert it, such as with iconv.`
        : `${name}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  yield* rows.end();
}
