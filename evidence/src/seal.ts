import { sign, type KeyObject } from "node:crypto";
import type { PublicKey } from "./keys.ts";
import { isManifestFile, isSigningKey, isTime, readObject, type ManifestFile } from "./manifest.ts";

export const sealFormatName = "querent-seal/1";
export const sealName = "seal.json";
/** 64 bytes: the Ed25519 signature (RFC 8032) of the seal's bytes. */
export const sealSignatureName = "seal.sig";
/** The files in this folder were seen while the task ran, and are in its seal. */
export const sealedFolder = "captures/";

/** What was signed when the task ended: the digests of what its answer was read from. */
export interface Seal {
  readonly format: typeof sealFormatName;
  readonly taskId: string;
  readonly platformCode: string;
  /** When the platform finished answering. */
  readonly observedAt: string | null;
  readonly sealedAt: string;
  readonly key: PublicKey;
  readonly files: readonly ManifestFile[];
}

/** The seal's bytes, and their signature. */
export function writeSeal(
  facts: Omit<Seal, "format">,
  privateKey: KeyObject,
): { readonly seal: Buffer; readonly signature: Buffer } {
  const { taskId, platformCode, observedAt, sealedAt, key } = facts;
  const files = facts.files
    .map(({ name, mediaType, bytes, sha256 }) => ({ name, mediaType, bytes, sha256 }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const content: Seal = { format: sealFormatName, taskId, platformCode, observedAt, sealedAt, key, files };
  const seal = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  return { seal, signature: sign(null, seal, privateKey) };
}

/** Parses a seal; null if it is not one. Everything that is used later is validated. */
export function readSeal(bytes: Uint8Array): Seal | null {
  const value = readObject(bytes);
  if (value === null) return null;
  const { format, taskId, platformCode, observedAt, sealedAt, key, files } = value;
  if (format !== sealFormatName || typeof taskId !== "string" || typeof platformCode !== "string") return null;
  if (!isTime(sealedAt) || !isTime(observedAt ?? sealedAt)) return null;
  if (!isSigningKey(key)) return null;
  if (!Array.isArray(files) || !files.every(isManifestFile)) return null;
  return value as unknown as Seal;
}
