/** The messages of a WebSocket in the web archive of a page: `record-traffic.ts` and `write-wacz.ts`. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { WARCParser } from "warcio";
import { readZip } from "../../../../evidence/src/read-zip.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { testPool } from "../../harness/browser.ts";
import { ask, platformOf } from "./fixture.ts";

const { pool } = testPool({ after });
const secret = "s0cket-access-0123456789";

const html = `<!doctype html><title>Sockets</title><main></main><textarea></textarea><button>Send</button><script>
const socket = new WebSocket("ws://" + location.host + "/chat?token=${secret}");
socket.binaryType = "arraybuffer";
let turn;
socket.onmessage = ({ data }) => {
  if (typeof data !== "string") return;
  const { delta, end } = JSON.parse(data);
  turn.querySelector(".text").textContent += delta ?? "";
  if (end) turn.insertAdjacentHTML("beforeend", "<i class=done>·</i>");
};
document.querySelector("button").onclick = () => {
  document.querySelector("main").innerHTML = "<div class=turn><div class=text></div></div>";
  turn = document.querySelector(".turn");
  socket.send(JSON.stringify({ question: document.querySelector("textarea").value }));
};</script>`;

/** A frame of the server, shorter than 126 bytes. */
const frame = (opcode: number, data: Buffer) => Buffer.concat([Buffer.from([0x80 | opcode, data.byteLength]), data]);

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
}).on("upgrade", (request, socket) => {
  const key = `${request.headers["sec-websocket-key"] ?? ""}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  socket.on("error", () => undefined);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  // The page sends one message, the question.
  socket.once("data", () => {
    socket.write(frame(1, Buffer.from(JSON.stringify({ delta: "Grind ", accessToken: secret }))));
    socket.write(frame(2, Buffer.from([1, 2, 255])));
    socket.write(frame(1, Buffer.from(JSON.stringify({ delta: "finer. 咖啡", end: true }))));
  });
});
await once(server.listen(0, "127.0.0.1"), "listening");
after(() => {
  server.close();
  server.closeAllConnections();
});
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

test("each message is a line with its sender, without secrets, and bytes are in Base64", async () => {
  const recipe = parseRecipe(`recipe: 1
name: Sockets
version: 1
verified: true
entry: http://${host}/
composer: { input: textarea, submit: { click: button }, timeoutSeconds: 120 }
turn: { each: .turn, text: .text }
complete: { done: .done }
`);
  const loaded = { recipe, sha256: "0".repeat(64), storageState: null, file: "" };
  const outcome = await ask(platformOf(loaded, pool, { evidence: ["archive"] }), "How fine?");
  assert.equal(outcome.kind, "answered");
  const wacz = outcome.captures?.find(({ name }) => name === "page.wacz");
  assert.ok(wacz !== undefined);
  const { files } = readZip(Buffer.from(wacz.bytes));
  const warc = files.get("archive/data.warc.gz") ?? assert.fail("no records");
  let lines: Record<string, unknown>[] = [];
  for await (const record of new WARCParser([warc])) {
    const body = Buffer.from(await record.readFully(true)).toString();
    assert.ok(!body.includes(secret), `${record.warcTargetURI ?? ""} has the secret`);
    if (record.warcTargetURI?.startsWith(`ws://${host}/chat`) !== true) continue;
    assert.equal(record.warcType, "resource");
    assert.ok(!record.warcTargetURI.includes(secret));
    lines = body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  assert.deepEqual(
    lines.map(({ from }) => from),
    ["page", "server", "server", "server"],
  );
  assert.deepEqual(JSON.parse(String(lines[0]?.["text"])), { question: "How fine?" });
  assert.equal(lines[2]?.["base64"], Buffer.from([1, 2, 255]).toString("base64"));
  assert.deepEqual(JSON.parse(String(lines[3]?.["text"])), { delta: "finer. 咖啡", end: true });
});
