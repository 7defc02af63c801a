/**
 * From the bytes of a response to the documents in it. One JSON document is the rule. Servers also answer with a stream of
 * events although none was asked for, and gateways with one document a line; both are read too.
 */

export type Body =
  | {
      readonly kind: "documents";
      readonly documents: readonly unknown[];
      /** Came as a stream of events, each a piece of the answer. */
      readonly streamed: boolean;
      /** A stream that said `[DONE]`. */
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
  if (/^(?:data|event|id|retry)?:/mu.test(body)) return readEvents(body);
  return { kind: "unreadable", what: "no JSON" };
}

/** One document a line. A last line that is cut is left out: whether something is missing, the reader of the pieces says. */
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

const brokenLinesMax = 10_000;

/** Server-sent events. What comes in `data:` counts; names of events stand in the data too, wherever they matter. */
function readEvents(body: string): Body {
  const documents: unknown[] = [];
  let done = false;
  let lines: string[] = [];
  let broken = 0;
  const endEvent = () => {
    const document = lines.length === 0 ? undefined : parsed(lines.join("\n"));
    if (document !== undefined) documents.push(document);
    lines = [];
  };
  for (const line of body.split(/\r\n|\n|\r/u)) {
    if (line === "") endEvent();
    if (!line.startsWith("data:")) continue;
    const data = line.slice(5).trim();
    if (data === "[DONE]") {
      done = true;
      continue;
    }
    // One line an event is what everybody sends, some without the empty line between; the standard allows several.
    const document = parsed(data);
    if (document !== undefined) documents.push(document);
    // To fail at parsing takes long: a body of nothing but broken lines would stop the process for seconds.
    else if (++broken > brokenLinesMax) break;
    else lines.push(data);
  }
  endEvent();
  return documents.length === 0
    ? { kind: "unreadable", what: "broken JSON" }
    : { kind: "documents", documents, streamed: true, done };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
