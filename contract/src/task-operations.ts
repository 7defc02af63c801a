import { Type } from "typebox";
import { cursor, headers, json, operation, pageLimit, usual, withBody } from "./operation.ts";
import { Quote } from "./quote.ts";
import { Closed, Nullable, StorableText, UtcTimestamp, Uuid } from "./scalars.ts";
import { Submission, SubmissionAccepted } from "./submission.ts";
import { TaskAttempts } from "./task-attempts.ts";
import { TaskRecord, TaskSummary } from "./task.ts";
import { TaskState } from "./task-state.ts";

/** The largest body of a submission. */
export const submissionBytesMax = 16 * 1024 ** 2;

const taskId = Closed({ task_id: Uuid });
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
    limit: pageLimit,
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
