import { Type, type Static } from "typebox";
import { Notification } from "./notification.ts";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

export const deliveryStates = ["pending", "delivered", "failed", "skipped", "superseded"] as const;
export const DeliveryState = Type.Enum([...deliveryStates], {
  description:
    "`pending`: being sent, or waiting for its next attempt. `delivered`: a 2xx came. `failed`: given up; `failureReason` says why. `skipped`: there was no address when the task ended. `superseded`: a redelivery, or the notification of a new revision, took its place before it was delivered.",
});
export type DeliveryState = (typeof deliveryStates)[number];

/** One delivery: a notification on its way to one address, with one id. */
const deliveryFields = {
  deliveryId: Type.String({ format: "uuid", description: "What the receiver sees as `X-Service-Delivery`." }),
  taskId: Uuid,
  deliveryRevision: Type.Integer({
    minimum: 1,
    description: "1 at the task's end; +1 for each deliberate redelivery and each new revision of the result.",
  }),
  state: DeliveryState,
  phase: Nullable(Type.Enum(["queued", "in_flight", "waiting", "held"]), {
    description:
      "Where a pending delivery stands. `queued`: may be sent now. `in_flight`: being sent. `waiting`: not before `nextAttemptAt`. `held`: the account's address is suspended. Null after the end.",
  }),
  url: Nullable(HttpsUrl, { description: "Where it goes; null when it was skipped." }),
  toAccountDefault: Type.Boolean({ description: "True when the task had no `webhookUrl` of its own." }),
  attemptCount: Type.Integer({ minimum: 0, description: "Attempts made." }),
  nextAttemptAt: Nullable(Timestamp, { description: "Null while it is sent, while it is held, and after the end." }),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  waitingFor: Nullable(Type.Enum(["turn", "retry", "receiver_failing", "endpoint_suspended"]), {
    description:
      "What a pending delivery waits for. `turn`: for its turn among the deliveries to its receiver. `retry`: for its next attempt. `receiver_failing`: the receiver failed several times in a row, and nothing is sent to it before `nextAttemptAt`. `endpoint_suspended`: for the account's address to be set again, or to pass a test. It is given up 3 days after the result has expired, counted from when the delivery was made. Null while it is sent, and after the end.",
  }),
  failureReason: Nullable(Type.Enum(["gone", "attempts_exhausted", "endpoint_suspended"]), {
    description:
      "Why it was given up. `gone`: the receiver answered 410. `attempts_exhausted`: 14 attempts failed. `endpoint_suspended`: the account's address stayed suspended until after the result had expired. Null in every other state.",
  }),
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
] as const;
export const DeliveryFault = Type.Enum([...deliveryFaults], {
  description:
    "What went wrong when no status came, or what cut the answer short after it. `dns`: the name was not resolved. `address`: the host is not one that may be sent to. `connect`: no connection. `tls`: the handshake or the certificate failed. `timeout`: longer than allowed. `reset`: the connection broke. `too_large`: answer or headers beyond the limit. `malformed`: not HTTP.",
});

export const DeliveryAttempt = Type.Object({
  attempt: Type.Integer({ minimum: 1 }),
  startedAt: Timestamp,
  durationMs: Type.Integer({ minimum: 0 }),
  status: Nullable(Type.Integer(), { description: "The receiver's HTTP status; null when none came." }),
  fault: Nullable(DeliveryFault),
  responseSnippet: Nullable(Type.String(), { description: "The first 8 KiB of the answer's body, as text." }),
  nextAttemptAt: Nullable(Timestamp, { description: "When it was to be tried again, as planned then." }),
  headers: Nullable(Type.Record(Type.String(), Type.String()), {
    description:
      "The headers that signed this attempt, as they were sent: `X-Service-Signature`, `X-Service-Secret-Version`, `X-Service-Timestamp`, those of Standard Webhooks and, while a former secret overlapped, `X-Service-Signature-Previous`. Null for attempts from before they were kept.",
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
            "Those that are the same on every attempt. Each attempt adds those that sign it, made when it is sent.",
        }),
        body: Type.String({ description: "The body as text, byte for byte what is signed." }),
        bodyOrigin: Type.Enum(["kept", "rebuilt"], {
          description:
            "`kept`: the very bytes. `rebuilt`: the bytes are dropped once nothing will send them; this is made from the task as it is now, and differs when its result has expired since.",
        }),
      }),
      { description: "What is sent. Null when it was skipped: nothing was." },
    ),
  },
  { description: "A delivery with every attempt and what it sends." },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** Deliveries that recovery takes up again. */
export const recoverableStates = ["failed", "skipped"] as const;
export const recoveryMax = 10_000;

export const RecoveryRequest = Closed({
  since: Type.String({
    format: "utc-date-time",
    description: "Deliveries made at this time or later. ISO 8601 UTC, ending in `Z`.",
  }),
  until: OptionalOrNull(UtcTimestamp),
  states: OptionalOrNull(
    Type.Array(Type.Enum([...recoverableStates]), {
      minItems: 1,
      uniqueItems: true,
      description: "Both when left out.",
    }),
  ),
  limit: OptionalOrNull(
    Type.Integer({
      minimum: 1,
      maximum: recoveryMax,
      description: `Redeliveries that this call makes at most. ${recoveryMax.toLocaleString("en")} when left out.`,
    }),
  ),
});
export type RecoveryRequest = Static<typeof RecoveryRequest>;

export const RecoveryReply = Type.Object({
  redeliveredCount: Type.Integer({ minimum: 0, description: "Redeliveries that this call made." }),
  remaining: Type.Integer({
    minimum: 0,
    description:
      "What is left between `since` and `until`; counted to 100,000. Send the same request with this `until` until it is 0.",
  }),
  unaddressed: Type.Integer({
    minimum: 0,
    description:
      "What can't be redelivered because the account has no address; counted to 100,000. Set one, then ask again.",
  }),
  until: Timestamp,
});
export type RecoveryReply = Static<typeof RecoveryReply>;

export const WebhookTest = Closed({
  url: OptionalOrNull(
    Type.String({
      format: "https-url",
      maxLength: 2048,
      description: "Another address than the account's, such as one that is about to be set.",
    }),
  ),
});
export type WebhookTest = Static<typeof WebhookTest>;

export const WebhookTestReply = Type.Object({
  passed: Type.Boolean({ description: "True when the receiver answered 2xx." }),
  url: HttpsUrl,
  deliveryId: Uuid,
  status: Nullable(Type.Integer()),
  fault: Nullable(DeliveryFault),
  durationMs: Type.Integer({ minimum: 0 }),
  responseSnippet: Nullable(Type.String()),
  suspensionLifted: Type.Boolean({
    description: "True when the account's address was suspended and this test ended that; what was held goes out now.",
  }),
});
export type WebhookTestReply = Static<typeof WebhookTestReply>;

/** One end of a task in the feed. */
export const FeedEvent = Type.Object({
  cursor: Type.String({ description: "Position in the feed; the `id` of a server-sent event." }),
  deliveryId: Type.String({
    format: "uuid",
    description: "The notification of this event carries it as `X-Service-Delivery`.",
  }),
  createdAt: Timestamp,
  notification: Notification,
});

export const EventPage = Type.Object({
  events: Type.Array(FeedEvent, { description: "Oldest first." }),
  nextCursor: Type.String({ description: "Send it as `after` to go on, also when the page is empty." }),
  hasMore: Type.Boolean({ description: "True when more events are there already." }),
});
