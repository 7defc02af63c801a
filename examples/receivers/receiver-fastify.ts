/**
 * A receiver of Querent's notifications with Fastify 5, on Node 24 or newer.
 *
 *   SIGNING_SECRET=whsec_... node examples/receivers/receiver-fastify.ts
 *
 * The point: take the body as a Buffer. What Fastify parses and you write again is not what was signed.
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
    console.log("refused: the signature is not right");
    return reply.code(401).send();
  }
  // Answer before the work: a slow receiver is asked again.
  const delivery = String(headers["x-service-delivery"]);
  if (isNew(delivery)) setImmediate(handle, JSON.parse(body.toString("utf8")) as TaskFinished);
  else console.log(`dropped: ${delivery} was here before`);
  return reply.code(204).send();
});

function handle({ event, task }: TaskFinished): void {
  console.log(`${event}: ${task.taskId} ${task.state}, ${task.chargedPoints} points, signature verified`);
  if (task.resultOmitted) console.log(`its result is large: GET /v1/tasks/${task.taskId}`);
}

await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 8443) });
console.log(`listening on https://127.0.0.1:${(app.server.address() as AddressInfo).port}/`);
