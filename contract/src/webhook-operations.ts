import { RecoveryReply, RecoveryRequest, WebhookTest, WebhookTestReply } from "./delivery.ts";
import { json, operation, usual, withBody } from "./operation.ts";
import { SecretRotation, WebhookChange, WebhookRecord } from "./webhook.ts";

export const getWebhook = operation({
  id: "getWebhook",
  method: "GET",
  path: "/v1/webhook",
  tag: "Webhook",
  summary: "Read the notification settings",
  scope: "webhook:manage",
  replies: {
    200: {
      description: "The settings. `signingSecret` is there even when `url` is null.",
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
  summary: "Set the account's notification address",
  description: "HTTPS only, to a public host. `null` unsets it.",
  scope: "webhook:manage",
  body: { schema: WebhookChange, required: true, bytesMax: 16 * 1024 },
  replies: { 200: { description: "The settings as they are now.", content: json(WebhookRecord) } },
  problems: [...usual, ...withBody],
});

export const rotateSecret = operation({
  id: "rotateSigningSecret",
  method: "POST",
  path: "/v1/webhook/signing-secret/rotation",
  tag: "Webhook",
  summary: "Rotate the signing secret",
  description: "Later notifications are signed with the new secret at once, retries of earlier ones too.",
  scope: "webhook:manage",
  body: { schema: SecretRotation, required: false, bytesMax: 16 * 1024 },
  replies: { 200: { description: "The settings with the new secret.", content: json(WebhookRecord) } },
  problems: [...usual, ...withBody],
});

export const testWebhook = operation({
  id: "testWebhook",
  method: "POST",
  path: "/v1/webhook/test",
  tag: "Webhook",
  summary: "Send a test notification",
  description:
    "Sends one signed notification right now, by the way every notification goes, to the account's address or to the one given, and tells what came back. Its `taskId` is all zeros and it carries `X-Service-Test: true`. It is tried once and not listed among the deliveries. A passed test of the account's address lifts its suspension. At most 4 tests of an account run at a time.",
  scope: "webhook:manage",
  body: { schema: WebhookTest, required: false, bytesMax: 16 * 1024 },
  replies: { 200: { description: "What came of it, passed or not.", content: json(WebhookTestReply) } },
  problems: [...usual, ...withBody, "state_conflict"],
});

export const recoverDeliveries = operation({
  id: "recoverDeliveries",
  method: "POST",
  path: "/v1/webhook/recovery",
  tag: "Webhook",
  summary: "Redeliver what failed since a time",
  description:
    "Makes a redelivery of every task whose latest delivery failed, or was skipped, between `since` and `until` (now, when left out): 10,000 a call at most. What one call has redelivered no other takes up again, also when calls run at the same time or one is cut off, so repeat the call with the `until` of the first answer until `remaining` is 0.",
  scope: "webhook:manage",
  body: { schema: RecoveryRequest, required: true, bytesMax: 16 * 1024 },
  replies: { 200: { description: "What was done, and what is left.", content: json(RecoveryReply) } },
  problems: [...usual, ...withBody],
});
