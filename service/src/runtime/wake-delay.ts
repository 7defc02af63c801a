/**
 * A message that there is work reaches all processes, and one or a few of them suffice. If all looked at once, they would wait for each
 * other's locks, and nearly all would find nothing. So each waits for a random time first, and few look while one claims.
 */
const [delayMsMax, delayMsOfEach] = [100, 2];

/** For one of several processes that know each other: the more there are, the longer. Work is spread over them evenly. */
export function delayAmong(others: number, random: () => number): number {
  return Math.min(delayMsMax, others * delayMsOfEach) * random();
}

/**
 * For processes that do not know each other: the maximum doubles when a process finds nothing, and falls to a quarter when it finds
 * something. One that usually finds work does not wait; of twenty that share the work of one, the first looks after some milliseconds.
 */
export class LearnedDelay {
  readonly #random: () => number;
  #maxMs = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** True if this process has found nothing lately. */
  get isCrowded(): boolean {
    return this.#maxMs > 0;
  }

  nextMs(): number {
    return this.#maxMs * this.#random();
  }

  /** Called after each look that followed a message. */
  looked(found: boolean): void {
    if (found) this.#maxMs = this.#maxMs < 2 * delayMsOfEach ? 0 : this.#maxMs / 4;
    else this.#maxMs = Math.min(delayMsMax, Math.max(1, this.#maxMs * 2));
  }
}

/** Looks after the delay that follows a message. Messages that arrive meanwhile are part of it. */
export class DelayedLook {
  readonly #delayMs: () => number;
  readonly #look: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: () => number, look: () => void) {
    this.#delayMs = delayMs;
    this.#look = look;
  }

  hear(): void {
    if (this.#timer !== undefined) return;
    const delayMs = this.#delayMs();
    // A timer takes at least a millisecond.
    if (delayMs < 1) return this.#look();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
