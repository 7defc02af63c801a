import { createHash, verify } from "node:crypto";
import { keyObjectOf, type PublicKey } from "./keys.ts";
import { manifestName, signatureName, type ManifestFile } from "./manifest.ts";
import type { ZipRefusal } from "./read-zip.ts";

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

export interface Refused {
  readonly verdict: "refused";
  readonly reason: RefusalReason;
  readonly sentence: string;
}

/** What every manifest has. */
export interface SignedManifest {
  readonly key: PublicKey;
  readonly files: readonly ManifestFile[];
}

/** Verifies that a manifest is signed, and that the files are those that it lists. `what`: what the zip should be. */
export function verifySigned<Manifest extends SignedManifest>(
  files: ReadonlyMap<string, Buffer>,
  trusted: readonly PublicKey[] | null,
  what: string,
  read: (bytes: Uint8Array) => Manifest | { readonly otherFormat: string } | null,
): { readonly verdict: "signed"; readonly manifest: Manifest } | Refused {
  const written = files.get(manifestName);
  const signature = files.get(signatureName);
  if (written === undefined || signature === undefined)
    return refused("no_manifest", `It is no ${what}: the manifest or its signature is missing.`);
  const manifest = read(written);
  if (manifest === null) return refused("no_manifest", `It is no ${what}: its manifest can't be read.`);
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
  return compare(files, manifest, what) ?? { verdict: "signed", manifest };
}

function compare(files: ReadonlyMap<string, Buffer>, manifest: SignedManifest, what: string): Refused | null {
  const listed = new Set<string>([manifestName, signatureName]);
  for (const { name, bytes, sha256 } of manifest.files) {
    const content = files.get(name);
    if (listed.has(name)) return refused("no_manifest", `It is no ${what}: its manifest lists a file twice.`);
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

export const refused = (reason: RefusalReason, sentence: string): Refused => ({ verdict: "refused", reason, sentence });

/** Text from an untrusted file, safe for a terminal. */
export const printable = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
