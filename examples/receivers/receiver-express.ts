/**
 * A receiver of Querent's webhooks with Express 5, on Node 24 or newer.
 *
 *   SIGNING_SECRET=whsec_... node examples/receivers/receiver-express.ts
 *
 * It uses `express.raw` for this route, without `express.json` before it, because JSON that was parsed and serialized
 * again has different bytes.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import express from "express";

interface TaskFinished {
  event: "task.finished";
  task: { taskId: string; state: string; chargedPoints: number; resultOmitted: boolean };
}

const secret = process.env["SIGNING_SECRET"] ?? "";
if (secret === "") throw new Error("Set SIGNING_SECRET to the `signingSecret` of GET /v1/webhook.");

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

const app = express();
app.post("/{*path}", express.raw({ type: () => true, limit: "1mb" }), (request, response) => {
  const body: unknown = request.body;
  const signatures = [request.get("x-service-signature"), request.get("x-service-signature-previous")];
  if (!Buffer.isBuffer(body) || !isVerified(body, signatures)) {
    console.log("rejected: invalid signature");
    response.status(401).end();
    return;
  }
  // Respond before processing: a request that times out is sent again.
  response.status(204).end();
  const delivery = request.get("x-service-delivery") ?? "";
  if (isNew(delivery)) handle(JSON.parse(body.toString("utf8")) as TaskFinished);
  else console.log(`ignored: ${delivery} was already received`);
});

function handle({ event, task }: TaskFinished): void {
  console.log(`${event}: ${task.taskId} ${task.state}, ${task.chargedPoints} points, signature verified`);
  if (task.resultOmitted) console.log(`result omitted, fetch it with GET /v1/tasks/${task.taskId}`);
}

const server = createServer(
  {
    key: readFileSync(process.env["KEY"] ?? "receiver-key.pem"),
    cert: readFileSync(process.env["CERT"] ?? "receiver-cert.pem"),
  },
  app,
);
server.listen(Number(process.env["PORT"] ?? 8443), "127.0.0.1", () =>
  console.log(`listening on https://127.0.0.1:${(server.address() as AddressInfo).port}/`),
);
