/**
 * Signatures of webhooks, with WebCrypto, which is available in Node, browsers and workers. `crypto.subtle.verify` compares
 * in constant time.
 */
export class SignatureError extends Error {
  name = "SignatureError";
  fault;
  constructor(fault, message) {
    super(message);
    this.fault = fault;
  }
}
const encoder = new TextEncoder();
/** The value of `X-Service-Signature` for a body. */
export async function sign(body, secret) {
  const key = await hmacKey(secret);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(body)));
  return `sha256=${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
/** Resolves if the signature is valid. Otherwise rejects with a `SignatureError` that explains why. */
export async function verify({ body, headers, secret }) {
  const bytes = bytesOf(body);
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => typeof one !== "string" || one === ""))
    throw new SignatureError("secret_malformed", "The signing secret is empty. Read it with GET /v1/webhook.");
  const current = headerOf(headers, "x-service-signature");
  if (current === null)
    throw new SignatureError(
      "signature_missing",
      "The X-Service-Signature header is missing. The request is not from the service, or a proxy removed the header.",
    );
  const previous = headerOf(headers, "x-service-signature-previous");
  const digest = digestOf(current);
  for (const [matched, given] of [
    ["current", digest],
    ["previous", previous === null ? null : digestOf(previous)],
  ]) {
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
export function bytesOf(body) {
  if (typeof body === "string") return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new SignatureError(
    "body_not_raw",
    "The body is not raw: it has already been parsed. Verify the raw body. In Express, use express.raw for this route.",
  );
}
function headerOf(headers, name) {
  if (isHeaders(headers)) return headers.get(name);
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return entry?.[1] === undefined ? null : String([entry[1]].flat()[0]);
}
const isHeaders = (headers) => typeof headers["get"] === "function";
function digestOf(signature) {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature.trim())?.[1];
  if (hex === undefined)
    throw new SignatureError(
      "signature_malformed",
      "X-Service-Signature is malformed. It must be `sha256=` followed by 64 hexadecimal digits.",
    );
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}
function hmacKey(secret) {
  const hash = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", encoder.encode(secret), hash, false, ["sign", "verify"]);
}
async function isDigest(body, secret, digest) {
  return crypto.subtle.verify("HMAC", await hmacKey(secret), digest, body);
}
/** Checks for common mistakes. Never reveals the secret or the correct digest. */
async function explain(body, digest, secrets, headers) {
  for (const secret of secrets) {
    const bare = secret.trim().replaceAll(/^["']|["']$/g, "");
    if (bare !== secret && bare !== "" && (await isDigest(body, bare, digest)))
      return "The signing secret has white space or quotes around it. Without them, the signature is valid.";
    if (!secret.startsWith("whsec_") && (await isDigest(body, `whsec_${bare}`, digest)))
      return "The key must be the whole secret, `whsec_` included. With it, the signature is valid.";
    for (const { text, words } of rewritings(new TextDecoder().decode(body))) {
      if (await isDigest(encoder.encode(text), secret, digest)) return words;
    }
  }
  const version = headerOf(headers, "x-service-secret-version");
  return `The signature does not match this body and secret.${version === null ? "" : ` It was created with version ${version} of the secret. Check that you use this version.`} Verify the raw body, not JSON that was parsed and serialized again.`;
}
function rewritings(text) {
  const tries = [
    {
      text: text.trim(),
      words: "The body has white space at its end or beginning that was not sent, for example from an editor.",
    },
  ];
  try {
    tries.push({
      text: JSON.stringify(JSON.parse(text)),
      words: "The body was parsed and written again, so its bytes differ from those that were signed.",
    });
  } catch {
    // The body is not JSON, so it was not serialized again.
  }
  return tries.filter((one) => one.text !== text);
}
