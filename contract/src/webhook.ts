import { Type, type Static } from "typebox";
import { Closed, HttpsUrl, Nullable, Timestamp } from "./scalars.ts";

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

export const WebhookChange = Closed({ url: Nullable(HttpsUrl) });
export type WebhookChange = Static<typeof WebhookChange>;

export const SecretRotation = Closed({
  previousSecretValidSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 0,
      description: "For so long, notifications also carry `X-Service-Signature-Previous`, made with the secret before.",
    }),
  ),
});
export type SecretRotation = Static<typeof SecretRotation>;
