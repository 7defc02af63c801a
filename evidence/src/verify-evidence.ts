import { createHash, verify } from "node:crypto";
import { keyObjectOf, type PublicKey } from "./keys.ts";
import { manifestName, readManifest, signatureName, type EvidenceManifest } from "./manifest.ts";
import type { Seal } from "./seal.ts";
import { verifySeal } from "./verify-seal.ts";
import { readZip, ZipError, type ReadZip, type ZipRefusal } from "./read-zip.ts";
import { dosTime } from "./zip-format.ts";

export type RefusalReason =
  | ZipRefusal
  | "no_manifest"
  | "unknown_format"
  | "unknown_key"
  | "bad_signature"
  | "missing_file"
  | "extra_file"
  | "changed_file"
  | "broken_seal";

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
  | { readonly verdict: "refused"; readonly reason: RefusalReason; readonly sentence: string };

/** Verifies an evidence file, using only the file and, if given, the keys to trust. Sends no requests and writes nothing. */
export function verifyEvidence(zip: Uint8Array, trusted: readonly PublicKey[] | null): Verdict {
  try {
    return verifyFiles(readZip(zip), trusted);
  } catch (error) {
    if (error instanceof ZipError) return refused(error.reason, error.message);
    throw error;
  }
}

function verifyFiles({ files, time }: ReadZip, trusted: readonly PublicKey[] | null): Verdict {
  const written = files.get(manifestName);
  const signature = files.get(signatureName);
  if (written === undefined || signature === undefined)
    return refused("no_manifest", "It is no evidence: the manifest or its signature is missing.");
  const manifest = readManifest(written);
  if (manifest === null) return refused("no_manifest", "It is no evidence: its manifest can't be read.");
  if ("otherFormat" in manifest)
    return refused(
      "unknown_format",
      `Its format is ${JSON.stringify(manifest.otherFormat)}, which this version does not know.`,
    );

  const key = trusted === null ? manifest.key : trusted.find(({ kid }) => kid === manifest.key.kid);
  if (key === undefined)
    return refused(
      "unknown_key",
      `It is signed with the key ${printable(manifest.key.kid)}, which is none of those that you gave.`,
    );
  const object = keyObjectOf(key);
  if (object === null || !verify(null, written, object, signature))
    return refused("bad_signature", "The signature is invalid: the manifest was changed, or signed with another key.");

  const problem = compare(files, manifest);
  if (problem !== null) return problem;
  if (time !== dosTime(new Date(manifest.completedAt)))
    return refused("damaged", "The zip is damaged: its files have another time than the task's end.");
  const sealed = verifySeal(files, manifest, trusted);
  if (sealed.state === "broken") return refused("broken_seal", sealed.sentence);
  const seal = sealed.state === "right" ? sealed.seal : null;
  const { taskId, completedAt, service } = manifest;
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

function compare(files: ReadonlyMap<string, Buffer>, manifest: EvidenceManifest): Verdict | null {
  const listed = new Set<string>([manifestName, signatureName]);
  for (const { name, bytes, sha256 } of manifest.files) {
    const content = files.get(name);
    if (listed.has(name)) return refused("no_manifest", "It is no evidence: its manifest lists a file twice.");
    listed.add(name);
    if (content === undefined)
      return refused("missing_file", `The file ${printable(name)} is in the manifest and not in the zip.`);
    if (content.length !== bytes || createHash("sha256").update(content).digest("hex") !== sha256)
      return refused("changed_file", `The file ${name} was changed after it was signed.`);
  }
  for (const name of files.keys())
    if (!listed.has(name)) return refused("extra_file", `The file ${name} is in the zip and not in the manifest.`);
  return null;
}

const refused = (reason: RefusalReason, sentence: string): Verdict => ({ verdict: "refused", reason, sentence });

/** Text from an untrusted file, safe for a terminal. */
const printable = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
