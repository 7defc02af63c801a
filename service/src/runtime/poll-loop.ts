import { backoffMs, type Backoff } from "./backoff.ts";
import type { Service } from "./service.ts";

export interface PollLoopOptions {
  /** Between the end of one look and the beginning of the next. */
  readonly everyMs: number;
  /** The share by which `everyMs` varies in either direction, so that processes don't look at the same time; none when left out. */
  readonly jitter?: number;
  /** May return after how many milliseconds to look again at the latest, where that is sooner than `everyMs`. */
  readonly look: () => Promise<number | void>;
  readonly onFault: (error: unknown) => void;
  /** The wait after faults: from 250 ms to 10 s when left out. */
  readonly faultBackoff?: Backoff;
}

/**
 * Looks for work at once when it is woken, and otherwise every so often; never twice at the same time. A wake-up may be lost, or come for
 * nothing: the look is the truth. After a fault it waits, wake-ups or not: they say that there is work, not that it can be done.
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

  /** The first look comes after `everyMs`, or at once if it was woken before. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "running";
    this.#wait(this.#everyMs());
  }

  /** Looks as soon as possible: now, or right after the look under way. */
  wake(): void {
    this.#woken = true;
    if (this.#state === "running" && !this.#isLooking && this.#faults === 0) this.#look();
  }

  /** Looks no more, and waits for the look under way. */
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

  /** Returns how long to wait for the next look. */
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
