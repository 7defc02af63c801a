/** One attempt of a delivery that is a mail: handed to the mail server, unless its recipient has unsubscribed. */
import type { Database } from "../../db/index.ts";
import type { Mailer, MailOutcome, Message } from "../../mail/index.ts";
import { readRecipient } from "../outbox/recipients.ts";
import type { SendOutcome } from "./send.ts";

/** A mail to be made: the event of its delivery, for one recipient. */
export interface MailToSend {
  readonly accountId: string;
  readonly deliveryId: string;
  readonly recipient: { readonly id: string; readonly email: string };
  readonly createdAt: Date;
  /** That of the event. */
  readonly type: string;
  readonly data: unknown;
}

/** Makes the message of an event. Null: what it is about is no longer stored. */
export type ComposeMail = (mail: MailToSend) => Promise<Message | null>;

export interface MailSenderOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly compose: ComposeMail;
}

export class MailSender {
  readonly #options: MailSenderOptions;

  constructor(options: MailSenderOptions) {
    this.#options = options;
  }

  get totalTimeoutMs(): number {
    return this.#options.mailer.totalTimeoutMs;
  }

  async send(
    delivery: { readonly accountId: string; readonly id: string; readonly url: string; readonly body: Buffer },
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    const unsent = (fault: "unsubscribed" | "expired"): SendOutcome => ({
      ...{ kind: "faulted", fault, durationMs: durationMs() },
      about: { isFinal: true, isOfRecipient: true },
    });
    const { database, mailer, compose } = this.#options;
    try {
      const recipient = await readRecipient(database, delivery.accountId, delivery.url.slice("mailto:".length));
      if (recipient === null || recipient.unsubscribedAt !== null) return unsent("unsubscribed");
      const {
        event: type,
        createdAt,
        data,
      } = JSON.parse(delivery.body.toString("utf8")) as {
        event: string;
        createdAt: string;
        data: unknown;
      };
      const { accountId, id: deliveryId } = delivery;
      const message = await compose({ accountId, deliveryId, recipient, createdAt: new Date(createdAt), type, data });
      if (message === null) return unsent("expired");
      return outcomeOf(await mailer.send(message, signal), durationMs());
    } catch (error) {
      return { kind: "ours", error };
    }
  }
}

function outcomeOf(outcome: MailOutcome, durationMs: number): SendOutcome {
  if (outcome.kind === "stopped") return { kind: "ours", error: new Error("The notifier stops.") };
  if (outcome.kind === "faulted") return { kind: "faulted", fault: outcome.why, durationMs };
  const replied = { kind: "replied" as const, fault: null, retryAfterMs: null, durationMs };
  const { status, reply: snippet } = outcome;
  if (outcome.kind === "accepted") return { ...replied, status: 250, snippet };
  const { stage, isFinal } = outcome;
  return {
    ...replied,
    status,
    snippet,
    about: { isFinal, isOfRecipient: stage === "recipient" || stage === "message" },
  };
}
