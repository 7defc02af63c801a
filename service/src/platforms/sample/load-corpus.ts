/** Reads a folder of documents. A file that cannot be used is reported and skipped; the others are not affected. */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { constants, open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";
import { type Catalogue, type Corpus, type CorpusDocument, type CorpusProblem, UnreadableError } from "./corpus.ts";
import { documentsMax, problemsMax } from "./limits.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { parseJson, parseYaml, readJsonDocument, readJsonItems, readMarkdownDocument } from "./read-documents.ts";
import { codeOf, type Scan, type ScannedFile } from "./scan-folder.ts";

export async function loadCorpus(folder: string, scan: Scan): Promise<Corpus> {
  const pause = yieldToEventLoop();
  const documents: CorpusDocument[] = [];
  const problems: CorpusProblem[] = [...scan.problems];
  const hash = createHash("sha256");
  let catalogue: Catalogue | null = null;
  for (const scanned of scan.files) {
    await pause();
    try {
      const bytes = await readBytes(scanned);
      hash.update(`${scanned.file}\0${bytes.length}\0`).update(bytes);
      const text = decode(bytes);
      switch (scanned.kind) {
        case "markdown":
          documents.push(readMarkdownDocument(scanned.file, text));
          break;
        case "json":
          for (const item of readJsonItems(scanned.file, text)) {
            await pause();
            if (documents.length > documentsMax) break;
            try {
              documents.push(readJsonDocument(item));
            } catch (error) {
              problems.push(problemOf(scanned.file, error));
            }
          }
          break;
        case "catalogue-json":
        case "catalogue-yaml":
          if (catalogue !== null) throw new UnreadableError(null, "is a second catalogue; the first one is used");
          catalogue = readCatalogue(scanned.kind === "catalogue-json" ? parseJson(text) : parseYaml(text, 1));
      }
    } catch (error) {
      problems.push(problemOf(scanned.file, error));
    }
    if (documents.length > documentsMax) {
      documents.length = documentsMax;
      problems.push({
        file: scanned.file,
        place: null,
        message: `holds document ${documentsMax + 1}: from there on all is left out`,
      });
      break;
    }
  }
  return {
    name: catalogue?.name ?? basename(resolve(folder)),
    hash: hash.digest("hex").slice(0, 12),
    documents,
    cards: catalogue?.cards ?? [],
    problems: problems.slice(0, problemsMax),
  };
}

/**
 * Reads at most the allowed size, even if the file has changed since it was listed; does not wait for a pipe that replaced it.
 */
async function readBytes({ path, bytesMax }: ScannedFile): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UnreadableError(null, "is not a file");
    if (stats.size > bytesMax) throw new UnreadableError(null, `is larger than ${bytesMax} bytes`);
    const buffer = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UnreadableError(`line ${lineOfBadUtf8(bytes)}`, "is not UTF-8 text");
  const text = bytes.toString("utf8");
  const withoutMark = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return withoutMark.includes("\0") ? withoutMark.replaceAll("\0", "\uFFFD") : withoutMark;
}

function lineOfBadUtf8(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

function problemOf(file: string, error: unknown): CorpusProblem {
  if (error instanceof UnreadableError) return { file, place: error.place, message: error.message };
  return { file, place: null, message: `can't be read: ${codeOf(error)}` };
}
