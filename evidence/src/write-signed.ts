import { createHash, sign, type KeyObject } from "node:crypto";
import { manifestName, signatureName, type ManifestFile } from "./manifest.ts";
import type { ZipFile } from "./write-zip.ts";

/** A file to be signed; its size and digest are known before its bytes are read. */
export interface SignedFile extends Omit<ManifestFile, "packedSha256"> {
  read(): Promise<Uint8Array>;
}

/**
 * The entries of a signed zip: the files, then the manifest that lists them and its signature. The last two are stored, not
 * compressed, so that with the digests of the packed files the signature covers each byte of the zip that is not a header.
 */
export async function* signedEntries(
  files: AsyncIterable<SignedFile> | Iterable<SignedFile>,
  manifestOf: (files: readonly ManifestFile[]) => Buffer,
  privateKey: KeyObject,
): AsyncGenerator<ZipFile> {
  const listed: ManifestFile[] = [];
  for await (const { name, mediaType, bytes, sha256, read } of files) {
    const packed = (data: Uint8Array) => {
      const packedSha256 = createHash("sha256").update(data).digest("hex");
      listed.push({ name, mediaType, bytes, sha256, packedSha256 });
    };
    yield { name, read, packed };
  }
  // They are read after every file before them is packed.
  let manifest: Buffer = Buffer.alloc(0);
  yield { name: manifestName, stored: true, read: async () => (manifest = manifestOf(listed)) };
  yield { name: signatureName, stored: true, read: async () => sign(null, manifest, privateKey) };
}
