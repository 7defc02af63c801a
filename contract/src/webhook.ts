import { Type, type Static } from "typebox";
import { EventType } from "./event.ts";
import { DeliveryFault } from "./delivery.ts";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, Timestamp } from "./scalars.ts";

export const suspensionReasons = ["gone", "failing"] as const;

/** The webhook settings of an account. */
export const WebhookRecord = Type.Object({
  url: Nullable(HttpsUrl, { description: "The account's webhook endpoint. Null if none is set." }),
  signingSecret: Type.String({
    description: "`whsec_<base64url>`. The HMAC key is the whole string, as UTF-8 bytes.",
  }),
  secretVersion: Type.Integer({ minimum: 1 }),
  events: Type.Array(EventType, {
    description: "The types of events that the account is told of. `task.finished` is always among them.",
  }),
  status: Type.Enum(["active", "suspended", "unset"]),
  suspendedAt: Nullable(Timestamp),
  suspendedReason: Nullable(Type.Enum([...suspensionReasons]), {
    description:
      "Why the endpoint is suspended. `gone`: it returned 410. `failing`: all attempts have failed for days. Null while it is not suspended.",
  }),
  lastSuccessAt: Nullable(Timestamp),
  lastFailureAt: Nullable(Timestamp, {
    description: "The last failed attempt to deliver to the endpoint. Null after a success, and for a new endpoint.",
  }),
  lastFailureStatus: Nullable(Type.Integer(), {
    description: "The status that the endpoint returned. Null if it returned none.",
  }),
  lastFailureFault: Nullable(DeliveryFault),
});
export type WebhookRecord = Static<typeof WebhookRecord>;

const readOnly = Type.Optional(
  Type.Unknown({ readOnly: true, description: "Ignored. Accepted so that a record that was read can be sent back." }),
);

/** A change of the settings. A record that was read can be sent back with another `url` or other `events`: its other members are ignored. */
export const WebhookChange = Closed({
  url: Nullable(HttpsUrl),
  events: OptionalOrNull(
    Type.Array(EventType, {
      uniqueItems: true,
      description:
        "The types of events to be told of, by webhook and in the event feed. `task.finished` cannot be left out. Omitted: as they are, at first only `task.finished`.",
    }),
  ),
  signingSecret: readOnly,
  secretVersion: readOnly,
  status: readOnly,
  suspendedAt: readOnly,
  suspendedReason: readOnly,
  lastSuccessAt: readOnly,
  lastFailureAt: readOnly,
  lastFailureStatus: readOnly,
  lastFailureFault: readOnly,
});
export type WebhookChange = Static<typeof WebhookChange>;

export const SecretRotation = Closed({
  previousSecretValidSeconds: OptionalOrNull(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description:
        "For this time, webhooks also carry `X-Service-Signature-Previous`, created with the previous secret. Default: 0.",
    }),
  ),
});
export type SecretRotation = Static<typeof SecretRotation>;
