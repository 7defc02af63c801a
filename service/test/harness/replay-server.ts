/** A model API as a real server on 127.0.0.1: it responds as the test specifies, and records what it received. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; null if it is not JSON. */
  readonly body: unknown;
}

export interface ReplayedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A function may write to the response itself, and return nothing. */
export type ReplyTo =
  | ReplayedReply
  | ((request: WireRequest, index: number, response: ServerResponse) => ReplayedReply | undefined);

export interface ReplayServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: WireRequest[];
  /** Its response: the same for each request, or the result of a function. */
  reply: ReplyTo;
  close(): Promise<void>;
}

export async function startReplayServer(reply: ReplyTo = { body: "{}" }): Promise<ReplayServer> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { method = "", url: path = "", headers } = request;
      const received: WireRequest = { method, path, headers, text, body: parsed(text) };
      requests.push(received);
      const chosen =
        typeof replay.reply === "function" ? replay.reply(received, requests.length - 1, response) : replay.reply;
      if (chosen === undefined) return;
      response.writeHead(chosen.status ?? 200, { "content-type": "application/json", ...chosen.headers });
      response.end(chosen.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const replay: ReplayServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    [Symbol.asyncDispose]: () => replay.close(),
  };
  return replay;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
