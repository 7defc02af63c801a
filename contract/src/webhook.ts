import { Type, type Static } from "typebox";
import { DeliveryFault } from "./delivery.ts";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, Timestamp } from "./scalars.ts";

export const suspensionReasons = ["gone", "failing"] as const;

/** Webhook configuration record: interface 2.8 with the additive `status`, `suspendedAt`, `lastSuccessAt`. */
export const WebhookRecord = Type.Object({
  url: Nullable(HttpsUrl, { description: "Account default notification address; null when unset." }),
  signingSecret: Type.String({
    description: "`whsec_<base64url>`. The whole string, as UTF-8 bytes, is the HMAC key.",
  }),
  secretVersion: Type.Integer({ minimum: 1 }),
  status: Type.Enum(["active", "suspended", "unset"]),
  suspendedAt: Nullable(Timestamp),
  suspendedReason: Nullable(Type.Enum([...suspensionReasons]), {
    description:
      "Why the address is suspended. `gone`: it answered 410 once, which says that it is not there any more. `failing`: attempts to it have failed for days, and none succeeded. Null while it is not suspended.",
  }),
  lastSuccessAt: Nullable(Timestamp),
  lastFailureAt: Nullable(Timestamp, {
    description: "The last failed attempt to the address; null after a success, and for a new address.",
  }),
  lastFailureStatus: Nullable(Type.Integer(), { description: "The status that it was answered; null when none came." }),
  lastFailureFault: Nullable(DeliveryFault),
});
export type WebhookRecord = Static<typeof WebhookRecord>;

const readOnly = (name: string) =>
  Type.Optional(Type.Unknown({ readOnly: true, description: `Ignored: \`${name}\` of the record that was read.` }));

/** What is set. The record that was read can be sent back with another `url`: its other members are ignored. */
export const WebhookChange = Closed({
  url: Nullable(HttpsUrl),
  signingSecret: readOnly("signingSecret"),
  secretVersion: readOnly("secretVersion"),
  status: readOnly("status"),
  suspendedAt: readOnly("suspendedAt"),
  suspendedReason: readOnly("suspendedReason"),
  lastSuccessAt: readOnly("lastSuccessAt"),
  lastFailureAt: readOnly("lastFailureAt"),
  lastFailureStatus: readOnly("lastFailureStatus"),
  lastFailureFault: readOnly("lastFailureFault"),
});
export type WebhookChange = Static<typeof WebhookChange>;

export const SecretRotation = Closed({
  previousSecretValidSeconds: OptionalOrNull(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description:
        "For so long, notifications also carry `X-Service-Signature-Previous`, made with the secret before. 0 when left out.",
    }),
  ),
});
export type SecretRotation = Static<typeof SecretRotation>;
