/**
 * Signatures of notifications, with WebCrypto: the same in Node, browsers and workers. The comparison is
 * `crypto.subtle.verify`, which takes the same time wherever two digests part.
 */

export type RawBody = Uint8Array | ArrayBuffer | string;

export type HeaderSource =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | number | undefined>>;

/** Why a notification is not believed. */
export type SignatureFault =
  | "body_not_raw"
  | "secret_malformed"
  | "signature_missing"
  | "signature_malformed"
  | "signature_mismatch"
  | "body_malformed";

export class SignatureError extends Error {
  override readonly name = "SignatureError";
  readonly fault: SignatureFault;
  constructor(fault: SignatureFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export interface VerifyInput {
  /** The bytes as they came, before anything has parsed them. */
  readonly body: RawBody;
  readonly headers: HeaderSource;
  /** The whole `signingSecret`; several, when one of them is right. */
  readonly secret: string | readonly string[];
}

export interface Verified {
  /** Drop what you have handled: the same id may come again. */
  readonly deliveryId: string | null;
  /** `previous`: your secret is the one before; a rotation with an overlap is under way. */
  readonly matched: "current" | "previous";
  readonly secretVersion: number | null;
  /** True for what `POST /v1/webhook/test` sends. */
  readonly isTest: boolean;
}

const encoder = new TextEncoder();

/** The value of `X-Service-Signature` for a body. */
export async function sign(body: RawBody, secret: string): Promise<string> {
  const key = await hmacKey(secret);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(body)));
  return `sha256=${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Resolves when the notification is the service's; rejects with a `SignatureError` that says what is wrong otherwise. */
export async function verify({ body, headers, secret }: VerifyInput): Promise<Verified> {
  const bytes = bytesOf(body);
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => typeof one !== "string" || one === ""))
    throw new SignatureError("secret_malformed", "The signing secret is empty. Read it with GET /v1/webhook.");
  const current = headerOf(headers, "x-service-signature");
  if (current === null)
    throw new SignatureError(
      "signature_missing",
      "There is no X-Service-Signature header: it is not from the service, or a proxy dropped it.",
    );
  const previous = headerOf(headers, "x-service-signature-previous");
  const digest = digestOf(current);
  for (const [matched, given] of [
    ["current", digest],
    ["previous", previous === null ? null : digestOf(previous)],
  ] as const) {
    for (const one of secrets) {
      if (given !== null && (await isDigest(bytes, one, given))) {
        const version = headerOf(headers, "x-service-secret-version") ?? "";
        return {
          deliveryId: headerOf(headers, "x-service-delivery"),
          matched,
          secretVersion: /^\d{1,9}$/.test(version) ? Number(version) : null,
          isTest: headerOf(headers, "x-service-test") === "true",
        };
      }
    }
  }
  throw new SignatureError("signature_mismatch", await explain(bytes, digest, secrets, headers));
}

export function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new SignatureError(
    "body_not_raw",
    "The body is not bytes: something has parsed it already. Verify what came, byte for byte; in Express, use express.raw on this route.",
  );
}

function headerOf(headers: HeaderSource, name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return entry?.[1] === undefined ? null : String([entry[1]].flat()[0]);
}

const isHeaders = (headers: HeaderSource): headers is Pick<Headers, "get"> => typeof headers["get"] === "function";

function digestOf(signature: string): Uint8Array<ArrayBuffer> {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature.trim())?.[1];
  if (hex === undefined)
    throw new SignatureError(
      "signature_malformed",
      "X-Service-Signature must be `sha256=` and 64 hexadecimal digits; this one is not.",
    );
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

function hmacKey(secret: string) {
  const hash = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", encoder.encode(secret), hash, false, ["sign", "verify"]);
}

async function isDigest(body: Uint8Array<ArrayBuffer>, secret: string, digest: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.verify("HMAC", await hmacKey(secret), digest, body);
}

/** What would have been right, of the mistakes that are made. Never the secret, never the right digest. */
async function explain(
  body: Uint8Array<ArrayBuffer>,
  digest: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
  headers: HeaderSource,
): Promise<string> {
  for (const secret of secrets) {
    const bare = secret.trim().replaceAll(/^["']|["']$/g, "");
    if (bare !== secret && bare !== "" && (await isDigest(body, bare, digest)))
      return "The signing secret has white space or quotes around it; without them the signature is right.";
    if (!secret.startsWith("whsec_") && (await isDigest(body, `whsec_${bare}`, digest)))
      return "The key is the whole secret as it is shown, `whsec_` included; with it the signature is right.";
    for (const { text, words } of rewritings(new TextDecoder().decode(body))) {
      if (await isDigest(encoder.encode(text), secret, digest)) return words;
    }
  }
  const version = headerOf(headers, "x-service-secret-version");
  return `The signature is not this body's with this secret.${version === null ? "" : ` It was made with version ${version} of the secret: is yours that one?`} Verify the bytes as they came, not JSON that was parsed and written again.`;
}

function rewritings(text: string): { text: string; words: string }[] {
  const tries = [
    {
      text: text.trim(),
      words: "The body has white space at its end or beginning that was not sent; a file saved by an editor has.",
    },
  ];
  try {
    tries.push({
      text: JSON.stringify(JSON.parse(text)),
      words: "The body was parsed and written again: its JSON is right, its bytes are not those that were signed.",
    });
  } catch {
    // Not JSON: nothing that was written again.
  }
  return tries.filter((one) => one.text !== text);
}
