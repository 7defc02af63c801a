/**
 * Knows whether this process can use a browser: looks once at the start, in the background, again every 30 seconds (sooner
 * while there is none for only a moment), and gets a report of every browser that starts or can't be started meanwhile.
 */

import { backoffMs } from "../runtime/backoff.ts";

export interface BrowserWatchDeps {
  /** Why no browser can be used; null when one can. Throws only when the signal aborts. */
  readonly check: (signal: AbortSignal) => Promise<string | null>;
  /** Told of what the first look found, and of every change. */
  readonly onChange: (why: string | null) => void;
}

/** Between looks. While there is none: soon after the first such look, then ever later. */
const everyMs = 30_000;
const soonMs = 2_000;
const missingBackoff = { firstMs: soonMs, maxMs: everyMs, jitter: 0.25 };

export class BrowserWatch {
  readonly #deps: BrowserWatchDeps;
  readonly #stopping = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  #why: string | null | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Looks in a row that found none. */
  #misses = 0;
  /** Counts the reports, so that a check that began before one does not overrule it. */
  #reports = 0;

  constructor(deps: BrowserWatchDeps) {
    this.#deps = deps;
  }

  /** Why no browser can be used, for the operator; null when one can, undefined before the first look has ended. */
  get why(): string | null | undefined {
    return this.#why;
  }

  start(): void {
    if (this.#stopping.signal.aborted || this.#looking !== undefined) return;
    clearTimeout(this.#timer);
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#stopping.signal.aborted) return;
      this.#misses = this.#why === null ? 0 : this.#misses + 1;
      this.#lookIn(this.#misses === 0 ? everyMs : backoffMs(this.#misses, missingBackoff));
    });
  }

  /** What the first look found; waits for its end. Null too when there was none before the stop. */
  async known(): Promise<string | null> {
    await this.#first.promise;
    return this.#why ?? null;
  }

  /** What became of starting a browser for a task: that is surer than any look. */
  tell(why: string | null): void {
    this.#reports++;
    if (why !== null && this.#why === null && this.#looking === undefined) this.#lookIn(soonMs);
    this.#set(why);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("The service is going down."));
    clearTimeout(this.#timer);
    await this.#looking;
    this.#first.resolve();
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => this.start(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const reports = this.#reports;
    try {
      const why = await this.#deps.check(this.#stopping.signal);
      if (reports === this.#reports) this.#set(why);
    } catch (error) {
      if (this.#stopping.signal.aborted || reports !== this.#reports) return;
      this.#set(error instanceof Error ? error.message : String(error));
    }
  }

  #set(why: string | null): void {
    const changed = this.#why !== why;
    this.#why = why;
    this.#first.resolve();
    if (changed && !this.#stopping.signal.aborted) this.#deps.onChange(why);
  }
}
