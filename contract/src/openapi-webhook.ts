import { announcedEvents } from "./event.ts";
import { withReferences } from "./openapi-references.ts";

/** What the service sends to receivers, as the OpenAPI document describes it. */
export const webhooksSent = (names: Map<unknown, string>): Record<string, unknown> =>
  Object.fromEntries(
    announcedEvents.map(({ type, summary, sentTo, schema }) => [
      idOf(type),
      {
        post: {
          operationId: idOf(type),
          tags: ["Notifications"],
          summary,
          description: `${sentTo} Verify the signature over the raw body, return a 2xx status promptly, and ignore a delivery id that you have already processed.`,
          security: [],
          parameters,
          requestBody: { required: true, content: { "application/json": { schema: withReferences(schema, names) } } },
          responses: { "2XX": { description: "Received. Any other status is retried." } },
        },
      },
    ]),
  );

/** `task.finished` is `taskFinished`. */
const idOf = (type: string) => type.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase());

const header = (name: string, description: string, required = true) => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
});
const parameters = [
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
];
