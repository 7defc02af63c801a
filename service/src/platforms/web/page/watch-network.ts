/**
 * Follows the requests that bring the answer: whether they have ended, and how. Chromium reports one in three streamed answers
 * that a page has read to the end as aborted, even for a page of four lines without our code. So an abort also counts as an
 * end, though a weaker one: broken connections have other errors.
 */
import { MIMEType } from "node:util";
import type { Page, Request, WebSocket } from "playwright-core";
import { firstMatchOrNull } from "../recipe/expression.ts";
import { isAborted, watchAborted, type ReadAborted } from "./aborted-body.ts";
import { receivedBytes } from "./received-bytes.ts";
import { boundedPart, type PageSnapshots } from "./snapshots.ts";
import type { Recipe } from "../recipe/recipe.ts";

export interface AnswerTraffic {
  /** The state of the requests: null while none has been seen, `ended` once all that were seen have ended. */
  readonly state: "under way" | "ended" | "let go" | "broken" | null;
  /** The status of the answer's response; once one is above 399, that one. */
  readonly status: number | null;
  response(): Promise<PageSnapshots["response"]>;
  /** Requests and messages count from here on: the question is about to be sent. */
  arm(): void;
}

/** Call it before the page is opened: a WebSocket for answers may be older than the question. */
export async function watchNetwork(page: Page, recipe: Recipe): Promise<AnswerTraffic> {
  const rule = recipe.network?.answer;
  const kept = rule?.keep === true || readsResponse(recipe);
  const open = new Set<Request>();
  let armed = false;
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
  const readAborted = kept ? await watchAborted(page, isAnswer) : null;

  const onRequest = (request: Request) => {
    if (!armed || !isAnswer(request.url(), request.method()) || frameEnd !== null) return;
    seen++;
    broken = false;
    letGo = false;
    open.add(request);
  };
  const onFinished = (request: Request) => {
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
    if (matches(frameEnd, "su", payload.toString())) endSeen = true;
  };
  const onSocket = (socket: WebSocket) => {
    if (frameEnd === null || !matches(url, "u", socket.url())) return;
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
    async response() {
      return readAborted === null || last === null ? null : responseOf(last, readAborted);
    },
    arm() {
      armed = true;
    },
  };
}

/** Whether a rule of `extract` reads the response. */
function readsResponse({ extract, checks }: Recipe): boolean {
  const rules = Object.values(extract ?? {}).flat();
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
