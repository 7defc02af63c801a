/** What is held open for one account leaves room for the others, and ends with the right to it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { revokeToken } from "../../src/accounts/index.ts";
import { connectionsFor } from "../../src/app/account-limits.ts";
import { batchResultsAsNdjson } from "../../src/tasks/read/batch-results.ts";
import { invalidAt, item, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService({
  environment: { QUERENT_STREAMS_PER_ACCOUNT: "3", QUERENT_WAITS_PER_ACCOUNT: "2", QUERENT_CONNECTIONS: "40" },
});
const { port } = new URL(service.address);
const sockets = new Set<Socket>();
after(() => {
  for (const socket of sockets) socket.destroy();
});

/** An event stream, once its head has come. */
async function openStream({
  token,
}: Pick<TestAccount, "token">): Promise<{ status: number; socket: Socket; isEnded: () => boolean }> {
  const socket = connect(Number(port), "127.0.0.1");
  sockets.add(socket);
  let ended = false;
  socket.on("error", () => undefined);
  socket.on("close", () => (ended = true));
  socket.write(
    `GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const [head] = (await once(socket, "data")) as [Buffer];
  let text = head.toString();
  socket.on("data", (more: Buffer) => {
    text += more.toString();
    // The last chunk of a stream that ends well.
    if (text.endsWith("0\r\n\r\n")) ended = true;
  });
  return { status: Number(text.split(" ", 2)[1]), socket, isEnded: () => ended };
}

test("one account has so many event streams; another has its own, and a closed one makes room", async () => {
  const account = await service.account();
  const streams = [];
  for (let n = 0; n < 3; n++) streams.push(await openStream(account));
  assert.deepEqual(
    streams.map(({ status }) => status),
    [200, 200, 200],
  );
  const answer = await account.get("/v1/events", { accept: "text/event-stream" });
  refused(answer, "rate_limited");
  assert.equal(answer.headers["retry-after"], "10");
  const neighbour = await openStream(await service.account());
  assert.equal(neighbour.status, 200);
  assert.equal((await account.get("/v1/events")).status, 200, "pages are no streams");
  const nowhere = "/v1/events?after=nowhere";
  refused(await account.get(nowhere, { accept: "text/event-stream" }), "rate_limited"); // before its position is looked up
  for (const { socket } of [...streams, neighbour]) socket.destroy();
  await until("room", async () => {
    const next = await openStream(account);
    next.socket.destroy();
    return next.status === 200;
  });
});

test("streams that are refused for their position take no place", async () => {
  const account = await service.account();
  for (let n = 0; n < 4; n++)
    invalidAt(await account.get("/v1/events?after=nowhere", { accept: "text/event-stream" }), {
      "?after": "malformed",
    });
  const stream = await openStream(account);
  assert.equal(stream.status, 200);
  stream.socket.destroy();
});

/** Sends a request on a connection of its own, and reads until the service closes it, which the client does not. */
async function untilClosed(...parts: readonly string[]): Promise<string> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  sockets.add(socket);
  let text = "";
  socket.on("data", (more: Buffer) => (text += more.toString()));
  const ended = once(socket, "end");
  for (const part of parts) {
    socket.write(part);
    // Each in a packet of its own, after what the service had to say to the one before.
    await once(socket, "drain", { signal: AbortSignal.timeout(50) }).catch(() => undefined);
  }
  await ended;
  socket.destroy();
  return text;
}

test("a stream that is refused, for whatever reason, leaves no connection open", async () => {
  const account = await service.account();
  const streams = [];
  for (let n = 0; n < 3; n++) streams.push(await openStream(account));
  const head = (path: string, token: string, more = "") =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nAccept: Text/Event-Stream, application/json;q=0.9\r\n${more}\r\n`;
  const { token } = await account.withToken({ scopes: ["webhook:manage"] });
  for (const [status, ...parts] of [
    [429, head("/v1/events", account.token)],
    // Two requests at once: the second is not answered on a connection that closes.
    [429, head("/v1/events", account.token) + head("/v1/webhook", account.token)],
    [401, head("/v1/events", "qrt_wrong-token-wrong-token-wrong")],
    [403, head("/v1/events", token)],
    [404, head("/v1/nothing", account.token)],
    [422, head("/v1/events?after=nowhere&unknown=1", account.token)],
    [429, head("/v1/events", account.token, "Content-Length: 4\r\n"), "ab", "cd"],
  ] as const) {
    const text = await untilClosed(...parts);
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), text);
    assert.match(text, /\r\nconnection: close\r\n/i);
    assert.match(text, /"requestId":"[0-9a-f-]+"[^]*}$/, "the whole problem");
    assert.equal(text.split("HTTP/1.1").length, 2);
  }
  for (const { socket } of streams) socket.destroy();
});

test("a request of an assistant that is refused leaves no connection open, and its reply is not lost to a body that still comes", async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", padding: "x".repeat(100_000) });
  const head = `POST /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer qrt_wrong-token-wrong-token-wrong\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n`;
  const text = await untilClosed(head, body.slice(0, 10), body.slice(10, 60_000), body.slice(60_000));
  assert.match(text, /^HTTP\/1\.1 401 /);
  assert.match(text, /\r\nconnection: close\r\n/i);
  assert.match(text, /}$/);
});

test("what is refused and is no stream keeps its connection", async () => {
  const account = await service.account();
  const socket = connect(Number(port), "127.0.0.1");
  sockets.add(socket);
  const request = `GET /v1/tasks/nothing HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${account.token}\r\nAccept: application/json\r\n\r\n`;
  for (let n = 0; n < 2; n++) {
    socket.write(request);
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 404 /);
  }
  socket.destroy();
});

test("many accounts' streams leave connections for everything else", async () => {
  const streams = [];
  for (let n = 0; n < 11; n++) {
    const account = await service.account();
    for (let each = 0; each < 3; each++) streams.push(await openStream(account));
  }
  assert.equal(streams.filter(({ status }) => status === 200).length, 30);
  assert.equal(streams.filter(({ status }) => status === 503).length, 3);
  assert.equal((await service.call("GET", "/healthz")).status, 200);
  for (const { socket } of streams) socket.destroy();
  const { call } = await service.account();
  await until("all of them to be closed", async () =>
    (await call("GET", "/metrics")).text.includes("querent_event_readers 0"),
  );
});

test("connections beyond those that the process takes are closed as they come", async () => {
  const idle = Array.from({ length: 60 }, () => connect(Number(port), "127.0.0.1"));
  for (const socket of idle) {
    sockets.add(socket);
    socket.on("error", () => undefined);
  }
  await until("those beyond to be closed", () => idle.filter(({ destroyed }) => destroyed).length >= 20);
  for (const socket of idle) socket.destroy();
  await until("the service to answer again", () =>
    service.call("GET", "/healthz").then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
});

test("a process takes fewer connections than it has descriptors, however few those are", () => {
  assert.equal(connectionsFor(null, 20_000), 14_700);
  assert.equal(connectionsFor(null, 1024), 468);
  assert.equal(connectionsFor(null, 256), 16);
  assert.equal(connectionsFor(500, 20_000), 500);
  assert.ok(connectionsFor(null) > 0);
});

test("beyond the account's waits an answer comes at once, with what is known", async () => {
  const account = await service.account();
  const taskId = await account.ask("delay=60s");
  const holding = [1, 2].map(() => account.get(`/v1/tasks/${taskId}`, { prefer: "wait=60" }));
  await until("both to be held", async () =>
    (await account.get("/metrics")).text.includes('querent_places_taken{kind="waits"} 2'),
  );
  const third = await account.get<{ state: string }>(`/v1/tasks/${taskId}`, { prefer: "wait=60" });
  assert.equal(third.status, 200);
  assert.equal(third.body.state, "pending");
  assert.equal(third.headers["preference-applied"], undefined);
  assert.equal(third.headers["retry-after"], "1");
  assert.equal(third.headers["connection"], "close", "it holds no connection instead");
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
  for (const answer of await Promise.all(holding)) assert.equal(answer.headers["preference-applied"], "wait=60");
});

test("a stream ends when its token is revoked or expires, and one with another token of the account goes on", async () => {
  const account = await service.account();
  const revoked = await account.withToken({});
  const expired = await account.withToken({ expiresAt: new Date(Date.now() + 3_600_000) });
  const streams = [await openStream(revoked), await openStream(expired), await openStream(account)];
  await revokeToken(service.database, revoked.tokenId);
  await service.database.query("update access_tokens set expires_at = now() where id = $1", [expired.tokenId]);
  await until("both to end", () => streams[0]?.isEnded() === true && streams[1]?.isEnded() === true);
  assert.equal(streams[2]?.isEnded(), false);
  for (const { socket } of streams) socket.destroy();
});

test("a request that is held when its token is revoked is not answered with the task", async () => {
  const account = await service.account();
  const revoked = await account.withToken({});
  const taskId = await account.ask("delay=60s");
  const held = revoked.get(`/v1/tasks/${taskId}`, { prefer: "wait=60" });
  await until("it to be held", async () =>
    (await account.get("/metrics")).text.includes('querent_places_taken{kind="waits"} 1'),
  );
  await revokeToken(service.database, revoked.tokenId);
  await account.call("POST", `/v1/tasks/${taskId}/cancellation`);
  refused(await held, "unauthorized");
});

test("an export is read and sent in pieces, however large its results, and ends when its token does", async () => {
  const account = await service.account();
  const batch = await account.submit(Array.from({ length: 40 }, () => item("size=300000")));
  for (const { taskId } of batch.tasks) await account.ended(taskId);
  const { batchId } = batch;
  const { accountId } = account;
  let isAllowed = true;
  const stream = batchResultsAsNdjson(service.database, {
    accountId,
    batchId,
    endedFrom: null,
    isAllowed: async () => isAllowed,
  });
  let longest = 0;
  let records = 0;
  for await (const chunk of stream) {
    longest = Math.max(longest, (chunk as string).length);
    records += (chunk as string).split("\n").length - 1;
  }
  assert.equal(records, 40);
  assert.ok(longest < 500_000, `${longest} characters in one piece`);

  const cut = batchResultsAsNdjson(service.database, {
    accountId,
    batchId,
    endedFrom: null,
    isAllowed: async () => isAllowed,
  });
  await assert.rejects(async () => {
    for await (const _ of cut) isAllowed = false;
  }, /revoked/);
  const sent = await account.get(`/v1/batches/${batchId}/results`);
  assert.equal(sent.text.split("\n").length - 1, 40);
});
