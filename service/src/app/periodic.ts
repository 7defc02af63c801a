interface Chore {
  readonly everyMs: number;
  readonly work: () => Promise<unknown>;
}

/** Work that comes round: each chore again so long after it was done, never twice at once. */
export class Periodic {
  readonly #timers = new Map<Chore, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  readonly #onError: (error: unknown) => void;
  #stopped = false;

  constructor(chores: readonly Chore[], onError: (error: unknown) => void) {
    this.#onError = onError;
    for (const chore of chores) this.#arm(chore);
  }

  /** Starts nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #arm(chore: Chore): void {
    if (this.#stopped) return;
    this.#timers.set(
      chore,
      setTimeout(() => {
        const run = chore
          .work()
          .then(() => undefined, this.#onError)
          .finally(() => {
            this.#running.delete(run);
            this.#arm(chore);
          });
        this.#running.add(run);
      }, chore.everyMs),
    );
  }
}
