import { createHmac } from "node:crypto";

/** The stored part of the headers that sign an attempt: which secret was used, and the signatures. */
export interface Signed {
  readonly secretVersion: number;
  readonly signature: string;
  readonly previousSignature?: string;
  /** `Webhook-Signature`; absent for attempts from before this header was sent. */
  readonly standardSignature?: string;
}

/** The signing secrets of an account. */
export interface Signing {
  readonly secret: string;
  readonly secretVersion: number;
  /** Set while the former secret is still valid beside the current one. */
  readonly previousSecret: string | null;
}

/** One attempt, ready to be sent. */
export interface SignedRequest {
  readonly deliveryId: string;
  readonly url: string;
  readonly body: Buffer;
  readonly signed: Signed;
  /** When it was signed. */
  readonly at: Date;
  /** The headers beside those that every delivery carries. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signs an attempt with the secrets as they are now. */
export function signRequest(
  signing: Signing,
  { deliveryId, url, body }: Pick<SignedRequest, "deliveryId" | "url" | "body">,
  at: Date,
): SignedRequest {
  return { deliveryId, url, body, signed: sign(signing, { deliveryId, body, at }), at };
}

interface Attempt {
  readonly deliveryId: string;
  readonly body: Uint8Array;
  /** When it begins. */
  readonly at: Date;
}

function sign({ secret, secretVersion, previousSecret }: Signing, attempt: Attempt): Signed {
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    secretVersion,
    signature: signature(secret, attempt.body),
    ...(previousSecret !== null && { previousSignature: signature(previousSecret, attempt.body) }),
    standardSignature: secrets.map((each) => standardSignature(each, attempt)).join(" "),
  };
}

/** The headers of an attempt: ours, and those of Standard Webhooks. */
export function signatureHeaders(signed: Signed, { deliveryId, at }: Omit<Attempt, "body">): Record<string, string> {
  return {
    "X-Service-Signature": signed.signature,
    ...(signed.previousSignature !== undefined && { "X-Service-Signature-Previous": signed.previousSignature }),
    "X-Service-Secret-Version": String(signed.secretVersion),
    "X-Service-Timestamp": at.toISOString(),
    ...(signed.standardSignature !== undefined && {
      "Webhook-Id": deliveryId,
      "Webhook-Timestamp": unixSeconds(at),
      "Webhook-Signature": signed.standardSignature,
    }),
  };
}

/** `X-Service-Signature` over the exact bytes of a body. The key is the whole secret as shown, including `whsec_`, in UTF-8. */
export function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** One signature of `Webhook-Signature`, over id, time and body, with the same key. */
function standardSignature(secret: string, { deliveryId, body, at }: Attempt): string {
  const signed = createHmac("sha256", secret)
    .update(`${deliveryId}.${unixSeconds(at)}.`)
    .update(body);
  return `v1,${signed.digest("base64")}`;
}

const unixSeconds = (at: Date) => String(Math.floor(at.getTime() / 1000));
