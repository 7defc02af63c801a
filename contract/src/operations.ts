import { Type } from "typebox";
import { BatchCancellation, BatchPage, BatchRecord } from "./batch.ts";
import {
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  DeliveryState,
  EventPage,
  RecoveryReply,
  RecoveryRequest,
  WebhookTest,
  WebhookTestReply,
} from "./delivery.ts";
import { EvidenceKeys } from "./evidence.ts";
import { Notification } from "./notification.ts";
import { withBody, headers, json, operation, cursor, usual, type Operation } from "./operation.ts";
import * as operator from "./operator-operations.ts";
import { PlatformList } from "./platform.ts";
import { Quote } from "./quote.ts";
import { Closed, Nullable, StorableText, UtcTimestamp, Uuid } from "./scalars.ts";
import { Submission, SubmissionAccepted, TaskAttempts, TaskRecord, TaskState, TaskSummary } from "./task.ts";
import { issueToken, listTokens, revokeToken } from "./token-operations.ts";
import { getOverview, getUsageDays } from "./usage-operations.ts";
import { LedgerPage, UsageRecord } from "./usage.ts";
import { SecretRotation, WebhookChange, WebhookRecord } from "./webhook.ts";

export * from "./operator-operations.ts";
export * from "./token-operations.ts";
export * from "./usage-operations.ts";

const KiB = 1024;
/** The maximum size of a submission's body. */
export const submissionBytesMax = 16 * KiB * KiB;

const taskId = Closed({ task_id: Uuid });
const batchId = Closed({ batch_id: Uuid });
const deliveryId = Closed({ delivery_id: Uuid });
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Maximum number of elements per page." }),
);
const waitPreference = Type.Optional(
  Type.String({
    description: "`wait=N`: the response is delayed until the task ends, for at most N seconds. N is at most 60.",
  }),
);

export const submitBatch = operation({
  id: "submitBatch",
  method: "POST",
  path: "/v1/tasks/batch",
  tag: "Tasks",
  summary: "Submit a batch of questions",
  description:
    "Each item becomes a task. A batch is accepted or rejected as a whole. The response is returned immediately and does not contain results: read the tasks, or wait for webhooks. To retry safely, send the same list with the same `Idempotency-Key`: the original response is returned with `Idempotent-Replayed: true`, and nothing is created or charged twice. Lists are compared by content: the order of members, white space, an explicit `null` and explicit defaults make no difference.",
  scope: "tasks:write",
  headers: Type.Object({
    "idempotency-key": Type.String({
      minLength: 1,
      maxLength: 257,
      description:
        "1 to 255 printable ASCII characters, with or without double quotes. Keys are stored for 7 days, per account.",
    }),
  }),
  body: { schema: Submission, required: true, bytesMax: submissionBytesMax },
  replies: {
    202: {
      description: "Accepted. Every item is now a durable task.",
      content: json(SubmissionAccepted),
      headers: { "Idempotent-Replayed": headers.idempotentReplayed },
    },
  },
  problems: [
    ...usual,
    ...withBody,
    "idempotency_key_missing",
    "idempotency_key_malformed",
    "idempotency_key_in_use",
    "idempotency_key_reused",
    "points_short",
    "queue_full",
  ],
});

export const quoteBatch = operation({
  id: "quoteBatch",
  method: "POST",
  path: "/v1/tasks/quote",
  tag: "Tasks",
  summary: "Get a quote for a batch",
  description:
    "A dry run of a submission. Takes the same body, creates nothing, and returns the points and the errors of each item.",
  scope: "tasks:read",
  body: { schema: Type.Array(Type.Unknown(), { minItems: 1 }), required: true, bytesMax: submissionBytesMax },
  replies: { 200: { description: "The quote.", content: json(Quote) } },
  problems: [...usual, ...withBody],
});

export const getTask = operation({
  id: "getTask",
  method: "GET",
  path: "/v1/tasks/{task_id}",
  tag: "Tasks",
  summary: "Read one task",
  description:
    "The response has an `ETag`. With `If-None-Match`, 304 is returned if the record has not changed. With `Prefer: wait=N`, the response is delayed until the task ends. The response for a pending task has `Retry-After`.",
  scope: "tasks:read",
  headers: Type.Object({ prefer: waitPreference, "if-none-match": Type.Optional(Type.String()) }),
  params: taskId,
  replies: {
    200: {
      description: "The task.",
      content: json(TaskRecord),
      headers: {
        ETag: headers.etag,
        "Retry-After": headers.retryAfter,
        "Preference-Applied": headers.preferenceApplied,
      },
    },
    304: { description: "The record still matches `If-None-Match`.", headers: { ETag: headers.etag } },
  },
  problems: [...usual, "not_found"],
});

export const getTaskAttempts = operation({
  id: "getTaskAttempts",
  method: "GET",
  path: "/v1/tasks/{task_id}/attempts",
  tag: "Tasks",
  summary: "Read a task's attempts",
  description:
    "Each attempt with its times, node and outcome, and each wait with its reason. The last 20 attempts are stored until the result expires.",
  scope: "tasks:read",
  params: taskId,
  replies: { 200: { description: "The attempts and waits.", content: json(TaskAttempts) } },
  problems: [...usual, "not_found"],
});

export const listTasks = operation({
  id: "listTasks",
  method: "GET",
  path: "/v1/tasks",
  tag: "Tasks",
  summary: "List tasks",
  description:
    "Newest first. Entries are task records without the result. Filters are combined with AND. A search that no index supports, such as `text`, stops after a fraction of a second: the page can then have fewer than `limit` tasks, or none, although there are more. Continue with `nextCursor` until it is null.",
  scope: "tasks:read",
  query: Closed({
    state: Type.Optional(TaskState),
    platformCode: Type.Optional(StorableText({ minLength: 1, maxLength: 64, description: "Code of a platform." })),
    batchId: Type.Optional(Uuid),
    tag: Type.Optional(StorableText({ minLength: 1, maxLength: 64, description: "A tag." })),
    clientReference: Type.Optional(StorableText({ minLength: 1, maxLength: 255, description: "Exact match." })),
    text: Type.Optional(
      StorableText({ minLength: 1, maxLength: 200, description: "Part of the question, case-insensitive." }),
    ),
    createdFrom: Type.Optional(UtcTimestamp),
    createdBefore: Type.Optional(UtcTimestamp),
    limit,
    cursor,
  }),
  replies: {
    200: {
      description: "A page of tasks.",
      content: json(Type.Object({ tasks: Type.Array(TaskSummary), nextCursor: Nullable(Type.String()) })),
    },
  },
  problems: usual,
});

export const cancelTask = operation({
  id: "cancelTask",
  method: "POST",
  path: "/v1/tasks/{task_id}/cancellation",
  tag: "Tasks",
  summary: "Cancel a task",
  description:
    "A queued task does not start, and a running task is aborted. A canceled task is not charged, and its webhook is sent with the state `canceled`. A task that has ended cannot be canceled.",
  scope: "tasks:write",
  params: taskId,
  replies: { 200: { description: "Canceled.", content: json(TaskRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const getEvidence = operation({
  id: "getEvidence",
  method: "GET",
  path: "/v1/tasks/{task_id}/evidence",
  tag: "Tasks",
  summary: "Get a task's evidence",
  description:
    "A zip file with the record, the platform's response, the answer page and, if available, the screenshot and the stored web pages. `manifest.json` contains the SHA-256 of each file, and `manifest.sig` is its Ed25519 signature by this service. If there are stored web pages, `seal.json` and `seal.sig` were created when the task ended. `querent verify` verifies the file offline. Available for completed tasks, until the result expires.",
  scope: "tasks:read",
  params: taskId,
  replies: { 200: { description: "The evidence.", content: { "application/zip": Type.String() } } },
  problems: [...usual, "not_found", "state_conflict", "gone"],
});

export const listBatches = operation({
  id: "listBatches",
  method: "GET",
  path: "/v1/batches",
  tag: "Batches",
  summary: "List batches",
  description: "Newest first, each with its current counts, points and progress.",
  scope: "tasks:read",
  query: Closed({
    createdFrom: Type.Optional(UtcTimestamp),
    createdBefore: Type.Optional(UtcTimestamp),
    limit,
    cursor,
  }),
  replies: { 200: { description: "A page of batches.", content: json(BatchPage) } },
  problems: usual,
});

export const getBatch = operation({
  id: "getBatch",
  method: "GET",
  path: "/v1/batches/{batch_id}",
  tag: "Batches",
  summary: "Read one batch",
  scope: "tasks:read",
  params: batchId,
  replies: { 200: { description: "The batch.", content: json(BatchRecord) } },
  problems: [...usual, "not_found"],
});

export const cancelBatch = operation({
  id: "cancelBatch",
  method: "POST",
  path: "/v1/batches/{batch_id}/cancellation",
  tag: "Batches",
  summary: "Cancel the unfinished tasks of a batch",
  scope: "tasks:write",
  params: batchId,
  replies: {
    200: { description: "Every task that had not ended has been canceled.", content: json(BatchCancellation) },
  },
  problems: [...usual, ...withBody, "not_found"],
});

export const getBatchResults = operation({
  id: "getBatchResults",
  method: "GET",
  path: "/v1/batches/{batch_id}/results",
  tag: "Batches",
  summary: "Stream a batch's task records",
  description:
    "In the order of the submission, as JSON lines, or as CSV with `Accept: text/csv`. Tasks that have not ended are included as `pending`, unless `endedFrom` is set.",
  scope: "tasks:read",
  params: batchId,
  query: Closed({
    endedFrom: Type.Optional(
      Type.String({
        format: "utc-date-time",
        description:
          "Only tasks that ended at this time or later. For incremental reads, use a time some seconds before the newest `completedAt` that you have, because an end can become visible shortly after its time.",
      }),
    ),
  }),
  replies: {
    200: { description: "The records.", content: { "application/x-ndjson": TaskRecord, "text/csv": Type.String() } },
  },
  problems: [...usual, "not_found"],
});

export const listPlatforms = operation({
  id: "listPlatforms",
  method: "GET",
  path: "/v1/platforms",
  tag: "Platforms",
  summary: "List the platforms",
  scope: "tasks:read",
  replies: {
    200: { description: "The platforms, with their outputs, prices and health.", content: json(PlatformList) },
  },
  problems: usual,
});

export const getWebhook = operation({
  id: "getWebhook",
  method: "GET",
  path: "/v1/webhook",
  tag: "Webhook",
  summary: "Read the webhook settings",
  scope: "webhook:manage",
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
  body: { schema: WebhookChange, required: true, bytesMax: 16 * KiB },
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
  body: { schema: SecretRotation, required: false, bytesMax: 16 * KiB },
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
    "Immediately sends one signed webhook to the account's endpoint or to the given URL, in the same way as other webhooks, and returns the outcome. Its `taskId` consists of zeros, and it has the header `X-Service-Test: true`. It is not retried and not listed as a delivery. A successful test of the account's endpoint lifts its suspension. An account can run 4 tests at a time.",
  scope: "webhook:manage",
  body: { schema: WebhookTest, required: false, bytesMax: 16 * KiB },
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
    "Redelivers every task whose latest delivery failed or was skipped between `since` and `until` (default: now), at most 10,000 per request. Repeat the request with the `until` of the first response until `remaining` is 0. No delivery is redelivered twice, even if requests run concurrently or are interrupted.",
  scope: "webhook:manage",
  body: { schema: RecoveryRequest, required: true, bytesMax: 16 * KiB },
  replies: { 200: { description: "The number of redeliveries, and what remains.", content: json(RecoveryReply) } },
  problems: [...usual, ...withBody],
});

export const listDeliveries = operation({
  id: "listDeliveries",
  method: "GET",
  path: "/v1/deliveries",
  tag: "Deliveries",
  summary: "List deliveries",
  description:
    "Newest first. Deliveries are stored for a week longer than results. Requires `webhook:manage`, because URLs and responses of receivers may contain secrets. Filters are combined with AND. A search that no index supports, such as `destination`, stops after a fraction of a second: the page can then have fewer than `limit` deliveries, or none, although there are more. Continue with `nextCursor` until it is null.",
  scope: "webhook:manage",
  query: Closed({
    state: Type.Optional(DeliveryState),
    taskId: Type.Optional(Uuid),
    destination: Type.Optional(
      StorableText({
        minLength: 1,
        maxLength: 2048,
        description: "An exact URL, or an origin such as `https://hooks.example.com`.",
      }),
    ),
    createdFrom: Type.Optional(UtcTimestamp),
    createdBefore: Type.Optional(UtcTimestamp),
    limit,
    cursor,
  }),
  replies: { 200: { description: "A page of deliveries.", content: json(DeliveryPage) } },
  problems: usual,
});

export const getDelivery = operation({
  id: "getDelivery",
  method: "GET",
  path: "/v1/deliveries/{delivery_id}",
  tag: "Deliveries",
  summary: "Read one delivery with its attempts",
  scope: "webhook:manage",
  params: deliveryId,
  replies: { 200: { description: "The delivery.", content: json(DeliveryDetail) } },
  problems: [...usual, "not_found"],
});

export const getDeliveryBody = operation({
  id: "getDeliveryBody",
  method: "GET",
  path: "/v1/deliveries/{delivery_id}/body",
  tag: "Deliveries",
  summary: "Read the body of a delivery",
  description:
    "Returns the exact body, for verifying a signature: the `X-Service-Signature` of an attempt is the HMAC-SHA256 of these bytes, with the signing secret as the key. The body is stored while the delivery is pending. Afterwards it is created from the current task record, with `Body-Origin: rebuilt`, and is identical unless the result has been replaced or has expired since.",
  scope: "webhook:manage",
  params: deliveryId,
  replies: {
    200: {
      description: "The body.",
      content: json(Notification),
      headers: { "Body-Origin": headers.bodyOrigin },
    },
  },
  problems: [...usual, "not_found"],
});

export const redeliver = operation({
  id: "redeliver",
  method: "POST",
  path: "/v1/deliveries/{delivery_id}/redelivery",
  tag: "Deliveries",
  summary: "Redeliver",
  description:
    "Creates a new delivery for the same task, with a new id, a `deliveryRevision` one higher, the current task record as its body, and the full number of attempts. It is sent to the task's `webhookUrl` or to the account's current endpoint. A delivery of the task that is waiting for its next attempt becomes `superseded`. Rejected while a delivery of the task is being sent, and if there is no endpoint.",
  scope: "webhook:manage",
  params: deliveryId,
  replies: { 202: { description: "The new delivery.", content: json(DeliveryRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  tag: "Events",
  summary: "Follow the event feed",
  description:
    'Every end of a task and every new revision of a result, in an order that never changes: no event is inserted before one that has been read. Redeliveries are not events. Returns pages of JSON or, with `Accept: text/event-stream`, server-sent events. The fields of a server-sent event are `id` (the cursor), `event` (`task.finished`), `data` (the payload of the webhook) and, in addition to the standard, `delivery` (the `X-Service-Delivery`). A comment is sent every 15 seconds. Resume with `Last-Event-ID` or `after`. Without a position, the feed starts at the oldest stored event. `after=latest` starts at the present. Events are stored as long as deliveries. A position before the oldest stored event returns 410 with a `Link: rel="first"` to it. A page can have fewer than `limit` events if they are large. A stream whose reader receives nothing for a minute is closed, and can be resumed.',
  scope: "tasks:read",
  headers: Type.Object({
    "last-event-id": Type.Optional(
      Type.String({ maxLength: 512, description: "The `id` of the last event received." }),
    ),
  }),
  query: Closed({
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: "Returns the events after this cursor, or after `latest`.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Maximum number of events per page." }),
    ),
  }),
  replies: {
    200: {
      description: "A page, or a stream.",
      content: { "application/json": EventPage, "text/event-stream": Type.String() },
    },
  },
  problems: [...usual, "gone"],
});

export const getUsage = operation({
  id: "getUsage",
  method: "GET",
  path: "/v1/usage",
  tag: "Usage",
  summary: "Get the points balance, and usage by day and platform",
  scope: "usage:read",
  query: Closed({ from: Type.Optional(UtcTimestamp), to: Type.Optional(UtcTimestamp) }),
  replies: { 200: { description: "The usage. Default range: the last 30 days.", content: json(UsageRecord) } },
  problems: usual,
});

export const getLedger = operation({
  id: "getLedger",
  method: "GET",
  path: "/v1/usage/ledger",
  tag: "Usage",
  summary: "List the points ledger",
  description:
    "Newest first. Returns CSV with `Accept: text/csv`. A search that no index supports, such as `kind`, stops after a fraction of a second: a page of JSON can then have fewer than `limit` entries, or none, although there are more. Continue with `nextCursor` until it is null.",
  scope: "usage:read",
  query: Closed({
    kind: Type.Optional(Type.Enum(["grant", "hold", "capture", "release"])),
    taskId: Type.Optional(Uuid),
    batchId: Type.Optional(Uuid),
    from: Type.Optional(UtcTimestamp),
    to: Type.Optional(UtcTimestamp),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of entries per page." }),
    ),
    cursor,
  }),
  replies: {
    200: { description: "A page of entries.", content: { "application/json": LedgerPage, "text/csv": Type.String() } },
  },
  problems: usual,
});

const publicToken = Closed({ token: Type.String({ description: "The last part of the URL in the task record." }) });
const openProblems = ["malformed_request", "not_found", "gone", "rate_limited", "internal", "unavailable"] as const;

export const getSharePage = operation({
  id: "getSharePage",
  method: "GET",
  path: "/s/{token}",
  tag: "Pages",
  summary: "Open a shared answer",
  description:
    "The target of `shareUrl`: the answer page, which is created by this service and not by the platform. Requires no token, only the URL, which cannot be guessed. Static HTML without scripts, excluded from search engines. Returns 410 once the result has expired. With `Accept: text/html`, errors are returned as HTML pages.",
  scope: null,
  open: true,
  params: publicToken,
  replies: { 200: { description: "The page.", content: { "text/html": Type.String() } } },
  problems: openProblems,
});

export const getScreenshot = operation({
  id: "getScreenshot",
  method: "GET",
  path: "/screenshots/{token}",
  tag: "Pages",
  summary: "Open a screenshot",
  description:
    "The target of `screenshotUrl`: a picture of the answer page. Requires no token, only the URL, which cannot be guessed. Returns 410 once the result has expired.",
  scope: null,
  open: true,
  params: publicToken,
  replies: { 200: { description: "The picture.", content: { "image/png": Type.String() } } },
  problems: openProblems,
});

export const getPageFont = operation({
  id: "getPageFont",
  method: "GET",
  path: "/fonts/{file}",
  tag: "Pages",
  summary: "Get a font of the answer page",
  scope: null,
  params: Closed({ file: Type.String({ description: "The file name used by the page." }) }),
  replies: { 200: { description: "The font.", content: { "font/woff2": Type.String() } } },
  problems: ["malformed_request", "not_found", "internal"],
});

export const getEvidenceKeys = operation({
  id: "getEvidenceKeys",
  method: "GET",
  path: "/.well-known/querent-evidence-keys",
  tag: "Service",
  summary: "Get the public keys of the evidence",
  description:
    "All keys with which this service has signed evidence, the current key first. Replaced keys remain in the list.",
  scope: null,
  replies: { 200: { description: "The keys.", content: json(EvidenceKeys) } },
  problems: ["malformed_request", "internal", "unavailable"],
});

export const getOpenapi = operation({
  id: "getOpenapi",
  method: "GET",
  path: "/openapi.json",
  tag: "Service",
  summary: "Get this document",
  scope: null,
  replies: { 200: { description: "OpenAPI 3.1.", content: json(Type.Object({})) } },
  problems: ["malformed_request"],
});

export const getLlmsText = operation({
  id: "getLlmsText",
  method: "GET",
  path: "/llms.txt",
  tag: "Service",
  summary: "Get an overview for language models",
  description: "Markdown (llmstxt.org): what the service does, how to use it, and where the documents are.",
  scope: null,
  replies: { 200: { description: "The overview.", content: { "text/plain": Type.String() } } },
  problems: ["malformed_request"],
});

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag: "Service",
  summary: "Check that the process is alive",
  scope: null,
  replies: {
    200: {
      description: "The process is alive.",
      content: json(Type.Object({ status: Type.Literal("ok"), version: Type.String() })),
    },
  },
  problems: ["malformed_request"],
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag: "Service",
  summary: "Check that the process is ready",
  scope: null,
  replies: {
    200: {
      description: "The database is available, and the process is not shutting down.",
      content: json(Type.Object({ status: Type.Literal("ready") })),
    },
  },
  problems: ["malformed_request", "unavailable"],
});

export const getMetrics = operation({
  id: "getMetrics",
  method: "GET",
  path: "/metrics",
  tag: "Service",
  summary: "Get metrics in the Prometheus text format",
  description: "Requires a token with the scope `admin`.",
  scope: "admin",
  replies: { 200: { description: "Metrics.", content: { "text/plain": Type.String() } } },
  problems: usual,
});

/** All operations, in the order of the reference. */
export const operations: readonly Operation[] = [
  submitBatch,
  quoteBatch,
  getTask,
  getTaskAttempts,
  listTasks,
  cancelTask,
  getEvidence,
  listBatches,
  getBatch,
  cancelBatch,
  getBatchResults,
  listPlatforms,
  getWebhook,
  putWebhook,
  rotateSecret,
  testWebhook,
  recoverDeliveries,
  listDeliveries,
  getDelivery,
  getDeliveryBody,
  redeliver,
  listEvents,
  getOverview,
  getUsage,
  getUsageDays,
  getLedger,
  listTokens,
  issueToken,
  revokeToken,
  operator.getEngine,
  operator.setPlatformLimits,
  operator.removePlatformLimits,
  operator.listAccounts,
  operator.createAccount,
  operator.setAccountLimits,
  operator.grantPoints,
  operator.listAccountTokens,
  operator.issueAccountToken,
  operator.revokeAnyToken,
  getSharePage,
  getScreenshot,
  getPageFont,
  getEvidenceKeys,
  getOpenapi,
  getLlmsText,
  getHealth,
  getReadiness,
  getMetrics,
];
