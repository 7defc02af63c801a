import { isUtf8 } from "node:buffer";

/**
 * The bytes of a body as the server sent them. Chromium gives a streamed text without a character set as if it were
 * windows-1252, and then as UTF-8: what was UTF-8 is encoded twice.
 */
export function receivedBytes(body: Buffer, contentType: string): Buffer {
  if (/charset/i.test(contentType) || !/^(text\/|application\/[\w.+-]*json)/i.test(contentType.trim())) return body;
  const bytes: number[] = [];
  for (const character of body.toString("utf8")) {
    const byte = byteOf.get(character);
    if (byte === undefined) return body;
    bytes.push(byte);
  }
  const once = Buffer.from(bytes);
  return isUtf8(once) ? once : body;
}

const byteOf: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder("windows-1252").decode(Uint8Array.of(byte)), byte]),
);
