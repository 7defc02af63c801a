import { ProblemError } from "./problem-error.ts";

export interface AccountSemaphoreOptions {
  /** What it limits, in the plural, for the error: "requests for lists". */
  readonly what: string;
  /** Places, or whatever else `acquire` is told the weight in. */
  readonly perAccount: number;
  readonly inAll: number;
  /** The part of `inAll` that only accounts with nothing under way may take. Default: none. */
  readonly reserved?: number;
  /** The sentence for an account that has reached its limit, if that is not a number of requests. */
  readonly accountDetail?: string;
  /** How long a request waits before it is refused; 0: it is refused immediately. */
  readonly waitMs: number;
  /** The maximum of waiting requests of one account. */
  readonly waitingMax: number;
  /** When a refused client should retry; after a second by default. */
  readonly retryAfterSeconds?: number;
}

interface Waiting {
  readonly weight: number;
  readonly serve: () => void;
}

interface Account {
  taken: number;
  readonly waiting: Set<Waiting>;
}

/** Why a request was refused: its account, or the process, had reached its limit. */
type Refused = "account" | "process";

/**
 * A semaphore shared by the accounts: a limit for each account, and a total for this process. Excess requests wait for a while.
 * Freed capacity goes to the waiting accounts in rotation, regardless of how many requests each has waiting.
 *
 * An account that has nothing under way may take whatever is free, however heavy. While it waits for that, nobody behind it is served.
 */
export class AccountSemaphore {
  readonly #options: AccountSemaphoreOptions;
  readonly #accounts = new Map<string, Account>();
  /** The accounts that have had something since the semaphore was last idle, the longest ago first. */
  readonly #served = new Set<string>();
  #taken = 0;
  readonly #refused: Record<Refused, number> = { account: 0, process: 0 };

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

  /** The number of waiting requests, for metrics. */
  get waiting(): number {
    return [...this.#accounts.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** The number of refused requests so far by reason, for metrics. */
  get refused(): Readonly<Record<Refused, number>> {
    return this.#refused;
  }

  /** The places that all accounts have together, for metrics. */
  get inAll(): number {
    return this.#options.inAll;
  }

  /**
   * Returns the release function, which may be called more than once. Throws 429 if the account has reached its limit, 503 if
   * the process has reached its total, and the reason of `signal` if that aborts first.
   */
  async acquire(accountId: string, signal?: AbortSignal, weight = 1): Promise<() => void> {
    const release = this.#acquireFree(accountId, weight);
    if (release !== null) return release;
    const { waitMs, waitingMax } = this.#options;
    const account = this.#of(accountId);
    if (waitMs <= 0 || account.waiting.size >= waitingMax) throw this.#refusal(account, weight);
    this.#accounts.set(accountId, account);
    await this.#wait(accountId, account, { signal, weight, waitMs });
    return this.#releaseOnce(accountId, account, weight);
  }

  /** The same for what has begun, and can't be refused any more: waits for its turn until `signal` aborts. */
  async acquireOnceFree(accountId: string, signal: AbortSignal): Promise<() => void> {
    const release = this.#acquireFree(accountId, 1);
    if (release !== null) return release;
    const account = this.#of(accountId);
    this.#accounts.set(accountId, account);
    await this.#wait(accountId, account, { signal, weight: 1, waitMs: null });
    return this.#releaseOnce(accountId, account, 1);
  }

  /** The same without waiting: null if none is free. */
  tryAcquire(accountId: string): (() => void) | null {
    const release = this.#acquireFree(accountId, 1);
    if (release === null) this.#refused[this.#reasonFor(this.#of(accountId), 1)]++;
    return release;
  }

  #acquireFree(accountId: string, weight: number): (() => void) | null {
    const account = this.#of(accountId);
    if (!this.#isFree(account, weight) || account.waiting.size > 0 || this.#isHeld()) return null;
    this.#accounts.set(accountId, account);
    this.#take(accountId, account, weight);
    return this.#releaseOnce(accountId, account, weight);
  }

  #take(accountId: string, account: Account, weight: number): void {
    account.taken += weight;
    this.#taken += weight;
    // Moves the account behind the others.
    this.#served.delete(accountId);
    this.#served.add(accountId);
  }

  #of(accountId: string): Account {
    return this.#accounts.get(accountId) ?? { taken: 0, waiting: new Set() };
  }

  #releaseOnce(accountId: string, account: Account, weight: number): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      account.taken -= weight;
      this.#taken -= weight;
      this.#serve();
      this.#forget(accountId, account);
    };
  }

  /** Resolves once the request has been granted. */
  #wait(
    accountId: string,
    account: Account,
    { signal, weight, waitMs }: { signal: AbortSignal | undefined; weight: number; waitMs: number | null },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        account.waiting.delete(waiting);
      };
      const serve = () => {
        end();
        this.#take(accountId, account, weight);
        resolve();
      };
      const giveUp = (reason: unknown) => {
        end();
        this.#forget(accountId, account);
        // It may have been what the others waited behind.
        this.#serve();
        reject(reason);
      };
      const abort = () => giveUp(signal?.reason);
      const waiting = { weight, serve };
      const timer = waitMs === null ? undefined : setTimeout(() => giveUp(this.#refusal(account, weight)), waitMs);
      account.waiting.add(waiting);
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted === true) abort();
    });
  }

  #serve(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) next.serve();
  }

  #next(): Waiting | null {
    if (this.#taken >= this.#options.inAll) return null;
    for (const account of this.#inTurn()) {
      const [next] = account.waiting;
      if (next === undefined) continue;
      if (this.#isFree(account, next.weight)) return next;
      if (account.taken === 0) return null;
    }
    return null;
  }

  /** The accounts in the order in which they are served: those that have had nothing, then those that have not for the longest time. */
  #inTurn(): Account[] {
    const isNew = [...this.#accounts].flatMap(([accountId, account]) => (this.#served.has(accountId) ? [] : [account]));
    return [...isNew, ...[...this.#served].flatMap((accountId) => this.#accounts.get(accountId) ?? [])];
  }

  #isFree(account: Account, weight: number): boolean {
    return !this.#isAbove(account, weight) && this.#taken + weight <= this.#roomFor(account);
  }

  /** The request would exceed the limit of its account. A first one never does. */
  #isAbove({ taken }: Account, weight: number): boolean {
    return taken > 0 && taken + weight > this.#options.perAccount;
  }

  #roomFor({ taken }: Account): number {
    const { inAll, reserved = 0 } = this.#options;
    return taken === 0 ? inAll : inAll - reserved;
  }

  /** What is free is kept for an account that waits for more of it, and has nothing. */
  #isHeld(): boolean {
    for (const { taken, waiting } of this.#accounts.values()) if (taken === 0 && waiting.size > 0) return true;
    return false;
  }

  #forget(accountId: string, account: Account): void {
    if (account.taken === 0 && account.waiting.size === 0 && this.#accounts.get(accountId) === account)
      this.#accounts.delete(accountId);
    if (this.#accounts.size === 0) this.#served.clear();
  }

  #reasonFor(account: Account, weight: number): Refused {
    return this.#isAbove(account, weight) ? "account" : "process";
  }

  #refusal(account: Account, weight: number): ProblemError {
    const reason = this.#reasonFor(account, weight);
    this.#refused[reason]++;
    const { what, perAccount, accountDetail, retryAfterSeconds = 1 } = this.#options;
    const retryAfter = { "retry-after": String(retryAfterSeconds) };
    if (reason === "process")
      return new ProblemError(
        "unavailable",
        `The service has as many ${what} under way as it takes at once. Nothing was done. Send it again in a moment.`,
        { headers: retryAfter },
      );
    if (accountDetail !== undefined) return new ProblemError("rate_limited", accountDetail, { headers: retryAfter });
    return new ProblemError(
      "rate_limited",
      `The account has ${perAccount} ${what} under way, which is as many as it may have at once. Nothing was done. Send this one again when one of them has ended.`,
      {
        headers: {
          ...retryAfter,
          // The IETF draft `ratelimit-headers` describes limits of concurrency in this way.
          ratelimit: `"concurrency";r=0;t=${retryAfterSeconds}`,
          "ratelimit-policy": `"concurrency";q=${perAccount};qu="concurrent-requests"`,
        },
      },
    );
  }
}
