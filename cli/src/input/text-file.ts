/** Whole files of text that somebody gives: panels, prompts, entities. */
import { open } from "node:fs/promises";
import { decodeText, EncodingError } from "@querent/client";
import { UsageError } from "../exit-codes.ts";

/** The largest file that is read: more than the service takes in one request, in any encoding. */
const textBytesMax = 64 * 1024 ** 2;

/** `-` is standard input. */
export async function readTextFile(file: string): Promise<string> {
  const bytes = await readBytes(file).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return decodeText(bytes);
  } catch (error) {
    if (error instanceof EncodingError) throw new UsageError(`${file}:${error.line}: ${error.message}`);
    throw error;
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file === "-" ? "/dev/stdin" : file);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of handle.createReadStream() as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > textBytesMax) throw new UsageError(`${file} is larger than ${textBytesMax / 1024 ** 2} MiB.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
