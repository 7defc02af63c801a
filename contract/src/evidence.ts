import { Type, type Static } from "typebox";

/** Public keys in the format of RFC 7517 and RFC 8037. */
export const EvidenceKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String({ description: "The key's thumbprint (RFC 7638), as in a manifest." }),
      kty: Type.Literal("OKP"),
      crv: Type.Literal("Ed25519"),
      x: Type.String({ description: "The public key, base64url." }),
      use: Type.Literal("sig"),
      alg: Type.Literal("EdDSA"),
    }),
  ),
});
export type EvidenceKeys = Static<typeof EvidenceKeys>;
