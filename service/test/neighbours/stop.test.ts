/** No client keeps a service from stopping, whatever it does with its connection. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { trackConnections } from "../../src/http/server.ts";
import { late, within } from "../../src/kernel/within.ts";
import { bareHttpServer } from "../harness/http-server.ts";

/** Longer than any stop here may take, and shorter than the server's own limits. */
const longMs = 60_000;
const unlimited = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 };

async function clientOf(port: number, sent = ""): Promise<Socket> {
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(client, "connect");
  if (sent !== "") await new Promise((done) => client.write(sent, done));
  return client;
}

const portOf = (server: Pick<Server, "address">) => (server.address() as AddressInfo).port;

async function textOf(client: Socket): Promise<string> {
  let text = "";
  client.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(client, "close");
  return text;
}

test("the service closes connections without a request, such as those that browsers open ahead", async () => {
  const app = await bareHttpServer(5 * longMs);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const clients = [await clientOf(port), await clientOf(port, "GET / HTTP/1.1\r\nHost: x\r\nX-Sl")];
  const closed = Promise.all(clients.map((client) => once(client, "close")));
  // Once this one is answered, the server has accepted those before it.
  const answered = await clientOf(port, "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(answered, "data");
  assert.notEqual(await within(app.close(), longMs), late);
  await closed;
});

test("a reply that is under way is completed, and its connection ends with it", async () => {
  const requested = Promise.withResolvers<() => void>();
  const server = createServer(unlimited, (_request, response) =>
    requested.resolve(() => response.end("the whole reply")),
  );
  const endConnections = trackConnections(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = await clientOf(portOf(server), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const text = textOf(client);
  const reply = await requested.promise;
  const closed = once(server, "close");
  server.close();
  endConnections(10 * longMs);
  reply();
  assert.match(await text, /the whole reply$/);
  assert.notEqual(await within(closed, longMs), late);
});

test("a client that does not read its reply is disconnected when the time is over", async () => {
  const stalled = Promise.withResolvers<void>();
  const server = createServer(unlimited, (_request, response) => {
    const write = () => {
      while (response.write(Buffer.alloc(1 << 20)));
      stalled.resolve();
    };
    response.on("drain", write);
    write();
  });
  const endConnections = trackConnections(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = await clientOf(portOf(server), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  client.pause();
  await stalled.promise;
  const closed = once(server, "close");
  server.close();
  endConnections(100);
  assert.notEqual(await within(closed, longMs), late);
  client.destroy();
});
