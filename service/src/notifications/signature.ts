import { createHmac } from "node:crypto";

/** `X-Service-Signature` over the exact bytes of a body. The key is the whole secret as shown, `whsec_` included, in UTF-8. */
export function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
