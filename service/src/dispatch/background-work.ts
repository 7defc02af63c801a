/** Background work, which only a stop waits for. */
export class BackgroundWork {
  readonly #underWay = new Set<Promise<void>>();

  add(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Resolves once no work is in progress, including work added meanwhile. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}
