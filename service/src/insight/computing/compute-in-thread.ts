import { extname } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Worker, type ResourceLimits } from "node:worker_threads";
import { ProblemError } from "../../api/problem-error.ts";
import type { Job } from "./jobs.ts";

export interface JobOptions {
  readonly job: Job;
  /** At most. */
  readonly answers: number;
  readonly signal: AbortSignal;
}

/** What the thread is sent: what to do; pages of answers; that there are no more. */
export type ToThread = { readonly job: Job } | { readonly page: string } | { readonly end: true };
/** What it replies: that it has decoded a page; the result. */
export type FromThread = { readonly decoded: true } | { readonly result: Uint8Array };

/**
 * Of the thread. It keeps answers and figures, which are old objects. With a smaller young generation than that of the process,
 * its memory stays near to what it needs: a kilobyte for each answer, and as much again while answers are compared. The less
 * memory V8 may use, the sooner it collects garbage. All of it is returned to the system some seconds after the thread has
 * ended.
 */
const limitsFor = (answers: number) => ({
  maxYoungGenerationSizeMb: 48,
  maxOldGenerationSizeMb: Math.round(200 + answers / 400),
  stackSizeMb: 4,
});

/** Pages that the thread has not decoded yet, at most. */
const pagesAhead = 3;

/** The result of a job, computed by a thread that lives as long as the job, and has memory for so many answers. */
export async function computeInThread(
  { job, answers, signal }: JobOptions,
  pages: AsyncIterable<string>,
): Promise<Buffer> {
  const thread = startThread(limitsFor(answers), signal);
  try {
    thread.send({ job });
    for await (const page of pages) {
      await thread.ready();
      thread.send({ page });
    }
    thread.send({ end: true });
    const bytes = await thread.result;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } finally {
    await thread.stop();
  }
}

function startThread(resourceLimits: ResourceLimits, signal: AbortSignal) {
  // V8 reads it when a heap is made. The process was started with more, and that would have precedence over the thread's own limit.
  setFlagsFromString("--max-semi-space-size=0");
  const worker = new Worker(new URL(`figure-thread${extname(import.meta.filename)}`, import.meta.url), {
    resourceLimits,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const { promise: result, resolve, reject } = Promise.withResolvers<Uint8Array>();
  // It may fail while pages are still being read.
  result.catch(() => undefined);
  let underWay = 0;
  let wake = () => {};
  worker.on("message", (message: FromThread) => {
    if ("result" in message) return resolve(message.result);
    underWay--;
    wake();
  });
  worker.on("error", (error) => reject(isOutOfMemory(error) ? tooLarge(error) : error));
  worker.on("exit", () => reject(new Error("The thread that computes figures ended without a result.")));
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return {
    result,
    send(message: ToThread) {
      if ("page" in message) underWay++;
      worker.postMessage(message, []);
    },
    /** Resolves when it takes another page. */
    async ready(): Promise<void> {
      while (underWay >= pagesAhead)
        await Promise.race([result, new Promise<void>((resolveReady) => (wake = resolveReady))]);
    },
    async stop(): Promise<void> {
      signal.removeEventListener("abort", abort);
      await worker.terminate();
    },
  };
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const tooLarge = (cause: unknown) =>
  new ProblemError(
    "validation_failed",
    "The answers of the window need more memory than figures may take. Choose a shorter window, or a platform.",
    { errors: [{ pointer: "?from", code: "out_of_range", detail: "Choose a shorter window, or a platform." }], cause },
  );
