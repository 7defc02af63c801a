import { Type, type Static } from "typebox";
import { AnyNotification, EventType, eventTypes } from "./event.ts";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

export const deliveryStates = ["pending", "delivered", "failed", "skipped", "superseded"] as const;
export const DeliveryState = Type.Enum([...deliveryStates], {
  description:
    "`pending`: being sent, or waiting for its next attempt. `delivered`: the receiver returned a 2xx status. `failed`: no further attempts are made, for the reason in `failureReason`. `skipped`: no endpoint was set when the task ended. `superseded`: replaced by a redelivery or by the notification of a new revision before it was delivered.",
});
export type DeliveryState = (typeof deliveryStates)[number];

/** One webhook delivery: a notification for one endpoint, with one id. */
const deliveryFields = {
  deliveryId: Type.String({ format: "uuid", description: "The value of the `X-Service-Delivery` header." }),
  event: EventType,
  taskId: Nullable(Uuid, { description: "Null for an event of the account, whose id is `eventId`." }),
  eventId: Nullable(Uuid, { description: "The event of the account that it is of. Null: it is of a task." }),
  deliveryRevision: Type.Integer({
    minimum: 1,
    description:
      "1 when the task ends, and 1 higher with each requested redelivery and each new revision of the result.",
  }),
  state: DeliveryState,
  phase: Nullable(Type.Enum(["queued", "in_flight", "waiting", "held"]), {
    description:
      "The phase of a pending delivery. `queued`: ready to be sent. `in_flight`: being sent. `waiting`: not sent before `nextAttemptAt`. `held`: the account's endpoint is suspended. Null in every other state.",
  }),
  url: Nullable(Type.String(), {
    description:
      "The endpoint that it is sent to, `mailto:` and the recipient of a mail, or `channel:` and the id of a channel. Null if it was skipped.",
  }),
  toAccountDefault: Type.Boolean({
    description: "True if it goes to the account's endpoint, and not to one of the task's own or to a recipient.",
  }),
  attemptCount: Type.Integer({ minimum: 0, description: "The number of attempts." }),
  nextAttemptAt: Nullable(Timestamp, {
    description: "Null while it is being sent or held, and after it has finished.",
  }),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  waitingFor: Nullable(Type.Enum(["turn", "retry", "receiver_failing", "endpoint_suspended"]), {
    description:
      "What a pending delivery is waiting for. `turn`: its turn among the deliveries to the same receiver. `retry`: its next attempt. `receiver_failing`: the receiver failed several times in a row, and nothing is sent to it before `nextAttemptAt`. `endpoint_suspended`: the account's endpoint to be set again or to pass a test. In this case the delivery fails once it is 3 days older than the retention period of results. Null while it is being sent, and after it has finished.",
  }),
  failureReason: Nullable(
    Type.Enum([
      "gone",
      "attempts_exhausted",
      "endpoint_suspended",
      "refused",
      "unsubscribed",
      "expired",
      "channel_removed",
    ]),
    {
      description:
        "Why the delivery failed. `gone`: the receiver returned 410, or the channel was gone. `attempts_exhausted`: 14 attempts failed. `endpoint_suspended`: the account's endpoint remained suspended until after the result had expired. Of mails: `refused`: the mail server does not take it for this recipient, and would not later. `unsubscribed`: the recipient unsubscribed before it was sent. `expired`: the report is no longer stored. Of channels: `gone`: the service behind it says that the address does not exist any more. `refused`: it does not take the message. `channel_removed`: the channel was deleted. Null in every other state.",
    },
  ),
} as const;

export const DeliveryRecord = Type.Object(deliveryFields);
export type DeliveryRecord = Static<typeof DeliveryRecord>;

export const DeliveryPage = Type.Object({
  deliveries: Type.Array(DeliveryRecord),
  nextCursor: Nullable(Type.String()),
});
export type DeliveryPage = Static<typeof DeliveryPage>;

export const deliveryFaults = [
  "dns",
  "address",
  "connect",
  "tls",
  "timeout",
  "reset",
  "too_large",
  "malformed",
  "not_set_up",
  "unsubscribed",
  "expired",
  "channel_removed",
  "channel_gone",
] as const;
export const DeliveryFault = Type.Enum([...deliveryFaults], {
  description:
    "Why there is no complete response. `dns`: the host name could not be resolved. `address`: the host's address is not allowed. `connect`: the connection could not be established. `tls`: the handshake failed, or the certificate is invalid. `timeout`: the response took too long. `reset`: the connection was closed. `too_large`: the response or its headers exceed the limit. `malformed`: the response is not valid HTTP, or SMTP. Of mails: `not_set_up`: the operator has not set up mail in the process that sends. `unsubscribed`: the recipient had unsubscribed, so nothing was sent. `expired`: the report is no longer stored, so nothing was sent. Of channels: `channel_removed`: the channel had been deleted, so nothing was sent. `channel_gone`: the channel was gone before, so nothing was sent.",
});

export const DeliveryAttempt = Type.Object({
  attempt: Type.Integer({ minimum: 1 }),
  startedAt: Timestamp,
  durationMs: Type.Integer({ minimum: 0 }),
  status: Nullable(Type.Integer(), {
    description:
      "The HTTP status that the receiver returned, or the reply code of the mail server. Null if it returned none.",
  }),
  fault: Nullable(DeliveryFault),
  responseSnippet: Nullable(Type.String(), {
    description: "The first 8 KiB of the response body, or the mail server's reply, as text.",
  }),
  nextAttemptAt: Nullable(Timestamp, { description: "The time of the next attempt, as scheduled after this one." }),
  headers: Nullable(Type.Record(Type.String(), Type.String()), {
    description:
      "The signature headers of this attempt, as sent: `X-Service-Signature`, `X-Service-Secret-Version`, `X-Service-Timestamp`, those of Standard Webhooks and, during a rotation with an overlap, `X-Service-Signature-Previous`. Null for attempts made by versions that did not store them.",
  }),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    attempts: Type.Array(DeliveryAttempt, { description: "Oldest first." }),
    request: Nullable(
      Type.Object({
        method: Type.Literal("POST"),
        headers: Type.Record(Type.String(), Type.String(), {
          description:
            "The headers that are the same for every attempt. The signature headers are added when an attempt is made.",
        }),
        body: Type.String({ description: "The body as text, exactly as it is signed." }),
        bodyOrigin: Type.Enum(["kept", "rebuilt"], {
          description:
            "`kept`: the stored body. `rebuilt`: created from the current task record, because a body is deleted when no further attempt will be made. It differs from what was sent if the result has been replaced or has expired since.",
        }),
      }),
      {
        description:
          "The request that is sent. Null if the delivery was skipped, and of a mail and a channel, whose messages are made from the event when they are sent.",
      },
    ),
  },
  { description: "A delivery with all its attempts and the request that is sent." },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** Deliveries that recovery takes up again. */
export const recoverableStates = ["failed", "skipped"] as const;
export const recoveryMax = 10_000;
/** The highest revision that a redelivery on request makes: they cost no points, and each is stored. */
export const redeliveryRevisionMax = 100;

export const RecoveryRequest = Closed({
  since: Type.String({
    format: "utc-date-time",
    description: "Deliveries created at this time or later. ISO 8601 UTC, ending in `Z`.",
  }),
  until: OptionalOrNull(UtcTimestamp),
  states: OptionalOrNull(
    Type.Array(Type.Enum([...recoverableStates]), {
      minItems: 1,
      uniqueItems: true,
      description: "Default: both.",
    }),
  ),
  limit: OptionalOrNull(
    Type.Integer({
      minimum: 1,
      maximum: recoveryMax,
      description: `The maximum number of redeliveries per request. Default: ${recoveryMax.toLocaleString("en")}.`,
    }),
  ),
});
export type RecoveryRequest = Static<typeof RecoveryRequest>;

export const RecoveryReply = Type.Object({
  redeliveredCount: Type.Integer({ minimum: 0, description: "The number of redeliveries created by this request." }),
  remaining: Type.Integer({
    minimum: 0,
    description:
      "The number of deliveries between `since` and `until` that remain, counted up to 100,000. Repeat the request with the returned `until` until it is 0.",
  }),
  unaddressed: Type.Integer({
    minimum: 0,
    description:
      "The number of deliveries that cannot be redelivered because the account has no endpoint, counted up to 100,000. Set one, and repeat the request.",
  }),
  until: Timestamp,
});
export type RecoveryReply = Static<typeof RecoveryReply>;

export const WebhookTest = Closed({
  url: OptionalOrNull(
    Type.String({
      format: "https-url",
      maxLength: 2048,
      description: "A URL to test instead of the account's endpoint, for example before setting it.",
    }),
  ),
  event: OptionalOrNull(
    Type.Enum(eventTypes, {
      default: "task.finished",
      description:
        "The type of event that the webhook is of, with invented data, whether the account has subscribed to it or not.",
    }),
  ),
  resultOmitted: OptionalOrNull(
    Type.Boolean({
      default: false,
      description: "Sends `task.finished` in the form that it has if the result is too large for a webhook.",
    }),
  ),
});
export type WebhookTest = Static<typeof WebhookTest>;

export const WebhookTestReply = Type.Object({
  passed: Type.Boolean({ description: "True if the receiver returned a 2xx status." }),
  url: HttpsUrl,
  deliveryId: Uuid,
  status: Nullable(Type.Integer()),
  fault: Nullable(DeliveryFault),
  durationMs: Type.Integer({ minimum: 0 }),
  responseSnippet: Nullable(Type.String()),
  suspensionLifted: Type.Boolean({
    description:
      "True if the account's endpoint was suspended and this test lifted the suspension. Held deliveries are now sent.",
  }),
});
export type WebhookTestReply = Static<typeof WebhookTestReply>;

/** One event of the feed: the end of a task, a new revision of its result, or an event of the account. */
export const FeedEvent = Type.Object({
  cursor: Type.String({ description: "The position in the feed. Also the `id` of the server-sent event." }),
  deliveryId: Type.String({
    format: "uuid",
    description: "The `X-Service-Delivery` of the webhook for this event.",
  }),
  createdAt: Timestamp,
  notification: AnyNotification,
});

export const EventPage = Type.Object({
  events: Type.Array(FeedEvent, { description: "Oldest first." }),
  nextCursor: Type.String({ description: "Pass it as `after` to continue, also after an empty page." }),
  hasMore: Type.Boolean({ description: "True if more events are available now." }),
});
/** A page of events of these types. */
export type EventPage<Types extends EventType = "task.finished"> = Omit<Static<typeof EventPage>, "events"> & {
  events: (Omit<Static<typeof FeedEvent>, "notification"> & {
    notification: Extract<AnyNotification, { event: Types }>;
  })[];
};
