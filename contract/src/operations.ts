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
/** The largest body of a submission. */
export const submissionBytesMax = 16 * KiB * KiB;

const taskId = Closed({ task_id: Uuid });
const batchId = Closed({ batch_id: Uuid });
const deliveryId = Closed({ delivery_id: Uuid });
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Elements a page." }));
const waitPreference = Type.Optional(
  Type.String({ description: "`wait=N` (N up to 60): hold the answer until the task ends, N seconds at most." }),
);

export const submitBatch = operation({
  id: "submitBatch",
  method: "POST",
  path: "/v1/tasks/batch",
  tag: "Tasks",
  summary: "Submit a batch of questions",
  description:
    "Each item becomes a task of its own. The batch is accepted whole or refused whole. The answer comes at once and does not carry the results: read them with the single-task query, or wait for the notifications. Send the same `Idempotency-Key` and the same list again to retry safely (the order of members, white space, `null` for what is left out and written defaults make no difference): the first answer comes back with `Idempotent-Replayed: true`, and nothing is done or paid twice.",
  scope: "tasks:write",
  headers: Type.Object({
    "idempotency-key": Type.String({
      minLength: 1,
      maxLength: 257,
      description: "1 to 255 printable ASCII characters, bare or quoted. Kept for 7 days, by account.",
    }),
  }),
  body: { schema: Submission, required: true, bytesMax: submissionBytesMax },
  replies: {
    202: {
      description: "Accepted: every item is a durable task now.",
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
  summary: "What a batch would cost",
  description:
    "A dry run of a submission: takes the same body, accepts nothing, and tells for each item its points or what is wrong with it.",
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
    "Carries an `ETag`; `If-None-Match` answers 304 while nothing changed. With `Prefer: wait=N` the answer is held until the task ends. A pending answer carries `Retry-After`.",
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
    304: { description: "Not changed since the `If-None-Match` you sent.", headers: { ETag: headers.etag } },
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
    "Every attempt with its times, node and outcome, and every wait with its reason. The last 20 attempts are kept, until the result expires.",
  scope: "tasks:read",
  params: taskId,
  replies: { 200: { description: "The attempts, and what was waited for.", content: json(TaskAttempts) } },
  problems: [...usual, "not_found"],
});

export const listTasks = operation({
  id: "listTasks",
  method: "GET",
  path: "/v1/tasks",
  tag: "Tasks",
  summary: "List tasks",
  description:
    "Newest first. Entries are task records without the result; read that with the single-task query. Filters combine with AND. What no index holds, as `text`, is looked for within a fraction of a second: a page may then hold fewer than `limit` tasks, even none, while `nextCursor` is there to go on with. Only `nextCursor` null says that there are no more.",
  scope: "tasks:read",
  query: Closed({
    state: Type.Optional(TaskState),
    platformCode: Type.Optional(StorableText({ minLength: 1, maxLength: 64, description: "Code of a platform." })),
    batchId: Type.Optional(Uuid),
    tag: Type.Optional(StorableText({ minLength: 1, maxLength: 64, description: "A tag." })),
    clientReference: Type.Optional(StorableText({ minLength: 1, maxLength: 255, description: "Exact." })),
    text: Type.Optional(
      StorableText({ minLength: 1, maxLength: 200, description: "Part of the question, whatever the case." }),
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
    "A queued task does not start, a running one is aborted. It costs nothing and is notified as `canceled`. A task that has ended can't be canceled.",
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
    "A zip of what the answer was: the record, the platform's own bytes, the answer page, and, where there are, screenshot and captures of the pages that it was read from. `manifest.json` holds the SHA-256 of each, and `manifest.sig` is its Ed25519 signature by this service. Where there are captures, `seal.json` and `seal.sig` were signed when the task ended. `querent verify` checks a file offline. Of completed tasks, until the result expires.",
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
  description: "Newest first, each with its counts, points and progress as they are now.",
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
  summary: "Cancel what is left of a batch",
  scope: "tasks:write",
  params: batchId,
  replies: { 200: { description: "Every task that had not ended is canceled.", content: json(BatchCancellation) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const getBatchResults = operation({
  id: "getBatchResults",
  method: "GET",
  path: "/v1/batches/{batch_id}/results",
  tag: "Batches",
  summary: "Stream a batch's task records",
  description:
    "In the order of the submission, one JSON record a line; as CSV with `Accept: text/csv`. Tasks that have not ended are there too, as `pending`, unless `endedFrom` asks for what has ended since.",
  scope: "tasks:read",
  params: batchId,
  query: Closed({
    endedFrom: Type.Optional(
      Type.String({
        format: "utc-date-time",
        description:
          "Only tasks that ended at this time or later, so that what came in since the last look is read and not all of it. Look back some seconds further than the newest `completedAt` that you have: an end can be seen a little after its time.",
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
  replies: { 200: { description: "What each returns, what it costs, how it does.", content: json(PlatformList) } },
  problems: usual,
});

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
  body: { schema: WebhookChange, required: true, bytesMax: 16 * KiB },
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
  body: { schema: SecretRotation, required: false, bytesMax: 16 * KiB },
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
  body: { schema: WebhookTest, required: false, bytesMax: 16 * KiB },
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
  body: { schema: RecoveryRequest, required: true, bytesMax: 16 * KiB },
  replies: { 200: { description: "What was done, and what is left.", content: json(RecoveryReply) } },
  problems: [...usual, ...withBody],
});

export const listDeliveries = operation({
  id: "listDeliveries",
  method: "GET",
  path: "/v1/deliveries",
  tag: "Deliveries",
  summary: "List deliveries",
  description:
    "Newest first. Kept a week longer than results. Needs `webhook:manage`, since addresses and answers of receivers may hold secrets. Filters combine with AND. What no index holds, as `destination`, is looked for within a fraction of a second: a page may then hold fewer than `limit` deliveries, even none, while `nextCursor` is there to go on with. Only `nextCursor` null says that there are no more.",
  scope: "webhook:manage",
  query: Closed({
    state: Type.Optional(DeliveryState),
    taskId: Type.Optional(Uuid),
    destination: Type.Optional(
      StorableText({
        minLength: 1,
        maxLength: 2048,
        description: "An address, exactly, or an origin: `https://hooks.example.com`.",
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
  summary: "Read one delivery, with every attempt",
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
  summary: "Read the bytes that a delivery sends",
  description:
    "The body byte for byte, to check a signature against: HMAC-SHA256 over exactly these bytes, keyed with the signing secret, is what `X-Service-Signature` of an attempt says. The bytes are kept while the delivery is pending. After that they are made from the task as it is now, and `Body-Origin` says `rebuilt`: they are the same unless the result has been replaced or has expired since.",
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
    "Makes a new delivery of the same task: a new id, `deliveryRevision` one higher, the body made from the task as it is now, to the task's `webhookUrl` or the account's address as it is now. It has all attempts before it. A delivery of the task that was still waiting for its next attempt is `superseded`. Refused while one is being sent, and while there is no address.",
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
  summary: "Follow the ends of tasks",
  description:
    'Every end of a task, and every new revision of its result, in an order that never changes: an event never appears before one that was read already. Pages of JSON; with `Accept: text/event-stream` server-sent events that go on as tasks end (`id`: the cursor, `event`: `task.finished`, `data`: the same payload as the notification, and beyond the standard `delivery`: its `X-Service-Delivery`), resumed by `Last-Event-ID` (or `after`), with a comment every 15 seconds. Without a position it begins at the oldest event that is kept; `after=latest` begins now. Redeliveries are no events. Events are kept as long as deliveries; a position from before that is answered with 410, and its `Link: rel="first"` leads to the oldest event that is kept. A page may hold fewer than `limit` events when they are large. A reader that takes nothing for a minute is cut off, and resumes.',
  scope: "tasks:read",
  headers: Type.Object({
    "last-event-id": Type.Optional(
      Type.String({ maxLength: 512, description: "The `id` of the last event that was received." }),
    ),
  }),
  query: Closed({
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: "A cursor of the feed, or `latest`: events after it." }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Events a page." })),
  }),
  replies: {
    200: {
      description: "A page, or the stream.",
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
  summary: "Points: balance, and use by day and platform",
  scope: "usage:read",
  query: Closed({ from: Type.Optional(UtcTimestamp), to: Type.Optional(UtcTimestamp) }),
  replies: { 200: { description: "The last 30 days when no range is given.", content: json(UsageRecord) } },
  problems: usual,
});

export const getLedger = operation({
  id: "getLedger",
  method: "GET",
  path: "/v1/usage/ledger",
  tag: "Usage",
  summary: "The points ledger",
  description:
    "Newest first; as CSV with `Accept: text/csv`. What no index holds, as `kind`, is looked for within a fraction of a second: a page of JSON may then hold fewer than `limit` entries, even none, while `nextCursor` is there to go on with. Only `nextCursor` null says that there are no more.",
  scope: "usage:read",
  query: Closed({
    kind: Type.Optional(Type.Enum(["grant", "hold", "capture", "release"])),
    taskId: Type.Optional(Uuid),
    batchId: Type.Optional(Uuid),
    from: Type.Optional(UtcTimestamp),
    to: Type.Optional(UtcTimestamp),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Entries a page." })),
    cursor,
  }),
  replies: {
    200: { description: "A page of entries.", content: { "application/json": LedgerPage, "text/csv": Type.String() } },
  },
  problems: usual,
});

const publicToken = Closed({ token: Type.String({ description: "As it stands in the record's address." }) });
const openProblems = ["malformed_request", "not_found", "gone", "rate_limited", "internal", "unavailable"] as const;

export const getSharePage = operation({
  id: "getSharePage",
  method: "GET",
  path: "/s/{token}",
  tag: "Pages",
  summary: "Open a shared answer",
  description:
    "What `shareUrl` leads to: the answer page, made by this service and not by the platform. Needs no token, only the address, which can't be guessed. Static HTML without script, not to be indexed. 410 once the result has expired. With `Accept: text/html` refusals are small pages, too.",
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
    "What `screenshotUrl` leads to: a picture of the answer page. Needs no token, only the address, which can't be guessed. 410 once the result has expired.",
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
  summary: "A font of the answer page",
  scope: null,
  params: Closed({ file: Type.String({ description: "As the page names it." }) }),
  replies: { 200: { description: "The font.", content: { "font/woff2": Type.String() } } },
  problems: ["malformed_request", "not_found", "internal"],
});

export const getEvidenceKeys = operation({
  id: "getEvidenceKeys",
  method: "GET",
  path: "/.well-known/querent-evidence-keys",
  tag: "Service",
  summary: "Public keys of the evidence",
  description:
    "Every key that this service has signed evidence with, the one that signs now first. Keys stay here after they were replaced.",
  scope: null,
  replies: { 200: { description: "The keys.", content: json(EvidenceKeys) } },
  problems: ["malformed_request", "internal", "unavailable"],
});

export const getOpenapi = operation({
  id: "getOpenapi",
  method: "GET",
  path: "/openapi.json",
  tag: "Service",
  summary: "This document",
  scope: null,
  replies: { 200: { description: "OpenAPI 3.1.", content: json(Type.Object({})) } },
  problems: ["malformed_request"],
});

export const getLlmsText = operation({
  id: "getLlmsText",
  method: "GET",
  path: "/llms.txt",
  tag: "Service",
  summary: "An overview for language models",
  description: "Markdown (llmstxt.org): what the service does, how a program uses it, and where the documents are.",
  scope: null,
  replies: { 200: { description: "The overview.", content: { "text/plain": Type.String() } } },
  problems: ["malformed_request"],
});

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag: "Service",
  summary: "Is the process alive",
  scope: null,
  replies: {
    200: { description: "It is.", content: json(Type.Object({ status: Type.Literal("ok"), version: Type.String() })) },
  },
  problems: ["malformed_request"],
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag: "Service",
  summary: "Can the process do its work",
  scope: null,
  replies: {
    200: {
      description: "It can: its database answers, and it is not going down.",
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
  summary: "Metrics in the Prometheus text format",
  description: "Needs a token with the scope `admin`.",
  scope: "admin",
  replies: { 200: { description: "Metrics.", content: { "text/plain": Type.String() } } },
  problems: usual,
});

/** Every operation, in the order of the reference. */
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
