/**
 * A receiver of Querent's webhooks, on Node 20 or newer, without dependencies.
 *
 *   SIGNING_SECRET=whsec_... node examples/receivers/receiver.mjs
 *
 * It does what every receiver must do: it verifies the signature over the raw body, ignores duplicates,
 * responds immediately, and fetches the result if the webhook omits it.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const secret = process.env.SIGNING_SECRET;
if (!secret) throw new Error("Set SIGNING_SECRET to the `signingSecret` of GET /v1/webhook.");
const port = Number(process.env.PORT ?? 8443);
const bytesMax = 1024 * 1024;

/** The last 100,000 delivery ids. In production, use a unique key of a table, written in the transaction that processes the task. */
const seen = new Set();
const seenMax = 100_000;

const server = createServer(
  {
    key: readFileSync(process.env.KEY ?? "receiver-key.pem"),
    cert: readFileSync(process.env.CERT ?? "receiver-cert.pem"),
  },
  (request, response) => {
    const chunks = [];
    let size = 0;
    request.on("data", (chunk) => {
      size += chunk.length;
      if (size > bytesMax) request.destroy();
      else chunks.push(chunk);
    });
    request.on("error", () => undefined);
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const { headers } = request;
      if (!verified(body, [headers["x-service-signature"], headers["x-service-signature-previous"]])) {
        console.log("rejected: invalid signature");
        response.writeHead(401).end();
        return;
      }
      // Respond before processing: a request that times out is sent again.
      response.writeHead(204).end();
      const delivery = String(headers["x-service-delivery"]);
      if (seen.has(delivery)) {
        console.log(`ignored: ${delivery} was already received`);
        return;
      }
      seen.add(delivery);
      if (seen.size > seenMax) seen.delete(seen.values().next().value);
      handle(JSON.parse(body.toString("utf8")));
    });
  },
);

/**
 * Compares in constant time, so that the response time reveals nothing about the expected signature. During a rotation with
 * an overlap there are two signatures, one for each secret. A match of either is sufficient.
 */
function verified(body, signatures) {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  return signatures.some((signature) => {
    const given = Buffer.from(String(signature));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function handle({ event, task }) {
  console.log(`${event}: ${task.taskId} ${task.state}, ${task.chargedPoints} points, signature verified`);
  if (task.resultOmitted) console.log(`result omitted, fetch it with GET /v1/tasks/${task.taskId}`);
}

server.listen(port, "127.0.0.1", () => console.log(`listening on https://127.0.0.1:${server.address().port}/`));
