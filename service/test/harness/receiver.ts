/**
 * Receivers of notifications as real servers on 127.0.0.1, with a certificate created for the test run. With `allow:
 * "127.0.0.0/8"` and the receiver's `caFile`, the guard uses its real code.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { generate } from "selfsigned";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact bytes. */
  readonly body: Buffer;
  readonly at: number;
}

export type ReceiverAnswer = (received: Received, response: ServerResponse) => void;

export interface Receiver extends AsyncDisposable {
  readonly url: (path?: string) => string;
  /** PEM of the authority that signed its certificate. */
  readonly caFile: string;
  readonly requests: Received[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** Its response; 204 by default. */
  answer: ReceiverAnswer;
  /** Waits until it has received this number of requests. */
  received(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** An HTTPS receiver that records every request. */
export async function startReceiver(
  answer: ReceiverAnswer = (_received, response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const { key, cert, caFile } = await testCertificate();
  const requests: Received[] = [];
  const waiting: { count: number; resolve: (requests: Received[]) => void }[] = [];
  const server = createHttpsServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: performance.now(),
      };
      requests.push(received);
      receiver.answer(received, response);
      for (const waiter of waiting.splice(0)) {
        if (requests.length >= waiter.count) waiter.resolve(requests);
        else waiting.push(waiter);
      }
    });
  });
  const { port, connections, close } = await listen(server);
  const receiver: Receiver = {
    url: (path = "/hook") => `https://localhost:${port}${path}`,
    caFile,
    requests,
    connections,
    answer,
    received: (count) =>
      requests.length >= count
        ? Promise.resolve(requests)
        : new Promise((resolve) => void waiting.push({ count, resolve })),
    close,
    [Symbol.asyncDispose]: close,
  };
  return receiver;
}

/** A receiver below HTTP: gets each TLS connection (or, with `tls: false`, the plain TCP one), without handling it. */
export async function startRawReceiver(
  onConnection: (socket: TLSSocket | Socket) => void,
  options: { tls?: boolean } = {},
): Promise<Pick<Receiver, "url" | "caFile" | "connections" | "close"> & AsyncDisposable> {
  const { key, cert, caFile } = await testCertificate();
  const onSocket = (socket: TLSSocket | Socket) => {
    socket.on("error", () => undefined);
    onConnection(socket);
  };
  const server =
    options.tls === false
      ? createTcpServer(onSocket)
      : createTlsServer({ key, cert, ALPNProtocols: ["http/1.1"] }, onSocket);
  const { port, connections, close } = await listen(server);
  return {
    url: (path = "/hook") => `https://localhost:${port}${path}`,
    caFile,
    connections,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A plain HTTP server, to verify that it is not reached. */
export async function startPlainServer(): Promise<{ port: number; requests: () => number } & AsyncDisposable> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.end();
  });
  const { port, close } = await listen(server);
  return { port, requests: () => requests, [Symbol.asyncDispose]: close };
}

async function listen(
  server: Server,
): Promise<{ port: number; connections: () => number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, connections: () => connections, close };
}

interface TestCertificate {
  key: string;
  cert: string;
  caFile: string;
}

let certificate: Promise<TestCertificate> | undefined;

/** One per process, for localhost, 127.0.0.1, ::1 and *.example.com; it is its own authority. */
export async function testCertificate(): Promise<TestCertificate> {
  certificate ??= makeCertificate();
  // Not the promise itself: a file that awaits it would have its tests counted among those of the file that was the first to ask.
  return await certificate;
}

async function makeCertificate(): Promise<TestCertificate> {
  const made = await generate([{ name: "commonName", value: "Querent test receiver" }], {
    keyType: "ec",
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 2, value: "*.example.com" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), "querent-test-ca-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, made.cert);
  return { key: made.private, cert: made.cert, caFile };
}
