import pLimit from "p-limit";

export interface BatcherOptions<Item, Result> {
  /**
   * The maximum time that an item waits for others to be written with it. 0: items of one turn of the event loop are written
   * together.
   */
  readonly delayMs: number;
  /** The maximum of items per write. */
  readonly itemsMax: number;
  /** The maximum of bytes per write; a longer item is written alone. */
  readonly bytesMax?: number;
  readonly bytesOf?: (item: Item) => number;
  /**
   * Items of at least this many bytes are long. They are written separately, one write at a time, in addition to the concurrent
   * writes of shorter items: a short item waits neither for a long one nor in a transaction with one.
   */
  readonly longBytes?: number;
  /** Concurrent writes of items that are not long; 1 by default. */
  readonly concurrency?: number;
  /** Returns the result of each item, in order. If it throws, every item of the write fails with that error. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
}

/** Items that are written together, and their writes in progress. */
class Lane<Item, Result> {
  readonly concurrency: number;
  waiting: Waiting<Item, Result>[] = [];
  writing = 0;

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects items that arrive one by one, and writes them together. */
export class Batcher<Item, Result = void> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #short: Lane<Item, Result>;
  readonly #long = new Lane<Item, Result>(1);
  /** The waiting items should be written as soon as a write can start. */
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #whenIdle: (() => void)[] = [];
  #stopped = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
    this.#short = new Lane(options.concurrency ?? 1);
  }

  /** The number of waiting items is not bounded here: callers wait for the results, or bound it themselves. */
  add(item: Item): Promise<Result> {
    if (this.#stopped) return Promise.reject(new Error("The batcher is stopped."));
    const { bytesOf, longBytes = Number.POSITIVE_INFINITY } = this.#options;
    return new Promise((resolve, reject) => {
      const bytes = bytesOf?.(item) ?? 0;
      (bytes < longBytes ? this.#short : this.#long).waiting.push({ item, bytes, resolve, reject });
      this.#schedule();
    });
  }

  /** Writes the waiting items without further delay. Resolves once nothing waits or is being written, even after errors. */
  flush(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    const idle = new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    this.#due();
    return idle;
  }

  /** Writes the waiting items, and accepts no more. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.flush();
  }

  get #waiting(): number {
    return this.#short.waiting.length + this.#long.waiting.length;
  }

  get #isIdle(): boolean {
    return this.#waiting === 0 && this.#short.writing === 0 && this.#long.writing === 0;
  }

  #schedule(): void {
    if (this.#isDue) return;
    if (this.#options.delayMs === 0) this.#immediate ??= setImmediate(() => this.#due());
    else if (this.#waiting >= this.#options.itemsMax) this.#due();
    else this.#timer ??= setTimeout(() => this.#due(), this.#options.delayMs);
  }

  #due(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
    this.#isDue = true;
    for (const lane of [this.#short, this.#long])
      while (lane.writing < lane.concurrency && lane.waiting.length > 0) void this.#write(lane);
    if (this.#waiting === 0) this.#isDue = false;
  }

  async #write(lane: Lane<Item, Result>): Promise<void> {
    const batch = this.#take(lane);
    lane.writing++;
    try {
      const results = await this.#options.write(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("A write of a batch returned a wrong number of results.");
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    lane.writing--;
    if (this.#isDue) this.#due();
    if (this.#isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Takes as many items as fit into one write, at least one. */
  #take({ waiting }: Lane<Item, Result>): Waiting<Item, Result>[] {
    const { itemsMax, bytesMax = Number.POSITIVE_INFINITY } = this.#options;
    return waiting.splice(0, Math.max(1, fitting(waiting, itemsMax, bytesMax)));
  }
}

/** The number of leading items that fit into one write. */
function fitting(waiting: readonly { readonly bytes: number }[], itemsMax: number, bytesMax: number): number {
  let count = 0;
  for (let bytes = 0; count < Math.min(itemsMax, waiting.length); count++) {
    bytes += waiting[count]?.bytes ?? 0;
    if (bytes > bytesMax) break;
  }
  return count;
}

/** Runs a write after a delay or at once, but never twice at the same time. */
export class DelayedWrite {
  readonly #delayMs: number;
  readonly #write: () => Promise<void>;
  readonly #oneAtATime = pLimit(1);
  #timer: NodeJS.Timeout | undefined;

  /** `flush` rejects if its `write` does. After a delay nobody would catch that, so `write` handles its own errors. */
  constructor(delayMs: number, write: () => Promise<void>) {
    this.#delayMs = delayMs;
    this.#write = write;
  }

  /** Writes after the delay, unless a write is already scheduled. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#delayMs);
  }

  /** Writes now, or right after the writes in progress and requested before. Resolves when that is done. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#oneAtATime(this.#write);
  }
}
