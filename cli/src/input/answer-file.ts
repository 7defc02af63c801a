/** Reads a file of answers: JSON lines, one JSON document, or a list of them, each answer as one line. */
import { isUtf8 } from "node:buffer";
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { answersInDocument } from "./answer-document.ts";
import { AnswerFault, answerBytesMax, tooLong } from "./answer-fault.ts";

export interface AnswerFile {
  readonly answers: AsyncIterable<string>;
  /** The line of the file at which the answer with this number begins. */
  lineOf(number: number): number;
}

/** `onFault` is called with a line that cannot be sent, which is then left out; what it throws ends the reading. */
export function readAnswerFile(path: string, onFault: (fault: AnswerFault) => void): AnswerFile {
  const starts: number[] = [];
  let isDocument = false;
  async function* answers(): AsyncGenerator<string, void, void> {
    const bytes = utf8Of(unzipped(path));
    const first = await bytes.next();
    if (first.done === true) return;
    isDocument = opensDocument(first.value.toString("latin1"));
    const all = chained(first.value, bytes);
    if (!isDocument) return yield* linesOf(all, onFault);
    for await (const { text, line } of answersInDocument(all)) {
      starts.push(line);
      yield text;
    }
  }
  return { answers: answers(), lineOf: (number) => (isDocument ? (starts[number - 1] ?? number) : number) };
}

/** A list, or an object whose first line holds nothing else: no line of such a file is an answer. */
const opensDocument = (beginning: string) => /^(?:\xEF\xBB\xBF)?\s*(?:\[|\{[ \t]*\r?\n)/.test(beginning);

async function* chained(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield first;
  yield* rest;
}

async function* unzipped(path: string): AsyncGenerator<Buffer, void, void> {
  const isZipped = firstBytes(path).equals(Buffer.of(0x1f, 0x8b));
  const file = createReadStream(path);
  if (!isZipped) return yield* file as AsyncIterable<Buffer>;
  const unzip = createGunzip();
  file.on("error", (error) => unzip.destroy(error)).pipe(unzip);
  try {
    yield* unzip as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw new AnswerFault(0, `The file cannot be decompressed: ${error.message}.`);
    throw error;
  } finally {
    file.destroy();
  }
}

function firstBytes(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(2);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

const byteOrderMarks: Readonly<Record<string, string>> = { fffe: "utf-16le", feff: "utf-16be" };

/** Files that Windows writes are often UTF-16, and say so in their first two bytes. */
async function* utf8Of(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let decoder: InstanceType<typeof TextDecoder> | null | undefined;
  for await (const chunk of bytes) {
    if (decoder === undefined) {
      const encoding = byteOrderMarks[chunk.toString("hex", 0, 2)];
      decoder = encoding === undefined ? null : new TextDecoder(encoding);
    }
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

const lineFeed = 0x0a;

async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  onFault: (fault: AnswerFault) => void,
): AsyncGenerator<string, void, void> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    // What exceeds the limit is not kept.
    if (length <= answerBytesMax) parts.push(part);
  };
  const end = function* (): Generator<string> {
    const line = Buffer.concat(parts);
    const isTooLong = length > answerBytesMax;
    [parts, length] = [[], 0];
    if (isTooLong || !isUtf8(line)) {
      onFault(new AnswerFault(++number, isTooLong ? tooLong : "The line is not UTF-8."));
      return yield " ";
    }
    // Some programs end lines with a carriage return alone, which JSON cannot contain elsewhere.
    for (const text of line.toString("utf8").replace(/\r$/, "").split("\r")) {
      number++;
      yield text;
    }
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let at; (at = chunk.indexOf(lineFeed, from)) !== -1; from = at + 1) {
      add(chunk.subarray(from, at));
      yield* end();
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield* end();
}
