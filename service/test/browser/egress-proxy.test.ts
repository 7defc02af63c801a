/** What a page can reach. Each server that must not be reached counts who comes. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { Reach } from "../../src/browser/index.ts";
import { mayReach } from "../../src/browser/egress-proxy.ts";
import { EgressGuard } from "../../src/egress/index.ts";
import { browserSettings, testPool } from "../harness/browser.ts";

const never = new AbortController().signal;

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on an address of its own, which counts its connections. */
async function listen(address: string, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  let connections = 0;
  const server: Server = createServer(answer).on("connection", () => connections++);
  await new Promise<void>((done) => server.listen(0, address, done));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://${address}:${port}`, count: () => connections };
}

let site: Awaited<ReturnType<typeof listen>>;
let forbidden: Awaited<ReturnType<typeof listen>>;
before(async () => {
  forbidden = await listen("127.0.0.9", (_request, response) =>
    response.writeHead(200, { "access-control-allow-origin": "*" }).end("secret"),
  );
  site = await listen("127.0.0.1", (request, response) => {
    const target = URL.parse(request.url ?? "/", "http://x")?.searchParams.get("to");
    if (target !== null && target !== undefined) response.writeHead(302, { location: target }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end("<title>A page</title>");
  });
});

async function onPage<Result>(
  t: TestContext,
  reach: Reach,
  work: (page: Page, refused: ReadonlyMap<string, string>) => Promise<Result>,
  options: Parameters<typeof testPool>[1] = {},
): Promise<Result> {
  const { pool } = testPool(t, options);
  return pool.withContext(never, { reach }, async ({ context, refused }) => work(await context.newPage(), refused));
}

suite("a page reaches what its recipe allows, and nothing else", () => {
  test("by any way that it has", async (t) => {
    const datagrams = createSocket("udp4");
    let received = 0;
    datagrams.on("message", () => received++);
    await new Promise<void>((done) => datagrams.bind(0, "127.0.0.1", done));
    t.after(() => datagrams.close());
    await onPage(t, { hosts: ["127.0.0.1"] }, async (page, refused) => {
      await page.goto(site.origin);
      const at = forbidden.origin;
      const ws = at.replace("http", "ws");
      const attempts = await page.evaluate<Record<string, string>>(`(async () => {
        const within = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, 60_000, "no answer"))]);
        const tried = async (work) => { try { return String(await within(work())); } catch { return "refused"; } };
        const load = (tag, attributes) => new Promise((done) => {
          const element = Object.assign(document.createElement(tag), attributes);
          element.onload = () => done("reached"); element.onerror = () => done("refused");
          document.body.append(element);
        });
        return {
          fetch: await tried(async () => (await fetch("${at}")).status),
          redirect: await tried(async () => (await fetch("/?to=${encodeURIComponent(at)}")).status),
          image: await tried(() => load("img", { src: "${at}/x.png" })),
          script: await tried(() => load("script", { src: "${at}/x.js" })),
          socket: await tried(() => new Promise((done) => {
            const socket = new WebSocket("${ws}");
            socket.onopen = () => done("reached"); socket.onerror = () => done("refused");
          })),
          beacon: await tried(async () => { navigator.sendBeacon("${at}"); return "refused"; }),
          prefetch: await tried(() => load("link", { rel: "prefetch", href: "${at}" })),
          preconnect: await tried(async () => { load("link", { rel: "preconnect", href: "${at}" }); return "refused"; }),
          worker: await tried(() => new Promise((done) => {
            const code = 'fetch("${at}").then(() => postMessage("reached"), () => postMessage("refused"))';
            const worker = new Worker(URL.createObjectURL(new Blob([code])));
            worker.onmessage = ({ data }) => done(data);
          })),
          serviceWorker: await tried(() => navigator.serviceWorker.register("/worker.js")),
          peer: typeof RTCPeerConnection,
          transport: typeof WebTransport,
          file: await tried(async () => (await fetch("file:///etc/passwd")).status),
        };
      })()`);
      assert.deepEqual(attempts, {
        fetch: "refused",
        redirect: "refused",
        image: "refused",
        script: "refused",
        socket: "refused",
        beacon: "refused",
        prefetch: "refused",
        preconnect: "refused",
        worker: "refused",
        serviceWorker: attempts["serviceWorker"],
        peer: "undefined",
        transport: "undefined",
        file: "refused",
      });
      assert.notEqual(attempts["serviceWorker"], "reached");
      await page.evaluate(`location.href = ${JSON.stringify(at)}`).catch(() => undefined);
      await page.waitForTimeout(100);
      assert.equal(refused.get(at.slice("http://".length)), "not among the hosts that the recipe allows");
    });
    assert.equal(forbidden.count(), 0);
    assert.equal(received, 0);
  });

  test("frames get no peer connections either, so nothing leaves past the proxy", async (t) => {
    const datagrams = createSocket("udp4");
    let received = 0;
    datagrams.on("message", () => received++);
    await new Promise<void>((done) => datagrams.bind(0, "127.0.0.1", done));
    t.after(() => datagrams.close());
    await onPage(t, { hosts: ["127.0.0.1"] }, async (page) => {
      await page.goto(site.origin);
      const kinds = await page.evaluate<string[]>(`(async () => {
        const frame = document.createElement("iframe");
        document.body.append(frame);
        const Peer = frame.contentWindow.RTCPeerConnection;
        if (Peer !== undefined) {
          const peer = new Peer({ iceServers: [{ urls: "stun:127.0.0.1:${datagrams.address().port}" }] });
          peer.createDataChannel("x");
          await peer.setLocalDescription(await peer.createOffer());
          await new Promise((done) => setTimeout(done, 1000));
        }
        return [typeof Peer];
      })()`);
      assert.equal(kinds.length, 1);
    });
    assert.equal(received, 0);
  });

  test("a file is no page", async (t) => {
    await onPage(t, { hosts: ["*"] }, async (page) => {
      await page.goto(site.origin);
      const said = await page.evaluate(`(async () => {
        const frame = document.createElement("iframe");
        frame.src = "file:///etc/passwd";
        document.body.append(frame);
        await new Promise((done) => setTimeout(done, 300));
        try { return frame.contentDocument?.body?.innerText ?? "closed"; } catch { return "closed"; }
      })()`);
      assert.ok(!String(said).includes("root:"));
    });
  });

  test("addresses that are not public are refused, whatever the recipe allows, unless the operator does too", async (t) => {
    const guard = new EgressGuard();
    await onPage(
      t,
      { hosts: ["*"] },
      async (page, refused) => {
        for (const url of [site.origin, "http://169.254.169.254/latest/", "http://[::1]:8081/", "http://10.0.0.1/"]) {
          const answer = await page.goto(url);
          assert.equal(answer?.status(), 403, url);
        }
        assert.equal(refused.size, 4);
      },
      { guard },
    );
  });

  test("a name is resolved once for each connection, and connected to at the address that was checked", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "querent-hosts-"));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "hosts"), "127.0.0.1 good.example\n127.0.0.9 both.example\n10.0.0.1 both.example\n");
    let asked = 0;
    const guard = new EgressGuard({
      allow: "127.0.0.1",
      hostsFile: join(folder, "hosts"),
      // The first answer is allowed, those after it are not: rebinding.
      createResolver: () => ({
        resolve4: () => Promise.resolve(asked++ === 0 ? ["127.0.0.1"] : ["127.0.0.9"]),
        resolve6: () => Promise.reject(new Error("none")),
        cancel: () => undefined,
      }),
    });
    const before = forbidden.count();
    await onPage(
      t,
      { hosts: ["*"] },
      async (page) => {
        assert.equal((await page.goto(`http://good.example:${site.port}/`))?.status(), 200);
        assert.equal((await page.goto(`http://both.example:${forbidden.port}/`))?.status(), 403);
        assert.equal((await page.goto(`http://rebinding.example:${site.port}/`))?.status(), 200);
        assert.equal((await page.goto(`http://rebinding.example:${forbidden.port}/`))?.status(), 403);
      },
      { guard },
    );
    assert.equal(forbidden.count(), before);
  });

  test("the service's own ports are refused, though their address is allowed", async (t) => {
    await onPage(
      t,
      { hosts: ["*"] },
      async (page) => {
        assert.equal((await page.goto(site.origin))?.status(), 200);
        assert.equal((await page.goto(forbidden.origin))?.status(), 403);
      },
      { refuse: (_address, port) => port === forbidden.port },
    );
  });

  test("a context without any reach has none", async (t) => {
    const before = site.count();
    await onPage(t, "nothing", async (page) => {
      assert.equal((await page.goto(site.origin))?.status(), 403);
      await page.setContent("<p>Made here</p>");
      assert.equal(await page.textContent("p"), "Made here");
    });
    assert.equal(site.count(), before);
  });

  test("WebSockets and streams pass where they may", async (t) => {
    const echo = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (head) => {
        const key = /sec-websocket-key: (.*)\r/i.exec(head.toString())?.[1] ?? "";
        void import("node:crypto").then(({ createHash }) => {
          const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
          socket.write(
            `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
          );
          socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
        });
      });
    });
    await new Promise<void>((done) => echo.listen(0, "127.0.0.1", done));
    t.after(() => echo.close());
    const { port } = echo.address() as AddressInfo;
    const heard = await onPage(t, { hosts: ["127.0.0.1"] }, async (page) => {
      await page.goto(site.origin);
      return page.evaluate(`new Promise((done) => {
        const socket = new WebSocket("ws://127.0.0.1:${port}/");
        socket.onmessage = ({ data }) => { socket.close(); done(data); }; socket.onerror = () => done("refused");
      })`);
    });
    assert.equal(heard, "hi");
  });

  test("a request does not fail because its server closes the connection that an earlier one used", async (t) => {
    const used = new WeakSet<Socket>();
    const server = await listen("127.0.0.1", (request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      response.writeHead(200, { "content-type": "text/html", "keep-alive": "timeout=60" }).end("<title>A page</title>");
    });
    await onPage(t, { hosts: ["127.0.0.1"] }, async (page) => {
      await page.goto(server.origin);
      const statuses = await page.evaluate(`(async () => {
        const statuses = [];
        for (const method of ["GET", "POST", "POST"]) statuses.push((await fetch("/", { method })).status);
        return statuses;
      })()`);
      assert.deepEqual(statuses, [200, 200, 200]);
    });
  });

  test("downloads and permissions are refused", async (t) => {
    await onPage(t, { hosts: ["127.0.0.1"] }, async (page) => {
      await page.goto(site.origin);
      const states = await page.evaluate(`Promise.all(["geolocation", "notifications", "camera", "clipboard-read"].map(
        (name) => navigator.permissions.query({ name }).then(({ state }) => state, () => "denied")))`);
      assert.ok(!(states as string[]).includes("granted"));
      const download = page.waitForEvent("download");
      await page.evaluate(`Object.assign(document.createElement("a"),
        { href: URL.createObjectURL(new Blob(["x"])), download: "x.exe" }).click()`);
      assert.notEqual(await (await download).failure(), null);
    });
  });
});

test("patterns of hosts", () => {
  const may = (pattern: string, host: string, port = 443) => mayReach({ hosts: [pattern] }, host, port);
  assert.ok(may("chat.example", "chat.example"));
  assert.ok(may("chat.example", "CHAT.example."));
  assert.ok(!may("chat.example", "cdn.chat.example"));
  assert.ok(may("*.chat.example", "cdn.chat.example"));
  assert.ok(!may("*.chat.example", "chat.example"));
  assert.ok(!may("*.chat.example", "evilchat.example"));
  assert.ok(may("127.0.0.1:80", "127.0.0.1", 80));
  assert.ok(!may("127.0.0.1:80", "127.0.0.1", 8080));
  assert.ok(may("[::1]", "[::1]", 8080));
  assert.ok(may("[::1]:80", "[::1]", 80));
  assert.ok(may("*", "anything.example"));
  assert.ok(!mayReach("nothing", "anything.example", 80));
});

test("a page that this process serves is reached under its name, with loopback addresses refused, and reaches nothing else", async (t) => {
  const served = { host: "x.stand-in.invalid", port: site.port };
  const before = forbidden.count();
  const settings = { ...browserSettings, egressAllow: [] };
  const tried = async (page: Page, refused: ReadonlyMap<string, string>) => {
    const status = async (url: string) => (await page.goto(url).catch(() => null))?.status() ?? null;
    assert.equal(await status("http://x.stand-in.invalid/"), 200);
    assert.equal(await page.title(), "A page");
    for (const url of [
      "http://x.stand-in.invalid:81/",
      "https://x.stand-in.invalid/",
      "http://y.stand-in.invalid/",
      `http://127.0.0.1:${site.port}/`,
      `http://x.stand-in.invalid/?to=${encodeURIComponent(forbidden.origin)}`,
    ])
      assert.notEqual(await status(url), 200, url);
    assert.equal(forbidden.count(), before);
    assert.ok(refused.has("x.stand-in.invalid:81"));
  };
  await onPage(t, { hosts: [], served }, tried, { settings });
});
