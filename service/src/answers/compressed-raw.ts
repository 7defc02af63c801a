/** Long responses, compressed before they are stored. */
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliDecompress, constants, createBrotliCompress } from "node:zlib";
import { rawBytesMax } from "./bounds.ts";
import type { StoredRaw } from "./kept-raw.ts";
import { piecesOf } from "./text.ts";

/** The columns of a stored response: its text, or its bytes compressed with Brotli and how many they were. */
export interface RawColumns {
  readonly raw_type: string | null;
  readonly raw_body: string | null;
  readonly raw_compressed: Buffer | null;
  readonly raw_bytes: number | null;
}

/** The length in UTF-16 code units from which a response is compressed. PostgreSQL compresses shorter ones fast enough. */
const compressedCharsMin = 1024 * 1024;
/** The fastest: it compresses JSON to a fifth at 300 MB/s, PostgreSQL to a third at 70 MB/s. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };

/** The length in UTF-16 code units of the pieces that are encoded at once, which takes about a millisecond. */
const pieceChars = 512 * 1024;

const decompress = promisify(brotliDecompress);

/** Compresses a long response piece by piece, in a thread of its own. */
export async function toRawColumns({ mediaType, body }: StoredRaw): Promise<RawColumns> {
  if (body === null || body.length < compressedCharsMin)
    return { raw_type: mediaType, raw_body: body, raw_compressed: null, raw_bytes: null };
  let bytes = 0;
  const encoded = function* () {
    for (const piece of piecesOf(body, pieceChars)) {
      const bytesOfPiece = Buffer.from(piece, "utf8");
      bytes += bytesOfPiece.length;
      yield bytesOfPiece;
    }
  };
  const compressed = await pipeline(encoded, createBrotliCompress({ params }), buffer);
  return { raw_type: mediaType, raw_body: null, raw_compressed: compressed, raw_bytes: bytes };
}

/** The text of a stored response; null if none is stored. */
export async function textOfRaw({
  raw_body,
  raw_compressed,
}: Pick<RawColumns, "raw_body" | "raw_compressed">): Promise<string | null> {
  if (raw_compressed === null) return raw_body;
  return (await decompress(raw_compressed, { maxOutputLength: rawBytesMax })).toString("utf8");
}

/** The number of bytes of what is stored of a response. */
export function storedBytesOf({ raw_body, raw_compressed }: RawColumns): number {
  return raw_compressed?.length ?? raw_body?.length ?? 0;
}
