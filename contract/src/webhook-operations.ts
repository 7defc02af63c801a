import { Type } from "typebox";
import { Closed } from "./scalars.ts";
import { RecoveryReply, RecoveryRequest, WebhookTest, WebhookTestReply } from "./delivery.ts";
import { json, operation, usual, withBody } from "./operation.ts";
import { SecretRotation, WebhookChange, WebhookRecord } from "./webhook.ts";

export const getWebhook = operation({
  id: "getWebhook",
  method: "GET",
  path: "/v1/webhook",
  tag: "Webhook",
  summary: "Read the webhook settings",
  description: "Reading the secret is in the audit log.",
  scope: "webhook:manage",
  audit: "secret",
  query: Closed({
    secret: Type.Optional(
      Type.Boolean({
        default: true,
        description: "`false`: `signingSecret` is empty, and the audit log has no entry.",
      }),
    ),
  }),
  replies: {
    200: {
      description: "The settings. `signingSecret` is present even if `url` is null.",
      content: json(WebhookRecord),
    },
  },
  problems: usual,
});

export const putWebhook = operation({
  id: "putWebhook",
  method: "PUT",
  path: "/v1/webhook",
  tag: "Webhook",
  summary: "Set the account's webhook endpoint",
  description: "An HTTPS URL of a public host. `null` removes the endpoint.",
  scope: "webhook:manage",
  free: true,
  body: { schema: WebhookChange, required: true, bytesMax: 16 * 1024 },
  replies: { 200: { description: "The new settings.", content: json(WebhookRecord) } },
  problems: [...usual, ...withBody],
});

export const rotateSecret = operation({
  id: "rotateSigningSecret",
  method: "POST",
  path: "/v1/webhook/signing-secret/rotation",
  tag: "Webhook",
  summary: "Rotate the signing secret",
  description: "The new secret signs every webhook from now on, including retries.",
  scope: "webhook:manage",
  free: true,
  body: { schema: SecretRotation, required: false, bytesMax: 16 * 1024 },
  replies: { 200: { description: "The settings with the new secret.", content: json(WebhookRecord) } },
  problems: [...usual, ...withBody],
});

export const testWebhook = operation({
  id: "testWebhook",
  method: "POST",
  path: "/v1/webhook/test",
  tag: "Webhook",
  summary: "Send a test webhook",
  description:
    "Immediately sends one signed webhook to the account's endpoint or to the given URL, in the same way as other webhooks, and returns the outcome. It is of the end of a task, or of another event, with invented data. Ids consist of zeros, and it has the header `X-Service-Test: true`. It is not retried and not listed as a delivery. A successful test of the account's endpoint lifts its suspension. An account can run 4 tests at a time.",
  scope: "webhook:manage",
  free: "rate",
  body: { schema: WebhookTest, required: false, bytesMax: 16 * 1024 },
  replies: { 200: { description: "The outcome, whether the test passed or not.", content: json(WebhookTestReply) } },
  problems: [...usual, ...withBody, "state_conflict"],
});

export const recoverDeliveries = operation({
  id: "recoverDeliveries",
  method: "POST",
  path: "/v1/webhook/recovery",
  tag: "Webhook",
  summary: "Redeliver failed deliveries since a time",
  description:
    "Redelivers every task whose latest delivery failed or was skipped between `since` and `until` (default: now), at most 10,000 per request. Repeat the request with the `until` of the first response until `remaining` is 0. No delivery is redelivered twice, even if requests run concurrently or are interrupted. Tasks that have had 100 deliveries are left out.",
  scope: "webhook:manage",
  free: true,
  body: { schema: RecoveryRequest, required: true, bytesMax: 16 * 1024 },
  replies: { 200: { description: "The number of redeliveries, and what remains.", content: json(RecoveryReply) } },
  problems: [...usual, ...withBody],
});
