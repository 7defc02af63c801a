/**
 * The folder's index, kept current without a timer or a watcher: if it is used and the last check was some time ago, the folder
 * is checked in the background. The old index is used until the new one is complete.
 */
import {
  type CorpusProblem,
  UnreadableError,
  type Catalogue,
  type Corpus,
  type CorpusDocument,
  type CatalogueCard,
  documentsMax,
  problemsMax,
  cardsMax,
  titleCharsMax,
  corpusBytesMax,
  dataFileBytesMax,
  filesMax,
  folderDepthMax,
  markdownFileBytesMax,
} from "./corpus.ts";
import { buildIndex, type Index } from "./find-passages.ts";
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { constants, open, lstat, readdir, realpath } from "node:fs/promises";
import { basename, resolve, join, sep } from "node:path";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";
import {
  parseJson,
  parseYaml,
  readJsonDocument,
  readJsonItems,
  readMarkdownDocument,
  fields,
  onlyKnown,
  optionalText,
  requiredText,
  texts,
  webAddress,
  type Fields,
} from "./read-documents.ts";
import type { DraftCard } from "../platform.ts";

type FolderState =
  | { readonly index: Index; readonly missing: null }
  | { readonly index: null; readonly missing: string };

interface FolderOptions {
  readonly folder: string;
  readonly onProblem: (problem: CorpusProblem) => void;
  readonly rescanMsMin: number;
}

/** Checks take at most this share of the time: a folder of 50,000 files is checked less often than one of 20. */
const scanShareMax = 1 / 50;

export class WatchedFolder {
  readonly #options: FolderOptions;
  #state: FolderState;
  #signature: string | null = null;
  #isScanning = false;
  #nextScanAt = 0;

  private constructor(options: FolderOptions) {
    this.#options = options;
    this.#state = { index: null, missing: `The folder ${options.folder} has not been read yet.` };
  }

  static async open(options: FolderOptions): Promise<WatchedFolder> {
    const watched = new WatchedFolder(options);
    await watched.#scan();
    return watched;
  }

  current(): FolderState {
    if (!this.#isScanning && performance.now() >= this.#nextScanAt) void this.#scan();
    return this.#state;
  }

  /** Never throws: an error becomes the state. */
  async #scan(): Promise<void> {
    this.#isScanning = true;
    const started = performance.now();
    let scanMs = 0;
    try {
      const scan = await scanFolder(this.#options.folder);
      scanMs = performance.now() - started;
      const signature = scan?.signature ?? null;
      if (scan === null) this.#state = missing(`The folder ${this.#options.folder} does not exist or may not be read.`);
      else if (signature !== this.#signature) {
        const corpus = await loadCorpus(this.#options.folder, scan);
        this.#state =
          corpus.documents.length > 0
            ? { index: await buildIndex(corpus), missing: null }
            : missing(
                `The folder ${this.#options.folder} holds no document that can be read${firstOf(corpus.problems)}.`,
              );
        for (const problem of corpus.problems) this.#options.onProblem(problem);
      }
      this.#signature = signature;
    } catch (error) {
      this.#signature = null;
      if (this.#state.index === null)
        this.#state = missing(`The folder ${this.#options.folder} can't be read: ${String(error)}.`);
    } finally {
      this.#nextScanAt = performance.now() + Math.max(this.#options.rescanMsMin, scanMs / scanShareMax);
      this.#isScanning = false;
    }
  }
}

function missing(what: string): FolderState {
  return {
    index: null,
    missing: `${what} Put Markdown or JSON documents there, as docs/sample-platform.md describes, or name another folder.`,
  };
}

function firstOf([problem]: readonly CorpusProblem[]): string {
  if (problem === undefined) return "";
  const place = problem.place === null ? "" : ` ${problem.place}`;
  return ` (${problem.file}:${place} ${problem.message})`;
}

/** Reads a folder of documents. A file that cannot be used is reported and skipped; the others are not affected. */
async function loadCorpus(folder: string, scan: Scan): Promise<Corpus> {
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

// `catalogue.json` or `catalogue.yaml`: the name of the collection, and the cards to show with its passages.

function readCatalogue(data: unknown): Catalogue {
  const from = fields(data, "/");
  onlyKnown(from, ["name", "cards"], "");
  const cards = from["cards"] ?? [];
  if (!Array.isArray(cards)) throw new UnreadableError("/cards", "must be a list of cards");
  if (cards.length > cardsMax) throw new UnreadableError("/cards", `has more than ${cardsMax} cards`);
  return {
    name: optionalText(from, "name", "", titleCharsMax),
    cards: cards.map((card: unknown, index) => readCard(fields(card, `/cards/${index}`), `/cards/${index}`)),
  };
}

const always = ["type", "keywords", "about"] as const;

function readCard(from: Fields, place: string): CatalogueCard {
  const type = requiredText(from, "type", place, 32);
  return {
    keywords: texts(from, "keywords", place),
    about: texts(from, "about", place),
    draft: type === "product" ? product(from, place) : type === "video" ? video(from, place) : media(type, from, place),
  };
}

const productTexts = [
  "mall",
  "mallPlatform",
  "mallProductId",
  "skuId",
  "shopId",
  "price",
  "priceUnit",
  "sales",
] as const;

function product(from: Fields, place: string): DraftCard {
  onlyKnown(
    from,
    [
      ...always,
      "title",
      "url",
      "deepLink",
      "trackingUrl",
      "fallbackUrl",
      "thumbnail",
      "sellingPoints",
      ...productTexts,
    ],
    place,
  );
  const text = (name: (typeof productTexts)[number]): string => optionalText(from, name, place, 500) ?? "";
  const deepLink = optionalText(from, "deepLink", place, 2_048);
  if (deepLink !== null && !/^[a-z][a-z0-9+.-]*:/iu.test(deepLink)) {
    throw new UnreadableError(`${place}/deepLink`, "must be an address that an app opens, such as shopapp://item/1");
  }
  const url = webAddress(from, "url", place);
  if (url === null && deepLink === null)
    throw new UnreadableError(`${place}/url`, "is missing, and there is no deepLink");
  return {
    type: "product",
    card: {
      title: requiredText(from, "title", place, titleCharsMax),
      url: url ?? deepLink ?? "",
      urlType: url === null ? "app_deep_link" : "web",
      deepLink,
      trackingUrl: webAddress(from, "trackingUrl", place),
      fallbackUrl: webAddress(from, "fallbackUrl", place),
      thumbnail: webAddress(from, "thumbnail", place) ?? "",
      mall: text("mall"),
      mallPlatform: text("mallPlatform"),
      mallProductId: text("mallProductId"),
      skuId: text("skuId"),
      shopId: text("shopId"),
      price: text("price"),
      priceUnit: text("priceUnit"),
      sales: text("sales"),
      sellingPoints: texts(from, "sellingPoints", place),
    },
  };
}

function video(from: Fields, place: string): DraftCard {
  onlyKnown(from, [...always, "title", "url", "cover", "author", "duration", "videoId", "videoPlatform"], place);
  const url = webAddress(from, "url", place);
  if (url === null) throw new UnreadableError(`${place}/url`, "is missing");
  return {
    type: "video",
    card: {
      title: requiredText(from, "title", place, titleCharsMax),
      url,
      cover: webAddress(from, "cover", place),
      author: optionalText(from, "author", place, 500),
      duration: optionalText(from, "duration", place, 100),
      videoId: optionalText(from, "videoId", place, 500),
      videoPlatform: optionalText(from, "videoPlatform", place, 500),
    },
  };
}

function media(mediaType: string, from: Fields, place: string): DraftCard {
  onlyKnown(from, [...always, "title", "url", "thumbnail", "content"], place);
  return {
    type: "media",
    card: {
      mediaType,
      title: requiredText(from, "title", place, titleCharsMax),
      url: webAddress(from, "url", place),
      thumbnail: webAddress(from, "thumbnail", place),
      content: optionalText(from, "content", place),
    },
  };
}

/** A file of a folder that should be read. */
interface ScannedFile {
  /** In the folder, with `/`. */
  readonly file: string;
  readonly path: string;
  readonly kind: "markdown" | "json" | "catalogue-json" | "catalogue-yaml";
  readonly bytesMax: number;
}

interface Scan {
  /** By name, so that the order is the same on every machine. */
  readonly files: readonly ScannedFile[];
  readonly problems: readonly CorpusProblem[];
  /** Changes when a file is added, removed or changed. */
  readonly signature: string;
}

/**
 * Lists the files of the folder; null if it does not exist, is not a folder, or cannot be read. Follows no link to outside the folder, and
 * no link to a folder.
 */
async function scanFolder(folder: string): Promise<Scan | null> {
  let root: string;
  try {
    root = await realpath(folder);
    await readdir(root);
  } catch {
    return null;
  }
  const pause = yieldToEventLoop();
  const files: ScannedFile[] = [];
  const problems: CorpusProblem[] = [];
  const signature: string[] = [];
  let bytes = 0;
  let isFull = false;

  const addFile = async (file: string): Promise<void> => {
    const kind = kindOf(file);
    if (kind === null) return;
    if (files.length === filesMax) {
      isFull = true;
      problems.push({
        file,
        place: null,
        message: `is left out with all after it: the folder has more than ${filesMax} files`,
      });
      return;
    }
    const path = await realpath(join(root, file));
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      problems.push({ file, place: null, message: "is a link that leads out of the folder" });
      return;
    }
    const stats = await lstat(path);
    const { size, mtimeMs } = stats;
    const bytesMax = kind === "markdown" ? markdownFileBytesMax : dataFileBytesMax;
    signature.push(`${file}\0${size}\0${mtimeMs}`);
    if (!stats.isFile()) problems.push({ file, place: null, message: "is not a file" });
    else if (size > bytesMax) problems.push({ file, place: null, message: `is larger than ${bytesMax} bytes` });
    else if (bytes + size > corpusBytesMax) {
      problems.push({
        file,
        place: null,
        message: `is left out: the folder has more than ${corpusBytesMax} bytes of documents`,
      });
    } else {
      bytes += size;
      files.push({ file, path, kind, bytesMax });
    }
  };

  const walk = async (within: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, within), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (isFull) return;
      if (/^[._]/u.test(entry.name)) continue;
      const file = within === "" ? entry.name : `${within}/${entry.name}`;
      try {
        if (!entry.isDirectory()) await addFile(file);
        else if (depth < folderDepthMax) await walk(file, depth + 1);
        else problems.push({ file, place: null, message: `is deeper than ${folderDepthMax} folders` });
      } catch (error) {
        problems.push({ file, place: null, message: `can't be read: ${codeOf(error)}` });
        signature.push(`${file}\0${codeOf(error)}`);
      }
      await pause();
    }
  };
  await walk("", 1);
  return { files, problems, signature: signature.join("\n") };
}

function kindOf(file: string): ScannedFile["kind"] | null {
  const lower = file.toLowerCase();
  if (lower === "catalogue.json") return "catalogue-json";
  if (lower === "catalogue.yaml" || lower === "catalogue.yml") return "catalogue-yaml";
  if (lower.endsWith(".json")) return "json";
  // A README describes the folder to people; it is not one of its documents.
  return /\.(?:md|markdown)$/u.test(lower) && lower !== "readme.md" ? "markdown" : null;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
}
