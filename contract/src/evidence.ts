import { Type, type Static } from "typebox";
import { Nullable } from "./scalars.ts";

export const pageEvidenceKinds = ["picture", "archive"] as const;
export const PageEvidenceKind = Type.Enum([...pageEvidenceKinds], {
  description: "`picture`: a picture of the page (PNG). `archive`: a web archive of what the page received (WACZ).",
});
export type PageEvidenceKind = Static<typeof PageEvidenceKind>;

/** A file that the operator keeps of a platform's page, besides its HTML. */
export const PageEvidence = Type.Object({
  kind: PageEvidenceKind,
  url: Nullable(
    Type.String({
      description:
        "The file's address, relative to the service's base address. Requires the access token, as the task does. Null if it is missing.",
    }),
  ),
  file: Nullable(Type.String({ description: "The file's name in the evidence of the task." })),
  mediaType: Nullable(Type.String()),
  bytes: Nullable(Type.Integer({ minimum: 0 })),
  sha256: Nullable(
    Type.String({ description: "The digest of the file, in hexadecimal, as sealed when the task ended." }),
  ),
  missing: Nullable(Type.String({ description: "Why there is no file. Null if there is one." })),
  incomplete: Type.Optional(
    Type.String({
      description:
        "What of the answer the file does not show, such as blocks that the page renders only when they are in view. Absent if nothing is known to be missing.",
    }),
  ),
});
export type PageEvidence = Static<typeof PageEvidence>;

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
