import { createHash, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from "node:crypto";

/** An Ed25519 public key, as JWK (RFC 8037). */
export interface PublicKey {
  /** The key's thumbprint (RFC 7638): it is computed from the key, so no key can have another's id. */
  readonly kid: string;
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  /** 32 bytes, base64url. */
  readonly x: string;
}

/** The public part of a key, with its id. Throws if it is not an Ed25519 key. */
export function publicKeyOf(key: KeyObject): PublicKey {
  const { kty, crv, x } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  if (kty !== "OKP" || crv !== "Ed25519" || typeof x !== "string") throw new Error("The key is no Ed25519 key.");
  return { kid: thumbprint(x), kty, crv, x };
}

export function generateKeyPair(): { readonly publicKey: PublicKey; readonly privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { publicKey: publicKeyOf(publicKey), privateKey };
}

/** Parses public keys: PEM, a JWK, or a set of JWKs as published by the service. Throws one sentence if there are none. */
export function readPublicKeys(text: string): PublicKey[] {
  if (text.includes("-----BEGIN")) {
    if (/PRIVATE KEY/.test(text)) throw new Error("This is a private key. Give the public one.");
    return [publicKeyOf(createPublicKey(text))];
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error("There is no public key: neither PEM nor JSON.");
  }
  const { keys } = parsed as { keys?: unknown };
  const list: unknown[] = Array.isArray(keys) ? keys : [parsed];
  if (list.length === 0) throw new Error("The set holds no key.");
  return list.map((jwk) => publicKeyOf(createPublicKey({ key: jwk as JsonWebKey, format: "jwk" })));
}

/** The key for verifying a signature; null if it is not a key or its id does not match. */
export function keyObjectOf(key: PublicKey): KeyObject | null {
  try {
    const object = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: "jwk" });
    return publicKeyOf(object).kid === key.kid ? object : null;
  } catch {
    return null;
  }
}

function thumbprint(x: string): string {
  return createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");
}
