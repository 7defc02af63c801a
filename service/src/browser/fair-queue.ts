/** Who requests a browser context. */
export interface Requester {
  /** Accounts are served in turn. */
  readonly accountId: string;
  /** Wraps the time in the queue, which does not count as run time. */
  readonly whileQueued: <Turn>(turn: Promise<Turn>) => Promise<Turn>;
  /** Called when the context is closed. */
  readonly onLeft?: () => void;
}

type Entry = () => void;

/** Requests for a context: accounts in turn, and first in, first out within an account. */
export class FairQueue {
  /** The waiting entries of each account, in the order in which accounts are served. */
  readonly #byAccount = new Map<string, Entry[]>();

  add(accountId: string, entry: Entry): void {
    const entries = this.#byAccount.get(accountId);
    if (entries === undefined) this.#byAccount.set(accountId, [entry]);
    else entries.push(entry);
  }

  /** Removes a request that was given up. False if it was already served. */
  remove(accountId: string, entry: Entry): boolean {
    const entries = this.#byAccount.get(accountId);
    const at = entries?.indexOf(entry) ?? -1;
    if (entries === undefined || at === -1) return false;
    entries.splice(at, 1);
    if (entries.length === 0) this.#byAccount.delete(accountId);
    return true;
  }

  /** The next request; its account goes to the end. */
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
