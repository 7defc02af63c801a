import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { after, test } from "node:test";
import { systemClock } from "../../src/kernel/clock.ts";
import { Sender, signature, signRequest, type SenderOptions, type SignedRequest } from "../../src/webhooks/index.ts";
import { startPlainServer, startRawReceiver, startReceiver } from "../harness/receiver.ts";
import { guardFor } from "./fixture.ts";

const senders: Sender[] = [];
after(() => Promise.all(senders.map((sender) => sender.close())));

function sender(caFile: string, options: Partial<SenderOptions> = {}): Sender {
  const made = new Sender({
    guard: guardFor(caFile),
    clock: systemClock,
    version: "1.2.3",
    totalTimeoutMs: 60_000,
    ...options,
  });
  senders.push(made);
  return made;
}

function sending(url: string, previousSecret: string | null = null): SignedRequest {
  const signing = { secret: "whsec_a", secretVersion: 2, previousSecret };
  const body = Buffer.from('{"event":"task.finished"}');
  return signRequest(signing, { deliveryId: randomUUID(), url, body }, new Date());
}

/** Answers each request on a raw TLS connection with these bytes, and goes on as `then` says. */
function answering(bytes: string, then: (socket: Socket) => void = () => {}) {
  return startRawReceiver((socket) => {
    socket.once("data", () => {
      socket.write(bytes);
      then(socket);
    });
  });
}

test("headers and body are as documented, and the former secret signs beside the current one", async () => {
  await using receiver = await startReceiver();
  const message = { ...sending(receiver.url("/a/b?c=d#e"), "whsec_b"), headers: { "X-Service-Test": "true" } };
  const end = await sender(receiver.caFile).send(message);
  assert.ok(end.kind === "replied" && end.status === 204 && end.fault === null);
  const [request] = receiver.requests;
  assert.equal(request?.path, "/a/b?c=d");
  assert.deepEqual(request?.body, message.body);
  assert.equal(request?.headers["x-service-signature"], signature("whsec_a", message.body));
  assert.equal(request?.headers["x-service-signature-previous"], signature("whsec_b", message.body));
  assert.equal(request?.headers["x-service-secret-version"], "2");
  assert.equal(request?.headers["x-service-delivery"], message.deliveryId);
  assert.equal(request?.headers["user-agent"], "Querent/1.2.3");
  assert.equal(request?.headers["content-length"], String(message.body.length));
  assert.equal(request?.headers["x-service-test"], "true");
});

test("connections are used again: many requests one after the other take two at most", async () => {
  await using receiver = await startReceiver();
  const post = sender(receiver.caFile);
  for (let i = 0; i < 10; i++) await post.send(sending(receiver.url()));
  assert.equal(receiver.requests.length, 10);
  // Two, as a request that is made the moment another ends finds its connection not free yet.
  assert.ok(receiver.connections() <= 2);
});

test("a kept connection that is closed under a request costs nothing: it is sent again at once, on a fresh one, and no third time", async () => {
  const ok = "HTTP/1.1 204 No Content\r\n\r\n";
  const seen: { connection: number; id: string | undefined }[] = [];
  let connection = 0;
  let isDown = false;
  await using receiver = await startRawReceiver((socket) => {
    const mine = ++connection;
    let answered = 0;
    socket.on("data", (chunk: Buffer) => {
      const id = /x-service-delivery: (\S+)/i.exec(chunk.toString())?.[1];
      if (id === undefined) return; // a body that came by itself
      seen.push({ connection: mine, id });
      if (isDown || answered++ > 0) socket.destroy();
      else socket.write(ok);
    });
  });
  const post = sender(receiver.caFile);
  const first = await post.send(sending(receiver.url()));
  assert.ok(first.kind === "replied" && first.status === 204);
  await new Promise((resolve) => setTimeout(resolve, 20)); // the connection is back in its pool
  const message = sending(receiver.url());
  const second = await post.send(message);
  assert.ok(second.kind === "replied" && second.status === 204, JSON.stringify(second));
  assert.ok(second.durationMs < 10_000);
  assert.deepEqual(seen.slice(1), [
    { connection: 1, id: message.deliveryId },
    { connection: 2, id: message.deliveryId },
  ]);
  // On a fresh connection a reset is the receiver's, and a fault.
  isDown = true;
  const third = await post.send(sending(receiver.url()));
  assert.deepEqual([third.kind, third.kind === "faulted" && third.fault], ["faulted", "reset"]);
  assert.equal(seen.length, 4);
});

test("an answer that has begun on a kept connection is never asked for twice", async () => {
  let requests = 0;
  await using receiver = await startRawReceiver((socket) => {
    socket.on("data", (chunk: Buffer) => {
      if (!chunk.includes("POST ")) return;
      if (++requests === 1) socket.write("HTTP/1.1 204 No Content\r\n\r\n");
      else socket.write("HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\nabc", () => socket.destroy());
    });
  });
  const post = sender(receiver.caFile);
  await post.send(sending(receiver.url()));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const end = await post.send(sending(receiver.url()));
  assert.ok(end.kind === "replied" && end.status === 500);
  assert.equal(requests, 2);
});

test("a redirect to a metadata address, or to anywhere, is an answer and is not followed", async () => {
  await using inner = await startPlainServer();
  await using receiver = await startReceiver();
  for (const location of [
    "http://169.254.169.254/latest/meta-data/",
    `http://127.0.0.1:${inner.port}/`,
    receiver.url("/other"),
  ]) {
    receiver.answer = (_received, response) => response.writeHead(307, { location }).end();
    const end = await sender(receiver.caFile).send(sending(receiver.url()));
    assert.ok(end.kind === "replied" && end.status === 307);
  }
  assert.equal(inner.requests(), 0);
  assert.equal(receiver.requests.length, 3);
});

test("an address that is not allowed gets no connection, by name or by literal", async () => {
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url());
  const strict = sender(receiver.caFile, {
    guard: guardFor(receiver.caFile, {
      allow: "127.0.0.2/32",
      hostsFile: "/dev/null",
      createResolver: () => ({ resolve4: async () => ["127.0.0.1"], resolve6: async () => [], cancel: () => {} }),
    }),
  });
  for (const host of [
    "hook.example.com",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f.1",
  ]) {
    const end = await strict.send(sending(`https://${host}:${port}/`));
    assert.deepEqual({ ...end, durationMs: 0 }, { kind: "faulted", fault: "address", durationMs: 0 }, host);
  }
  assert.equal(receiver.connections(), 0);
});

test("a receiver that never answers, drips, or stalls the handshake costs the time for one attempt and no more", async () => {
  await using hanging = await startRawReceiver(() => {});
  await using mute = await startRawReceiver(() => {}, { tls: false });
  const timers: NodeJS.Timeout[] = [];
  await using dripping = await answering(
    "HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n",
    (socket) => void timers.push(setInterval(() => socket.write("1\r\nx\r\n"), 10)),
  );
  await using drippingHeaders = await answering(
    "HTTP/1.1 200 OK\r\n",
    (socket) => void timers.push(setInterval(() => socket.write("A: b\r\n"), 10)),
  );
  await using forever = await answering(
    "",
    (socket) => void timers.push(setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 10)),
  );
  // Long enough for a status line to come, on a machine that is busy.
  const short = { totalTimeoutMs: 3_000 };
  const attempts = [hanging, mute, dripping, drippingHeaders, forever].map(async (receiver) => {
    const startedAt = performance.now();
    const end = await sender(receiver.caFile, short).send(sending(receiver.url()));
    assert.ok(performance.now() - startedAt < 14_000);
    return end.kind === "ours" ? end.kind : `${end.kind} ${end.fault}`;
  });
  assert.deepEqual(await Promise.all(attempts), [
    "faulted timeout",
    "faulted timeout",
    "replied timeout",
    "faulted timeout",
    "faulted timeout",
  ]);
  for (const timer of timers) clearInterval(timer);
});

test("a handshake that stalls is cut after the time for connecting", async () => {
  await using mute = await startRawReceiver(() => {}, { tls: false });
  const end = await sender(mute.caFile, { guard: guardFor(mute.caFile, { connectTimeoutMs: 100 }) }).send(
    sending(mute.url()),
  );
  assert.ok(end.kind === "faulted" && end.fault === "timeout" && end.durationMs < 14_000);
});

test("an endless body is cut after 64 KiB, and its status decides", async () => {
  let written = 0;
  await using endless = await startReceiver((_received, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const pour = () => {
      while (!response.destroyed && response.write("y".repeat(16_384))) written += 16_384;
      if (!response.destroyed) response.once("drain", pour);
    };
    pour();
  });
  const end = await sender(endless.caFile).send(sending(endless.url()));
  assert.ok(end.kind === "replied" && end.status === 200 && end.fault === "too_large");
  assert.equal(end.snippet, "y".repeat(8_192));
  assert.ok(written < 50 * 1024 * 1024);
});

test("a 2xx decides even when the body is cut, and so does any other status", async () => {
  await using cut = await answering("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart", (socket) => socket.end());
  const end = await sender(cut.caFile).send(sending(cut.url()));
  assert.ok(end.kind === "replied" && end.status === 200 && end.fault === "reset" && end.snippet === "part");
  await using refused = await answering(
    "HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\npart",
    (socket) => socket.destroy(),
  );
  const other = await sender(refused.caFile).send(sending(refused.url()));
  assert.ok(other.kind === "replied" && other.status === 503 && other.retryAfterMs === 7_000);
});

test("hostile answers end as classed faults, each at once", async () => {
  const cases: [string, Parameters<typeof startRawReceiver>[0], string, Parameters<typeof startRawReceiver>[1]?][] = [
    ["closed at once", (socket) => void socket.destroy(), "reset"],
    ["closed after the request", (socket) => void socket.once("data", () => socket.destroy()), "reset"],
    ["ended with nothing", (socket) => void socket.once("data", () => socket.end()), "reset"],
    ["not HTTP", (socket) => void socket.once("data", () => socket.write("SSH-2.0-OpenSSH_9\r\n")), "malformed"],
    [
      "switching protocols",
      (socket) =>
        void socket.once("data", () =>
          socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
        ),
      "malformed",
    ],
    [
      "10,000 headers",
      (socket) => void socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(10_000)}\r\n`)),
      "too_large",
    ],
    [
      "one huge header",
      (socket) =>
        void socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\nA: ${"b".repeat(1_000_000)}\r\n\r\n`)),
      "too_large",
    ],
    [
      "both lengths",
      (socket) =>
        void socket.once("data", () =>
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ),
      "malformed",
    ],
    ["no TLS", (socket) => void socket.write("HTTP/1.1 400 Bad\r\n\r\n"), "tls", { tls: false }],
    ["closed before TLS", (socket) => void socket.destroy(), "tls", { tls: false }],
  ];
  for (const [name, behave, fault, options] of cases) {
    await using receiver = await startRawReceiver(behave, options);
    const end = await sender(receiver.caFile).send(sending(receiver.url()));
    assert.deepEqual({ ...end, durationMs: 0 }, { kind: "faulted", fault, durationMs: 0 }, name);
  }
});

test("nothing listening is a fault of connecting; an unknown name one of DNS", async () => {
  const receiver = await startReceiver();
  await receiver.close();
  const refused = await sender(receiver.caFile).send(sending(receiver.url()));
  assert.ok(refused.kind === "faulted" && refused.fault === "connect");
  const unknown = guardFor(receiver.caFile, {
    createResolver: () => ({
      resolve4: () => Promise.reject(new Error("ENOTFOUND")),
      resolve6: () => Promise.reject(new Error("ENOTFOUND")),
      cancel: () => {},
    }),
  });
  const end = await sender(receiver.caFile, { guard: unknown }).send(sending("https://unknown.example.com/"));
  assert.ok(end.kind === "faulted" && end.fault === "dns");
});

test("interim answers are passed over, and a 204 is a success", async () => {
  await using receiver = await answering(
    "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
  );
  const end = await sender(receiver.caFile).send(sending(receiver.url()));
  assert.ok(end.kind === "replied" && end.status === 204 && end.fault === null);
});

test("what is kept of an answer is text that can be stored and shown", async () => {
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(500).end(Buffer.from("a\0b\u001b[31m\tc\nd\xff\u009b", "latin1")),
  );
  const end = await sender(receiver.caFile).send(sending(receiver.url()));
  assert.ok(end.kind === "replied");
  assert.equal(end.snippet, "ab[31m\tc\nd\ufffd\ufffd");
});

test("a request that is told to stop ends as ours", async () => {
  await using hanging = await startRawReceiver(() => {});
  const abort = new AbortController();
  const ended = sender(hanging.caFile).send(sending(hanging.url()), abort.signal);
  abort.abort();
  assert.equal((await ended).kind, "ours");
});
