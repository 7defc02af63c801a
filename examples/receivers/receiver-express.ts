/**
 * A receiver of Querent's notifications with Express 5, on Node 24 or newer.
 *
 *   SIGNING_SECRET=whsec_... node examples/receivers/receiver-express.ts
 *
 * The point: `express.raw` on this route, and no `express.json` before it. What is parsed and written again is not what
 * was signed.
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

/** Delivery ids seen, the last 100,000. With several processes: a unique key of a table, written along with the work. */
const seen = new Set<string>();
const seenMax = 100_000;

function isNew(delivery: string): boolean {
  if (seen.has(delivery)) return false;
  seen.add(delivery);
  if (seen.size > seenMax) for (const oldest of seen.values().take(1)) seen.delete(oldest);
  return true;
}

/**
 * Over the raw bytes; compared in constant time, so that the time it takes tells nothing about the right signature. While
 * the secret is rotated with an overlap there are two signatures, one with each secret: either may be the one with ours.
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
    console.log("refused: the signature is not right");
    response.status(401).end();
    return;
  }
  // Answer before the work: a slow receiver is asked again.
  response.status(204).end();
  const delivery = request.get("x-service-delivery") ?? "";
  if (isNew(delivery)) handle(JSON.parse(body.toString("utf8")) as TaskFinished);
  else console.log(`dropped: ${delivery} was here before`);
});

function handle({ event, task }: TaskFinished): void {
  console.log(`${event}: ${task.taskId} ${task.state}, ${task.chargedPoints} points, signature verified`);
  if (task.resultOmitted) console.log(`its result is large: GET /v1/tasks/${task.taskId}`);
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
