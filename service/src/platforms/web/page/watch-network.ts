/**
 * Follows the requests that bring the answer: whether they have ended, and how. Chromium reports one in three streamed answers
 * that a page has read to the end as aborted, even for a page of four lines without our code. So an abort also counts as an
 * end, though a weaker one: broken connections have other errors.
 */
import { MIMEType } from "node:util";
import type { Page, Request, WebSocket } from "playwright-core";
import { firstMatchOrNull } from "../recipe/expression.ts";
import { boundedPart, partBytesMax, type CapturedResponse, type PageSnapshots } from "./snapshots.ts";
import type { Recipe } from "../recipe/recipe.ts";
import { isUtf8 } from "node:buffer";
import { setTimeout as pause } from "node:timers/promises";

export interface AnswerTraffic {
  /** The state of the requests: null while none has been seen, `ended` once all that were seen have ended. */
  readonly state: "under way" | "ended" | "let go" | "broken" | null;
  /** The status of the answer's response; once one is above 399, that one. */
  readonly status: number | null;
  /** Whether the page has sent and received nothing since the question, by requests of its scripts or messages. */
  readonly isSilent: boolean;
  response(): Promise<PageSnapshots["response"]>;
  /** The last responses of the recipe's other requests. */
  others(): Promise<Record<string, CapturedResponse>>;
  /** Requests and messages count from here on: the question is about to be sent. */
  arm(): void;
}

/** Call it before the page is opened: a WebSocket for answers may be older than the question. */
export async function watchNetwork(page: Page, recipe: Recipe): Promise<AnswerTraffic> {
  const rule = recipe.network?.answer;
  const kept = rule?.keep === true || readsResponse(recipe);
  const open = new Set<Request>();
  let armed = false;
  let silent = true;
  let seen = 0;
  let broken = false;
  let letGo = false;
  let endSeen = false;
  let status: number | null = null;
  let last: Request | null = null;
  const matches = (expression: string | null, flags: "u" | "su", text: string) =>
    expression !== null && firstMatchOrNull(expression, flags, text) !== null;
  const url = rule?.url ?? null;
  const frameEnd = rule?.frameEnd ?? null;
  const bodyEnd = rule?.bodyEnd ?? null;
  const isAnswer = (address: string, method: string) =>
    matches(url, "u", address) && (rule?.method === undefined || method === rule.method);
  const others = Object.entries(recipe.network?.others ?? {});
  const lastOthers = new Map<string, Request>();
  const otherOf = (address: string, method: string) =>
    others.find(
      ([, other]) => matches(other.url, "u", address) && (other.method === undefined || other.method === method),
    )?.[0];
  const readAborted =
    kept || others.length > 0
      ? await watchAborted(
          page,
          (address, method) => isAnswer(address, method) || otherOf(address, method) !== undefined,
        )
      : null;
  const messages: string[] = [];
  let messagesLength = 0;
  let socketUrl = "";

  const noteOther = (request: Request) => {
    const name = armed && others.length > 0 ? otherOf(request.url(), request.method()) : undefined;
    if (name !== undefined) lastOthers.set(name, request);
  };
  const onRequest = (request: Request) => {
    if (armed && /^(fetch|xhr|eventsource)$/.test(request.resourceType())) silent = false;
    if (!armed || !isAnswer(request.url(), request.method()) || frameEnd !== null) return;
    seen++;
    broken = false;
    letGo = false;
    open.add(request);
  };
  const onFinished = (request: Request) => {
    noteOther(request);
    if (!open.delete(request)) return;
    if (bodyEnd === null) {
      last = request;
      return;
    }
    void textOf(request).then((text) => {
      if (endSeen || text === null || !matches(bodyEnd, "su", text)) return;
      last = request;
      endSeen = true;
    });
  };
  const onFailed = (request: Request) => {
    if (isAborted(request)) noteOther(request);
    if (!open.delete(request)) return;
    if (isAborted(request)) letGo = true;
    else broken = true;
    last = request;
  };
  const onResponse = (response: { request(): Request; status(): number }) => {
    if (open.has(response.request()) && (status ?? 0) < 400) status = response.status();
  };
  const onFrame = ({ payload }: { payload: string | Buffer }) => {
    if (!armed) return;
    seen++;
    messagesLength += payload.length;
    if (kept && messagesLength <= partBytesMax) messages.push(payload.toString());
    if (matches(frameEnd, "su", payload.toString())) endSeen = true;
  };
  const onSocket = (socket: WebSocket) => {
    socket.on("framereceived", () => (silent &&= !armed));
    if (frameEnd === null || !matches(url, "u", socket.url())) return;
    socketUrl = socket.url();
    socket.on("framereceived", onFrame);
  };
  page.on("request", onRequest).on("requestfinished", onFinished).on("requestfailed", onFailed);
  page.on("response", onResponse).on("websocket", onSocket);

  return {
    get state() {
      if (frameEnd !== null || bodyEnd !== null) return endSeen ? "ended" : seen > 0 ? "under way" : null;
      if (seen === 0) return null;
      if (open.size > 0) return "under way";
      return broken ? "broken" : letGo ? "let go" : "ended";
    },
    get status() {
      return status;
    },
    get isSilent() {
      return silent;
    },
    async response() {
      if (messages.length > 0)
        return { url: socketUrl, status: 101, mediaType: "text/plain", body: boundedPart(messages.join("\n")).html };
      return readAborted === null || last === null ? null : responseOf(last, readAborted);
    },
    async others() {
      if (readAborted === null) return {};
      const read = await Promise.all(
        [...lastOthers].map(async ([name, request]) => [name, await responseOf(request, readAborted)] as const),
      );
      return Object.fromEntries(read.flatMap(([name, response]) => (response === null ? [] : [[name, response]])));
    },
    arm() {
      armed = true;
    },
  };
}

/** Whether a rule of `extract` reads the response. */
function readsResponse({ extract, checks, turn }: Recipe): boolean {
  if (turn.response !== undefined) return true;
  const { drop: _dropped, ...lists } = extract ?? {};
  const rules = Object.values(lists).flat();
  return [...rules, ...(checks ?? [])].some((rule) => rule.in === "response");
}

async function responseOf(request: Request, readAborted: ReadAborted): Promise<PageSnapshots["response"]> {
  const response = await request.response();
  if (response === null) return null;
  const mediaType = response.headers()["content-type"] ?? "";
  const received = await readAborted(request);
  const body = received === null ? await textOf(request) : decode(received, mediaType);
  return { url: response.url(), status: response.status(), mediaType, body: boundedPart(body ?? "").html };
}

function decode(bytes: Buffer, mediaType: string): string {
  try {
    return new TextDecoder(new MIMEType(mediaType).params.get("charset") ?? "utf-8").decode(bytes);
  } catch {
    // There is no such media type or character set.
    return bytes.toString("utf8");
  }
}

/** The text of a response; null if the page has closed, so that it cannot be read any more. */
async function textOf(request: Request): Promise<string | null> {
  try {
    const response = await request.response();
    if (response === null) return null;
    const type = (await response.headerValue("content-type")) ?? "";
    return receivedBytes(await response.body(), type).toString("utf8");
  } catch {
    return null;
  }
}

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

/** The bytes that were received. Null: it was not aborted, nothing is kept any more, or the page has closed. */
export type ReadAborted = (request: Request) => Promise<Buffer | null>;

const aborted = "net::ERR_ABORTED";
const bodyBytesMax = 8 * 1024 * 1024;
/** Bounds what is remembered of a page that aborts without end. */
const requestsMax = 2000;
/** Playwright and this session hear of an abort one after the other. Only Playwright hears of those in frames with a process of their own. */
const heardWithinMs = 2000;
const lookEveryMs = 50;

const isAborted = (request: Request): boolean => request.failure()?.errorText === aborted;

/**
 * Remembers the aborted requests for which `isWanted` holds. Chromium reports one in three of the streamed answers as aborted that a page
 * has read to their end, and two in three on a busy machine. It gives no whole body then, but still what it has received.
 * Call it before the page is opened, and before listeners that read what failed.
 */
export async function watchAborted(
  page: Page,
  isWanted: (url: string, method: string) => boolean,
): Promise<ReadAborted> {
  const session = await page.context().newCDPSession(page);
  // There is no identifier that both know: of one method and URL, both hear in the same order.
  const wanted = new Map<string, string>();
  const aborts = new Map<string, { readonly ids: string[]; requests: number }>();
  const places = new WeakMap<
    Request,
    { readonly ids: readonly string[]; readonly index: number; readonly until: number }
  >();
  let left = requestsMax;
  const abortsOf = (key: string) => {
    const known = aborts.get(key) ?? { ids: [], requests: 0 };
    aborts.set(key, known);
    return known;
  };
  session.on("Network.requestWillBeSent", ({ requestId, request: { url, method } }) => {
    if (isWanted(url, method)) wanted.set(requestId, keyOf(url, method));
  });
  session.on("Network.loadingFinished", ({ requestId }) => void wanted.delete(requestId));
  session.on("Network.loadingFailed", ({ requestId, errorText }) => {
    const key = wanted.get(requestId);
    wanted.delete(requestId);
    if (key !== undefined && errorText === aborted && left-- > 0) abortsOf(key).ids.push(requestId);
  });
  page.on("requestfailed", (request) => {
    if (!isAborted(request) || !isWanted(request.url(), request.method()) || left <= 0) return;
    const known = abortsOf(keyOf(request.url(), request.method()));
    places.set(request, { ids: known.ids, index: known.requests++, until: performance.now() + heardWithinMs });
  });
  await session.send("Network.enable", { maxResourceBufferSize: bodyBytesMax, maxTotalBufferSize: 4 * bodyBytesMax });

  return async (request) => {
    const place = places.get(request);
    if (place === undefined) return null;
    const { ids, index, until } = place;
    while (ids[index] === undefined && performance.now() < until) await pause(lookEveryMs);
    const requestId = ids[index];
    if (requestId === undefined) return null;
    const kept = await session.send("Network.streamResourceContent", { requestId }).catch(() => null);
    return kept === null || kept.bufferedData === "" ? null : Buffer.from(kept.bufferedData, "base64");
  };
}

const keyOf = (url: string, method: string) => `${method} ${url.replace(/#.*$/s, "")}`;
