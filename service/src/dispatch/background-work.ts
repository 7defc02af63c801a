/** Work under way that nobody waits for, except a stop. */
export class BackgroundWork {
  readonly #underWay = new Set<Promise<void>>();

  add(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Resolves once nothing is under way, including what that work added. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}
