import { setTimeout as delay } from "node:timers/promises";
import { yieldToEventLoop } from "../../runtime/slices.ts";

/** The longest pause between two steps. */
const restMsMax = 50;

/**
 * Processes large answers one after the other, because a thousand may arrive at once, and each takes some ten milliseconds of
 * the main thread. A step is followed by a pause of its duration, in which other tasks, which need a dozen turns of the event
 * loop each, continue. No step begins while too many bytes wait to be written; those of the step before it are counted by then.
 */
export class LargeAnswers {
  readonly #room: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(room: () => Promise<void>) {
    this.#room = room;
  }

  /** Does the work when it is its turn. */
  turn<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    let startedAt = performance.now();
    const done = this.#last.then(async () => {
      await yieldToEventLoop();
      await this.#room();
      startedAt = performance.now();
      return work();
    });
    this.#last = done.catch(() => undefined).then(() => delay(Math.min(performance.now() - startedAt, restMsMax)));
    return done;
  }
}
