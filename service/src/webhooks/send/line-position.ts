/**
 * Where this process is in the notifiers' line (see outbox/delivery-turns.ts). A claim looks at some accounts; while slots are
 * free, further claims look at the next ones, until all have been looked at.
 */
export class LinePosition {
  #after: string | null = null;
  /** Where the current round began; null: no round is under way. */
  #round: { readonly from: string; hasWrapped: boolean } | null = null;

  /** The account behind which the next claim begins; null: at the first. */
  get after(): string | null {
    return this.#after;
  }

  /** A claim has ended at `last`. True: there are accounts that this round has not reached, so claim again if slots are free. */
  advance(last: string | null): boolean {
    const before = this.#after ?? "";
    this.#after = last;
    // Every account was looked at.
    if (last === null) this.#round = null;
    else {
      this.#round ??= { from: before, hasWrapped: false };
      this.#round.hasWrapped ||= last <= before;
      if (this.#round.hasWrapped && last >= this.#round.from) this.#round = null;
    }
    return this.#round !== null;
  }
}
