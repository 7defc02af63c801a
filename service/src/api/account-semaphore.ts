import { ProblemError } from "./problem-error.ts";

export interface AccountSemaphoreOptions {
  /** What it limits, in the plural, for the error: "requests for lists". */
  readonly what: string;
  readonly perAccount: number;
  readonly inAll: number;
  /** How long a request waits before it is refused; 0: it is refused immediately. */
  readonly waitMs: number;
  /** The maximum of waiting requests of one account. */
  readonly waitingMax: number;
  /** When a refused client should retry; after a second by default. */
  readonly retryAfterSeconds?: number;
}

interface Account {
  taken: number;
  readonly waiting: Set<() => void>;
}

/**
 * A semaphore shared by the accounts: a limit for each account, and a total for this process. Excess requests wait for a while.
 * Freed capacity goes to the waiting accounts in rotation, regardless of how many requests each has waiting.
 */
export class AccountSemaphore {
  readonly #options: AccountSemaphoreOptions;
  /** In the order in which they are served. */
  readonly #accounts = new Map<string, Account>();
  #taken = 0;
  #refused = 0;

  constructor(options: AccountSemaphoreOptions) {
    this.#options = options;
  }

  /** The number in use, for metrics. */
  get taken(): number {
    return this.#taken;
  }

  /** The number in use by account. */
  get takenByAccount(): ReadonlyMap<string, number> {
    return new Map([...this.#accounts].map(([accountId, { taken }]) => [accountId, taken]));
  }

  /** The number of refused requests so far, for metrics. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Returns the release function, which may be called more than once. Throws 429 if the account has reached its limit, 503 if
   * the process has reached its total, and the reason of `signal` if that aborts first.
   */
  async acquire(accountId: string, signal?: AbortSignal): Promise<() => void> {
    const release = this.#acquireFree(accountId);
    if (release !== null) return release;
    const { waitMs, waitingMax } = this.#options;
    const account = this.#of(accountId);
    if (waitMs <= 0 || account.waiting.size >= waitingMax) throw this.#refusal(account);
    this.#accounts.set(accountId, account);
    await this.#wait(accountId, account, signal);
    return this.#releaseOnce(accountId, account);
  }

  /** The same without waiting: null if none is free. */
  tryAcquire(accountId: string): (() => void) | null {
    const release = this.#acquireFree(accountId);
    if (release === null) this.#refused++;
    return release;
  }

  #acquireFree(accountId: string): (() => void) | null {
    const account = this.#of(accountId);
    if (!this.#isFree(account) || account.waiting.size > 0) return null;
    this.#accounts.set(accountId, account);
    account.taken++;
    this.#taken++;
    return this.#releaseOnce(accountId, account);
  }

  #of(accountId: string): Account {
    return this.#accounts.get(accountId) ?? { taken: 0, waiting: new Set() };
  }

  #releaseOnce(accountId: string, account: Account): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      account.taken--;
      this.#taken--;
      this.#serve();
      this.#forget(accountId, account);
    };
  }

  /** Resolves once the request has been granted. */
  #wait(accountId: string, account: Account, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        account.waiting.delete(serve);
      };
      const serve = () => {
        end();
        account.taken++;
        this.#taken++;
        resolve();
      };
      const giveUp = (reason: unknown) => {
        end();
        this.#forget(accountId, account);
        reject(reason);
      };
      const abort = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(this.#refusal(account)), this.#options.waitMs);
      account.waiting.add(serve);
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted === true) abort();
    });
  }

  #serve(): void {
    for (const [accountId, account] of [...this.#accounts]) {
      if (this.#taken >= this.#options.inAll) return;
      const [next] = account.waiting;
      if (next === undefined || !this.#isFree(account)) continue;
      // Moves the account behind the others.
      this.#accounts.delete(accountId);
      this.#accounts.set(accountId, account);
      next();
    }
  }

  #isFree(account: Account): boolean {
    return account.taken < this.#options.perAccount && this.#taken < this.#options.inAll;
  }

  #forget(accountId: string, account: Account): void {
    if (account.taken === 0 && account.waiting.size === 0 && this.#accounts.get(accountId) === account)
      this.#accounts.delete(accountId);
  }

  #refusal({ taken }: Account): ProblemError {
    this.#refused++;
    const { what, perAccount, retryAfterSeconds = 1 } = this.#options;
    const retryAfter = { "retry-after": String(retryAfterSeconds) };
    // As the IETF draft `ratelimit-headers` describes limits of concurrency.
    const headers = {
      ...retryAfter,
      ratelimit: `"concurrency";r=0;t=${retryAfterSeconds}`,
      "ratelimit-policy": `"concurrency";q=${perAccount};qu="concurrent-requests"`,
    };
    return taken >= perAccount
      ? new ProblemError(
          "rate_limited",
          `The account has ${perAccount} ${what} under way, which is as many as it may have at once. Nothing was done. Send this one again when one of them has ended.`,
          { headers },
        )
      : new ProblemError(
          "unavailable",
          `The service has as many ${what} under way as it takes at once. Nothing was done. Send it again in a moment.`,
          { headers: retryAfter },
        );
  }
}
