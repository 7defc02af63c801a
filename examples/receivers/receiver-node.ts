/**
 * A receiver of Querent's webhooks in TypeScript, on Node 24 or newer, without dependencies.
 *
 *   SIGNING_SECRET=whsec_... node examples/receivers/receiver-node.ts
 *
 * With PLAIN=1 it uses HTTP, behind a proxy that terminates TLS. Webhooks are sent to HTTPS URLs only.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

interface TaskFinished {
  event: "task.finished";
  deliveryRevision: number;
  task: { taskId: string; state: string; chargedPoints: number; resultOmitted: boolean; content: string | null };
}

const secret = process.env["SIGNING_SECRET"] ?? "";
if (secret === "") throw new Error("Set SIGNING_SECRET to the `signingSecret` of GET /v1/webhook.");
const bytesMax = 1024 * 1024;

/** The last 100,000 delivery ids. With several processes, use a unique key of a table. */
const seen = new Set<string>();
const seenMax = 100_000;

function isNew(delivery: string): boolean {
  if (seen.has(delivery)) return false;
  seen.add(delivery);
  if (seen.size > seenMax) for (const oldest of seen.values().take(1)) seen.delete(oldest);
  return true;
}

/**
 * Verifies the raw body in constant time, so that the response time reveals nothing about the expected signature. During a
 * rotation with an overlap there are two signatures, one for each secret. A match of either is sufficient.
 */
function isVerified(body: Buffer, signatures: readonly unknown[]): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  return signatures.some((signature) => {
    const given = Buffer.from(String(signature));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413, { connection: "close" }).end();
    return;
  }
  const { headers } = request;
  if (!isVerified(body, [headers["x-service-signature"], headers["x-service-signature-previous"]])) {
    console.log("rejected: invalid signature");
    response.writeHead(401).end();
    return;
  }
  // Respond before processing: a request that times out is sent again.
  response.writeHead(204).end();
  const delivery = String(request.headers["x-service-delivery"]);
  if (isNew(delivery)) handle(JSON.parse(body.toString("utf8")) as TaskFinished);
  else console.log(`ignored: ${delivery} was already received`);
}

function handle({ event, task }: TaskFinished): void {
  console.log(`${event}: ${task.taskId} ${task.state}, ${task.chargedPoints} points, signature verified`);
  if (task.resultOmitted) console.log(`result omitted, fetch it with GET /v1/tasks/${task.taskId}`);
}

const onRequest = (request: IncomingMessage, response: ServerResponse) => {
  receive(request, response).catch(() => response.destroy());
};
const isPlain = process.env["PLAIN"] === "1";
const server = isPlain
  ? createHttpServer(onRequest)
  : createHttpsServer(
      {
        key: readFileSync(process.env["KEY"] ?? "receiver-key.pem"),
        cert: readFileSync(process.env["CERT"] ?? "receiver-cert.pem"),
      },
      onRequest,
    );
server.listen(Number(process.env["PORT"] ?? 8443), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on ${isPlain ? "http" : "https"}://127.0.0.1:${port}/`);
});
