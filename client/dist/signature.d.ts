/**
 * Signatures of webhooks, with WebCrypto, which is available in Node, browsers and workers. `crypto.subtle.verify` compares
 * in constant time.
 */
export type RawBody = Uint8Array | ArrayBuffer | string;
export type HeaderSource =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | number | undefined>>;
/** Why a signature is not accepted. */
export type SignatureFault =
  | "body_not_raw"
  | "secret_malformed"
  | "signature_missing"
  | "signature_malformed"
  | "signature_mismatch"
  | "body_malformed";
export declare class SignatureError extends Error {
  readonly name = "SignatureError";
  readonly fault: SignatureFault;
  constructor(fault: SignatureFault, message: string);
}
export interface VerifyInput {
  /** The raw body, before parsing. */
  readonly body: RawBody;
  readonly headers: HeaderSource;
  /** The whole `signingSecret`, or several of which one must match. */
  readonly secret: string | readonly string[];
}
export interface Verified {
  /** The delivery id. Ignore ids that you have already processed. */
  readonly deliveryId: string | null;
  /** `previous`: your secret is the previous one, during a rotation with an overlap. */
  readonly matched: "current" | "previous";
  readonly secretVersion: number | null;
  /** True for webhooks sent by `POST /v1/webhook/test`. */
  readonly isTest: boolean;
}
/** The value of `X-Service-Signature` for a body. */
export declare function sign(body: RawBody, secret: string): Promise<string>;
/** Resolves if the signature is valid. Otherwise rejects with a `SignatureError` that explains why. */
export declare function verify({ body, headers, secret }: VerifyInput): Promise<Verified>;
export declare function bytesOf(body: unknown): Uint8Array<ArrayBuffer>;
