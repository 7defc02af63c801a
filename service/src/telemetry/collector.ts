import { within } from "../kernel/within.ts";

/** The minimum time between the end of a read and the next one. */
const pauseMsMin = 2_000;
/** A read takes at most this part of one database connection's time, however long the queues are. */
const busyShare = 1 / 100;
/** Values of an earlier read are shown for this long. */
const shownMsMax = 120_000;
/** A scrape waits this long for a read that is under way; then it shows the last values. */
const waitMsMax = 1_000;

/**
 * Reads figures from the database for metrics, at most once at a time. All scrapers share the result, and none waits for a slow
 * read, so that metrics neither load the database nor depend on it.
 */
export class Collector<Figures> {
  readonly #read: () => Promise<Figures>;
  readonly #pauseMsMin: number;
  #reading: Promise<void> | null = null;
  #last: { readonly figures: Figures; readonly at: number } | null = null;
  #nextAt = Number.NEGATIVE_INFINITY;
  #succeeded = true;
  #tookMs = 0;

  constructor(read: () => Promise<Figures>, pauseMs = pauseMsMin) {
    this.#read = read;
    this.#pauseMsMin = pauseMs;
  }

  /** The latest figures, and their age; null if there are none, or only old ones. */
  async figures(): Promise<(Figures & { readonly ageSeconds: number }) | null> {
    if (this.#reading === null && performance.now() >= this.#nextAt) this.#reading = this.#start();
    if (this.#reading !== null) await within(this.#reading, waitMsMax);
    const ageMs = this.#last === null ? Number.POSITIVE_INFINITY : performance.now() - this.#last.at;
    return this.#last === null || ageMs > this.#shownMs() ? null : { ...this.#last.figures, ageSeconds: ageMs / 1000 };
  }

  /** How the last read went. */
  get health(): { readonly succeeded: boolean; readonly seconds: number } {
    return { succeeded: this.#succeeded, seconds: this.#tookMs / 1000 };
  }

  #shownMs(): number {
    return shownMsMax + Math.max(this.#pauseMsMin, this.#tookMs / busyShare);
  }

  async #start(): Promise<void> {
    const from = performance.now();
    try {
      const figures = await this.#read();
      this.#last = { figures, at: performance.now() };
      this.#succeeded = true;
    } catch {
      // Shown by `querent_collector_success`. Whoever works with the database reports its errors.
      this.#succeeded = false;
    } finally {
      this.#tookMs = performance.now() - from;
      this.#nextAt = performance.now() + Math.max(this.#pauseMsMin, this.#tookMs / busyShare);
      this.#reading = null;
    }
  }
}
