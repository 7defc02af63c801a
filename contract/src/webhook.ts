import { Type, type Static } from "typebox";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, Timestamp } from "./scalars.ts";

/** Webhook configuration record: interface 2.8 with the additive `status`, `suspendedAt`, `lastSuccessAt`. */
export const WebhookRecord = Type.Object({
  url: Nullable(HttpsUrl, { description: "Account default notification address; null when unset." }),
  signingSecret: Type.String({
    description: "`whsec_<base64url>`. The whole string, as UTF-8 bytes, is the HMAC key.",
  }),
  secretVersion: Type.Integer({ minimum: 1 }),
  status: Type.Enum(["active", "suspended", "unset"]),
  suspendedAt: Nullable(Timestamp),
  lastSuccessAt: Nullable(Timestamp),
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
  lastSuccessAt: readOnly("lastSuccessAt"),
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
