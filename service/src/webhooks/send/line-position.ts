/**
 * The position of this process in the notifiers' line (see outbox/delivery-turns.ts). A claim examines some accounts. While slots
 * are free, further claims examine the next ones, until a round over all accounts is complete.
 */
export class LinePosition {
  #after: string | null = null;
  /** The account at which the current round began; null if none is in progress. */
  #round: { readonly from: string; hasWrapped: boolean } | null = null;

  /** The account behind which the next claim begins; null for the first one. */
  get after(): string | null {
    return this.#after;
  }

  /** Notes that a claim has ended at `last`. True if this round has not reached all accounts, so that free slots should claim again. */
  advance(last: string | null): boolean {
    const before = this.#after ?? "";
    this.#after = last;
    // Every account was examined.
    if (last === null) this.#round = null;
    else {
      this.#round ??= { from: before, hasWrapped: false };
      this.#round.hasWrapped ||= last <= before;
      if (this.#round.hasWrapped && last >= this.#round.from) this.#round = null;
    }
    return this.#round !== null;
  }
}
