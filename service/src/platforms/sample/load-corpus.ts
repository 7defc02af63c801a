/** Reads a folder of documents. A file that cannot be used is reported and skipped; the others are not affected. */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { constants, open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";
import {
  UnreadableError,
  type Catalogue,
  type Corpus,
  type CorpusDocument,
  type CorpusProblem,
  type CatalogueCard,
} from "./corpus.ts";
import { documentsMax, problemsMax, cardsMax, titleCharsMax } from "./limits.ts";
import { parseJson, parseYaml, readJsonDocument, readJsonItems, readMarkdownDocument } from "./read-documents.ts";
import { codeOf, type Scan, type ScannedFile } from "./scan-folder.ts";
import type { DraftCard } from "../platform.ts";
import { fields, onlyKnown, optionalText, requiredText, texts, webAddress, type Fields } from "./fields.ts";

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
