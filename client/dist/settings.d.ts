import type { CallOptions, Transport } from "./transport.ts";
import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  LedgerEntry,
  LedgerPage,
  Overview,
  PlatformRecord,
  RecoveryReply,
  RecoveryRequest,
  UsageDays,
  UsageRecord,
  WebhookRecord,
  WebhookTestReply,
} from "./wire.ts";
export interface RecoverOptions extends CallOptions {
  /** Called after each request with the total and the remaining number. */
  readonly onProgress?: (
    reply: RecoveryReply & {
      readonly total: number;
    },
  ) => void;
}
/** The account's webhook endpoint and signing secret. */
export declare class Webhook {
  #private;
  constructor(transport: Transport);
  get(options?: CallOptions): Promise<WebhookRecord>;
  /** Sets the endpoint. Null removes it. */
  set(url: string | null, options?: CallOptions): Promise<WebhookRecord>;
  /** Creates a new secret. Not retried if there is no response, because a second rotation would end the overlap of the first. */
  rotate({
    previousSecretValidSeconds,
    ...options
  }?: CallOptions & {
    previousSecretValidSeconds?: number;
  }): Promise<WebhookRecord>;
  /** Sends a test webhook to the account's endpoint or to `url`, and returns the outcome. */
  test({
    url,
    ...options
  }?: CallOptions & {
    url?: string;
  }): Promise<WebhookTestReply>;
  /** Redelivers what failed or was skipped since a time. Repeats the request until nothing remains. */
  recover(
    request: RecoveryRequest,
    { onProgress, ...options }?: RecoverOptions,
  ): Promise<{
    remaining: number;
    unaddressed: number;
    until: string;
    redeliveredCount: number;
  }>;
}
export interface DeliveryFilters {
  readonly state?: DeliveryRecord["state"];
  readonly taskId?: string;
  /** An exact URL, or an origin. */
  readonly destination?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
  readonly limit?: number;
}
export declare class Deliveries {
  #private;
  constructor(transport: Transport);
  /** Iterates over the deliveries, newest first. */
  list(filters?: DeliveryFilters, options?: CallOptions): AsyncGenerator<DeliveryRecord, void, void>;
  /** Returns one page of deliveries. */
  page(
    filters?: DeliveryFilters & {
      readonly cursor?: string;
    },
    options?: CallOptions,
  ): Promise<DeliveryPage>;
  /** Returns a delivery with its attempts and its request. */
  get(deliveryId: string, options?: CallOptions): Promise<DeliveryDetail>;
  /** Redelivers the task's notification, as a new delivery with the current task record. */
  redeliver(deliveryId: string, options?: CallOptions): Promise<DeliveryRecord>;
}
export declare class Platforms {
  #private;
  constructor(transport: Transport);
  /** Returns the platforms with their fields, prices and health. */
  list(options?: CallOptions): Promise<PlatformRecord[]>;
}
/** UTC days such as `2026-11-01`, both included. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}
export interface LedgerFilters {
  readonly kind?: LedgerEntry["kind"];
  readonly taskId?: string;
  readonly batchId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
}
export declare class Usage {
  #private;
  constructor(transport: Transport);
  /** Returns the balance, and usage by day and platform. Default range: the last 30 days. */
  get({
    from,
    to,
    ...options
  }?: CallOptions & {
    from?: string;
    to?: string;
  }): Promise<UsageRecord>;
  /** Returns pending tasks, tasks that ended in a period and in the preceding one, and the status of the webhook. */
  overview({
    period,
    ...options
  }?: CallOptions & {
    period?: Overview["period"];
  }): Promise<Overview>;
  /** Returns usage by UTC day, platform and token. Default range: the last 30 days. */
  days(range?: DayRange, options?: CallOptions): Promise<UsageDays>;
  /** The same as CSV (RFC 4180). */
  daysCsv(range?: DayRange, options?: CallOptions): Promise<string>;
  /** Returns one page of the ledger. */
  ledgerPage(
    filters?: LedgerFilters & {
      readonly cursor?: string;
    },
    options?: CallOptions,
  ): Promise<LedgerPage>;
  /** Iterates over the ledger, newest first. */
  ledger(filters?: LedgerFilters, options?: CallOptions): AsyncGenerator<LedgerEntry, void, void>;
}
