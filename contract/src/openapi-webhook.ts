import type { TSchema } from "typebox";
import {
  CapReachedNotification,
  PanelChangeDetected,
  PanelInstrumentChanged,
  PanelRunFinished,
} from "./account-event.ts";
import { Notification } from "./notification.ts";
import { withReferences } from "./openapi-references.ts";

const toSubscribers =
  "Sent to the account's endpoint if the account has subscribed to this type with `PUT /v1/webhook`.";
const sent: readonly { id: string; summary: string; to: string; schema: TSchema }[] = [
  {
    id: "taskFinished",
    summary: "A task has ended",
    to: "Sent to the task's `webhookUrl`, or to the account's endpoint.",
    schema: Notification,
  },
  { id: "panelRunFinished", summary: "A run of a panel has ended", to: toSubscribers, schema: PanelRunFinished },
  { id: "panelChangeDetected", summary: "A figure has changed", to: toSubscribers, schema: PanelChangeDetected },
  {
    id: "panelInstrumentChanged",
    summary: "An instrument has changed",
    to: toSubscribers,
    schema: PanelInstrumentChanged,
  },
  { id: "capReached", summary: "A cap is nearly used up", to: toSubscribers, schema: CapReachedNotification },
];

/** What the service sends to receivers, as the OpenAPI document describes it. */
export const webhooksSent = (names: Map<unknown, string>): Record<string, unknown> =>
  Object.fromEntries(
    sent.map(({ id, summary, to, schema }) => [
      id,
      {
        post: {
          operationId: id,
          tags: ["Notifications"],
          summary,
          description: `${to} Verify the signature over the raw body, return a 2xx status promptly, and ignore a delivery id that you have already processed.`,
          security: [],
          parameters,
          requestBody: { required: true, content: { "application/json": { schema: withReferences(schema, names) } } },
          responses: { "2XX": { description: "Received. Any other status is retried." } },
        },
      },
    ]),
  );

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
