/** One attempt of a delivery to a channel: the event as the service behind the channel takes it. */
import type { Channel, ChannelKind, ChannelTest } from "@querent/contract";
import type { Database } from "../../db/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { MasterKey } from "../../vault/index.ts";
import {
  openChannel,
  recordChannelHealth,
  type OpenChannel,
  type ComposeNotice,
  type Notice,
} from "../channels/channels.ts";
import { pagerDutyEvent, slackMessage, teamsMessage } from "../channels/formats.ts";
import { channelIdOf } from "../outbox/outbox.ts";
import { signRequest, type Signed, type Signing } from "../signing/signature.ts";
import type { DeliveryFault, Sender, SendOutcome } from "./send.ts";

export interface ChannelSenderOptions {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly compose: ComposeNotice;
  /** Of the Events API, by region. */
  readonly pagerDuty?: Readonly<Record<NonNullable<Channel["region"]>, string>>;
}

interface Sent {
  readonly outcome: SendOutcome;
  /** What signed it, of an endpoint of the account's own. */
  readonly signed: Signed | null;
}

interface ToSend {
  readonly accountId: string;
  readonly id: string;
  readonly url: string;
  readonly body: Buffer;
}

const pagerDutyEndpoints = {
  us: "https://events.pagerduty.com/v2/enqueue",
  eu: "https://events.eu.pagerduty.com/v2/enqueue",
} as const;

export class ChannelSender {
  readonly #options: ChannelSenderOptions;

  constructor(options: ChannelSenderOptions) {
    this.#options = options;
  }

  /** `signing`: reads the account's secret. Undefined: there is no such account. */
  async send(delivery: ToSend, signing: () => Promise<Signing | undefined>, signal: AbortSignal): Promise<Sent> {
    const { database, masterKey, compose } = this.#options;
    const at = { accountId: delivery.accountId, channelId: channelIdOf(delivery.url) };
    try {
      const channel = await openChannel(database, masterKey, at);
      if (channel === null) return { outcome: unsent("channel_removed"), signed: null };
      if (channel.isGone) return { outcome: unsent("channel_gone"), signed: null };
      if (channel.kind === "webhook") {
        const sent = await this.#sendSigned(channel.secret, delivery, signing, signal);
        return { ...sent, outcome: await this.#judged(at, channel, sent.outcome) };
      }
      const event = JSON.parse(delivery.body.toString("utf8")) as { event: string; createdAt: string; data: unknown };
      const { event: type, createdAt, data } = event;
      const notice = compose({ accountId: at.accountId, type, createdAt: new Date(createdAt), data });
      if (notice === null) return { outcome: unsent("expired"), signed: null };
      const outcome = await this.#post(channel, notice, delivery.id, signal);
      return { outcome: await this.#judged(at, channel, outcome), signed: null };
    } catch (error) {
      return { outcome: { kind: "ours", error }, signed: null };
    }
  }

  /** Sends a test at once. Null: the account has no such channel. */
  async test(
    at: { readonly accountId: string; readonly channelId: string },
    notice: Notice,
    signing: () => Promise<Signing | undefined>,
    signal: AbortSignal,
  ): Promise<ChannelTest | null> {
    const { database, masterKey, clock } = this.#options;
    const channel = await openChannel(database, masterKey, at);
    if (channel === null) return null;
    const id = newId();
    const body = Buffer.from(
      JSON.stringify({
        event: "channel.test",
        deliveryRevision: 1,
        eventId: id,
        createdAt: clock.now().toISOString(),
        data: { channelId: at.channelId, text: notice.title },
      }),
    );
    const sent =
      channel.kind === "webhook"
        ? (
            await this.#sendSigned(channel.secret, { ...at, id, url: "", body }, signing, signal, {
              "X-Service-Test": "true",
            })
          ).outcome
        : await this.#post(channel, notice, id, signal);
    if (sent.kind === "ours") throw sent.error;
    // An incident that a test has opened is not left to whoever is on call.
    if (channel.kind === "pagerduty" && isAccepted(sent))
      await this.#post(channel, { ...notice, incident: { ...notice.incident, isOver: true } }, newId(), signal);
    const judged = await this.#judged(at, channel, sent);
    if (judged.kind === "ours") throw judged.error;
    const status = judged.kind === "replied" ? judged.status : null;
    const passed = isAccepted(judged);
    return {
      ...{ passed, status, fault: judged.fault, durationMs: judged.durationMs },
      detail: passed ? passedWords[channel.kind] : (problemOf(channel.kind, judged) ?? ""),
    };
  }

  async #sendSigned(
    url: string,
    { id, accountId, body }: ToSend,
    readSigning: () => Promise<Signing | undefined>,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Sent> {
    const { sender, clock } = this.#options;
    const signing = await readSigning();
    if (signing === undefined) throw new Error(`The account ${accountId} has no signing secret.`);
    const request = signRequest(signing, { deliveryId: id, url, body }, clock.now());
    return { outcome: await sender.send({ ...request, headers }, signal), signed: request.signed };
  }

  #post({ kind, secret, region }: OpenChannel, notice: Notice, deliveryId: string, signal: AbortSignal) {
    const { sender, pagerDuty = pagerDutyEndpoints } = this.#options;
    const message =
      kind === "pagerduty"
        ? { url: pagerDuty[region ?? "us"], body: pagerDutyEvent(notice, secret) }
        : { url: secret, body: kind === "slack" ? slackMessage(notice) : teamsMessage(notice) };
    return sender.post({ ...message, deliveryId }, signal);
  }

  /** Adds what a reply means for the channel, and records it. */
  async #judged(
    at: { readonly accountId: string; readonly channelId: string },
    { kind }: OpenChannel,
    outcome: SendOutcome,
  ): Promise<SendOutcome> {
    if (outcome.kind === "ours") return outcome;
    const meaning = outcome.kind === "replied" ? meaningOf(kind, outcome.status, outcome.snippet) : "again";
    const health = {
      delivered: isAccepted(outcome),
      isGone: meaning === "gone",
      problem: isAccepted(outcome) ? null : problemOf(kind, outcome),
    };
    // The message may have arrived, so an error here must not repeat it.
    await recordChannelHealth(this.#options.database, at, health).catch(() => undefined);
    if (meaning === "again") return outcome;
    return { ...outcome, about: { isFinal: true, isOfRecipient: true } };
  }
}

const unsent = (fault: "channel_removed" | "channel_gone" | "expired"): SendOutcome => ({
  ...{ kind: "faulted", fault, durationMs: 0 },
  about: { isFinal: true, isOfRecipient: true },
});

const isAccepted = (outcome: SendOutcome): boolean =>
  outcome.kind === "replied" && outcome.status >= 200 && outcome.status < 300;

/** What Slack's replies say when the webhook, its channel or its workspace is not there any more. */
const slackGone =
  /\b(no_service|no_team|no_active_hooks|invalid_token|team_disabled|channel_not_found|channel_is_archived)\b/;

/**
 * What a reply means: tried again later, never accepted as it is, or nothing will be. As the vendors document it: Slack replies with a
 * short text, a removed workflow of Teams with 404, and PagerDuty with 400 to a key that it does not know.
 */
export function meaningOf(kind: ChannelKind, status: number, reply: string): "again" | "refused" | "gone" {
  if (status === 410) return "gone";
  switch (kind) {
    case "slack":
      if (status === 404 || ((status === 400 || status === 403) && slackGone.test(reply))) return "gone";
      return status === 400 || status === 413 ? "refused" : "again";
    case "teams":
      if (status === 404) return "gone";
      // 400 is also the reply of a workflow that is switched off for now.
      return status === 413 ? "refused" : "again";
    case "pagerduty":
      if (status !== 400) return "again";
      return /routing[ _]key/i.test(reply) ? "gone" : "refused";
    case "webhook":
      return "again";
  }
}

const passedWords: Readonly<Record<ChannelKind, string>> = {
  slack: "Slack has posted the message.",
  teams:
    "The workflow has accepted the message. Look whether it has arrived in Teams: the workflow posts it afterwards.",
  pagerduty: "PagerDuty has accepted the event, and its resolution.",
  webhook: "The endpoint has accepted the signed test.",
};

const services: Readonly<Record<ChannelKind, string>> = {
  slack: "Slack",
  teams: "The workflow of Teams",
  pagerduty: "PagerDuty",
  webhook: "The endpoint",
};

const goneWords: Readonly<Record<ChannelKind, string>> = {
  slack: "Create an incoming webhook anew in Slack, and store its address here.",
  teams: "Create the workflow anew in Teams, and store its address here.",
  pagerduty: "Copy the integration key of the service in PagerDuty, and store it here.",
  webhook: "Store another address.",
};

const replyCharsMax = 200;

function problemOf(kind: ChannelKind, outcome: SendOutcome): string | null {
  if (outcome.kind === "ours") return null;
  if (outcome.kind === "faulted") return faults[outcome.fault] ?? `The request failed: ${outcome.fault}.`;
  const { status, snippet } = outcome;
  const text = snippet.replace(/\s+/g, " ").trim();
  const reply = text === "" ? "" : `: ${[...text].slice(0, replyCharsMax).join("")}`;
  const what = `${services[kind]} replied with ${status}${reply}.`;
  if (meaningOf(kind, status, snippet) === "gone")
    return `${what} The address is not valid any more. ${goneWords[kind]}`;
  if (status >= 300 && status < 400) return `${what} Redirects are not followed: store the address that it leads to.`;
  if (status === 429) return `${what} It takes no more messages for now.`;
  return what;
}

const faults: Readonly<Partial<Record<DeliveryFault, string>>> = {
  dns: "The name of the host could not be resolved.",
  address: "The address is not one of a public host, and the operator has not allowed it.",
  connect: "Nothing answers at the address.",
  tls: "There is no trusted TLS with the host.",
  timeout: "There was no complete reply within 15 seconds. The message may have arrived.",
  reset: "The connection was closed before the reply. The message may have arrived.",
  too_large: "The reply is too long.",
  malformed: "The reply is not valid HTTP.",
};
