import { paged } from "./paged.ts";
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
  /** After each call: what was done so far, and what is left. */
  readonly onProgress?: (reply: RecoveryReply & { readonly total: number }) => void;
}

/** The account's notification address and signing secret. */
export class Webhook {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options: CallOptions = {}): Promise<WebhookRecord> {
    const call = { ...options, method: "GET", path: "/v1/webhook", repeat: "always" } as const;
    return (await this.#transport.json<WebhookRecord>(call)).body;
  }

  /** Sets the address; null unsets it. */
  async set(url: string | null, options: CallOptions = {}): Promise<WebhookRecord> {
    const body = JSON.stringify({ url });
    const call = { ...options, method: "PUT", path: "/v1/webhook", body, repeat: "always" } as const;
    return (await this.#transport.json<WebhookRecord>(call)).body;
  }

  /** A new secret, at once. Never repeated by itself when no answer came: a second rotation would end the overlap of the first. */
  async rotate({
    previousSecretValidSeconds = 0,
    ...options
  }: CallOptions & { previousSecretValidSeconds?: number } = {}) {
    const { body } = await this.#transport.json<WebhookRecord>({
      ...options,
      method: "POST",
      path: "/v1/webhook/signing-secret/rotation",
      body: JSON.stringify({ previousSecretValidSeconds }),
      repeat: "refused",
    });
    return body;
  }

  /** Sends one notification now, to the account's address or to `url`, and tells what came back. */
  async test({ url, ...options }: CallOptions & { url?: string } = {}): Promise<WebhookTestReply> {
    const { body } = await this.#transport.json<WebhookTestReply>({
      ...options,
      method: "POST",
      path: "/v1/webhook/test",
      body: JSON.stringify(url === undefined ? {} : { url }),
      repeat: "refused",
    });
    return body;
  }

  /** Redelivers what failed or was skipped since a time, call after call until nothing is left that can be. */
  async recover(request: RecoveryRequest, { onProgress, ...options }: RecoverOptions = {}) {
    let total = 0;
    for (let until = request.until; ;) {
      const { body } = await this.#transport.json<RecoveryReply>({
        ...options,
        method: "POST",
        path: "/v1/webhook/recovery",
        body: JSON.stringify({ ...request, ...(until === undefined ? {} : { until }) }),
        // One never takes up again what another has.
        repeat: "always",
      });
      total += body.redeliveredCount;
      onProgress?.({ ...body, total });
      until = body.until;
      if (body.remaining === 0 || body.redeliveredCount === 0) return { ...body, redeliveredCount: total };
    }
  }
}

export interface DeliveryFilters {
  readonly state?: DeliveryRecord["state"];
  readonly taskId?: string;
  /** An address, exactly, or an origin. */
  readonly destination?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
  readonly limit?: number;
}

export class Deliveries {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first, over all pages. */
  list(filters: DeliveryFilters = {}, options: CallOptions = {}): AsyncGenerator<DeliveryRecord, void, void> {
    return paged(this.#transport, "/v1/deliveries", { ...filters }, options, "deliveries");
  }

  /** One page of them. */
  async page(
    filters: DeliveryFilters & { readonly cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<DeliveryPage> {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/deliveries", query, repeat: "always" } as const;
    return (await this.#transport.json<DeliveryPage>(call)).body;
  }

  /** With every attempt, and what it sends. */
  async get(deliveryId: string, options: CallOptions = {}): Promise<DeliveryDetail> {
    const path = `/v1/deliveries/${encodeURIComponent(deliveryId)}`;
    return (await this.#transport.json<DeliveryDetail>({ ...options, method: "GET", path, repeat: "always" })).body;
  }

  /** Sends the task's notification again: a new delivery, made from the task as it is now. */
  async redeliver(deliveryId: string, options: CallOptions = {}): Promise<DeliveryRecord> {
    const path = `/v1/deliveries/${encodeURIComponent(deliveryId)}/redelivery`;
    return (await this.#transport.json<DeliveryRecord>({ ...options, method: "POST", path, repeat: "refused" })).body;
  }
}

export class Platforms {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What each returns, what it costs, how it does. */
  async list(options: CallOptions = {}): Promise<PlatformRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/platforms", repeat: "always" } as const;
    return (await this.#transport.json<{ platforms: PlatformRecord[] }>(call)).body.platforms;
  }
}

/** Days as `2026-11-01`, UTC, both included. */
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

export class Usage {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Balance, and use by day and platform: of the last 30 days when no range is given. */
  async get({ from, to, ...options }: CallOptions & { from?: string; to?: string } = {}): Promise<UsageRecord> {
    const call = { ...options, method: "GET", path: "/v1/usage", query: { from, to }, repeat: "always" } as const;
    return (await this.#transport.json<UsageRecord>(call)).body;
  }

  /** What is under way, what ended in a period against the one before it, and how notifications fare. */
  async overview({ period, ...options }: CallOptions & { period?: Overview["period"] } = {}): Promise<Overview> {
    const call = { ...options, method: "GET", path: "/v1/overview", query: { period }, repeat: "always" } as const;
    return (await this.#transport.json<Overview>(call)).body;
  }

  /** Use by UTC day, platform and token: of the last 30 days when no range is given. */
  async days(range: DayRange = {}, options: CallOptions = {}): Promise<UsageDays> {
    const call = { ...options, method: "GET", path: "/v1/usage/days", query: { ...range }, repeat: "always" } as const;
    return (await this.#transport.json<UsageDays>(call)).body;
  }

  /** The same as CSV (RFC 4180). */
  daysCsv(range: DayRange = {}, options: CallOptions = {}): Promise<string> {
    const query = { ...range };
    return this.#transport.text(
      { ...options, method: "GET", path: "/v1/usage/days", query, repeat: "always" },
      "text/csv",
    );
  }

  /** One page of the ledger. */
  async ledgerPage(
    filters: LedgerFilters & { readonly cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<LedgerPage> {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/usage/ledger", query, repeat: "always" } as const;
    return (await this.#transport.json<LedgerPage>(call)).body;
  }

  /** Every movement of points, newest first, over all pages. */
  ledger(filters: LedgerFilters = {}, options: CallOptions = {}): AsyncGenerator<LedgerEntry, void, void> {
    return paged(this.#transport, "/v1/usage/ledger", { ...filters }, options, "entries");
  }
}
