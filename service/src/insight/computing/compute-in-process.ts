import { ProblemError } from "../../api/problem-error.ts";
import { endChild, sendToChild, startChild } from "../../runtime/child-process.ts";
import type { Job } from "./jobs.ts";

export interface JobOptions {
  readonly job: Job;
  /** At most. */
  readonly answers: number;
  readonly signal: AbortSignal;
}

/** What the process is sent: what to do; pages of answers; that there are no more. */
export type ToProcess = { readonly job: Job } | { readonly page: string } | { readonly end: true };
/** What it replies: that it has decoded a page; the result; why there is none. */
export type FromProcess = { readonly decoded: true } | { readonly result: Buffer } | { readonly error: unknown };

/**
 * Of the process. It keeps answers and figures, which are old objects. With a smaller young generation than that of the service,
 * its memory stays near to what it needs: a kilobyte for each answer, and as much again while answers are compared. The less
 * memory V8 may use, the sooner it collects garbage.
 */
const memoryFlags = (answers: number) => [
  "--max-semi-space-size=16",
  `--max-old-space-size=${Math.round(200 + answers / 400)}`,
];

/** Pages that the process has not decoded yet, at most. */
const pagesAhead = 3;

/**
 * The result of a job, computed by a process that lives as long as the job, and has memory for so many answers. In a thread, V8
 * would end the whole service if the memory did not suffice for a single allocation.
 */
export async function computeInProcess(
  { job, answers, signal }: JobOptions,
  pages: AsyncIterable<string>,
): Promise<Buffer> {
  const figures = startProcess(memoryFlags(answers), signal);
  try {
    figures.send({ job });
    for await (const page of pages) {
      await figures.ready();
      figures.send({ page });
    }
    figures.send({ end: true });
    return await figures.result;
  } finally {
    await figures.stop();
  }
}

function startProcess(flags: readonly string[], signal: AbortSignal) {
  const child = startChild({ module: new URL("figure-process", import.meta.url), flags, errors: "pipe" });
  const { promise: result, resolve, reject } = Promise.withResolvers<Buffer>();
  // It may fail while pages are still being read.
  result.catch(() => undefined);
  let underWay = 0;
  let wake = () => {};
  child.on("message", (message: FromProcess) => {
    if ("result" in message) return resolve(message.result);
    if ("error" in message) return reject(message.error);
    underWay--;
    wake();
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-saidCharsMax)));
  child.once("error", reject);
  child.once("close", (code, by) => reject(by === "SIGABRT" ? tooLarge(said) : endedEarly(`${by ?? code}. ${said}`)));
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return {
    result,
    send(message: ToProcess) {
      if ("page" in message) underWay++;
      sendToChild(child, message);
    },
    /** Resolves when it takes another page. */
    async ready(): Promise<void> {
      while (underWay >= pagesAhead)
        await Promise.race([result, new Promise<void>((resolveReady) => (wake = resolveReady))]);
    },
    async stop(): Promise<void> {
      signal.removeEventListener("abort", abort);
      await endChild(child);
    },
  };
}

/** Of what a process prints before it ends, the last so many characters are kept. */
const saidCharsMax = 4_000;

const endedEarly = (how: string) => new Error(`The process that computes figures ended without a result: ${how}`);

/** V8 aborts a process whose memory does not suffice. */
const tooLarge = (cause: unknown) =>
  new ProblemError(
    "validation_failed",
    "The answers of the window need more memory than figures may take. Choose a shorter window, or a platform.",
    { errors: [{ pointer: "?from", code: "out_of_range", detail: "Choose a shorter window, or a platform." }], cause },
  );
