import { Notification } from "./notification.ts";
import { withReferences } from "./openapi-references.ts";

/** What the service sends to receivers, as the OpenAPI document describes it. */
export function taskFinishedWebhook(names: Map<unknown, string>): Record<string, unknown> {
  const header = (name: string, description: string, required = true) => ({
    name,
    in: "header",
    required,
    description,
    schema: { type: "string" },
  });
  return {
    operationId: "taskFinished",
    tags: ["Notifications"],
    summary: "A task has ended",
    description:
      "Sent to the task's `webhookUrl`, or to the account's endpoint. Verify the signature over the raw body, return a 2xx status promptly, and ignore a delivery id that you have already processed.",
    security: [],
    parameters: [
      header(
        "X-Service-Signature",
        "`sha256=<hex>`: HMAC-SHA256 of the raw body, keyed with the account's signing secret.",
      ),
      header("X-Service-Delivery", "Id of the delivery. The same on every automatic retry."),
      header(
        "X-Service-Signature-Previous",
        "The signature with the previous secret, during a rotation with an overlap.",
        false,
      ),
      header("X-Service-Secret-Version", "Version of the signing secret."),
      header("X-Service-Timestamp", "When this attempt was signed: ISO 8601 in UTC."),
      header("Webhook-Id", "The same as `X-Service-Delivery`, as named by Standard Webhooks."),
      header("Webhook-Timestamp", "When this attempt was signed: seconds since 1970."),
      header(
        "Webhook-Signature",
        "`v1,<base64>`: HMAC-SHA256 of `<Webhook-Id>.<Webhook-Timestamp>.<raw body>`, keyed with the same signing secret. During a rotation with an overlap, a second one follows after a space.",
      ),
    ],
    requestBody: { required: true, content: { "application/json": { schema: withReferences(Notification, names) } } },
    responses: { "2XX": { description: "Received. Any other status is retried." } },
  };
}
