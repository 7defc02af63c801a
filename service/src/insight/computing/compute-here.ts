import type { Database } from "../../db/index.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { inputOf, type Inputs } from "./compute-in-process.ts";
import type { Job } from "./job.ts";
import { PieceWriter, ResultTooLarge } from "./piece-writer.ts";

/** A process takes longer to start than this much is computed in. */
const inputCharsMax = 2 * 1024 * 1024;
const workMsMax = 150;
const bytesMax = 1024 * 1024;

class TooMuchHere extends Error {
  override readonly name = "TooMuchHere";
}

/** Runs a job on this thread in slices, if it is small. Null: it is not, which is known after a moment. */
export async function computeHere<Input>(
  database: Database,
  { job, input, inputs }: { readonly job: Job<Input>; readonly input: Input; readonly inputs: Inputs },
  signal: AbortSignal,
): Promise<Buffer[] | null> {
  const db = database.until(signal);
  let chars = 0;
  let waitedMs = 0;
  const waited = async <Result>(promise: Promise<Result>): Promise<Result> => {
    const from = performance.now();
    const result = await promise;
    waitedMs += performance.now() - from;
    return result;
  };
  const read = async function* (name: string, of?: unknown): AsyncGenerator<string, void, void> {
    const pages = inputOf(inputs, name)(db, of)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const page = await waited(pages.next());
        if (page.done === true) return;
        chars += page.value.length;
        if (chars > inputCharsMax) throw new TooMuchHere();
        yield page.value;
      }
    } finally {
      await pages.return?.();
    }
  };
  const pieces: Buffer[] = [];
  const result = new PieceWriter((piece) => pieces.push(piece), bytesMax);
  const steps = job.run(input, read);
  try {
    await yieldToEventLoop();
    const startedAt = performance.now();
    for (let since = startedAt; ;) {
      const step = await steps.next();
      signal.throwIfAborted();
      if (step.done === true) break;
      if (typeof step.value === "string") result.write(step.value);
      if (performance.now() - since < sliceMs) continue;
      if (performance.now() - startedAt - waitedMs > workMsMax) return null;
      await waited(yieldToEventLoop());
      since = performance.now();
    }
    result.end();
    return pieces;
  } catch (error) {
    if (error instanceof TooMuchHere || error instanceof ResultTooLarge) return null;
    throw error;
  } finally {
    await steps.return();
  }
}
