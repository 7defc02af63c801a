import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/**
 * Processes large answers one after the other: a thousand may arrive at once, and each takes some ten milliseconds of the main
 * thread. Other work runs between two of them, and none is started while too many wait to be written.
 */
export class LargeAnswers {
  readonly #room: () => Promise<void>;
  #last: Promise<void> = Promise.resolve();

  constructor(room: () => Promise<void>) {
    this.#room = room;
  }

  /** Resolves when it is the caller's turn. */
  turn(): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#room();
      await yieldToEventLoop();
    });
    return this.#last;
  }
}
