import { createHmac } from "node:crypto";

/** `X-Service-Signature` over the exact bytes of a body. The key is the whole secret as shown, `whsec_` included, in UTF-8. */
export function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export interface Signed {
  readonly deliveryId: string;
  readonly body: Uint8Array;
  readonly at: Date;
  /** The current one first. */
  readonly secrets: readonly string[];
}

/** The headers of Standard Webhooks, over id, time and body, with the same key: one signature for each secret that is valid. */
export function standardHeaders({ deliveryId, body, at, secrets }: Signed): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const sign = (secret: string) =>
    `v1,${createHmac("sha256", secret).update(`${deliveryId}.${seconds}.`).update(body).digest("base64")}`;
  return {
    "Webhook-Id": deliveryId,
    "Webhook-Timestamp": seconds,
    "Webhook-Signature": secrets.map(sign).join(" "),
  };
}
