/** The inputs of jobs, decoded. */
import type { Answer, FailedTask } from "@querent/figures";
import type { ReadInput } from "../../computing/job.ts";
import { answerDecoder, recordDecoder } from "../../observations/answers/decode-answers.ts";
import { decodeFailures } from "./read-failures.ts";

/** The answers of an input: what `answerPages` writes, or lines of public records. Pauses after each page. */
export async function* readAnswers(
  read: ReadInput,
  of?: unknown,
  decode: (page: string) => Answer[] = answerDecoder(),
): AsyncGenerator<undefined, Answer[], void> {
  const answers: Answer[] = [];
  for await (const page of read("answers", of)) {
    for (const answer of decode(page)) answers.push(answer);
    yield;
  }
  return answers;
}

export const readRecords = (read: ReadInput): AsyncGenerator<undefined, Answer[], void> =>
  readAnswers(read, undefined, recordDecoder());

/** The failed tasks of an input. Pauses after each page. */
export async function* readFailedTasks(read: ReadInput, of?: unknown): AsyncGenerator<undefined, FailedTask[], void> {
  const failures: FailedTask[] = [];
  for await (const page of read("failures", of)) {
    for (const failure of decodeFailures(page)) failures.push(failure);
    yield;
  }
  return failures;
}
