/** Posts events of the feed as the service would post their notifications: the same bytes, the same headers, signed now. */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { webhooks, type FeedEntry, type WebhookRecord } from "@querent/client";
import { version } from "../version.ts";

export interface ForwarderOptions {
  readonly url: string;
  readonly readSecret: () => Promise<WebhookRecord>;
  readonly signal: AbortSignal;
  /** Nobody answered; it is tried again after `waitMs`. */
  readonly onUnreached: (reason: string, waitMs: number) => void;
}

export interface Forwarded {
  readonly status: number;
  readonly durationMs: number;
}

/** As the service waits for a receiver. */
const timeoutMs = 15_000;
const waitMsMax = 5_000;
/** A rotation takes effect for what is signed after it: the secret is read again this often. */
const secretAgeMsMax = 5_000;

export class Forwarder {
  /** What was forwarded last, for sending it again. */
  last: FeedEntry | null = null;
  readonly #options: ForwarderOptions;
  #secret: { readonly record: WebhookRecord; readonly readAt: number } | null = null;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Reads the secret, so that a token which may not is told at once. */
  async prepare(): Promise<void> {
    await this.#current();
  }

  /** Posts one, until somebody answers: nothing is missed while a program is restarted. */
  async forward(entry: FeedEntry): Promise<Forwarded> {
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

  async #post({ body, deliveryId }: FeedEntry): Promise<Forwarded> {
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

/** What fetch throws says "fetch failed"; its cause knows why. */
function reasonOf(error: Error): string {
  const cause: unknown = error.cause;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0] instanceof Error ? cause.errors[0] : error);
  return cause instanceof Error ? cause.message : error.message;
}
