import { sign, verify, type KeyObject } from "node:crypto";
import { keyObjectOf, type PublicKey } from "./keys.ts";
import { isSigningKey, isTime, readObject } from "./manifest.ts";

const panelSealFormat = "querent-panel-seal/1";

/** What was signed about a panel: that its revision asked exactly this at that time, and how many runs had started by then. */
export interface SealDocument {
  readonly format: typeof panelSealFormat;
  readonly panelId: string;
  readonly revision: number;
  /** `sha256:` and the SHA-256 of what the revision asks, as JSON in canonical form (RFC 8785). */
  readonly digest: string;
  readonly sealedAt: string;
  /** Runs of the revision that had started. 0: nobody can have seen an answer. */
  readonly runsBefore: number;
  readonly key: PublicKey;
}

/** The exact text that is signed, and its signature (Ed25519, base64url). */
export interface SignedPanelSeal {
  readonly seal: string;
  readonly signature: string;
}

export function writePanelSeal(facts: Omit<SealDocument, "format">, privateKey: KeyObject): SignedPanelSeal {
  const { panelId, revision, digest, sealedAt, runsBefore, key } = facts;
  const content: SealDocument = { format: panelSealFormat, panelId, revision, digest, sealedAt, runsBefore, key };
  const seal = JSON.stringify(content);
  return { seal, signature: sign(null, Buffer.from(seal), privateKey).toString("base64url") };
}

/** The content of a seal; null if it is not one, or not signed with its key, or with none of those that are trusted. */
export function verifyPanelSeal(
  { seal, signature }: SignedPanelSeal,
  trusted: readonly PublicKey[] | null,
): SealDocument | null {
  const content = readPanelSeal(Buffer.from(seal));
  if (content === null) return null;
  const key = trusted === null ? content.key : trusted.find(({ kid }) => kid === content.key.kid);
  const object = key === undefined ? null : keyObjectOf(key);
  if (object === null) return null;
  return verify(null, Buffer.from(seal), object, Buffer.from(signature, "base64url")) ? content : null;
}

function readPanelSeal(bytes: Uint8Array): SealDocument | null {
  const value = readObject(bytes);
  if (value === null) return null;
  const { format, panelId, revision, digest, sealedAt, runsBefore, key } = value;
  if (format !== panelSealFormat || typeof panelId !== "string" || !isTime(sealedAt) || !isSigningKey(key)) return null;
  if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest)) return null;
  if (!Number.isSafeInteger(revision) || !Number.isSafeInteger(runsBefore)) return null;
  return value as unknown as SealDocument;
}
