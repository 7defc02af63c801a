import type { CallOptions, Transport } from "./transport.ts";
import type {
  AccountLimits,
  AccountPage,
  AccountRecord,
  Demonstration,
  Engine,
  PlatformLimits,
  QueueRecord,
} from "./wire.ts";

export interface AccountFilters {
  /** Part of the name. */
  readonly text?: string;
  /** `size`: those that store the most first. Default: newest first. */
  readonly orderBy?: "created" | "size";
  readonly limit?: number;
  readonly cursor?: string;
}

/** Operations over all accounts, with the scope `admin`. */
export class Operator {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns queues, limiters and nodes. */
  async engine(options: CallOptions = {}): Promise<Engine> {
    const call = { ...options, method: "GET", path: "/v1/admin/engine", repeat: "always" } as const;
    return (await this.#transport.json<Engine>(call)).body;
  }

  /** Sets limits until `restoreLimits`, also after restarts. */
  async setLimits(platformCode: string, limits: PlatformLimits, options: CallOptions = {}): Promise<QueueRecord> {
    const path = limitsOf(platformCode);
    const call = { ...options, method: "PUT", path, body: JSON.stringify(limits), repeat: "always" } as const;
    return (await this.#transport.json<QueueRecord>(call)).body;
  }

  /** Restores the configured limits. */
  async restoreLimits(platformCode: string, options: CallOptions = {}): Promise<QueueRecord> {
    const call = { ...options, method: "DELETE", path: limitsOf(platformCode), repeat: "always" } as const;
    return (await this.#transport.json<QueueRecord>(call)).body;
  }

  /** Returns one page of accounts. */
  async accounts(filters: AccountFilters = {}, options: CallOptions = {}): Promise<AccountPage> {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/admin/accounts", query, repeat: "always" } as const;
    return (await this.#transport.json<AccountPage>(call)).body;
  }

  async createAccount(request: { name: string; points?: number }, options: CallOptions = {}): Promise<AccountRecord> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: "/v1/admin/accounts", body, repeat: "refused" } as const;
    return (await this.#transport.json<AccountRecord>(call)).body;
  }

  /** Grants points. The request is not retried if there is no response, because points could be granted twice. */
  async grant(accountId: string, request: { points: number; note?: string }, options: CallOptions = {}) {
    const path = `${accountOf(accountId)}/grants`;
    const call = { ...options, method: "POST", path, body: JSON.stringify(request), repeat: "refused" } as const;
    return (await this.#transport.json<AccountRecord>(call)).body;
  }

  /** Creates an account with four weeks of simulated answers, or finds it, and makes the person who is signed in a member of it. */
  async createDemonstration(options: CallOptions = {}): Promise<Demonstration> {
    const call = { ...options, method: "POST", path: demonstration, repeat: "always" } as const;
    return (await this.#transport.json<Demonstration>(call)).body;
  }

  async deleteDemonstration(options: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ ...options, method: "DELETE", path: demonstration, repeat: "always" });
  }

  setUnfinishedMax(accountId: string, unfinishedMax: number, options: CallOptions = {}): Promise<AccountRecord> {
    return this.setAccountLimits(accountId, { unfinishedMax }, options);
  }

  /** Sets the limit of unfinished tasks, and the members of the storage quota that are given; null: the service's setting. */
  async setAccountLimits(accountId: string, limits: AccountLimits, options: CallOptions = {}): Promise<AccountRecord> {
    const path = `${accountOf(accountId)}/limits`;
    const call = { ...options, method: "PUT", path, body: JSON.stringify(limits), repeat: "always" } as const;
    return (await this.#transport.json<AccountRecord>(call)).body;
  }
}

const demonstration = "/v1/admin/demonstration";
const accountOf = (accountId: string) => `/v1/admin/accounts/${encodeURIComponent(accountId)}`;
const limitsOf = (platformCode: string) => `/v1/admin/platforms/${encodeURIComponent(platformCode)}/limits`;
