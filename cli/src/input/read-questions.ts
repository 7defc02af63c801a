/** Reads a file of questions: each row is a question for each of its platforms, with its line number. */
import { createReadStream } from "node:fs";
import {
  describeRowFault,
  EncodingError,
  QuestionRows,
  TextBytes,
  type Question,
  type QuestionForm,
  type QuestionRow,
  type RowFault,
  type SubmittedOptions,
} from "@querent/client";
import { UsageError } from "../exit-codes.ts";
import { Mistakes } from "./mistakes.ts";

export interface Defaults {
  /** The platforms of rows that name none. Such a row becomes a question for each of them. */
  readonly platforms: readonly string[];
  readonly options: SubmittedOptions;
  readonly tags: readonly string[];
}

export interface InputFile {
  readonly path: string;
  /** The name as given by the user. */
  readonly name: string;
  readonly form: QuestionForm;
}

export interface LocatedQuestion {
  readonly line: number;
  readonly question: Question;
}

/** Reads a whole file, and fails with all errors in it. Returns the number of questions. */
export async function countQuestions(input: InputFile, defaults: Defaults): Promise<number> {
  const mistakes = new Mistakes(input.name);
  let rows = 0;
  let count = 0;
  try {
    for await (const row of rowsOf(input)) {
      rows++;
      if (row.fault !== undefined) mistakes.add(row.line, describeRowFault(row));
      else {
        const questions = questionsOf(row, defaults, rows);
        if (questions.length === 0)
          mistakes.add(row.line, "no platform. Specify one with --platform, or with a column platformCode.");
        count += questions.length;
      }
    }
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    mistakes.add(error.line, error.message);
  }
  mistakes.throwIfAny();
  if (count === 0) throw new UsageError(`${input.name} contains no questions.`);
  return count;
}

/** The questions of a file, in order. The result is the same for the same file and defaults. */
export async function* readQuestions(
  input: InputFile,
  defaults: Defaults,
): AsyncGenerator<LocatedQuestion, void, void> {
  let row = 0;
  for await (const read of rowsOf(input)) {
    row++;
    if (read.fault !== undefined)
      throw new UsageError(
        `${input.name}:${read.line}: ${describeRowFault(read)} The file was changed while it was being read.`,
      );
    for (const question of questionsOf(read, defaults, row)) yield { line: read.line, question };
  }
}

function questionsOf({ item }: QuestionRow, defaults: Defaults, row: number): Question[] {
  const platforms = item.platformCode === undefined ? defaults.platforms : [item.platformCode];
  // The service rejects tags that are not a list.
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
  const text = new TextBytes();
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) yield* rows.push(text.push(chunk));
    yield* rows.push(text.end());
  } catch (error) {
    if (error instanceof UsageError || error instanceof EncodingError) throw error;
    throw new UsageError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  yield* rows.end();
}
