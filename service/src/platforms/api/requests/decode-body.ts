/** The text of a response: decompressed, and in the character set that its headers name. */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import type { Headers } from "../read/retry-after.ts";

export type DecodedBody =
  | { readonly kind: "decoded"; readonly text: string }
  | { readonly kind: "oversize" }
  /** An unknown encoding, or bytes that are damaged. */
  | { readonly kind: "undecodable" };

/** `bytesMax` bounds the decompressed size. */
export async function decodeBody(bytes: Buffer, headers: Headers, bytesMax: number): Promise<DecodedBody> {
  let plain = bytes;
  // Servers, and what stands in front of them, compress although `identity` was requested.
  const encodings = (headers["content-encoding"] ?? "").toLowerCase().split(",");
  for (const encoding of encodings.map((each) => each.trim()).toReversed()) {
    if (encoding === "" || encoding === "identity" || plain.length === 0) continue;
    const decompress = decompressors[encoding];
    if (decompress === undefined) return { kind: "undecodable" };
    try {
      plain = await decompress(plain, { maxOutputLength: bytesMax });
    } catch (error) {
      const { code } = error as { code?: unknown };
      return { kind: code === "ERR_BUFFER_TOO_LARGE" ? "oversize" : "undecodable" };
    }
  }
  const text = textIn(plain, charsetIn(headers["content-type"] ?? ""));
  return text === null ? { kind: "undecodable" } : { kind: "decoded", text };
}

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

function charsetIn(contentType: string): string {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,40})/iu.exec(contentType)?.[1]?.toLowerCase() ?? "utf-8";
}

/** JSON is UTF-8, whatever single-byte set a server's default names; only others are believed without a look. */
function textIn(bytes: Buffer, charset: string): string | null {
  const singleByte = /^(?:iso-?8859|latin|windows-125|us-ascii|ascii)/u.test(charset);
  for (const label of singleByte ? ["utf-8", charset] : [charset]) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // The next one.
    }
  }
  return null;
}
