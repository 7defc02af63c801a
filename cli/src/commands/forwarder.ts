/** Posts events of the feed in the same way as the service sends webhooks: with the same body and headers, signed now. */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { webhooks, type EventType, type FeedEntry, type WebhookRecord } from "@querent/client";
import { version } from "../version.ts";

export interface ForwarderOptions {
  readonly url: string;
  readonly readSecret: () => Promise<WebhookRecord>;
  readonly signal: AbortSignal;
  /** The connection failed. It is retried after `waitMs`. */
  readonly onUnreached: (reason: string, waitMs: number) => void;
}

export interface Forwarded {
  readonly status: number;
  readonly durationMs: number;
}

/** The same timeout as that of the service. */
const timeoutMs = 15_000;
const waitMsMax = 5_000;
/** The secret is read again after this time, so that a rotation takes effect. */
const secretAgeMsMax = 5_000;

export class Forwarder {
  /** The last forwarded event, for sending it again. */
  last: FeedEntry<EventType> | null = null;
  readonly #options: ForwarderOptions;
  #secret: { readonly record: WebhookRecord; readonly readAt: number } | null = null;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Reads the secret, so that a missing scope is reported immediately. */
  async prepare(): Promise<void> {
    await this.#current();
  }

  /** Posts an event until there is a response, so that nothing is missed while the receiver restarts. */
  async forward(entry: FeedEntry<EventType>): Promise<Forwarded> {
    const { signal, onUnreached } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        const forwarded = await this.#post(entry);
        this.last = entry;
        return forwarded;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError"))) throw error;
        const waitMs = Math.min(waitMsMax, 500 * 2 ** attempt);
        onUnreached(reasonOf(error), waitMs);
        await sleep(waitMs, undefined, { signal });
      }
    }
  }

  async #post({ body, deliveryId }: FeedEntry<EventType>): Promise<Forwarded> {
    const { url, signal } = this.#options;
    const { signingSecret, secretVersion } = await this.#current();
    const from = performance.now();
    const at = new Date();
    const seconds = String(Math.floor(at.getTime() / 1000));
    const standard = createHmac("sha256", signingSecret)
      .update(`${deliveryId}.${seconds}.`)
      .update(body)
      .digest("base64");
    const response = await fetch(url, {
      method: "POST",
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        "content-type": "application/json",
        "user-agent": `Querent/${version}`,
        "x-service-delivery": deliveryId,
        "x-service-signature": await webhooks.sign(body, signingSecret),
        "x-service-secret-version": String(secretVersion),
        "x-service-timestamp": at.toISOString(),
        "webhook-id": deliveryId,
        "webhook-timestamp": seconds,
        "webhook-signature": `v1,${standard}`,
      },
    });
    await response.body?.cancel();
    return { status: response.status, durationMs: Math.round(performance.now() - from) };
  }

  async #current(): Promise<WebhookRecord> {
    if (this.#secret === null || performance.now() - this.#secret.readAt > secretAgeMsMax)
      this.#secret = { record: await this.#options.readSecret(), readAt: performance.now() };
    return this.#secret.record;
  }
}

/** The message of fetch is only "fetch failed". Its cause has the reason. */
function reasonOf(error: Error): string {
  const cause: unknown = error.cause;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0] instanceof Error ? cause.errors[0] : error);
  return cause instanceof Error ? cause.message : error.message;
}
