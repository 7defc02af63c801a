/** Who wants a context. */
export interface Waiter {
  /** Accounts take turns. */
  readonly accountId: string;
  /** Wraps the wait for a context: it is no part of the run. */
  readonly waiting: <Turn>(turn: Promise<Turn>) => Promise<Turn>;
}

type Entry = () => void;

/** Who waits for a context: accounts by turns, and of one account the one that has waited longest. */
export class WaitingLine {
  /** In the order of their turns. */
  readonly #byAccount = new Map<string, Entry[]>();

  add(accountId: string, entry: Entry): void {
    const entries = this.#byAccount.get(accountId);
    if (entries === undefined) this.#byAccount.set(accountId, [entry]);
    else entries.push(entry);
  }

  /** Takes one out that waits no longer. False: its turn has come already. */
  remove(accountId: string, entry: Entry): boolean {
    const entries = this.#byAccount.get(accountId);
    const at = entries?.indexOf(entry) ?? -1;
    if (entries === undefined || at === -1) return false;
    entries.splice(at, 1);
    if (entries.length === 0) this.#byAccount.delete(accountId);
    return true;
  }

  /** The one whose turn it is; its account goes to the end. */
  next(): Entry | undefined {
    for (const [accountId, entries] of this.#byAccount) {
      const entry = entries.shift();
      this.#byAccount.delete(accountId);
      if (entries.length > 0) this.#byAccount.set(accountId, entries);
      return entry;
    }
    return undefined;
  }
}
