/**
 * A receiver of Querent's notifications, on Node 20 or newer, without a dependency.
 *
 *   SIGNING_SECRET=whsec_... node examples/receivers/receiver.mjs
 *
 * It does the four things that a receiver has to do: it verifies the signature over the raw bytes, drops what it has
 * seen, answers at once, and fetches the result where the notification leaves it out.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const secret = process.env.SIGNING_SECRET;
if (!secret) throw new Error("Set SIGNING_SECRET to the `signingSecret` of GET /v1/webhook.");
const port = Number(process.env.PORT ?? 8443);
const bytesMax = 1024 * 1024;

/** Delivery ids seen, the last 100,000. In production this is a unique key of a table, written in the transaction that handles the task. */
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
        console.log("refused: the signature is not right");
        response.writeHead(401).end();
        return;
      }
      // Answer before the work: a slow receiver is asked again.
      response.writeHead(204).end();
      const delivery = String(headers["x-service-delivery"]);
      if (seen.has(delivery)) {
        console.log(`dropped: ${delivery} was here before`);
        return;
      }
      seen.add(delivery);
      if (seen.size > seenMax) seen.delete(seen.values().next().value);
      handle(JSON.parse(body.toString("utf8")));
    });
  },
);

/**
 * Compares in constant time, so that the time it takes tells nothing about the right signature. While the secret is rotated
 * with an overlap there are two signatures, one with each secret: either may be the one with ours.
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
  if (task.resultOmitted) console.log(`its result is large: GET /v1/tasks/${task.taskId}`);
}

server.listen(port, "127.0.0.1", () => console.log(`listening on https://127.0.0.1:${server.address().port}/`));
