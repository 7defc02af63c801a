import { createHmac } from "node:crypto";

/** What is kept of the headers that sign an attempt: which secret, and what it made of the body. */
export interface Signed {
  readonly secretVersion: number;
  readonly signature: string;
  readonly previousSignature?: string;
}

/** Signs a body with the secrets as they are now. */
export function sign(
  { secret, secretVersion, previousSecret }: { secret: string; secretVersion: number; previousSecret: string | null },
  body: Uint8Array,
): Signed {
  return {
    secretVersion,
    signature: signature(secret, body),
    ...(previousSecret !== null && { previousSignature: signature(previousSecret, body) }),
  };
}

/** The headers of an attempt that begins `at`. */
export function signatureHeaders(signed: Signed, at: string): Record<string, string> {
  return {
    "X-Service-Signature": signed.signature,
    ...(signed.previousSignature !== undefined && { "X-Service-Signature-Previous": signed.previousSignature }),
    "X-Service-Secret-Version": String(signed.secretVersion),
    "X-Service-Timestamp": at,
  };
}

/** `X-Service-Signature` over the exact bytes of a body. The key is the whole secret as shown, `whsec_` included, in UTF-8. */
export function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
