/** The key by which the service proves to an identity provider that it is the client (`private_key_jwt`). */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";

export const clientKeyAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;
export type ClientKeyAlgorithm = (typeof clientKeyAlgorithms)[number];

export interface ClientKey {
  /** As a PEM of PKCS #8. */
  readonly pem: string;
  /** The id by which the provider knows the key; null: it has none. */
  readonly id: string | null;
  readonly algorithm: ClientKeyAlgorithm;
  /** The SHA-256 of the certificate, as the header `x5t#S256` has it; null: the key has no certificate. */
  readonly thumbprint: string | null;
}

/** RSA keys below are refused by providers, and by the libraries. */
const rsaBitsMin = 2048;

/** Reads a private key, with the certificate that may stand beside it. Throws a sentence that completes "The variable NAME ...". */
export function readClientKey(
  text: string,
  { id, algorithm }: { readonly id: string | null; readonly algorithm: ClientKeyAlgorithm | null },
): ClientKey {
  const [block] = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/.exec(text) ?? [];
  if (block === undefined) throw new Error("holds no private key in PEM: `-----BEGIN PRIVATE KEY-----`.");
  if (/ENCRYPTED/.test(block))
    throw new Error("holds a private key with a passphrase. Decrypt it: `openssl pkcs8 -in KEY -out DECRYPTED`.");
  let key: KeyObject;
  try {
    key = createPrivateKey(block);
  } catch (error) {
    throw new Error("holds a private key that can't be read.", { cause: error });
  }
  const fitting = algorithmsOf(key);
  const chosen = algorithm ?? fitting[0];
  if (chosen === undefined)
    throw new Error(
      `holds a key that can't be used: it takes RSA with ${rsaBitsMin} bits or more, the elliptic curve P-256, or Ed25519.`,
    );
  if (!fitting.includes(chosen)) throw new Error(`holds a key that does not sign with ${chosen}.`);
  const [certificate] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(text) ?? [];
  return {
    pem: key.export({ type: "pkcs8", format: "pem" }).toString(),
    id,
    algorithm: chosen,
    thumbprint: certificate === undefined ? null : thumbprintOf(certificate, key),
  };
}

function algorithmsOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): ClientKeyAlgorithm[] {
  if (type === "rsa") return (details?.modulusLength ?? 0) < rsaBitsMin ? [] : ["RS256", "PS256"];
  if (type === "ec") return details?.namedCurve === "prime256v1" ? ["ES256"] : [];
  return type === "ed25519" ? ["EdDSA"] : [];
}

function thumbprintOf(text: string, key: KeyObject): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(text);
  } catch (error) {
    throw new Error("holds a certificate that can't be read.", { cause: error });
  }
  if (!certificate.checkPrivateKey(key)) throw new Error("holds a certificate of another key.");
  return Buffer.from(certificate.fingerprint256.replaceAll(":", ""), "hex").toString("base64url");
}
