/**
 * Knows whether this process has a usable browser. It checks once at the start, in the background, and again every 30 seconds
 * (sooner if there was none only recently), and receives a report of every browser that starts or fails to start meanwhile.
 */

import { backoffMs } from "../runtime/backoff.ts";

export interface BrowserWatchDeps {
  /** Why no browser is usable; null if one is. Throws only if the signal aborts. */
  readonly check: (signal: AbortSignal) => Promise<string | null>;
  /** Called with the result of the first check, and with every change. */
  readonly onChange: (why: string | null) => void;
}

/** The interval between checks. While there is no browser, the first check follows soon and later ones less often. */
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
  /** Consecutive checks that found none. */
  #misses = 0;
  /** Counts the reports, so that a check that started before a report does not override it. */
  #reports = 0;

  constructor(deps: BrowserWatchDeps) {
    this.#deps = deps;
  }

  /** Why no browser is usable, for the operator; null if one is, undefined before the first check has completed. */
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

  /** Waits for the first check, and returns its result. Also null if it was stopped before the first check. */
  async known(): Promise<string | null> {
    await this.#first.promise;
    return this.#why ?? null;
  }

  /** The result of starting a browser for a task, which is more reliable than a check. */
  tell(why: string | null): void {
    this.#reports++;
    if (why !== null && this.#why === null && this.#looking === undefined) this.#lookIn(soonMs);
    this.#set(why);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("The service is shutting down."));
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
