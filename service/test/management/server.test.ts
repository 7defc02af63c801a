/** The management port answers probes and scrapes, whatever else is sent to it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { after, beforeEach, test } from "node:test";
import { createManagementServer } from "../../src/http/index.ts";
import { until } from "../harness/wait.ts";

let reasons: readonly string[] = [];
let starting: string | null = null;
let checks = 0;
let check: () => Promise<void> = async () => undefined;
const server = createManagementServer({
  version: "1.2.3",
  notStarted: () => starting,
  notReady: async () => {
    checks++;
    await check();
    return reasons;
  },
  metrics: async () => (starting === null ? "querent_up 1\n" : null),
});
await server.listen({ host: "127.0.0.1", port: 0 });
const { port } = server.server.address() as AddressInfo;
const sockets = new Set<Socket>();
after(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});
beforeEach(() => {
  reasons = [];
  starting = null;
  checks = 0;
  check = async () => undefined;
});

const get = async (path: string, method = "GET") => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers };
};

function open(): Socket {
  const socket = connect(port, "127.0.0.1");
  sockets.add(socket);
  socket.on("error", () => undefined);
  return socket;
}

/** What a connection receives until it is closed. */
async function exchange(bytes: string): Promise<string> {
  const socket = open();
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.write(bytes);
  await once(socket, "close");
  return received;
}

test("a process that is ready says so, and one that is not says why", async () => {
  assert.deepEqual(JSON.parse((await get("/readyz")).text), { status: "ready" });
  reasons = ["The database is read-only."];
  const refused = await get("/readyz");
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "2");
  assert.deepEqual(JSON.parse(refused.text), { status: "unavailable", reasons });
  const alive = await get("/healthz");
  assert.equal(alive.status, 200, "a process that is not ready is alive");
  assert.deepEqual(JSON.parse(alive.text), { status: "ok", version: "1.2.3" });
});

test("a process that has not started is alive, and has neither started nor metrics", async () => {
  starting = "It migrates.";
  assert.equal((await get("/healthz")).status, 200);
  for (const path of ["/startupz", "/metrics"]) {
    const answer = await get(path);
    assert.equal(answer.status, 503, path);
    assert.deepEqual(JSON.parse(answer.text), { status: "unavailable", reasons: ["It migrates."] });
  }
  starting = null;
  assert.equal((await get("/startupz")).status, 200);
});

test("metrics need no token, and have the type that Prometheus expects", async () => {
  const answer = await get("/metrics");
  assert.equal(answer.text, "querent_up 1\n");
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
});

test("readiness checks that come together make one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  check = () => promise;
  const together = Array.from({ length: 40 }, () => get("/readyz"));
  await until("the first check", () => checks === 1);
  await get("/healthz");
  resolve();
  assert.ok((await Promise.all(together)).every(({ status }) => status === 200));
  assert.ok(checks < 40, `${checks} checks`);
});

test("a check that fails is a 500 with its reason, and the next one is another", async () => {
  check = () => Promise.reject(new Error("no such check"));
  const failed = await get("/readyz");
  assert.equal(failed.status, 500);
  assert.deepEqual(JSON.parse(failed.text).reasons, ["no such check"]);
  check = async () => undefined;
  assert.equal((await get("/readyz")).status, 200);
});

test("nothing else is here, and nothing can be sent", async () => {
  for (const path of ["/", "/v1/tasks", "/metrics/", "/../etc/passwd", `/${"a".repeat(5000)}`, "/%00", "/%"])
    assert.ok([400, 404].includes((await get(path)).status), path.slice(0, 20));
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
    assert.ok((await get("/readyz", method)).status >= 400, method);
  const head = await get("/healthz", "HEAD");
  assert.equal(head.status, 200);
  assert.equal(head.text, "");
});

test("requests that are no HTTP, too long or ambiguous are refused, and the connection is closed", async () => {
  const refused = [
    [`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    [`GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["\x16\x03\x01\x02\x00\x01\r\n\r\n", 400],
    ["GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400],
  ] as const;
  for (const [bytes, status] of refused) {
    const answer = await exchange(bytes);
    assert.equal(Number(answer.split(" ")[1]), status, answer.slice(0, 200));
  }
});

test("a body that is announced and never sent does not keep its connection", async () => {
  const answer = await exchange("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
  assert.match(answer, /^HTTP\/1\.1 200 /);
});

test("clients that send slowly, or nothing, are cut off, and make room for a probe", async () => {
  const slow = Array.from({ length: 64 }, open);
  for (const socket of slow) socket.write("GET /healthz HTTP/1.1\r\nX-Slow: ");
  const closed = slow.map((socket) => once(socket.resume(), "close"));
  // Beyond the limit, connections are closed as they come.
  await until("the limit", async () => {
    const [one] = await Promise.allSettled([get("/healthz")]);
    return one?.status === "rejected";
  });
  await Promise.all(closed);
  await until("room for a probe", async () => {
    const [one] = await Promise.allSettled([get("/healthz")]);
    return one?.status === "fulfilled" && one.value.status === 200;
  });
});
