import { backoffMs, type Backoff } from "./backoff.ts";
import type { Service } from "./service.ts";

export interface PollLoopOptions {
  /** The interval from the end of one poll to the start of the next. */
  readonly everyMs: number;
  /**
   * The share by which `everyMs` varies in either direction, so that processes do not poll at the same time; none by default.
   */
  readonly jitter?: number;
  /** May return the maximum delay until the next poll in milliseconds, if it is shorter than `everyMs`. */
  readonly look: () => Promise<number | void>;
  readonly onFault: (error: unknown) => void;
  /** The delay after errors: from 250 ms to 10 s by default. */
  readonly faultBackoff?: Backoff;
}

/**
 * Polls immediately when it is woken, and otherwise at an interval; never twice at the same time. A wake-up may be lost or
 * unnecessary: correctness depends only on the poll. After an error it waits even if it is woken, because a wake-up only says
 * that there is work, not that it can be done.
 */
export class PollLoop implements Service {
  readonly #options: PollLoopOptions;
  #state: "new" | "running" | "stopped" = "new";
  #woken = false;
  #faults = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #looking: Promise<void> | undefined;

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  /** The first poll is after `everyMs`, or immediately if it was woken before. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "running";
    this.#wait(this.#everyMs());
  }

  /** Polls as soon as possible: now, or right after the current poll. */
  wake(): void {
    this.#woken = true;
    if (this.#state === "running" && !this.#isLooking && this.#faults === 0) this.#look();
  }

  /** Stops polling, and waits for the current poll. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #wait(ms: number): void {
    if (this.#state !== "running") return;
    if (this.#woken && this.#faults === 0) this.#look();
    else this.#timer = setTimeout(() => this.#look(), ms);
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#woken = false;
    this.#isLooking = true;
    this.#looking = this.#lookOnce().then((waitMs) => {
      this.#isLooking = false;
      this.#wait(waitMs);
    });
  }

  /** Returns the delay until the next poll. */
  async #lookOnce(): Promise<number> {
    try {
      const atMostMs = await this.#options.look();
      this.#faults = 0;
      return Math.max(0, Math.min(this.#everyMs(), atMostMs ?? Number.POSITIVE_INFINITY));
    } catch (error) {
      this.#options.onFault(error);
      return backoffMs(++this.#faults, this.#options.faultBackoff ?? { firstMs: 250, maxMs: 10_000 });
    }
  }

  #everyMs(): number {
    const { everyMs, jitter = 0 } = this.#options;
    return everyMs * (1 + jitter * (2 * Math.random() - 1));
  }
}
