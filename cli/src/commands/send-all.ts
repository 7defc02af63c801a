import { InvalidRequestError, PointsShortError } from "@querent/client";
import type { Context } from "../context.ts";
import type { Journal } from "../input/journal.ts";
import { readQuestions, type Defaults, type InputFile, type LocatedQuestion } from "../input/read-questions.ts";
import { plural } from "../output/answer.ts";
import { ProgressBar } from "../output/progress-bar.ts";

/** What is submitted: a file, also where it came through a pipe, and what its rows leave open. */
export interface Input extends InputFile {
  readonly defaults: Defaults;
  readonly count: number;
  /** Where the progress is recorded; null: nowhere that outlives the command. */
  readonly journal: string | null;
}

/** Sends what has not been accepted yet. `isShort` is true if the points were exhausted. */
export async function sendAll(
  { querent, output, signal }: Context,
  input: Input,
  journal: Journal,
): Promise<{ readonly isShort: boolean }> {
  const bar = new ProgressBar(output, "submitting");
  let done = 0;
  let sending: number | null = null;
  const chunks = querent.tasks.submitAll(questionsIn(readQuestions(input, input.defaults)), {
    runKey: journal.head.runKey,
    chunkItems: journal.head.chunkItems,
    signal,
    skip: (chunk) => {
      const isAccepted = journal.isAccepted(
        chunk,
        `${input.name}: questions ${chunk.firstItem + 1} to ${chunk.firstItem + chunk.itemCount}`,
      );
      if (isAccepted) bar.update((done += chunk.itemCount), input.count);
      return isAccepted;
    },
    onSend: (chunk) => {
      journal.send(chunk);
      sending = chunk.index;
    },
    onQueueFull: () => bar.update(done, input.count, "the account's queue is full, waiting"),
  });
  let isShort = false;
  try {
    for await (const { index, digest, itemCount, accepted } of chunks) {
      const { batchId, estimatedPoints } = accepted;
      journal.accept({ accepted: index, digest, batchId, itemCount, estimatedPoints });
      bar.update((done += itemCount), input.count);
    }
  } catch (error) {
    isShort = error instanceof PointsShortError;
    // Nothing was accepted, except if the key was used before with another body.
    const isRefused = isShort || (error instanceof InvalidRequestError && error.code !== "idempotency_key_reused");
    if (isRefused && sending !== null) journal.refuse(sending);
    if (!isShort) throw error;
  } finally {
    bar.end("");
  }
  output.note(
    `${done === input.count ? plural(done, "question") : `${done.toLocaleString("en")} of ${plural(input.count, "question")}`} accepted in ${plural(journal.accepted.length, "batch", "batches")}, ${plural(pointsOf(journal), "point")} held.`,
  );
  return { isShort };
}

async function* questionsIn(located: AsyncIterable<LocatedQuestion>) {
  for await (const { question } of located) yield question;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
/** Questions that were accepted. */
export const itemsOf = ({ accepted }: Journal) => sum(accepted.map(({ itemCount }) => itemCount));
/** Points that were held for them. */
export const pointsOf = ({ accepted }: Journal) => sum(accepted.map(({ estimatedPoints }) => estimatedPoints));
