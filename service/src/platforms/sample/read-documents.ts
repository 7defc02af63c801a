/** Markdown and JSON files as documents. */
import { LineCounter, parseDocument } from "yaml";
import {
  UnreadableError,
  type CorpusDocument,
  type Passage,
  dataFileBytesMax,
  titleCharsMax,
  passageCharsMax,
  passageCharsMin,
} from "./corpus.ts";

export function readMarkdownDocument(file: string, text: string): CorpusDocument {
  const { front, body } = splitFrontMatter(text);
  const known = documentFields(front, "front matter");
  const title =
    known.title ??
    /^#\s+(?<title>.+?)\s*#*\s*$/mu.exec(body)?.groups?.["title"]?.slice(0, titleCharsMax).toWellFormed();
  if (title === undefined) {
    throw new UnreadableError(
      "front matter/title",
      "is missing, and the text has no first heading (# …) to take it from",
    );
  }
  const passages = splitPassages(body);
  if (passages.length === 0) throw new UnreadableError(null, "has no text");
  return { file, ...known, title, passages };
}

interface JsonItem {
  /** The file, followed by the item's number if there are several. */
  readonly file: string;
  /** A JSON Pointer into the file. */
  readonly place: string;
  readonly item: unknown;
}

/** One document, or an array of them. */
export function readJsonItems(file: string, text: string): JsonItem[] {
  const data = parseJson(text);
  if (!Array.isArray(data)) return [{ file, place: "", item: data }];
  return data.map((item: unknown, index) => ({ file: `${file}#${index + 1}`, place: `/${index}`, item }));
}

export function readJsonDocument({ file, place, item }: JsonItem): CorpusDocument {
  const from = fields(item, place === "" ? "/" : place);
  const title = requiredText(from, "title", place, titleCharsMax);
  const passages = splitPassages(requiredText(from, "text", place, dataFileBytesMax));
  if (passages.length === 0) throw new UnreadableError(`${place}/text`, "has no text under its headings");
  return { file, ...documentFields(from, place), title, passages };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UnreadableError(lineOfJsonError(text), `is not JSON: ${message.slice(0, 200).toWellFormed()}`);
  }
}

function jsonError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const locatedCharsMax = 1_000_000;

/**
 * V8 omits the position from most of its messages. The first invalid line is the one up to which the text no longer parses as a
 * prefix.
 */
function lineOfJsonError(text: string): string | null {
  if (text.length > locatedCharsMax) return null;
  const lines = text.split("\n");
  let good = 0;
  let bad = lines.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isStartOfJson(lines.slice(0, middle).join("\n"))) good = middle;
    else bad = middle;
  }
  return `line ${bad}`;
}

function isStartOfJson(text: string): boolean {
  const error = jsonError(text);
  if (error === null || error.includes("end of JSON input")) return true;
  const position = /at position (\d+)/u.exec(error)?.[1];
  return position !== undefined && Number(position) >= text.trimEnd().length;
}

/** YAML without tags and with few aliases, so that a small file cannot expand to a large one. */
export function parseYaml(text: string, firstLine: number): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, schema: "core" });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line } = lineCounter.linePos(problem.pos[0]);
    throw new UnreadableError(`line ${line + firstLine - 1}`, `is not YAML: ${problem.message}`);
  }
  try {
    return document.toJS({ maxAliasCount: 20 }) as unknown;
  } catch (error) {
    throw new UnreadableError(
      null,
      `is not YAML that can be read: ${error instanceof Error ? error.message : "unknown"}`,
    );
  }
}

const frontMatterCharsMax = 20_000;

function splitFrontMatter(text: string): { front: Fields; body: string } {
  if (!/^---[ \t]*\r?\n/u.test(text)) return { front: {}, body: text };
  const start = text.indexOf("\n") + 1;
  const end = /^---[ \t]*$/mu.exec(text.slice(start, start + frontMatterCharsMax));
  if (end === null) throw new UnreadableError("line 1", "front matter begins with --- and has no line --- to end it");
  const yaml = text.slice(start, start + end.index);
  const body = text.slice(start + end.index + end[0].length);
  return { front: frontMatterFields(yaml), body };
}

function frontMatterFields(yaml: string): Fields {
  const plain = plainFields(yaml);
  if (plain !== null) return plain;
  const value = parseYaml(yaml, 2);
  return value === null ? {} : fields(value, "front matter");
}

/**
 * Lines of `name: plain text`, as in most front matter. Reading these without the YAML parser makes a folder of 10,000 files
 * load in a third of the time.
 */
function plainFields(yaml: string): Fields | null {
  const plain: Record<string, string> = Object.create(null);
  for (const line of yaml.split(/\r?\n/u)) {
    if (line.trim() === "") continue;
    const [, name, value] =
      /^([A-Za-z]\w*): +([\p{L}\p{N}][^:#"'[\]{}&*!|>%@`]*|https?:\/\/[^\s#]+)$/u.exec(line) ?? [];
    if (name === undefined || value === undefined || name in plain) return null;
    plain[name] = value;
  }
  return plain;
}

/**
 * Splits a text into passages: paragraphs of one section, combined until there is enough to quote. Only a block that is too
 * long is cut.
 */
export function splitPassages(markdown: string): Passage[] {
  const passages: Passage[] = [];
  let heading = "";
  let blocks: string[] = [];
  let blocksChars = 0;
  const flush = (): void => {
    if (blocks.length > 0) passages.push({ heading, markdown: blocks.join("\n\n") });
    blocks = [];
    blocksChars = 0;
  };
  for (const block of splitBlocks(markdown)) {
    const title = /^#{1,6}[ \t]+(?<title>[^\n]*?)[ \t]*#*$/u.exec(block)?.groups?.["title"];
    if (title !== undefined) {
      flush();
      heading = title;
      continue;
    }
    for (const piece of piecesOf(block)) {
      if (blocksChars + piece.length > passageCharsMax) flush();
      blocks.push(piece);
      blocksChars += piece.length;
      if (blocksChars >= passageCharsMin) flush();
    }
  }
  flush();
  return passages;
}

/** Blocks are separated by blank lines; a code fence is one block, headings are blocks of their own. */
function splitBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const flush = (): void => {
    if (lines.length > 0) blocks.push(lines.join("\n"));
    lines = [];
  };
  for (const line of markdown.split(/\r\n?|\n/u)) {
    const mark: string | undefined = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== null) {
      lines.push(line);
      if (mark?.startsWith(fence)) fence = null;
    } else if (line.trim() === "") {
      flush();
    } else if (/^#{1,6}[ \t]/u.test(line)) {
      flush();
      blocks.push(line.trimEnd());
    } else {
      if (mark !== undefined) fence = mark;
      lines.push(line);
    }
  }
  flush();
  return blocks;
}

/** A block that is too long to quote, cut after sentences; one without sentences is cut between any two characters. */
function piecesOf(block: string): string[] {
  if (block.length <= passageCharsMax) return [block];
  const pieces: string[] = [];
  let rest = block;
  while (rest.length > passageCharsMax) {
    const start = rest.slice(0, passageCharsMax);
    const sentenceEnd = Math.max(
      ...[". ", ".\n", "! ", "? ", "。", "！", "？", "\n"].map((mark) => start.lastIndexOf(mark)),
    );
    const end = sentenceEnd > passageCharsMin ? sentenceEnd + 1 : passageCharsMax - 1;
    const splitsPair = /[\uD800-\uDBFF]/.test(rest.charAt(end - 1));
    pieces.push(rest.slice(0, splitsPair ? end - 1 : end).trim());
    rest = rest.slice(splitsPair ? end - 1 : end).trimStart();
  }
  return rest === "" ? pieces : [...pieces, rest];
}

/** The fields of a hand-written object. What reads them reports the position of an error. */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown, place: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UnreadableError(place, "must be an object with fields");
  }
  return value as Fields;
}

export function optionalText(from: Fields, name: string, place: string, charsMax = 10_000): string | null {
  const value = from[name];
  if (value === undefined || value === null) return null;
  // `price: 129` in YAML is a number; the text was intended.
  const text = typeof value === "number" ? String(value) : value;
  const at = `${place}/${name}`;
  if (typeof text !== "string") throw new UnreadableError(at, "must be text");
  if (text.length > charsMax) throw new UnreadableError(at, `must be at most ${charsMax} characters long`);
  return text.trim() === "" ? null : text.toWellFormed().replaceAll("\0", "\uFFFD").trim();
}

export function requiredText(from: Fields, name: string, place: string, charsMax?: number): string {
  const text = optionalText(from, name, place, charsMax);
  if (text === null) throw new UnreadableError(`${place}/${name}`, "is missing");
  return text;
}

export function texts(from: Fields, name: string, place: string): string[] {
  const value = from[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > 50) {
    throw new UnreadableError(`${place}/${name}`, "must be a list of at most 50 texts");
  }
  const list: Fields = Object.fromEntries(value.entries());
  return value.map((_, index) => requiredText(list, String(index), `${place}/${name}`));
}

export function webAddress(from: Fields, name: string, place: string): string | null {
  const text = optionalText(from, name, place, 2_048);
  if (text === null || (/^https?:\/\//iu.test(text) && URL.canParse(text))) return text;
  throw new UnreadableError(`${place}/${name}`, "must be an address that begins with http:// or https://");
}

function date(from: Fields, name: string, place: string): string | null {
  const text = optionalText(from, name, place, 100);
  if (text === null) return null;
  const time = /^\d{4}-\d{2}-\d{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UnreadableError(`${place}/${name}`, "must be a date such as 2026-03-14");
  return new Date(time).toISOString();
}

export function onlyKnown(from: Fields, known: readonly string[], place: string): void {
  const unknown = Object.keys(from).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UnreadableError(`${place}/${unknown}`, `is not a field here; fields are ${known.join(", ")}`);
  }
}

/** The fields of every document, regardless of its format. Other fields are ignored: folders are shared with other programs. */
function documentFields(from: Fields, place: string) {
  const url = webAddress(from, "url", place) ?? "";
  return {
    title: optionalText(from, "title", place, titleCharsMax),
    url,
    site:
      optionalText(from, "site", place, titleCharsMax) ??
      (url === "" ? "" : new URL(url).hostname.replace(/^www\./u, "")),
    publishedAt: date(from, "publishedAt", place),
  };
}
