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
   * Items with fewer bytes are written before longer ones, regardless of their order, so that small items never wait for large
   * ones. Each write includes at least one long item, so that those do not wait forever.
   */
  readonly longBytes?: number;
  /** Concurrent writes; 1 by default. */
  readonly concurrency?: number;
  /** Returns the result of each item, in order. If it throws, every item of the write fails with that error. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
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
  #short: Waiting<Item, Result>[] = [];
  #long: Waiting<Item, Result>[] = [];
  #writing = 0;
  /** The waiting items should be written as soon as a write can start. */
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #whenIdle: (() => void)[] = [];
  #stopped = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** The number of waiting items is not bounded here: callers wait for the results, or bound it themselves. */
  add(item: Item): Promise<Result> {
    if (this.#stopped) return Promise.reject(new Error("The batcher is stopped."));
    const { bytesOf, longBytes = Number.POSITIVE_INFINITY } = this.#options;
    return new Promise((resolve, reject) => {
      const bytes = bytesOf?.(item) ?? 0;
      (bytes < longBytes ? this.#short : this.#long).push({ item, bytes, resolve, reject });
      this.#schedule();
    });
  }

  /** Writes the waiting items without further delay. Resolves once nothing waits or is being written, even after errors. */
  flush(): Promise<void> {
    if (this.#waiting === 0 && this.#writing === 0) return Promise.resolve();
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
    return this.#short.length + this.#long.length;
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
    while (this.#writing < (this.#options.concurrency ?? 1) && this.#waiting > 0) void this.#write(this.#take());
    if (this.#waiting === 0) this.#isDue = false;
  }

  async #write(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#writing++;
    try {
      const results = await this.#options.write(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error("A write of a batch returned a wrong number of results.");
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#writing--;
    if (this.#isDue) this.#due();
    if (this.#waiting === 0 && this.#writing === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Short items first, then at least one long item, and more if they fit. */
  #take(): Waiting<Item, Result>[] {
    const { itemsMax, bytesMax = Number.POSITIVE_INFINITY } = this.#options;
    const short = this.#short.splice(
      0,
      Math.max(this.#long.length > 0 ? 0 : 1, fitting(this.#short, itemsMax, bytesMax)),
    );
    const bytes = short.reduce((sum, waiting) => sum + waiting.bytes, 0);
    const long = this.#long.splice(0, Math.max(1, fitting(this.#long, itemsMax - short.length, bytesMax - bytes)));
    return [...short, ...long];
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
