import { readsUntil, type Database } from "../../db/index.ts";
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
  const db = readsUntil(database, signal);
  let chars = 0;
  // The thread's processor time, and not what passes meanwhile: on a busy machine, small computations stay here.
  let workMs = 0;
  let since = threadMs();
  const pause = () => (workMs += threadMs() - since);
  const waited = async <Result>(promise: Promise<Result>): Promise<Result> => {
    pause();
    const result = await promise;
    since = threadMs();
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
    await waited(yieldToEventLoop());
    for (let sliceFrom = performance.now(); ;) {
      const step = await steps.next();
      signal.throwIfAborted();
      if (step.done === true) break;
      if (typeof step.value === "string") result.write(step.value);
      if (performance.now() - sliceFrom < sliceMs) continue;
      await waited(yieldToEventLoop());
      if (workMs > workMsMax) return null;
      sliceFrom = performance.now();
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

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
