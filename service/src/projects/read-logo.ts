/** What a logo is by its content: its type and size. Whatever it says it is, is not asked. */
import { logoBytesMax, logoPixelsMax, type logoTypes } from "@querent/contract";
import { crc32 } from "node:zlib";

export interface Logo {
  readonly type: (typeof logoTypes)[number];
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** Why a file is no logo, in a sentence for people. */
export class LogoRefused extends Error {}

type Size = Pick<Logo, "width" | "height">;

/** Throws `LogoRefused`. The file is read from its beginning to its end, once. */
export function readLogo(bytes: Buffer): Logo {
  if (bytes.length > logoBytesMax) throw new LogoRefused(`It is larger than ${logoBytesMax / 1024} KiB.`);
  const type = typeOf(bytes);
  if (type === null)
    throw new LogoRefused("It is not a PNG, JPEG or WebP picture. Other forms, such as SVG, are refused.");
  const size = readers[type](bytes);
  if (size === null || size.width < 1 || size.height < 1) throw new LogoRefused("The picture is damaged or cut off.");
  const { width, height } = size;
  if (width > logoPixelsMax || height > logoPixelsMax)
    throw new LogoRefused(`It has ${width} × ${height} pixels, and may have ${logoPixelsMax} × ${logoPixelsMax}.`);
  return { type, width, height, bytes };
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function typeOf(bytes: Buffer): Logo["type"] | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return "image/png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return "image/webp";
  return null;
}

const readers: Readonly<Record<Logo["type"], (bytes: Buffer) => Size | null>> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/webp": webpSize,
};

/** Chunks with their checksums, from IHDR to IEND, which is the end. */
function pngSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    if (size === null) {
      if (type !== "IHDR" || length !== 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    hasPixels ||= type === "IDAT";
    if (type === "IEND") return hasPixels && end === bytes.length ? size : null;
    at = end;
  }
  return null;
}

/** Markers that begin a frame, other than those of arithmetic coding and of lossless pictures, which browsers do not show. */
const frames = new Set([0xc0, 0xc1, 0xc2]);

/** Segments up to the first scan; the file ends with the end of the picture. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes[bytes.length - 2] !== 0xff || bytes[bytes.length - 1] !== 0xd9) return null;
  let size: Size | null = null;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // A marker may be preceded by any number of these.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return null;
    if (frames.has(marker)) {
      if (size !== null || length < 8) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    if (marker === 0xda) return size;
    at += 2 + length;
  }
  return null;
}

/** The first chunk of the three forms has the size. */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  const form = bytes.toString("latin1", 12, 16);
  if (bytes.readUInt32LE(16) + 20 > bytes.length) return null;
  if (form === "VP8 ") {
    if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  if (form === "VP8L") {
    if (bytes[20] !== 0x2f) return null;
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return form === "VP8X" ? { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 } : null;
}
