import type { PublicKey } from "./keys.ts";
import { readManifest, type EvidenceManifest } from "./manifest.ts";
import { openZip, ZipError, type OpenZip } from "./read-zip.ts";
import type { Seal } from "./seal.ts";
import { verifySeal } from "./verify-seal.ts";
import { printable, refused, verifySigned, type Refused } from "./verify-signed.ts";
import { dosTime } from "./zip-format.ts";

/**
 * `authentic`: complete, unchanged, and signed with a key that you trust. `intact`: complete, unchanged, and signed with the
 * key in the file, whose owner is unknown. `refused`: anything else.
 */
export type Verdict =
  | {
      readonly verdict: "authentic" | "intact";
      readonly sentence: string;
      readonly manifest: EvidenceManifest;
      /** What was signed when the task ended; null if there was nothing to sign. */
      readonly seal: Seal | null;
    }
  | Refused;

/** Verifies an evidence file, using only the file and, if given, the keys to trust. Sends no requests and writes nothing. */
export function verifyEvidence(zip: Uint8Array, trusted: readonly PublicKey[] | null): Verdict {
  try {
    return verifyFiles(openZip(zip), trusted);
  } catch (error) {
    if (error instanceof ZipError) return refused(error.reason, error.message);
    throw error;
  }
}

function verifyFiles(zip: OpenZip, trusted: readonly PublicKey[] | null): Verdict {
  const signed = verifySigned(zip, trusted, "evidence", readManifest);
  if (signed.verdict === "refused") return signed;
  const { manifest, files } = signed;
  if (zip.time !== dosTime(new Date(manifest.completedAt)))
    return refused("damaged", "The zip is damaged: its files have another time than the task's end.");
  const sealed = verifySeal(files, manifest, trusted);
  if (sealed.state === "broken") return refused("broken_seal", sealed.sentence);
  const seal = sealed.state === "right" ? sealed.seal : null;
  const { taskId, completedAt, service, key } = manifest;
  const what = `the evidence of task ${printable(taskId)}, completed at ${completedAt}, recorded by ${printable(`${service.name} ${service.version}`)}, ${manifest.files.length} files, none of them changed${seal === null ? "" : `, ${seal.files.length} of them sealed since ${seal.sealedAt}`}`;
  return trusted === null
    ? {
        verdict: "intact",
        manifest,
        seal,
        sentence: `Intact: ${what}. It is signed with the key ${key.kid}; whether that is the service's key can only be told by comparing it with the one that the service publishes.`,
      }
    : {
        verdict: "authentic",
        manifest,
        seal,
        sentence: `Authentic: ${what}. It is signed with the key ${key.kid}, which you gave.`,
      };
}
