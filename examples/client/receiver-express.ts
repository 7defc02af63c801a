/**
 * A receiver with Express 5 and @querent/client, which logs why it rejects a webhook. To try it on your machine:
 *
 *   SIGNING_SECRET=$(querent webhook get --secret) node examples/client/receiver-express.ts
 *   querent listen --forward http://localhost:3000/hook
 *
 * In production, serve it over HTTPS. It uses `express.raw` because JSON that was parsed and serialized again has different bytes.
 */
import type { AddressInfo } from "node:net";
import { SignatureError, webhooks, type Notification } from "@querent/client";
import express from "express";

const secret = process.env["SIGNING_SECRET"] ?? "";
/** Processed delivery ids. With several processes, use a unique key of a table. */
const seen = new Set<string>();

const app = express();
app.post("/hook", express.raw({ type: () => true, limit: "1mb" }), (request, response, next) => {
  webhooks.unwrap({ body: request.body as Buffer, headers: request.headers, secret }).then(
    ({ notification, deliveryId }) => {
      // Respond before processing: a request that times out is sent again.
      response.status(204).end();
      if (deliveryId === null || seen.has(deliveryId)) return;
      seen.add(deliveryId);
      handle(notification);
    },
    (error: unknown) => {
      if (!(error instanceof SignatureError)) return next(error);
      console.log(`rejected: ${error.message}`);
      response.status(401).end();
    },
  );
});

function handle({ task }: Notification): void {
  console.log(`${task.taskId} ${task.state}, ${task.chargedPoints} points`);
}

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
);
