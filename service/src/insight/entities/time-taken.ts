import { LRUCache } from "lru-cache";

/** The time that the searches of accounts have taken, of which less counts the longer ago it is. */
export class TimeTaken {
  readonly #accounts = new LRUCache<string, { readonly ms: number; readonly at: number }>({ max: 10_000 });

  of(accountId: string): number {
    const taken = this.#accounts.get(accountId);
    return taken === undefined ? 0 : taken.ms * 2 ** ((taken.at - performance.now()) / halfLifeMs);
  }

  add(accountId: string, ms: number): void {
    this.#accounts.set(accountId, { ms: this.of(accountId) + ms, at: performance.now() });
  }
}

const halfLifeMs = 30_000;
