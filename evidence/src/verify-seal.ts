import { verify } from "node:crypto";
import { keyObjectOf, type PublicKey } from "./keys.ts";
import type { EvidenceManifest } from "./manifest.ts";
import { readSeal, sealedFolder, sealName, sealSignatureName, type Seal } from "./seal.ts";

export type SealVerdict =
  | { readonly state: "none" }
  | { readonly state: "right"; readonly seal: Seal }
  | { readonly state: "broken"; readonly sentence: string };

/**
 * Compares evidence with the seal from the end of its task. The files are known to match the manifest, so a snapshot that was
 * changed in the store before the evidence was requested is only detected here.
 */
export function verifySeal(
  files: ReadonlyMap<string, Buffer>,
  manifest: EvidenceManifest,
  trusted: readonly PublicKey[] | null,
): SealVerdict {
  const captures = manifest.files.filter(({ name }) => name.startsWith(sealedFolder));
  const written = files.get(sealName);
  const signature = files.get(sealSignatureName);
  if (written === undefined && signature === undefined) {
    return captures.length === 0
      ? { state: "none" }
      : broken("What its answer was read from has no seal, which every task gets when it ends.");
  }
  const seal = written === undefined ? null : readSeal(written);
  if (written === undefined || signature === undefined || seal === null)
    return broken("The seal of what its answer was read from can't be read.");
  const key = trusted === null ? seal.key : trusted.find(({ kid }) => kid === seal.key.kid);
  if (key === undefined)
    return broken("What its answer was read from is sealed with a key that is none of those that you gave.");
  const object = keyObjectOf(key);
  if (object === null || !verify(null, written, object, signature))
    return broken("The seal of the answer's snapshots is invalid: it was changed, or signed with another key.");
  if (seal.taskId !== manifest.taskId || seal.platformCode !== manifest.platformCode)
    return broken("The seal of what its answer was read from is another task's.");
  const present = new Map(manifest.files.map((file) => [file.name, file]));
  for (const { name, bytes, sha256 } of seal.files) {
    const file = present.get(name);
    if (file === undefined) return broken(`The file ${printable(name)} was sealed when the task ended, and is gone.`);
    if (file.bytes !== bytes || file.sha256 !== sha256)
      return broken(`The file ${printable(name)} was changed after the task had ended.`);
  }
  const sealed = new Set(seal.files.map(({ name }) => name));
  const added = captures.find(({ name }) => !sealed.has(name));
  return added === undefined
    ? { state: "right", seal }
    : broken(`The file ${printable(added.name)} came to it after the task had ended.`);
}

const broken = (sentence: string): SealVerdict => ({ state: "broken", sentence });
const printable = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
