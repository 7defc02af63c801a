import type { ChildProcess } from "node:child_process";
import { endChild, processorMsOf, startChild, sendToChild } from "../../runtime/child-process.ts";
import type { FoundInText, SearchKind } from "./find-in-text.ts";
import type { FoundProposals } from "./propose-names.ts";
import type { FromSearch, EntityQuestion, StoredEntity, ToSearch } from "./search-process.ts";
import { LRUCache } from "lru-cache";

export interface SearchJob extends PoolJob {
  readonly text: string;
  readonly as: SearchKind;
}

export interface ProposalJob extends PoolJob {
  readonly question: EntityQuestion & { readonly kind: "propose" };
}

interface PoolJob {
  readonly accountId: string;
  /** The key of the entities: those of one key are the same. */
  readonly key: string;
  /** Reads the entities, for a process that does not know them. */
  readonly entities: () => AsyncIterable<readonly StoredEntity[]>;
}

/**
 * `busy`: the account has too many texts waiting, or the process has. `limit`: the entities are more than a process keeps, or the
 * search took longer than it may.
 */
export type PoolResult = { readonly found: FoundInText } | NotDone;
export type ProposalResult = { readonly proposed: FoundProposals } | NotDone;
interface NotDone {
  readonly notSearched: "busy" | "limit";
}

interface WaitingJob extends PoolJob {
  readonly question: EntityQuestion;
  /** Of its texts. */
  readonly chars: number;
  readonly done: (result: FromSearch | NotDone) => void;
}

interface Queue {
  readonly jobs: WaitingJob[];
  /** The length of their texts. */
  chars: number;
}

interface Searcher {
  readonly child: ChildProcess;
  /** The keys that it was sent last, to prefer it for them. */
  readonly keys: Set<string>;
  busyFor: string | null;
}

export interface SearchPoolLimits {
  readonly processes: number;
  /** Texts of one account that wait, and the characters of these and of those of all accounts. */
  readonly waitingMax: number;
  readonly accountCharsMax: number;
  readonly charsMax: number;
  /** The processor time that a search may take with the compilation of its entities. */
  readonly timeoutMs: number;
}

const limitsByDefault: SearchPoolLimits = {
  processes: 2,
  waitingMax: 2_000,
  accountCharsMax: 16 * 1024 * 1024,
  charsMax: 48 * 1024 * 1024,
  timeoutMs: 8_000,
};

/** A process holds at most 100 MB of entities, and 100 MB of what a search of the longest text needs. */
const memoryFlags = ["--max-old-space-size=384", "--max-semi-space-size=16"];
/** A process without work ends after this time. */
const idleMs = 60_000;
/** Entities on which a process has ended or taken too long are not tried again for this time. */
const refusedMs = 60_000;
const keysRemembered = 20;

/**
 * Searches in processes of their own, for what would occupy the main thread for more than some milliseconds. One search of each
 * account is under way at a time, and the account is next that has taken the least time lately: whoever has entities that take long
 * waits for the others, and they do not wait for it.
 */
export class SearchPool {
  readonly #limits: SearchPoolLimits;
  /** The waiting searches of each account, in the order in which they came. */
  readonly #waiting = new Map<string, Queue>();
  readonly #taken = new TimeTaken();
  readonly #searchers = new Set<Searcher>();
  readonly #running = new Set<string>();
  /** The keys that are not tried again before a time, and those that are too large for ever. */
  readonly #refused = new Map<string, number>();
  #waitingCount = 0;
  #waitingChars = 0;
  #idle: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(limits: Partial<SearchPoolLimits> = {}) {
    this.#limits = { ...limitsByDefault, ...limits };
  }

  /** Texts that wait, for metrics. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** Never throws. When `signal` aborts it resolves at once: `busy`. */
  async search({ text, as, ...job }: SearchJob, signal?: AbortSignal): Promise<PoolResult> {
    const reply = await this.#ask({ ...job, question: { kind: "search", text, as }, chars: text.length }, signal);
    return "notSearched" in reply || reply.kind === "found" ? reply : outOfTurn(reply);
  }

  /** The same for proposals. */
  async propose(job: ProposalJob, signal?: AbortSignal): Promise<ProposalResult> {
    const chars = job.question.answers.reduce((sum, { text }) => sum + text.length, 0);
    const reply = await this.#ask({ ...job, chars }, signal);
    return "notSearched" in reply || reply.kind === "proposed" ? reply : outOfTurn(reply);
  }

  #ask(job: Omit<WaitingJob, "done">, signal?: AbortSignal): Promise<FromSearch | NotDone> {
    if (this.#isRefused(job.key) || this.#isRefused(refusedKeyOf(job)))
      return Promise.resolve({ notSearched: "limit" });
    const { waitingMax, accountCharsMax, charsMax } = this.#limits;
    const queue = this.#waiting.get(job.accountId) ?? { jobs: [], chars: 0 };
    const { chars: length } = job;
    const isFull =
      queue.jobs.length >= waitingMax ||
      queue.chars + length > accountCharsMax ||
      this.#waitingChars + length > charsMax;
    if (isFull || this.#isStopped || signal?.aborted === true) return Promise.resolve({ notSearched: "busy" });
    const { promise, resolve } = Promise.withResolvers<FromSearch | NotDone>();
    const waiting: WaitingJob = { ...job, done: resolve };
    const abort = (): void => {
      this.#drop(waiting);
      resolve({ notSearched: "busy" });
    };
    signal?.addEventListener("abort", abort, { once: true });
    void promise.then(() => signal?.removeEventListener("abort", abort));
    queue.jobs.push(waiting);
    queue.chars += length;
    this.#waiting.set(job.accountId, queue);
    this.#waitingCount++;
    this.#waitingChars += length;
    this.#serve();
    return promise;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    for (const { jobs } of [...this.#waiting.values()])
      for (const job of [...jobs]) {
        this.#drop(job);
        job.done({ notSearched: "busy" });
      }
    await Promise.all([...this.#searchers].map(({ child }) => endChild(child)));
  }

  #isRefused(key: string): boolean {
    const until = this.#refused.get(key);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#refused.delete(key);
    return false;
  }

  #refuse(key: string): void {
    this.#refused.set(key, performance.now() + refusedMs);
    // The oldest ones are tried again.
    for (const oldest of this.#refused.keys()) if (this.#refused.size > 1_000) this.#refused.delete(oldest);
  }

  /** Takes a job out of its queue, if it is there. */
  #drop(job: WaitingJob): void {
    const queue = this.#waiting.get(job.accountId);
    const at = queue?.jobs.indexOf(job) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.jobs.splice(at, 1);
    queue.chars -= job.chars;
    if (queue.jobs.length === 0) this.#waiting.delete(job.accountId);
    this.#waitingCount--;
    this.#waitingChars -= job.chars;
  }

  #serve(): void {
    for (let job = this.#next(); job !== null; job = this.#next()) {
      const searcher = this.#searcherFor(job.key);
      if (searcher === null) return;
      this.#drop(job);
      void this.#run(searcher, job);
    }
    if (this.#running.size === 0) this.#endWhenIdle();
  }

  #next(): WaitingJob | null {
    let least = Infinity;
    let next: WaitingJob | null = null;
    for (const [accountId, { jobs }] of this.#waiting) {
      const taken = this.#taken.of(accountId);
      if (taken >= least || this.#running.has(accountId)) continue;
      least = taken;
      next = jobs[0] ?? null;
    }
    return next;
  }

  #searcherFor(key: string): Searcher | null {
    const free = [...this.#searchers].filter(({ busyFor }) => busyFor === null);
    const known = free.find(({ keys }) => keys.has(key));
    if (known !== undefined) return known;
    return this.#searchers.size < this.#limits.processes && free.length === 0 ? this.#start() : (free[0] ?? null);
  }

  #start(): Searcher {
    const child = startChild({
      module: new URL("search-process", import.meta.url),
      flags: memoryFlags,
      errors: "ignore",
    });
    const searcher: Searcher = { child, keys: new Set(), busyFor: null };
    this.#searchers.add(searcher);
    child.once("exit", () => this.#searchers.delete(searcher));
    child.once("error", () => this.#searchers.delete(searcher));
    return searcher;
  }

  async #run(searcher: Searcher, job: WaitingJob): Promise<void> {
    const { accountId } = job;
    const from = performance.now();
    clearTimeout(this.#idle);
    this.#running.add(accountId);
    searcher.busyFor = accountId;
    searcher.child.ref();
    searcher.child.channel?.ref();
    try {
      job.done(
        this.#isRefused(job.key) || this.#isRefused(refusedKeyOf(job))
          ? { notSearched: "limit" }
          : await this.#searchWith(searcher, job),
      );
    } catch (error) {
      const isEnded = error instanceof SearcherError;
      if (isEnded) {
        this.#searchers.delete(searcher);
        void endChild(searcher.child);
        if (!this.#isStopped) this.#refuse(refusedKeyOf(job));
      }
      // Otherwise the entities could not be read.
      job.done({ notSearched: isEnded && !this.#isStopped ? "limit" : "busy" });
    } finally {
      this.#taken.add(accountId, performance.now() - from);
      this.#running.delete(accountId);
      searcher.busyFor = null;
      searcher.child.unref();
      searcher.child.channel?.unref();
      if (!this.#isStopped) this.#serve();
    }
  }

  async #searchWith(searcher: Searcher, job: WaitingJob): Promise<FromSearch | NotDone> {
    const limit = limitTime(searcher.child, this.#limits.timeoutMs);
    try {
      return await this.#searchWithin(limit.signal, searcher, job);
    } finally {
      limit.stop();
    }
  }

  async #searchWithin(
    limit: AbortSignal,
    searcher: Searcher,
    { key, question, entities }: WaitingJob,
  ): Promise<FromSearch | NotDone> {
    const ask = (message: ToSearch): Promise<FromSearch> => askChild(searcher.child, message, limit);
    let reply = await ask({ key, ...question });
    if (reply.kind === "unknown") {
      await ask({ kind: "begin" });
      let chars = 0;
      for await (const page of entities()) {
        chars = page.reduce((sum, { content }) => sum + content.length, chars);
        const taken = chars > contentCharsMax ? null : await ask({ kind: "entities", entities: page });
        if (taken?.kind !== "taken" || taken.isTooLarge) {
          this.#refuse(key);
          return { notSearched: "limit" };
        }
      }
      const taken = await ask({ kind: "end", key });
      if (taken.kind === "taken" && taken.isTooLarge) {
        this.#refuse(key);
        return { notSearched: "limit" };
      }
      searcher.keys.add(key);
      for (const oldest of searcher.keys) if (searcher.keys.size > keysRemembered) searcher.keys.delete(oldest);
      reply = await ask({ key, ...question });
    }
    return reply;
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      for (const { child } of this.#searchers) void endChild(child);
      this.#searchers.clear();
    }, idleMs).unref();
  }
}

/** Proposals that take too long are not tried again for a while. Answers are searched for the same entities all the same. */
const refusedKeyOf = ({ key, question }: Pick<WaitingJob, "key" | "question">): string =>
  question.kind === "propose" ? `propose ${key}` : key;

/** A process that does not run, or waits for its entities, has this many times as long as one that works. */
const waitsMax = 5;

/**
 * Aborts its signal when a process has used so much processor time: on a busy machine, the work of others is not counted against the
 * entities of an account. Where the system does not say how much it has used, all time counts.
 */
function limitTime(child: ChildProcess, ms: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const over = new AbortController();
  const since = performance.now();
  const usedBefore = processorMsOf(child);
  const leftMs = (): number => {
    const passed = performance.now() - since;
    const used = processorMsOf(child);
    if (usedBefore === null || used === null) return ms - passed;
    return Math.min(ms - (used - usedBefore), waitsMax * ms - passed);
  };
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const left = leftMs();
    if (left <= 0) return over.abort();
    // Several threads of a process can work at once, so it may use its time sooner than it passes.
    timer = setTimeout(look, Math.max(left / 2, leastWaitMs));
  };
  look();
  return { signal: over.signal, stop: () => clearTimeout(timer) };
}

const leastWaitMs = 20;

function outOfTurn(reply: FromSearch): never {
  throw new Error(`The process that searches texts replied out of turn: ${reply.kind}.`);
}

/** The JSON of all entities of an account. */
const contentCharsMax = 32 * 1024 * 1024;

/** A process has ended: it was killed, could not be started, or needed more memory than it may use. Or it takes too long. */
class SearcherError extends Error {
  constructor() {
    super("The process that searches texts has ended, or takes too long.");
  }
}

/** Sends a message, and resolves to the reply. Throws a `SearcherError` if the process ends before, or `signal` aborts. */
function askChild(child: ChildProcess, message: ToSearch, signal: AbortSignal): Promise<FromSearch> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      child.off("message", take);
      child.off("exit", fail);
      child.off("error", fail);
      signal.removeEventListener("abort", fail);
    };
    const take = (reply: unknown): void => {
      end();
      // The process is our own code.
      resolve(reply as FromSearch);
    };
    const fail = (): void => {
      end();
      reject(new SearcherError());
    };
    child.on("message", take);
    child.on("exit", fail);
    child.on("error", fail);
    signal.addEventListener("abort", fail, { once: true });
    if (signal.aborted || child.exitCode !== null || child.signalCode !== null || !child.connected) return fail();
    sendToChild(child, message);
  });
}

/** The time that the searches of accounts have taken, of which less counts the longer ago it is. */
class TimeTaken {
  readonly #accounts = new LRUCache<string, { readonly ms: number; readonly at: number }>({ max: 10_000 });

  of(accountId: string): number {
    const taken = this.#accounts.get(accountId);
    return taken === undefined ? 0 : taken.ms * 2 ** ((taken.at - performance.now()) / halfLifeMs);
  }

  add(accountId: string, ms: number): void {
    this.#accounts.set(accountId, { ms: this.of(accountId) + ms, at: performance.now() });
  }
}

const halfLifeMs = 30_000;
