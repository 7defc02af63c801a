/** The lines of an import as answers in the service's own form, or every error in them. */
import { isUtf8 } from "node:buffer";
import { api, ImportedAnswer, type ImportFormat, type ProblemItem } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { compileCheck, problemItemsMax } from "../../kernel/validate.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { answersOfDataForSeo } from "./dataforseo.ts";
import { NotAnAnswer, NotAnswers } from "./foreign.ts";
import type { LocatedAnswer } from "./place-answers.ts";
import { answersOfSerpApi } from "./serpapi.ts";

export interface ReadLines {
  /** Including empty lines. */
  readonly lineCount: number;
  readonly answers: readonly LocatedAnswer[];
  /** What is not valid (the first 100 positions), as `/LINE/…` with the line's number in its file. */
  readonly errors: readonly ProblemItem[];
}

const checkAnswer = compileCheck(ImportedAnswer);

const readers: Readonly<Record<Exclude<ImportFormat, "querent">, (line: unknown) => ImportedAnswer[]>> = {
  serpapi: answersOfSerpApi,
  dataforseo: answersOfDataForSeo,
};

/** Throws an error about what is not UTF-8, or has too many lines. */
export async function readLines(
  body: Buffer,
  { format, firstLine }: { readonly format: ImportFormat; readonly firstLine: number },
): Promise<ReadLines> {
  if (!isUtf8(body)) throw new ProblemError("malformed_json", "The body is not valid UTF-8. Nothing was imported.");
  const lines = body
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r?\n$/, "")
    .split("\n");
  if (lines.length > api.importLinesMax)
    throw refuseLines([
      { pointer: "", code: "too_many", detail: `At most ${api.importLinesMax} lines; this body has ${lines.length}.` },
    ]);
  const answers: LocatedAnswer[] = [];
  const errors: ProblemItem[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const at = `/${firstLine + index}`;
    const read = readLine(line, format, at);
    if ("errors" in read) errors.push(...read.errors);
    else for (const answer of read.answers) answers.push({ answer, at });
    if (errors.length >= problemItemsMax) break;
    if (performance.now() < sliceEnd) continue;
    await yieldToEventLoop();
    sliceEnd = performance.now() + sliceMs;
  }
  return { lineCount: lines.length, answers, errors };
}

function readLine(
  line: string,
  format: ImportFormat,
  at: string,
): { readonly answers: readonly ImportedAnswer[] } | { readonly errors: readonly ProblemItem[] } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { errors: [{ pointer: at, code: "malformed", detail: "The line is not JSON." }] };
  }
  if (format === "querent") {
    const errors = checkAnswer(value, at);
    if (errors.length > 0) return { errors };
    // The check has just established its type.
    const answer = value as ImportedAnswer;
    const faults = checkAnswerAt(answer, at);
    return faults.length > 0 ? { errors: faults } : { answers: [answer] };
  }
  try {
    const answers = readers[format](value);
    const errors = answers.flatMap((answer) => [...checkAnswer(answer, at), ...checkAnswerAt(answer, at)]);
    return errors.length > 0 ? { errors } : { answers };
  } catch (error) {
    const faults = error instanceof NotAnswers ? error.faults : error instanceof NotAnAnswer ? [error] : null;
    if (faults === null) throw error;
    return {
      errors: faults.map(({ pointer, message }) => ({
        pointer: `${at}${pointer}`,
        code: "malformed",
        detail: message,
      })),
    };
  }
}

/** No assistant has answered before. An earlier time is a mistake, such as seconds that were taken for milliseconds. */
const earliest = Date.UTC(2000, 0);
/** How far the clock of the file's origin may be ahead. */
const aheadMsMax = 86_400_000;

function checkAnswerAt(answer: ImportedAnswer, at: string): ProblemItem[] {
  const errors = checkTime(answer, at);
  if (answer.unread === true && (answer.content ?? "") !== "")
    errors.push({ pointer: `${at}/content`, code: "not_allowed", detail: "An answer that was not read has no text." });
  return errors;
}

function checkTime({ observedAt }: ImportedAnswer, at: string): ProblemItem[] {
  const time = Date.parse(observedAt);
  if (time >= earliest && time <= Date.now() + aheadMsMax) return [];
  const which = time < earliest ? "before the year 2000" : "in the future";
  return [{ pointer: `${at}/observedAt`, code: "out_of_range", detail: `The time ${observedAt} is ${which}.` }];
}

export function refuseLines(errors: readonly ProblemItem[]): ProblemError {
  const what = errors.length === 1 ? "A line is" : `${errors.length} positions are`;
  return new ProblemError("validation_failed", `${what} not valid. Nothing of this part was imported.`, {
    errors: errors.toSorted((one, other) => lineOf(one) - lineOf(other)).slice(0, problemItemsMax),
  });
}

const lineOf = ({ pointer }: ProblemItem) => Number(/^\/(\d+)/.exec(pointer)?.[1] ?? 0);
