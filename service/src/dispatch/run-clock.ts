/** The maximum total time that a run may wait for scarce resources: afterwards its time is over. */
const waitMsMax = 3_600_000;

/**
 * The time limit of a run. Its clock is stopped while the run waits for a scarce resource, such as a browser, because that is
 * not the platform's time.
 */
export class RunClock {
  readonly #onTimeUp: () => void;
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #waitLeftMs = waitMsMax;
  /** Since when it has been running, or stopped. */
  #since = performance.now();
  #waits = 0;
  #stopped = false;

  constructor(budgetMs: number, onTimeUp: () => void) {
    this.#leftMs = budgetMs;
    this.#onTimeUp = onTimeUp;
    this.#arm(budgetMs);
  }

  /** How long it was stopped. */
  get waitedMs(): number {
    return waitMsMax - this.#waitLeftMs + (this.#waits > 0 ? performance.now() - this.#since : 0);
  }

  /** Stops the clock until `turn` resolves. */
  async waiting<Turn>(turn: Promise<Turn>): Promise<Turn> {
    if (this.#stopped) return turn;
    if (this.#waits++ === 0) {
      this.#leftMs -= this.#passed();
      this.#arm(this.#waitLeftMs);
    }
    try {
      return await turn;
    } finally {
      if (--this.#waits === 0 && !this.#stopped) {
        this.#waitLeftMs -= this.#passed();
        this.#arm(this.#leftMs);
      }
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped = true;
  }

  #passed(): number {
    const since = this.#since;
    this.#since = performance.now();
    return this.#since - since;
  }

  #arm(inMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimeUp, Math.max(0, inMs));
  }
}
