import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Querent } from "@querent/client";
import { createServer } from "./create-server.ts";
import { isObject, withoutNulls } from "./messages.ts";

/** Whose request it is, after the service has authenticated it. */
export interface McpAccess {
  /** A client with the token of the request. */
  readonly querent: Querent;
  readonly scopes: readonly string[];
  /** Whether the answer may be a stream of events. Otherwise it is JSON. */
  readonly streams: boolean;
}

export interface HttpHandlerOptions {
  readonly version: string;
  readonly mayAsk: boolean;
}

/** Shorter than the time after which proxies usually give up. */
const waitSecondsMax = 50;

/** Messages of a batch, and how many of them are answered at the same time. */
const batchMax = 50;
const batchAtOnce = 4;

/** Revisions of the protocol in which a client may send several messages as an array. Later ones have no batches. */
const revisionsWithBatches: ReadonlySet<string> = new Set(["2024-10-07", "2024-11-05", "2025-03-26"]);

type AnswerOne = (message: unknown) => Promise<Response>;

/**
 * Answers MCP requests over HTTP, each by itself: there are no sessions, and nothing is kept between requests. `body` is the request's,
 * parsed.
 */
export function httpHandler({ version, mayAsk }: HttpHandlerOptions) {
  return async (request: Request, body: unknown, { querent, scopes, streams }: McpAccess): Promise<Response> => {
    const tools = { querent, allows: (scope: string) => scopes.includes(scope), mayAsk, waitSecondsMax };
    // What the client accepts has been judged, and the library requires both to be named.
    const headers = new Headers(request.headers);
    headers.set("accept", "application/json, text/event-stream");
    const answerOne: AnswerOne = async (message) => {
      const id = idOfSubscription(message);
      if (id !== null) return failure(404, id, -32601, "The tools never change, so there is nothing to subscribe to.");
      const one = new Request(request.url, { method: request.method, headers, signal: request.signal });
      return createMcpHandler(() => createServer(tools, version)).fetch(one, { parsedBody: withoutNulls(message) });
    };
    if (Array.isArray(body))
      return answerBatch(body, { answerOne, streams, revision: headers.get("mcp-protocol-version") });
    const response = await answerOne(body);
    return streams ? response : asJson(response);
  };
}

/** A subscription would keep its connection open for ever. Null: it is none. */
function idOfSubscription(body: unknown): unknown {
  if (!isObject(body) || !("id" in body)) return null;
  return body["method"] === "subscriptions/listen" ? body["id"] : null;
}

interface BatchAnswering {
  readonly answerOne: AnswerOne;
  readonly streams: boolean;
  /** The revision of the protocol; null if the request does not say, as those of 2025-03-26. */
  readonly revision: string | null;
}

/** Each message is answered as if it had come alone: what is wrong with one is the error of that one. */
async function answerBatch(
  batch: readonly unknown[],
  { answerOne, streams, revision }: BatchAnswering,
): Promise<Response> {
  const wrong = whyNoBatch(batch, revision);
  if (wrong !== null) return failure(400, null, -32600, wrong);
  const answers: (string | null)[] = batch.map(() => null);
  const places = batch.entries();
  const work = async (): Promise<void> => {
    for (const [place, message] of places) {
      const wrong = whyNotInBatch(message);
      const response = wrong === null ? await answerOne(message) : failure(400, idOf(message), -32600, wrong);
      answers[place] = await textOf(response);
    }
  };
  await Promise.all(Array.from({ length: batchAtOnce }, work));
  const told = answers.filter((answer) => answer !== null);
  // Notifications have no answer.
  if (told.length === 0) return new Response(null, { status: 202 });
  return streams
    ? new Response(told.map((answer) => `event: message\ndata: ${answer}\n\n`).join(""), { headers: eventHeaders })
    : new Response(`[${told.join(",")}]`, { headers: { "content-type": "application/json" } });
}

const eventHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" };

const idOf = (message: unknown): unknown => (isObject(message) ? (message["id"] ?? null) : null);

function whyNotInBatch(message: unknown): string | null {
  if (!isObject(message)) return "A message is an object.";
  return message["method"] === "initialize" ? "Send `initialize` by itself: it cannot be part of a batch." : null;
}

function whyNoBatch(batch: readonly unknown[], revision: string | null): string | null {
  if (revision !== null && !revisionsWithBatches.has(revision))
    return `Send one message in each request: revision ${revision.slice(0, 40)} of the protocol has no batches.`;
  if (batch.length === 0) return "The batch is empty.";
  if (batch.length > batchMax) return `A batch has at most ${batchMax} messages; this one has ${batch.length}.`;
  const ids = batch.flatMap((message) => (isObject(message) && "method" in message ? (message["id"] ?? []) : []));
  if (new Set(ids).size < ids.length)
    return "Two requests of the batch have the same id, so their answers could not be told apart.";
  return null;
}

const failure = (status: number, id: unknown, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status });

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

/** The answer of a stream as JSON. What the stream says before it, such as the progress, is left out. */
async function asJson(response: Response): Promise<Response> {
  if (!isStream(response)) return response;
  const text = await textOf(response);
  if (text === null) throw new Error("a stream of the protocol ended without an answer");
  const headers = new Headers(response.headers);
  for (const name of ["cache-control", "connection", "x-accel-buffering", "content-length"]) headers.delete(name);
  headers.set("content-type", "application/json");
  return new Response(text, { status: response.status, headers });
}

/** The JSON of the one message that answers a request; null if there is none, as to a notification. */
async function textOf(response: Response): Promise<string | null> {
  const text = await response.text();
  if (!isStream(response)) return text === "" ? null : text;
  const data = text.split(/\r?\n\r?\n/u).map((event) =>
    event
      .split(/\r?\n/u)
      .flatMap((line) => (line.startsWith("data:") ? line.slice("data:".length).trimStart() : []))
      .join("\n"),
  );
  return data.findLast((each) => each !== "" && isAnswer(each)) ?? null;
}

function isAnswer(json: string): boolean {
  const message: unknown = JSON.parse(json);
  return isObject(message) && ("result" in message || "error" in message);
}
