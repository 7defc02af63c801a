import type { CallOptions, Transport } from "./transport.ts";
import type { AccountPage, AccountRecord, Engine, PlatformLimits, QueueRecord } from "./wire.ts";
export interface AccountFilters {
  /** Part of the name. */
  readonly text?: string;
  readonly limit?: number;
  readonly cursor?: string;
}
/** Operations over all accounts, with the scope `admin`. */
export declare class Operator {
  #private;
  constructor(transport: Transport);
  /** Returns queues, limiters and nodes. */
  engine(options?: CallOptions): Promise<Engine>;
  /** Sets limits until `restoreLimits`, also after restarts. */
  setLimits(platformCode: string, limits: PlatformLimits, options?: CallOptions): Promise<QueueRecord>;
  /** Restores the configured limits. */
  restoreLimits(platformCode: string, options?: CallOptions): Promise<QueueRecord>;
  /** Returns one page of accounts, newest first. */
  accounts(filters?: AccountFilters, options?: CallOptions): Promise<AccountPage>;
  createAccount(
    request: {
      name: string;
      points?: number;
    },
    options?: CallOptions,
  ): Promise<AccountRecord>;
  /** Not retried if there is no response, because points could be granted twice. */
  grant(
    accountId: string,
    request: {
      points: number;
      note?: string;
    },
    options?: CallOptions,
  ): Promise<AccountRecord>;
  setUnfinishedMax(accountId: string, unfinishedMax: number, options?: CallOptions): Promise<AccountRecord>;
}
