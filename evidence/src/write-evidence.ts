import { sign, type KeyObject } from "node:crypto";
import { manifestName, signatureName, writeManifest, type EvidenceManifest, type ManifestFile } from "./manifest.ts";
import { writeZip } from "./write-zip.ts";

/** A file of the evidence; its size and digest are known before its bytes are read. */
export interface EvidenceFile extends ManifestFile {
  read(): Promise<Uint8Array>;
}

/** The evidence as a zip, in pieces: the manifest and its signature first, then the files by name. */
export function writeEvidence(
  facts: Omit<EvidenceManifest, "files">,
  files: readonly EvidenceFile[],
  privateKey: KeyObject,
): AsyncGenerator<Buffer> {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const manifest = writeManifest({
    ...facts,
    files: sorted.map(({ name, mediaType, bytes, sha256 }) => ({ name, mediaType, bytes, sha256 })),
  });
  const signature = sign(null, manifest, privateKey);
  return writeZip(
    [
      { name: manifestName, read: async () => manifest },
      { name: signatureName, read: async () => signature },
      ...sorted,
    ],
    new Date(facts.completedAt),
  );
}
