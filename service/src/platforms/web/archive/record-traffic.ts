/** Records what a page requests and receives, for a web archive. Bounded, because it is in memory until the answer has ended. */
import type { Page, Request, Response, WebSocket } from "playwright-core";
import { watchAborted, type ReadAborted, receivedBytes } from "../page/watch-network.ts";

export interface Exchange {
  readonly at: Date;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: Buffer | null;
  readonly status: number;
  readonly statusText: string;
  readonly responseHeaders: readonly { readonly name: string; readonly value: string }[];
  readonly body: Buffer;
}

/** The messages of a WebSocket, in their order. */
export interface Socket {
  readonly at: Date;
  readonly url: string;
  readonly messages: readonly SocketMessage[];
}

interface SocketMessage {
  readonly at: Date;
  readonly from: "page" | "server";
  /** Binary messages as bytes. */
  readonly data: string | Buffer;
}

export interface Traffic {
  readonly exchanges: readonly Exchange[];
  /** Those with messages. */
  readonly sockets: readonly Socket[];
  /** Responses and messages that are not recorded: too large, too many, or no longer available. */
  readonly leftOut: number;
}

export interface TrafficRecorder {
  /** What was received so far. Responses that have not ended are left out. */
  stop(): Promise<Traffic>;
}

const exchangesMax = 2000;
const socketsMax = 50;
const messagesMax = 20_000;
const bodyBytesMax = 8 * 1024 * 1024;
const requestBytesMax = 1024 * 1024;
const allBytesMax = 32 * 1024 * 1024;

/** Call it before the page is opened. */
export async function recordTraffic(page: Page): Promise<TrafficRecorder> {
  const readAborted = await watchAborted(page, isRecorded);
  const exchanges: Exchange[] = [];
  const open = new Set<Request>();
  let leftOut = 0;
  let bytes = 0;
  let recording = true;
  // One body at a time is read.
  let reading = Promise.resolve();

  const record = async (request: Request, at: Date) => {
    const response = recording && exchanges.length < exchangesMax ? await request.response() : null;
    const exchange =
      response === null ? null : await read(request, response, at, { bytesMax: allBytesMax - bytes, readAborted });
    if (exchange === null) leftOut++;
    else {
      bytes += exchange.body.byteLength + (exchange.requestBody?.byteLength ?? 0);
      exchanges.push(exchange);
    }
  };
  const onRequest = (request: Request) => {
    if (recording && isRecorded(request.url())) open.add(request);
  };
  const onEnd = (request: Request) => {
    if (!open.delete(request)) return;
    const at = new Date();
    reading = reading.then(() =>
      record(request, at).catch(() => {
        leftOut++;
      }),
    );
  };
  const sockets: (Socket & { readonly messages: SocketMessage[] })[] = [];
  let messages = 0;
  const onSocket = (opened: WebSocket) => {
    if (!recording) return;
    const socket = { at: new Date(), url: opened.url(), messages: [] as SocketMessage[] };
    if (sockets.length < socketsMax) sockets.push(socket);
    const add =
      (from: SocketMessage["from"]) =>
      ({ payload }: { payload: string | Buffer }) => {
        if (!recording) return;
        const size = Buffer.byteLength(payload);
        if (!sockets.includes(socket) || messages >= messagesMax || bytes + size > allBytesMax) {
          leftOut++;
          return;
        }
        messages++;
        bytes += size;
        socket.messages.push({ at: new Date(), from, data: payload });
      };
    opened.on("framesent", add("page")).on("framereceived", add("server"));
  };
  page.on("websocket", onSocket).on("request", onRequest).on("requestfinished", onEnd).on("requestfailed", onEnd);

  return {
    async stop() {
      page
        .off("websocket", onSocket)
        .off("request", onRequest)
        .off("requestfinished", onEnd)
        .off("requestfailed", onEnd);
      await reading;
      recording = false;
      return { exchanges, sockets: sockets.filter((each) => each.messages.length > 0), leftOut: leftOut + open.size };
    },
  };
}

const isRecorded = (url: string) => /^https?:/.test(url);

/** Reads a response; null if it is too large, or nothing of it was received. */
async function read(
  request: Request,
  response: Response,
  at: Date,
  { bytesMax, readAborted }: { readonly bytesMax: number; readonly readAborted: ReadAborted },
): Promise<Exchange | null> {
  const requestBody = request.postDataBuffer();
  if ((requestBody?.byteLength ?? 0) > requestBytesMax) return null;
  const most = Math.min(bodyBytesMax, bytesMax);
  const body = await bodyOf(request, response, most, readAborted);
  if (body === null || body.byteLength > most) return null;
  return {
    at,
    method: request.method(),
    url: request.url().replace(/#.*$/s, ""),
    requestHeaders: request.headers(),
    requestBody,
    status: response.status(),
    statusText: response.statusText(),
    responseHeaders: await response.headersArray(),
    body,
  };
}

/** Reads the body of a response; null if it is too large, or nothing of it was received. */
async function bodyOf(
  request: Request,
  response: Response,
  bytesMax: number,
  readAborted: ReadAborted,
): Promise<Buffer | null> {
  if (response.status() >= 300 && response.status() < 400) return Buffer.alloc(0);
  const received = await readAborted(request);
  if (received !== null) return received;
  if ((await request.sizes()).responseBodySize > bytesMax) return null;
  return receivedBytes(await response.body(), (await response.headerValue("content-type")) ?? "");
}
