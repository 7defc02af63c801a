/** Reads a file of questions: each row is a question for each of its platforms, with its line number. */
import { createReadStream } from "node:fs";
import { TextDecoder } from "node:util";
import { describeRowFault, QuestionRows } from "@querent/client";
import { UsageError } from "../exit-codes.js";
import { Mistakes } from "./mistakes.js";
/** Reads a whole file, and fails with all errors in it. Returns the number of questions. */
export async function countQuestions(input, defaults) {
  const mistakes = new Mistakes(input.name);
  let rows = 0;
  let count = 0;
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
  mistakes.throwIfAny();
  if (count === 0) throw new UsageError(`${input.name} contains no questions.`);
  return count;
}
/** The questions of a file, in order. The result is the same for the same file and defaults. */
export async function* readQuestions(input, defaults) {
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
function questionsOf({ item }, defaults, row) {
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
async function* rowsOf({ path, name, form }) {
  const rows = new QuestionRows(form);
  // Text in another encoding would be submitted, and charged, garbled.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of createReadStream(path)) yield* rows.push(decoder.decode(chunk, { stream: true }));
    yield* rows.push(decoder.decode());
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const isEncoding = error instanceof TypeError;
    throw new UsageError(
      isEncoding
        ? `${name} is not encoded in UTF-8. Save it as "CSV UTF-8", or convert it, for example with iconv.`
        : `${name}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  yield* rows.end();
}
