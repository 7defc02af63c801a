import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/**
 * Large answers one after the other: a thousand may come in the same instant, and each takes the main thread some ten milliseconds. Between
 * two of them everybody else has a turn, and none is begun while too many wait to be written.
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
