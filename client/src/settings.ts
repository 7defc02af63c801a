import { paged } from "./paged.ts";
import type { InProject } from "./projects.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type {
  EventType,
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  LedgerEntry,
  LedgerPage,
  Overview,
  PlatformRecord,
  ProjectUsage,
  RecoveryReply,
  RecoveryRequest,
  UsageDays,
  UsageRecord,
  WebhookRecord,
  WebhookTest,
  WebhookTestReply,
} from "./wire.ts";

export interface RecoverOptions extends CallOptions {
  /** Called after each request with the total and the remaining number. */
  readonly onProgress?: (reply: RecoveryReply & { readonly total: number }) => void;
}

/** The account's webhook endpoint and signing secret. */
export class Webhook {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** With `secret: false`, the record has no secret, and the audit log no entry. */
  async get({ secret, ...options }: CallOptions & { secret?: boolean } = {}): Promise<WebhookRecord> {
    const query = secret === false ? { secret: "false" } : {};
    const call = { ...options, method: "GET", path: "/v1/webhook", query, repeat: "always" } as const;
    return (await this.#transport.json<WebhookRecord>(call)).body;
  }

  /** Sets the endpoint. Null removes it. With `events`, also sets which types of events the account is told of. */
  async set(
    url: string | null,
    { events, ...options }: CallOptions & { events?: readonly EventType[] } = {},
  ): Promise<WebhookRecord> {
    const body = JSON.stringify({ url, events });
    const call = { ...options, method: "PUT", path: "/v1/webhook", body, repeat: "always" } as const;
    return (await this.#transport.json<WebhookRecord>(call)).body;
  }

  /** Creates a new secret. Not retried if there is no response, because a second rotation would end the overlap of the first. */
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

  /** Sends a test webhook to the account's endpoint or to `url`, and returns the outcome. It is of `event`, with invented data. */
  async test({ url, event, resultOmitted, ...options }: CallOptions & WebhookTest = {}): Promise<WebhookTestReply> {
    const { body } = await this.#transport.json<WebhookTestReply>({
      ...options,
      method: "POST",
      path: "/v1/webhook/test",
      body: JSON.stringify({ url, event, resultOmitted }),
      repeat: "refused",
    });
    return body;
  }

  /** Redelivers what failed or was skipped since a time. Repeats the request until nothing remains. */
  async recover(request: RecoveryRequest, { onProgress, ...options }: RecoverOptions = {}) {
    let total = 0;
    for (let until = request.until; ;) {
      const { body } = await this.#transport.json<RecoveryReply>({
        ...options,
        method: "POST",
        path: "/v1/webhook/recovery",
        body: JSON.stringify({ ...request, ...(until === undefined ? {} : { until }) }),
        // Concurrent requests never redeliver the same delivery.
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
  /** An exact URL, or an origin. */
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

  /** Iterates over the deliveries, newest first. */
  list(filters: DeliveryFilters = {}, options: CallOptions = {}): AsyncGenerator<DeliveryRecord, void, void> {
    return paged(this.#transport, "/v1/deliveries", { ...filters }, options, "deliveries");
  }

  /** Returns one page of deliveries. */
  async page(
    filters: DeliveryFilters & { readonly cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<DeliveryPage> {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/deliveries", query, repeat: "always" } as const;
    return (await this.#transport.json<DeliveryPage>(call)).body;
  }

  /** Returns a delivery with its attempts and its request. */
  async get(deliveryId: string, options: CallOptions = {}): Promise<DeliveryDetail> {
    const path = `/v1/deliveries/${encodeURIComponent(deliveryId)}`;
    return (await this.#transport.json<DeliveryDetail>({ ...options, method: "GET", path, repeat: "always" })).body;
  }

  /** Redelivers the task's notification, as a new delivery with the current task record. */
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

  /** Returns the platforms with their fields, prices and health. */
  async list(options: CallOptions = {}): Promise<PlatformRecord[]> {
    const call = { ...options, method: "GET", path: "/v1/platforms", repeat: "always" } as const;
    return (await this.#transport.json<{ platforms: PlatformRecord[] }>(call)).body.platforms;
  }
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

export class Usage {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the balance, and usage by day and platform. Default range: the last 30 days. */
  async get({ from, to, ...options }: CallOptions & { from?: string; to?: string } = {}): Promise<UsageRecord> {
    const call = { ...options, method: "GET", path: "/v1/usage", query: { from, to }, repeat: "always" } as const;
    return (await this.#transport.json<UsageRecord>(call)).body;
  }

  /** Returns pending tasks, tasks that ended in a period and in the preceding one, and the status of the webhook. */
  async overview({ period, ...options }: CallOptions & { period?: Overview["period"] } = {}): Promise<Overview> {
    const call = { ...options, method: "GET", path: "/v1/overview", query: { period }, repeat: "always" } as const;
    return (await this.#transport.json<Overview>(call)).body;
  }

  /** Returns usage by UTC day, platform and token. Default range: the last 30 days. */
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

  /** Returns usage by UTC day, project and platform. Default range: the last 30 days. */
  async projects(range: DayRange & InProject = {}, options: CallOptions = {}): Promise<ProjectUsage> {
    const query = { ...range };
    const call = { ...options, method: "GET", path: "/v1/usage/projects", query, repeat: "always" } as const;
    return (await this.#transport.json<ProjectUsage>(call)).body;
  }

  /** The same as CSV (RFC 4180). */
  projectsCsv(range: DayRange & InProject = {}, options: CallOptions = {}): Promise<string> {
    const query = { ...range };
    return this.#transport.text(
      { ...options, method: "GET", path: "/v1/usage/projects", query, repeat: "always" },
      "text/csv",
    );
  }

  /** Returns one page of the ledger. */
  async ledgerPage(
    filters: LedgerFilters & { readonly cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<LedgerPage> {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/usage/ledger", query, repeat: "always" } as const;
    return (await this.#transport.json<LedgerPage>(call)).body;
  }

  /** Iterates over the ledger, newest first. */
  ledger(filters: LedgerFilters = {}, options: CallOptions = {}): AsyncGenerator<LedgerEntry, void, void> {
    return paged(this.#transport, "/v1/usage/ledger", { ...filters }, options, "entries");
  }
}
