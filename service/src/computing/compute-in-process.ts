import { endChild, sendToChild, startChild } from "../runtime/child-process.ts";
import { readsInTurn, readsUntil, type Database, type Queryable } from "../db/index.ts";
import { InputTooLarge, NotComputable, type Job, type FromProcess, type ToProcess } from "./job.ts";
import { ResultTooLarge } from "./piece-writer.ts";

/** Reads a part of an input from the database, in pages of bounded length. */
export type Inputs = Readonly<Record<string, (db: Queryable, of: unknown) => AsyncIterable<string>>>;

export function inputOf(inputs: Inputs, name: string): Inputs[string] {
  const input = inputs[name];
  if (input === undefined) throw new Error(`The job has no input ${name}.`);
  return input;
}

export interface ProcessOptions<Input> {
  readonly job: Job<Input>;
  readonly input: Input;
  readonly inputs: Inputs;
  readonly database: Database;
  /** Resolves once it may send a statement, with the function to call when that has ended. */
  readonly acquireRead: (until: AbortSignal) => Promise<() => void>;
  /** What the process may use for objects. */
  readonly memoryMiB: number;
  readonly signal: AbortSignal;
}

/** The memory of the process did not suffice. */
export class MemoryExceeded extends Error {
  override readonly name = "MemoryExceeded";
}

/**
 * Of the process. It keeps answers and figures, which are old objects. With a smaller young generation than that of the service,
 * its memory stays near to what it needs. The less memory V8 may use, the sooner it collects garbage.
 */
const memoryFlags = (memoryMiB: number) => [
  "--max-semi-space-size=16",
  `--max-old-space-size=${Math.round(memoryMiB)}`,
];

/** Pages that the process has not taken yet, at most. */
const pagesAhead = 3;

const failures = { input_too_large: InputTooLarge, result_too_large: ResultTooLarge, memory: MemoryExceeded };

/**
 * The result of a job, computed by a process that lives as long as the job. In a thread, V8 would end the whole service if the memory
 * did not suffice for a single allocation.
 */
export async function computeInProcess<Input>(options: ProcessOptions<Input>): Promise<Buffer[]> {
  const { job, input, inputs, database, memoryMiB, signal } = options;
  // However it ends, the database need not complete what is being read.
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const db = readsInTurn(readsUntil(database, until), () => options.acquireRead(until));
  const child = startChild({
    module: new URL("job-process", import.meta.url),
    flags: memoryFlags(memoryMiB),
    errors: "pipe",
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const pieces: Buffer[] = [];
  const readers = new Map<number, Reader>();
  const send = (message: ToProcess) => sendToChild(child, message);
  child.on("message", (message: FromProcess) => {
    if ("piece" in message) pieces.push(message.piece);
    else if ("read" in message) {
      const reader = new Reader(message.read, send, reject);
      readers.set(message.read, reader);
      void reader.send(inputOf(inputs, message.name)(db, message.of));
    } else if ("taken" in message) readers.get(message.taken)?.taken();
    else if ("left" in message) void readers.get(message.left)?.stop();
    else if ("error" in message) reject(message.error);
    else if ("notComputable" in message) reject(new NotComputable(message.notComputable, message.sentence));
    else if (message.end === "complete") resolve();
    else reject(new failures[message.end]());
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-saidCharsMax)));
  child.once("error", reject);
  // V8 aborts a process whose memory does not suffice.
  child.once("close", (code, by) =>
    reject(
      by === "SIGABRT"
        ? new MemoryExceeded(said)
        : new Error(`The process of a computation ended without a result: ${by ?? code}. ${said}`),
    ),
  );
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    send({ module: job.module, input });
    await promise;
    return pieces;
  } finally {
    signal.removeEventListener("abort", abort);
    over.abort();
    await Promise.all([endChild(child), ...[...readers.values()].map((reader) => reader.stop())]);
  }
}

/** How many of the last characters are kept that a process prints before it ends. */
const saidCharsMax = 4_000;

/** Sends one input, as far as it is taken. */
class Reader {
  readonly #number: number;
  readonly #send: (message: ToProcess) => void;
  readonly #onFault: (error: unknown) => void;
  #ahead = 0;
  #isStopped = false;
  #wake = () => {};
  #done: Promise<void> = Promise.resolve();

  constructor(number: number, send: (message: ToProcess) => void, onFault: (error: unknown) => void) {
    this.#number = number;
    this.#send = send;
    this.#onFault = onFault;
  }

  send(pages: AsyncIterable<string>): Promise<void> {
    this.#done = this.#sendAll(pages);
    return this.#done;
  }

  taken(): void {
    this.#ahead--;
    this.#wake();
  }

  /** Resolves when nothing more is read. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    return this.#done;
  }

  async #sendAll(pages: AsyncIterable<string>): Promise<void> {
    try {
      for await (const page of pages) {
        while (this.#ahead >= pagesAhead && !this.#isStopped)
          await new Promise<void>((resolve) => (this.#wake = resolve));
        if (this.#isStopped) return;
        this.#ahead++;
        this.#send({ of: this.#number, page });
      }
      this.#send({ of: this.#number, end: "complete" });
    } catch (error) {
      if (error instanceof InputTooLarge) this.#send({ of: this.#number, end: "too_large" });
      else this.#onFault(error);
    }
  }
}
