/** Writes what has gathered some time after it was asked for, and never twice at the same time. */
export class DelayedWrite {
  readonly #delayMs: number;
  readonly #write: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  /** An error of `write` is thrown by the `flush` that called it. After a delay nobody would catch it, so `write` handles its own. */
  constructor(delayMs: number, write: () => Promise<void>) {
    this.#delayMs = delayMs;
    this.#write = write;
  }

  /** Writes `delayMs` after the first call since the last write began. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), this.#delayMs);
  }

  /** Writes as soon as the write in progress, if any, has ended. Resolves once nothing is being written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#written = this.#written.then(this.#write, this.#write));
  }
}
