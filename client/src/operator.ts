import type { CallOptions, Transport } from "./transport.ts";
import type { AccountPage, AccountRecord, Engine, PlatformLimits, QueueRecord } from "./wire.ts";

export interface AccountFilters {
  /** Part of the name. */
  readonly text?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** What operators do, with the scope `admin`: over all accounts. */
export class Operator {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Queues, gates and nodes. */
  async engine(options: CallOptions = {}): Promise<Engine> {
    const call = { ...options, method: "GET", path: "/v1/admin/engine", repeat: "always" } as const;
    return (await this.#transport.json<Engine>(call)).body;
  }

  /** They hold until `restoreLimits`, through restarts. */
  async setLimits(platformCode: string, limits: PlatformLimits, options: CallOptions = {}): Promise<QueueRecord> {
    const path = limitsOf(platformCode);
    const call = { ...options, method: "PUT", path, body: JSON.stringify(limits), repeat: "always" } as const;
    return (await this.#transport.json<QueueRecord>(call)).body;
  }

  /** Back to what is configured. */
  async restoreLimits(platformCode: string, options: CallOptions = {}): Promise<QueueRecord> {
    const call = { ...options, method: "DELETE", path: limitsOf(platformCode), repeat: "always" } as const;
    return (await this.#transport.json<QueueRecord>(call)).body;
  }

  /** One page, the newest first. */
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

  /** Not repeated by itself when no answer came: that could grant twice. */
  async grant(accountId: string, request: { points: number; note?: string }, options: CallOptions = {}) {
    const path = `${accountOf(accountId)}/grants`;
    const call = { ...options, method: "POST", path, body: JSON.stringify(request), repeat: "refused" } as const;
    return (await this.#transport.json<AccountRecord>(call)).body;
  }

  async setUnfinishedMax(accountId: string, unfinishedMax: number, options: CallOptions = {}): Promise<AccountRecord> {
    const path = `${accountOf(accountId)}/limits`;
    const call = {
      ...options,
      method: "PUT",
      path,
      body: JSON.stringify({ unfinishedMax }),
      repeat: "always",
    } as const;
    return (await this.#transport.json<AccountRecord>(call)).body;
  }
}

const accountOf = (accountId: string) => `/v1/admin/accounts/${encodeURIComponent(accountId)}`;
const limitsOf = (platformCode: string) => `/v1/admin/platforms/${encodeURIComponent(platformCode)}/limits`;
