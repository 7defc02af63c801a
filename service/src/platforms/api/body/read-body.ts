/**
 * Splits the bytes of a response into its documents. Usually there is one JSON document. Servers also respond with a stream of
 * events although none was requested, and gateways with one document per line; both are supported.
 */
import { isObject, list, object, objects, string, type JsonObject } from "./json.ts";

export type Body =
  | {
      readonly kind: "documents";
      readonly documents: readonly unknown[];
      /** It was a stream of events, each a piece of the answer. */
      readonly streamed: boolean;
      /** A stream that ended with `[DONE]`. */
      readonly done: boolean;
    }
  | { readonly kind: "unreadable"; readonly what: "empty" | "a web page" | "broken JSON" | "no JSON" };

export function readBody(text: string): Body {
  const body = text.trim();
  if (body === "") return { kind: "unreadable", what: "empty" };
  if (body.startsWith("<")) return { kind: "unreadable", what: "a web page" };
  if (body.startsWith("{") || body.startsWith("[")) {
    const whole = parsed(body);
    if (whole !== undefined) {
      return { kind: "documents", documents: Array.isArray(whole) ? whole : [whole], streamed: false, done: false };
    }
    return readLines(body);
  }
  if (/^(?:data|event|id|retry|error)?:/mu.test(body)) return readEvents(body);
  return { kind: "unreadable", what: "no JSON" };
}

/**
 * The turns of an answer that took several requests. A list contains a turn that was sent as a stream as its text, since that
 * is no JSON. Every other body is one turn.
 */
export function turnsIn(body: Body): readonly Body[] {
  if (body.kind === "unreadable" || !body.documents.some((document) => typeof document === "string")) return [body];
  return body.documents.map((document) =>
    typeof document === "string"
      ? readBody(document)
      : { kind: "documents", documents: [document], streamed: false, done: false },
  );
}

/** One document per line. An incomplete last line is omitted: the assembler determines whether anything is missing. */
function readLines(body: string): Body {
  const documents: unknown[] = [];
  for (const line of body.split("\n")) {
    if (line.trim() === "") continue;
    const document = parsed(line);
    if (document === undefined) break;
    documents.push(document);
  }
  return documents.length < 2
    ? { kind: "unreadable", what: "broken JSON" }
    : { kind: "documents", documents, streamed: true, done: false };
}

/** Parsing what is no JSON is slow: a body of nothing else would block the process for seconds. */
const brokenMax = 10_000;

/**
 * Server-sent events. Of an event's name only whether it says that something failed is used: the data has the rest. An event
 * that cannot be parsed is a missing piece of the answer, so the body is unreadable, unless it is the last one: there the
 * assembler determines whether anything is missing. Older servers have a field `error:` instead of an event.
 */
function readEvents(body: string): Body {
  const documents: unknown[] = [];
  let done = false;
  let lines: string[] = [];
  let broken = 0;
  let isError = false;
  /** What follows an event that could not be parsed shows that it was not the last one. */
  let isMissing = false;
  const add = (document: unknown) => {
    documents.push(isError ? asError(document) : document);
    isMissing ||= broken > 0;
  };
  const endEvent = () => {
    const data = lines.join("\n");
    lines = [];
    if (isError && data !== "") return add(parsed(data) ?? data);
    // Some servers send words such as `keep-alive` to keep the connection open.
    if (!/^[[{]/u.test(data)) return;
    const document = parsed(data);
    if (document === undefined) broken += 1;
    else add(document);
  };
  for (const line of body.split(/\r\n|\n|\r/u)) {
    if (broken > brokenMax) break;
    if (line === "") {
      endEvent();
      isError = false;
    }
    const [, field = "", value = ""] = /^(event|error): ?(.*)$/u.exec(line) ?? [];
    if (field === "event") isError = /(?:^|[._-])error$/iu.test(value.trim());
    if (field === "error") documents.push(asError(parsed(value) ?? value));
    if (!line.startsWith("data:")) continue;
    const data = line.slice(5).trim();
    if (data === "[DONE]") {
      endEvent();
      done = true;
      isMissing ||= broken > 0;
      continue;
    }
    // Servers send one line per event, some without the empty line in between; the standard allows several.
    const document = /^[[{]/u.test(data) && lines.length < brokenMax ? parsed(data) : undefined;
    if (document === undefined) {
      lines.push(data);
    } else {
      endEvent();
      add(document);
    }
  }
  endEvent();
  return documents.length === 0 || isMissing
    ? { kind: "unreadable", what: "broken JSON" }
    : { kind: "documents", documents, streamed: true, done };
}

/** The data of an event whose name says that it is an error: with a member `error`, as those that say it themselves. */
function asError(data: unknown): unknown {
  if (!isObject(data)) return { error: { message: typeof data === "string" ? data : "" } };
  const { error } = data;
  return error === undefined || error === null || error === "" ? { ...data, error: data } : data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Whether a document is an error that states its code beside its message, as DashScope, Zhipu and vLLM send it, even with status
 * 200 and in the middle of a stream. Members of an answer may stand beside them, but are empty.
 */
export function isStatedError(document: JsonObject): boolean {
  const { code, message, msg, detail, errors, output, choices, type, object: kind } = document;
  if (![message, msg, detail].some((text) => typeof text === "string") && objects(errors).length === 0) return false;
  const named = type === "error" || kind === "error" || objects(errors).length > 0;
  if (!named && !isErrorCode(code) && statedStatus(document) === null) return false;
  const { text, choices: wrapped } = object(output);
  const isEmpty = (value: unknown) => !isObject(value) && list(value).length === 0 && string(value) === "";
  return [choices, wrapped, text, document["content"]].every(isEmpty) && !Array.isArray(output);
}

function isErrorCode(code: unknown): boolean {
  if (typeof code === "number") return code !== 0 && code !== 200;
  return string(code) !== "" && !/^(?:0|200|ok|success)$/iu.test(string(code));
}

/**
 * The status of HTTP that an error states: as a number or in digits, under any of the names that are in use. Vendors' own codes
 * have more digits, or fewer.
 */
export function statedStatus(...documents: readonly JsonObject[]): number | null {
  const stated = documents.flatMap((document) => statusNames.map((name) => document[name])).find(isErrorStatus);
  return stated === undefined ? null : Number(stated);
}

const statusNames = ["code", "status", "status_code", "statusCode", "http_status", "httpStatus", "http_code"];

function isErrorStatus(value: unknown): boolean {
  return (typeof value === "number" || typeof value === "string") && /^[45]\d\d$/u.test(String(value).trim());
}
