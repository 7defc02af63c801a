import { crc32, inflateRawSync } from "node:zlib";
import { manifestName } from "./manifest.ts";
import { sealName } from "./seal.ts";
import {
  attributes,
  centralHeaderBytes,
  centralHeaderMark,
  deflated,
  endBytes,
  endMark,
  filesMax,
  localHeaderBytes,
  localHeaderMark,
  madeBy,
  manifestBytesMax,
  safeName,
  stored,
  unpackedBytesMax,
  unpackedMax,
  utf8Flag,
  versionNeeded,
} from "./zip-format.ts";

export type ZipRefusal = "not_a_zip" | "unsafe_name" | "duplicate_name" | "too_large" | "repacked" | "damaged";

export class ZipError extends Error {
  readonly reason: ZipRefusal;

  constructor(reason: ZipRefusal, message: string) {
    super(message);
    this.name = "ZipError";
    this.reason = reason;
  }
}

export interface ZippedFile {
  /** The size of the file, as its headers state it. */
  readonly bytes: number;
  /** The bytes of the file in the zip, compressed or not. */
  readonly packed: Buffer;
  unpack(): Buffer;
}

export interface OpenZip {
  /** The files in the order of the zip. */
  readonly files: ReadonlyMap<string, ZippedFile>;
  /** The time of every file, in the form of MS-DOS. */
  readonly time: number;
}

/**
 * Opens a zip in the format of evidence, and rejects every other: each byte belongs to exactly one file or header, and each
 * header field that is not about its file's content has only one allowed value, so that no two readers can see different
 * contents. Nothing is written to disk. A file is unpacked when it is asked for, and no further than its headers state.
 */
export function openZip(bytes: Uint8Array): OpenZip {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(zip);
  const files = new Map<string, ZippedFile>();
  let offset = 0;
  for (const entry of entries) {
    if (!safeName.test(entry.name))
      throw new ZipError(
        "unsafe_name",
        `It holds a file with a name that evidence does not have: ${shown(entry.name)}.`,
      );
    if (files.has(entry.name)) throw new ZipError("duplicate_name", `It holds two files named ${entry.name}.`);
    const { start, end } = dataOf(zip, entry, offset);
    offset = end;
    const packed = zip.subarray(start, end);
    files.set(entry.name, { bytes: entry.bytes, packed, unpack: () => unpack(entry, packed) });
  }
  if (offset !== zip.length - endBytes - directoryBytes(zip)) throw damaged("there are bytes that belong to no file");
  const times = new Set(entries.map(({ facts }) => facts.readUInt32LE(4)));
  const [time = 0] = times;
  if (times.size > 1) throw damaged("its files have different times");
  return { files, time };
}

/** The contents of all files of a zip. */
export function readZip(bytes: Uint8Array): { readonly files: ReadonlyMap<string, Buffer> } {
  return { files: new Map([...openZip(bytes).files].map(([name, file]) => [name, file.unpack()])) };
}

interface Entry {
  readonly name: string;
  /** Flags, method, time, checksum, sizes: the same bytes in both headers. */
  readonly facts: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

const directoryBytes = (zip: Buffer) => zip.readUInt32LE(zip.length - endBytes + 12);

function readDirectory(zip: Buffer): Entry[] {
  const end = zip.length - endBytes;
  if (end < 0 || zip.readUInt32LE(end) !== endMark)
    throw new ZipError("not_a_zip", "It is no zip file, or one that was cut off or added to.");
  const count = zip.readUInt16LE(end + 10);
  const start = zip.readUInt32LE(end + 16);
  // One disk, no comment, and the directory right before its end.
  if (zip.readUInt32LE(end + 4) !== 0 || zip.readUInt16LE(end + 8) !== count || zip.readUInt16LE(end + 20) !== 0)
    throw damaged("its end is not of the form that evidence has");
  if (start + directoryBytes(zip) !== end) throw damaged("its directory is not where it should be");
  if (count > filesMax) throw new ZipError("too_large", `It holds ${count} files; evidence has ${filesMax} at most.`);
  const entries: Entry[] = [];
  let at = start;
  let total = 0;
  for (let index = 0; index < count; index++) {
    const entry = at + centralHeaderBytes <= end ? readEntry(zip, at, end) : null;
    if (entry === null) throw damaged("its directory can't be read");
    at += centralHeaderBytes + Buffer.byteLength(entry.name);
    const { name, bytes, packedBytes } = entry;
    total += bytes;
    if (total > unpackedBytesMax || bytes > unpackedMax(packedBytes) || (isManifest(name) && bytes > manifestBytesMax))
      throw new ZipError("too_large", `Unpacked, ${shown(name)} is larger than it can be. Nothing was unpacked.`);
    entries.push(entry);
  }
  if (at !== end) throw damaged("its directory holds more than its files");
  return entries;
}

function readEntry(zip: Buffer, at: number, end: number): Entry | null {
  const nameBytes = zip.readUInt16LE(at + 28);
  if (zip.readUInt32LE(at) !== centralHeaderMark || at + centralHeaderBytes + nameBytes > end) return null;
  // No extra field, no comment.
  const isPlain = zip.readUInt32LE(at + 30) === 0;
  const isOurs = zip.readUInt16LE(at + 4) === madeBy && zip.readUInt16LE(at + 6) === versionNeeded;
  if (!isPlain || !isOurs || zip.readUInt16LE(at + 8) !== utf8Flag)
    throw new ZipError(
      "repacked",
      "The headers of the zip are those of another program, which packed its files anew. Its files may be unchanged, but only the zip that Querent wrote can be verified, to the byte. Use the original, or download it again.",
    );
  // One disk, no internal attributes; a plain file, not a link.
  if (zip.readUInt32LE(at + 34) !== 0 || zip.readUInt32LE(at + 38) !== attributes) return null;
  const name = zip.toString("utf8", at + centralHeaderBytes, at + centralHeaderBytes + nameBytes);
  if (Buffer.byteLength(name) !== nameBytes) return null;
  return {
    name,
    facts: zip.subarray(at + 8, at + 30),
    method: zip.readUInt16LE(at + 10),
    crc: zip.readUInt32LE(at + 16),
    packedBytes: zip.readUInt32LE(at + 20),
    bytes: zip.readUInt32LE(at + 24),
    offset: zip.readUInt32LE(at + 42),
  };
}

/** The position of the file's data: directly after its header, which directly follows the previous file. */
function dataOf(zip: Buffer, entry: Entry, expected: number): { start: number; end: number } {
  const { offset } = entry;
  const headerEnd = offset + localHeaderBytes;
  const start = headerEnd + Buffer.byteLength(entry.name);
  const end = start + entry.packedBytes;
  const directory = zip.length - endBytes - directoryBytes(zip);
  if (offset !== expected || end > directory) throw damaged(`${entry.name} is not where it should be`);
  const same =
    zip.readUInt32LE(offset) === localHeaderMark &&
    zip.readUInt16LE(offset + 4) === versionNeeded &&
    zip.subarray(offset + 6, offset + 28).equals(entry.facts) &&
    zip.readUInt16LE(offset + 28) === 0 &&
    zip.toString("utf8", headerEnd, start) === entry.name;
  if (!same) throw damaged(`${entry.name} has two headers that differ`);
  return { start, end };
}

function unpack(entry: Entry, data: Buffer): Buffer {
  const { name, method, bytes, crc } = entry;
  let content: Buffer;
  if (method === stored) {
    content = data;
  } else if (method === deflated) {
    content = inflate(name, data, bytes);
  } else {
    throw damaged(`${name} is packed in a way that evidence does not use`);
  }
  if (content.length !== bytes || crc32(content) !== crc) throw damaged(`${name} is not what its checksum says`);
  return content;
}

/** What zlib returns with `info`; its types know only the buffer. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Rejects bytes after the end of the compressed content, which another unpacker could interpret. */
function inflate(name: string, data: Buffer, bytes: number): Buffer {
  let inflated: Inflated;
  try {
    const options = { maxOutputLength: Math.max(1, bytes), info: true };
    inflated = inflateRawSync(data, options) as unknown as Inflated;
  } catch {
    throw damaged(`${name} can't be unpacked, or is larger than it says`);
  }
  if (inflated.engine.bytesWritten !== data.length) throw damaged(`${name} has bytes behind its packed content`);
  return inflated.buffer;
}

const isManifest = (name: string) => name === manifestName || name === sealName;
const damaged = (what: string) => new ZipError("damaged", `The zip is damaged: ${what}.`);

/** A name from an untrusted file, safe for a terminal. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100)).replace(/[^\x20-\x7e]/g, "?");
}
