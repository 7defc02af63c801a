/** A server that answers as a test says, and records what it was asked: for what a well-behaved service does not do. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Querent, type ClientOptions } from "@querent/client";

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly asked: AskedRequest[];
  client(options?: Partial<ClientOptions>): Querent;
}

export type FakeAnswer = (asked: AskedRequest, response: ServerResponse, count: number) => void;

export async function startFakeService(answer: FakeAnswer): Promise<FakeService> {
  const asked: AskedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
      };
      asked.push(one);
      answer(one, response, asked.length);
    });
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    client: (options = {}) => new Querent({ url, token: "qrt_test", random: () => 0.02, ...options }),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function answerProblem(response: ServerResponse, status: number, code: string, headers: object = {}): void {
  const problem = { type: `/problems/${code}`, title: "T", status, detail: "D", instance: "/", code, requestId: "r-1" };
  response
    .writeHead(status, { "content-type": "application/problem+json", "x-request-id": "r-1", ...headers })
    .end(JSON.stringify(problem));
}
