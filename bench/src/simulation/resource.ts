import type { EventQueue } from "./event-queue.ts";

/** Something that at most `servers` hold at a time, and others wait for in the order of their arrival: a lock, cores, connections. */
export class Resource {
  readonly #events: EventQueue;
  readonly #servers: number;
  #held = 0;
  #heldMs = 0;
  #changedAt = 0;
  #waiting: (() => void)[] = [];
  #first = 0;

  constructor(events: EventQueue, servers: number) {
    this.#events = events;
    this.#servers = servers;
  }

  /** Calls `then` when it is held, possibly immediately. The holder calls `release`. */
  acquire(then: () => void): void {
    if (this.#held >= this.#servers) {
      this.#waiting.push(then);
      return;
    }
    this.#account();
    this.#held++;
    then();
  }

  release(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#account();
      this.#held--;
      return;
    }
    this.#first++;
    if (this.#first >= 1024) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    next();
  }

  /** The time that its servers have been held, summed over them, in milliseconds. */
  get heldMs(): number {
    this.#account();
    return this.#heldMs;
  }

  #account(): void {
    this.#heldMs += this.#held * (this.#events.now - this.#changedAt);
    this.#changedAt = this.#events.now;
  }
}
