/**
 * The subset of the ZIP format (PKWARE's APPNOTE 6.3) that evidence uses: plain names, stored or deflated, sizes and checksums
 * in the headers, one file after the other. Every unpacker reads it, and a strict reader cannot be misled.
 */
export const localHeaderMark = 0x04034b50;
export const centralHeaderMark = 0x02014b50;
export const endMark = 0x06054b50;
export const localHeaderBytes = 30;
export const centralHeaderBytes = 46;
export const endBytes = 22;
export const stored = 0;
export const deflated = 8;
/** Names are UTF-8. */
export const utf8Flag = 0x0800;

/** Folders and a name, of letters, digits, `.`, `_` and `-`; no part is empty or begins with a dot. */
export const safeName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,3}$/;
export const filesMax = 100;
/** All files together, unpacked. */
export const unpackedBytesMax = 512 * 1024 * 1024;
/** A manifest or seal, which are parsed before anything is known about who wrote them. 100 files need a fifth of it. */
export const manifestBytesMax = 512 * 1024;
/**
 * How large a file can be, given its size in the zip: the work of a reader is in proportion to what it was sent. Deflate can reach 1,000
 * to 1, text reaches 20 to 1. The writer does not compress what it could compress further.
 */
export const unpackedMax = (packedBytes: number): number => Math.max(64 * 1024, 200 * packedBytes);

/** The version of the format that a reader needs, and "made on Unix". */
export const versionNeeded = 20;
export const madeBy = (3 << 8) | versionNeeded;
/** A regular file that everybody may read: without it unpackers give files no permissions at all. */
export const attributes = (0o100644 << 16) >>> 0;

/** Time and date as MS-DOS had them, in UTC, to the even second. */
export function dosTime(time: Date): number {
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return ((day << 16) | clock) >>> 0;
}
