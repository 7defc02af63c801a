import { createHash, verify } from "node:crypto";
import { keyObjectOf, type PublicKey } from "./keys.ts";
import { manifestName, signatureName, type ManifestFile } from "./manifest.ts";
import type { OpenZip, ZipRefusal } from "./read-zip.ts";

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

export interface SignedContents<Manifest> {
  readonly verdict: "signed";
  readonly manifest: Manifest;
  /** The files that the manifest lists, as they were signed. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Verifies that a manifest is signed, and that the zip is the one that was written with it: the same files, in the same order,
 * packed in the same way. No other file is unpacked before that is known of the signature and of all sizes. `what`: what the zip
 * should be.
 */
export function verifySigned<Manifest extends SignedManifest>(
  zip: OpenZip,
  trusted: readonly PublicKey[] | null,
  what: string,
  read: (bytes: Uint8Array) => Manifest | { readonly otherFormat: string } | null,
): SignedContents<Manifest> | Refused {
  const file = zip.files.get(manifestName);
  const signature = zip.files.get(signatureName);
  if (file === undefined || signature === undefined)
    return refused("no_manifest", `It is no ${what}: the manifest or its signature is missing.`);
  const written = file.unpack();
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
  if (object === null || !verify(null, written, object, signature.unpack()))
    return refused("bad_signature", "The signature is invalid: the manifest was changed, or signed with another key.");
  const refusal = compareList(zip, manifest, what) ?? comparePacking(zip, manifest);
  if (refusal !== null) return refusal;
  const files = new Map<string, Buffer>();
  for (const { name, sha256 } of manifest.files) {
    const content = zip.files.get(name)?.unpack();
    if (content === undefined || digestOf(content) !== sha256) return changed(name);
    files.set(name, content);
  }
  return { verdict: "signed", manifest, files };
}

/** Compares the names and sizes. */
function compareList({ files }: OpenZip, manifest: SignedManifest, what: string): Refused | null {
  const listed = new Set<string>([manifestName, signatureName]);
  for (const { name, bytes } of manifest.files) {
    const file = files.get(name);
    if (listed.has(name)) return refused("no_manifest", `It is no ${what}: its manifest lists a file twice.`);
    listed.add(name);
    if (file === undefined)
      return refused("missing_file", `The file ${printable(name)} is in the manifest and not in the zip.`);
    if (file.bytes !== bytes) return changed(name);
  }
  for (const name of files.keys())
    if (!listed.has(name)) return refused("extra_file", `The file ${name} is in the zip and not in the manifest.`);
  return null;
}

/**
 * Compressed bytes can be changed without changing what they unpack to. The digests of the packed files detect it; Querent 0.1
 * did not write them, and of its zips only the content is verified.
 */
function comparePacking(zip: OpenZip, { files }: SignedManifest): Refused | null {
  if (files.every(({ packedSha256 }) => packedSha256 === undefined)) return null;
  for (const { name, packedSha256 } of files)
    if (digestOf(zip.files.get(name)?.packed) !== packedSha256) return repacked(`${name} is not packed as it was`);
  for (const name of [manifestName, signatureName])
    if (zip.files.get(name)?.packed.length !== zip.files.get(name)?.bytes) return repacked(`${name} is compressed`);
  const order = [...files.map(({ name }) => name), manifestName, signatureName];
  return [...zip.files.keys()].every((name, index) => name === order[index])
    ? null
    : repacked("its files are not in the order of its manifest");
}

const none = Buffer.alloc(0);
const digestOf = (bytes: Buffer = none) => createHash("sha256").update(bytes).digest("hex");
const changed = (name: string) => refused("changed_file", `The file ${name} was changed after it was signed.`);
const repacked = (what: string) => refused("damaged", `The zip was changed after it was signed: ${printable(what)}.`);

export const refused = (reason: RefusalReason, sentence: string): Refused => ({ verdict: "refused", reason, sentence });

/** Text from an untrusted file, safe for a terminal. */
export const printable = (text: string): string => text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
