/**
 * A receiver of Querent's webhooks with Fastify 5, on Node 24 or newer.
 *
 *   SIGNING_SECRET=whsec_... node examples/receivers/receiver-fastify.ts
 *
 * It takes the body as a Buffer, because JSON that was parsed and serialized again has different bytes.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";

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

const app = fastify({
  bodyLimit: 1024 * 1024,
  https: {
    key: readFileSync(process.env["KEY"] ?? "receiver-key.pem"),
    cert: readFileSync(process.env["CERT"] ?? "receiver-cert.pem"),
  },
});
app.removeAllContentTypeParsers();
app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

app.post<{ Body: Buffer }>("/*", async (request, reply) => {
  const { body, headers } = request;
  if (!isVerified(body, [headers["x-service-signature"], headers["x-service-signature-previous"]])) {
    console.log("rejected: invalid signature");
    return reply.code(401).send();
  }
  // Respond before processing: a request that times out is sent again.
  const delivery = String(headers["x-service-delivery"]);
  if (isNew(delivery)) setImmediate(handle, JSON.parse(body.toString("utf8")) as TaskFinished);
  else console.log(`ignored: ${delivery} was already received`);
  return reply.code(204).send();
});

function handle({ event, task }: TaskFinished): void {
  console.log(`${event}: ${task.taskId} ${task.state}, ${task.chargedPoints} points, signature verified`);
  if (task.resultOmitted) console.log(`result omitted, fetch it with GET /v1/tasks/${task.taskId}`);
}

await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 8443) });
console.log(`listening on https://127.0.0.1:${(app.server.address() as AddressInfo).port}/`);
