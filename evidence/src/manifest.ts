import type { PublicKey } from "./keys.ts";

export const formatName = "querent-evidence/1";
export const manifestName = "manifest.json";
/** 64 bytes: the Ed25519 signature (RFC 8032) of the manifest's bytes. */
export const signatureName = "manifest.sig";

export interface ManifestFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** The digest of the file's bytes in the zip, compressed or not, in hex. Absent in seals, and in zips of Querent 0.1. */
  readonly packedSha256?: string;
}

/** The signed content: which task, when, by which service, and the digest of every file. */
export interface EvidenceManifest {
  readonly format: typeof formatName;
  readonly taskId: string;
  readonly platformCode: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string;
  /** When the platform finished answering. */
  readonly observedAt: string | null;
  readonly service: { readonly name: string; readonly version: string };
  readonly key: PublicKey;
  readonly files: readonly ManifestFile[];
}

/** A canonical form: the same content always gives the same bytes. */
export function writeManifest(manifest: EvidenceManifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** Parses a manifest; null if it is not one. Everything that is used later is validated. */
export function readManifest(bytes: Uint8Array): EvidenceManifest | { readonly otherFormat: string } | null {
  const value = readObject(bytes);
  if (value === null) return null;
  const { format, taskId, platformCode, revision, createdAt, startedAt, completedAt, observedAt } = value;
  const { service, key, files } = value;
  if (typeof format !== "string") return null;
  if (format !== formatName) return { otherFormat: format.slice(0, 100) };
  const times = [createdAt, completedAt, startedAt ?? createdAt, observedAt ?? createdAt];
  if (!times.every(isTime) || typeof taskId !== "string" || typeof platformCode !== "string") return null;
  if (!Number.isSafeInteger(revision)) return null;
  if (!isObject(service) || typeof service["name"] !== "string" || typeof service["version"] !== "string") return null;
  if (!isSigningKey(key)) return null;
  if (!Array.isArray(files) || !files.every(isManifestFile)) return null;
  return value as unknown as EvidenceManifest;
}

/** A JSON object in strict UTF-8; null if it is not one. */
export function readObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isSigningKey(key: unknown): key is PublicKey {
  return (
    isObject(key) &&
    key["kty"] === "OKP" &&
    key["crv"] === "Ed25519" &&
    typeof key["kid"] === "string" &&
    typeof key["x"] === "string"
  );
}

export function isManifestFile(file: unknown): file is ManifestFile {
  return (
    isObject(file) &&
    typeof file["name"] === "string" &&
    typeof file["mediaType"] === "string" &&
    Number.isSafeInteger(file["bytes"]) &&
    isDigest(file["sha256"]) &&
    (file["packedSha256"] === undefined || isDigest(file["packedSha256"]))
  );
}

const isDigest = (value: unknown) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

export const isTime = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
