import { InvalidRequestError, PointsShortError } from "@querent/client";
import { readQuestions } from "../input/read-questions.js";
import { plural } from "../output/answer.js";
import { ProgressBar } from "../output/progress-bar.js";
/** Sends what has not been accepted yet. `isShort` is true if the points were exhausted. */
export async function sendAll({ querent, output, signal }, input, journal) {
  const bar = new ProgressBar(output, "submitting");
  let done = 0;
  let sending = null;
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
async function* questionsIn(located) {
  for await (const { question } of located) yield question;
}
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
/** Questions that were accepted. */
export const itemsOf = ({ accepted }) => sum(accepted.map(({ itemCount }) => itemCount));
/** Points that were held for them. */
export const pointsOf = ({ accepted }) => sum(accepted.map(({ estimatedPoints }) => estimatedPoints));
