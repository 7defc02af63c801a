import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import {
  attributes,
  centralHeaderBytes,
  centralHeaderMark,
  deflated,
  dosTime,
  endBytes,
  endMark,
  localHeaderBytes,
  localHeaderMark,
  madeBy,
  safeName,
  stored,
  unpackedMax,
  utf8Flag,
  versionNeeded,
} from "./zip-format.ts";

const deflate = promisify(deflateRaw);

export interface ZipFile {
  readonly name: string;
  /** Whether the file is left uncompressed, for readers that need parts of it. */
  readonly stored?: boolean;
  /** Called when the file is written, so that one file at a time is in memory. */
  read(): Promise<Uint8Array>;
  /** Called with the file's bytes in the zip, before the next file is read. */
  packed?(bytes: Uint8Array): void;
}

/**
 * Writes a zip in pieces. The same files, time and level of compression give the same bytes. While a file is being compressed, which
 * other threads do, the next one is made.
 */
export async function* writeZip(
  files: AsyncIterable<ZipFile> | Iterable<ZipFile>,
  time: Date,
  level = 9,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, read, packed: onPacked, stored: plain = false } of readAhead(files)) {
    if (!safeName.test(name)) throw new Error(`A file of a zip can't be named ${name}.`);
    const content = await read();
    const packed = plain ? null : await deflate(content, { level });
    const smaller =
      packed !== null && packed.length < content.byteLength && content.byteLength <= unpackedMax(packed.length);
    const data = smaller ? packed : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    onPacked?.(data);
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(utf8Flag, 0);
    facts.writeUInt16LE(smaller ? deflated : stored, 2);
    facts.writeUInt32LE(dosTime(time), 4);
    facts.writeUInt32LE(crc32(content), 8);
    facts.writeUInt32LE(data.length, 12);
    facts.writeUInt32LE(content.byteLength, 16);
    facts.writeUInt16LE(name.length, 20);

    const local = Buffer.alloc(localHeaderBytes);
    local.writeUInt32LE(localHeaderMark, 0);
    local.writeUInt16LE(versionNeeded, 4);
    facts.copy(local, 6);
    const central = Buffer.alloc(centralHeaderBytes);
    central.writeUInt32LE(centralHeaderMark, 0);
    central.writeUInt16LE(madeBy, 4);
    central.writeUInt16LE(versionNeeded, 6);
    facts.copy(central, 8);
    central.writeUInt32LE(attributes, 38);
    central.writeUInt32LE(offset, 42);
    directory.push(central, Buffer.from(name));

    yield Buffer.concat([local, Buffer.from(name)]);
    yield data;
    offset += local.length + name.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(endMark, 0);
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  yield central;
  yield end;
}

/** The same items; each is asked for when the one before is handed out. */
async function* readAhead<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  async function* each() {
    yield* items;
  }
  const source = each();
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = source.next();
      // It is awaited above, or never if nobody wants the rest.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await source.return();
  }
}
