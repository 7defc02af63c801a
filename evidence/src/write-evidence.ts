import type { KeyObject } from "node:crypto";
import { writeManifest, type EvidenceManifest } from "./manifest.ts";
import { signedEntries, type SignedFile } from "./write-signed.ts";
import { writeZip } from "./write-zip.ts";

export type EvidenceFile = SignedFile;

/** The evidence as a zip, in pieces: the files by name, then the manifest and its signature. */
export function writeEvidence(
  facts: Omit<EvidenceManifest, "files">,
  files: readonly EvidenceFile[],
  privateKey: KeyObject,
): AsyncGenerator<Buffer> {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const entries = signedEntries(sorted, (listed) => writeManifest({ ...facts, files: listed }), privateKey);
  return writeZip(entries, new Date(facts.completedAt));
}
