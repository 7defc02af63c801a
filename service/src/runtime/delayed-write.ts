import pLimit from "p-limit";

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
