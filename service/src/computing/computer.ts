/** The one rule for all that computes over many answers: whose turn it is, where, with how much memory and time, and how much comes out of it. */
import { availableParallelism } from "node:os";
import { Readable } from "node:stream";
import { figureAnswersMax } from "@querent/contract";
import { AccountSemaphore } from "../api/account-semaphore.ts";
import { ProblemError } from "../api/problem-error.ts";
import { isStatementTimeout, readsUntil, type Database } from "../db/index.ts";
import { computeInProcess, MemoryExceeded, inputOf, type Inputs } from "./compute-in-process.ts";
import { InputTooLarge, NotComputable, type Job } from "./job.ts";
import { resultBytesMax, ResultTooLarge, PieceWriter } from "./piece-writer.ts";
import { sliceMs, yieldToEventLoop } from "../runtime/slices.ts";

export interface ComputerOptions {
  readonly database: Database;
  /** The memory of all processes together. */
  readonly memoryMiB: number;
  /** How long one computation may take, from its turn on, without its waits for others. */
  readonly timeMs: number;
  /** How long a request waits for its turn before it is refused. */
  readonly waitMs: number;
}

export interface Computation<Input> {
  readonly accountId: string;
  readonly job: Job<Input>;
  readonly input: Input;
  readonly inputs: Inputs;
  /** Aborts if nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** What a client can change if it is too large. */
  readonly narrow: Narrow;
  /** The memory of a process that it needs, if it does not turn out to be small. */
  readonly memoryMiB: () => Promise<number> | number;
  /** How long it may take. Default: as long as any. */
  readonly timeMs?: number;
  /** Whether it is tried on this thread. Default: if it needs little memory. Not if a single step of it may take long. */
  readonly isLarge?: boolean;
}

export interface Narrow {
  readonly pointer: string;
  /** "Choose a shorter window, or a platform." */
  readonly detail: string;
}

export type Computed = readonly Buffer[];

/** A turn in a process, which the holder releases. */
export interface Turn {
  run<Input>(computation: Omit<Computation<Input>, "accountId" | "memoryMiB" | "isLarge">): Promise<Computed>;
  release(): void;
}

/** Besides its objects, a process has code, buffers, and young objects. */
const overheadMiB = 100;
/** A process has at least this for objects. */
const leastMiB = 100;
/** A result up to this length is sent without a place for it. */
const shortBytes = 256 * 1024;
/** What figures of as many answers as one may read need. */
const largestTurnMiB = 700;
const MiB = 1024 * 1024;
/** A client that takes nothing of a reply for this long gets no more of it. */
const stalledMs = 30_000;

/** What so many answers need: two kilobytes and a half for each, with what is computed from it. */
export const memoryForAnswers = (answers: number): number => leastMiB + answers / 400;

const smallMiB = memoryForAnswers(4_000);

export class Computer {
  readonly #database: Database;
  readonly #timeMs: number;
  /** Small computations, on this thread: they never wait for large ones. */
  readonly small: AccountSemaphore;
  /** The memory in MiB of the processes of large ones. */
  readonly large: AccountSemaphore;
  /** The MiB of results that are being sent. */
  readonly results: AccountSemaphore;
  /** What one process, and all of one account, may use: a third, so that three accounts compute beside each other, if that suffices. */
  readonly #turnMiB: number;
  #processes = 0;
  /**
   * What the processes read at once: PostgreSQL's processes have the priority of all others, so that reading for several computations
   * would take the processors from requests.
   */
  readonly #reads = new AccountSemaphore({
    what: "reads of computations",
    perAccount: 1,
    inAll: Math.max(1, Math.floor(availableParallelism() / 2)),
    waitMs: 0,
    waitingMax: 0,
  });

  constructor({ database, memoryMiB, timeMs, waitMs }: ComputerOptions) {
    this.#database = database;
    this.#timeMs = timeMs;
    const queued = { waitMs, waitingMax: 20, retryAfterSeconds: 5 };
    const what = "requests for figures";
    this.small = new AccountSemaphore({ what, perAccount: 2, inAll: 4, reserved: 1, ...queued });
    const inAll = Math.max(memoryMiB, leastMiB + overheadMiB);
    this.#turnMiB = Math.min(inAll, Math.max(largestTurnMiB, Math.floor(inAll / 3)));
    this.large = new AccountSemaphore({
      what,
      perAccount: this.#turnMiB,
      inAll,
      accountDetail: `The requests for figures of the account that are under way use the memory that one account may use, ${this.#turnMiB} MiB. Nothing was done. Send this one again when one of them has ended.`,
      ...queued,
    });
    this.results = new AccountSemaphore({
      what: "large results",
      perAccount: (2 * resultBytesMax) / MiB,
      inAll: (4 * resultBytesMax) / MiB,
      reserved: resultBytesMax / MiB,
      accountDetail:
        "The account has not yet read the large results that are being sent to it. Read them, and send this request again.",
      ...queued,
    });
  }

  /** The number of processes, for metrics. */
  get processes(): number {
    return this.#processes;
  }

  /**
   * The result of a computation. Throws 503 if its turn does not come in time, or 429 if that is due to its own account; 422 if it takes
   * more time, memory or bytes than one may.
   */
  compute<Input>(computation: Computation<Input>): Promise<Computed> {
    return this.#computed(computation, (computed) => Promise.resolve(computed));
  }

  /**
   * The result as a reply. A long one counts as a result of the account until the client has it. Its turn ends when it has a place as
   * such: so what waits for a place is in memory that was granted.
   */
  reply<Input>(computation: Computation<Input>): Promise<Buffer | Readable> {
    const { accountId, signal } = computation;
    return this.#computed(computation, async (computed) => {
      const bytes = computed.reduce((sum, { length }) => sum + length, 0);
      if (bytes <= shortBytes) return Buffer.concat(computed);
      const release = await this.results.acquire(accountId, signal, Math.ceil(bytes / MiB));
      return sent(computed, { signal, onClose: release });
    });
  }

  /** Reads what must be known before a turn, such as how many answers there are: not of as many requests at once as an account sends. */
  async prepare<Result>(
    { accountId, signal }: Pick<Computation<unknown>, "accountId" | "signal">,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const release = await this.small.acquire(accountId, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #computed<Input, Result>(
    computation: Computation<Input>,
    use: (computed: Computed) => Promise<Result>,
  ): Promise<Result> {
    const { accountId, signal, isLarge } = computation;
    let memoryMiB = 0;
    const begun = await this.prepare({ accountId, signal }, async () => {
      memoryMiB = await computation.memoryMiB();
      // What is tried here in vain costs this thread as much as what is small.
      if (isLarge ?? memoryMiB > smallMiB) return null;
      const here = await this.#within(computation, (within) => computeHere(this.#database, computation, within));
      return here === null ? null : { result: await use(here) };
    });
    if (begun !== null) return begun.result;
    const turn = await this.takeTurn({ ...computation, memoryMiB: () => memoryMiB });
    try {
      return await use(await turn.run(computation));
    } finally {
      turn.release();
    }
  }

  /** A turn for a computation in a process, for whoever must know that it has one before the reply begins. */
  async takeTurn({
    accountId,
    memoryMiB,
    signal,
  }: Pick<Computation<unknown>, "accountId" | "memoryMiB" | "signal">): Promise<Turn> {
    const weight = Math.min(Math.ceil((await memoryMiB()) + overheadMiB), this.#turnMiB);
    const release = await this.large.acquire(accountId, signal, weight);
    return {
      release,
      run: (computation) =>
        this.#within(computation, async (within, limit) => {
          this.#processes++;
          try {
            return await computeInProcess({
              ...computation,
              database: this.#database,
              acquireRead: (until) => limit.without(() => this.#reads.acquireOnceFree(accountId, until)),
              memoryMiB: weight - overheadMiB,
              signal: within,
            });
          } finally {
            this.#processes--;
          }
        }),
    };
  }

  /** Ends the work when its time is over, and tells the client why there is no result. */
  async #within<Result>(
    { signal, narrow, timeMs = this.#timeMs }: Pick<Computation<unknown>, "signal" | "narrow" | "timeMs">,
    work: (signal: AbortSignal, limit: TimeLimit) => Promise<Result>,
  ): Promise<Result> {
    const limit = new TimeLimit(timeMs, tooLarge(`takes longer than ${timeMs / 1000} seconds`, narrow));
    try {
      return await work(AbortSignal.any([signal, limit.signal]), limit);
    } catch (error) {
      if (error instanceof MemoryExceeded) throw tooLarge("needs more memory than one may take", narrow, error);
      if (error instanceof NotComputable)
        throw new ProblemError("validation_failed", error.message, { errors: [error.item] });
      if (error instanceof InputTooLarge)
        throw tooLarge(`reads more than ${figureAnswersMax.toLocaleString("en")} answers`, narrow, error);
      if (error instanceof ResultTooLarge)
        throw tooLarge(`has a result of more than ${resultBytesMax / MiB} MiB`, narrow, error);
      if (isStatementTimeout(error)) throw tooLarge("reads for longer than one may", narrow, error);
      throw error;
    } finally {
      limit.stop();
    }
  }
}

/** A wait for others is not counted until it has taken this many times as long as the work may take. */
const waitsMax = 5;

/** Aborts its signal when the work has taken too long, or has waited for others for much longer. */
class TimeLimit {
  readonly #over = new AbortController();
  readonly #waited: NodeJS.Timeout;
  readonly #reason: Error;
  #leftMs: number;
  #since = performance.now();
  #waits = 0;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeMs: number, reason: Error) {
    this.#leftMs = timeMs;
    this.#reason = reason;
    this.#timer = this.#start();
    this.#waited = setTimeout(() => this.#over.abort(busy()), (1 + waitsMax) * timeMs);
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Waits for something that others use, which does not count. */
  async without<Result>(wait: () => Promise<Result>): Promise<Result> {
    if (this.#waits++ === 0) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#since;
    }
    try {
      return await wait();
    } finally {
      if (--this.#waits === 0) this.#timer = this.#start();
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#waited);
  }

  #start(): NodeJS.Timeout | undefined {
    if (this.#isStopped) return undefined;
    this.#since = performance.now();
    return setTimeout(() => this.#over.abort(this.#reason), Math.max(0, this.#leftMs));
  }
}

const busy = () =>
  new ProblemError("unavailable", "The service computes too much for others at present. Nothing was done.", {
    headers: { "retry-after": "5" },
  });

/** A stream that ends if nobody reads it. `onClose` is called once, also if it is never read. */
export function sent(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  { signal, onClose }: { readonly signal: AbortSignal; readonly onClose: () => void },
): Readable {
  const startTimer = () => setTimeout(() => body.destroy(), stalledMs);
  let timer: NodeJS.Timeout;
  const watched = async function* () {
    clearTimeout(timer);
    for await (const piece of pieces) {
      timer = startTimer();
      yield piece;
      clearTimeout(timer);
    }
  };
  const body = Readable.from(watched(), { objectMode: false });
  timer = startTimer();
  body.once("close", () => {
    clearTimeout(timer);
    onClose();
  });
  // The client may have disconnected while the request was queued.
  if (signal.aborted) body.destroy();
  return body;
}

const tooLarge = (why: string, { pointer, detail }: Narrow, cause?: unknown) =>
  new ProblemError("validation_failed", `This computation ${why}. ${detail}`, {
    errors: [{ pointer, code: "out_of_range", detail }],
    cause,
  });

/** A process takes longer to start than this much is computed in. */
const inputCharsMax = 2 * 1024 * 1024;
const workMsMax = 150;
const bytesMax = 1024 * 1024;

class TooMuchHere extends Error {
  override readonly name = "TooMuchHere";
}

/** Runs a job on this thread in slices, if it is small. Null: it is not, which is known after a moment. */
async function computeHere<Input>(
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
