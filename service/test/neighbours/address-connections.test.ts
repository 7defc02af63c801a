/** Connections without a token: one machine leaves room for the others. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { test, type TestContext } from "node:test";
import { limitAddresses } from "../../src/http/server.ts";
import { until } from "../harness/wait.ts";

/** An address of this machine that is not the loopback's. */
const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4")?.address;
const skip = own === undefined && "this machine has no address but the loopback's";

async function startLimited(t: TestContext, trustedProxies: readonly string[]) {
  const server = createServer();
  limitAddresses(server, 3, trustedProxies);
  server.on("connection", (socket) => {
    if (!socket.destroyed) socket.on("error", () => undefined).write("open");
  });
  server.listen(0, "::");
  await once(server, "listening");
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** True if it stays open. */
  return async (address: string): Promise<{ isOpen: boolean; socket: Socket }> => {
    const socket = connect(port, address).on("error", () => undefined);
    sockets.push(socket);
    const isOpen = await Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
    return { isOpen, socket };
  };
}

test("one address has so many connections, and one that is closed makes room", { skip }, async (t) => {
  const open = await startLimited(t, []);
  const first = [await open(own ?? ""), await open(own ?? ""), await open(own ?? "")];
  assert.ok(first.every(({ isOpen }) => isOpen));
  assert.equal((await open(own ?? "")).isOpen, false);
  assert.equal((await open("127.0.0.1")).isOpen, true, "this machine's own address has no limit");
  first[0]?.socket.destroy();
  await until("room", async () => (await open(own ?? "")).isOpen);
});

test("a trusted proxy has no limit", { skip }, async (t) => {
  const open = await startLimited(t, [`${own ?? ""}/32`]);
  for (let n = 0; n < 10; n++) assert.equal((await open(own ?? "")).isOpen, true);
});
