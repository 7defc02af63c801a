import { Type } from "typebox";
import {
  cursor,
  headers,
  inProject,
  json,
  maxPoints,
  operation,
  pageLimit,
  usual,
  withBody,
  withStorage,
} from "./operation.ts";
import { PageEvidenceKind } from "./evidence.ts";
import { optionFilters } from "./question-options.ts";
import { Quote } from "./quote.ts";
import { Closed, Nullable, StorableText, UtcTimestamp, Uuid } from "./scalars.ts";
import { Submission, SubmissionAccepted, SubmissionItem } from "./submission.ts";
import { TaskAttempts } from "./task-attempts.ts";
import { TaskRecord, TaskSummary } from "./task.ts";
import { TaskState } from "./task-state.ts";

/** The longest that a tool waits for answers. */
const toolWaitSecondsMax = 600;
/** The most results that a tool returns. */
const toolResultsMax = 50;
/** The options that change an answer. What else is made of it, such as a screenshot, a model does not read. */
const {
  output: _output,
  resultFormat: _form,
  ...answerOptions
} = SubmissionItem.properties.options.anyOf[0].properties;

/** The parts of tasks that are useful for a model. */
const TaskDigests = Type.Object({
  tasks: Type.Array(
    Type.Object({
      taskId: Type.String(),
      platformCode: Type.String(),
      state: Type.String(),
      question: Type.String(),
      content: Nullable(Type.String()),
      contentCut: Type.Boolean(),
      sources: Type.Array(Type.Object({ title: Type.String(), url: Type.String() })),
      failure: Nullable(Type.String()),
      chargedPoints: Type.Number(),
    }),
  ),
});

/** The maximum size of a submission's body. */
export const submissionBytesMax = 16 * 1024 ** 2;

const taskId = Closed({ task_id: Uuid });
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
  stores: "tasks",
  headers: Type.Object({
    "idempotency-key": Type.String({
      minLength: 1,
      maxLength: 257,
      description:
        "1 to 255 printable ASCII characters, with or without double quotes. Keys are stored for 7 days, per account.",
    }),
    "x-max-points": maxPoints,
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
    ...withStorage,
    "idempotency_key_missing",
    "idempotency_key_malformed",
    "idempotency_key_in_use",
    "idempotency_key_reused",
    "points_short",
    "max_points_exceeded",
    "cap_exceeded",
    "queue_full",
  ],
  tool: {
    name: "ask",
    title: "Ask answer platforms",
    description:
      "Asks one or more AI answer platforms a question and waits for their answers with sources. This costs points. If it takes longer than waitSeconds, the tasks continue: call results with their taskIds.",
    arguments: {
      question: SubmissionItem.properties.question,
      platforms: Type.Array(SubmissionItem.properties.platformCode, {
        minItems: 1,
        maxItems: 10,
        description: "Codes from the tool platforms.",
      }),
      ...answerOptions,
      waitSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: toolWaitSecondsMax, default: 120 })),
    },
    output: TaskDigests,
  },
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
  audit: false,
  free: true,
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
  tool: {
    name: "results",
    title: "Read results",
    description: "Returns the current state of tasks, by their ids or by batch. Costs nothing.",
    arguments: {
      taskId: null,
      taskIds: Type.Optional(Type.Array(Uuid, { maxItems: toolResultsMax })),
      batchId: Type.Optional(Uuid),
    },
    output: TaskDigests,
  },
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
  isList: true,
  projects: "within",
  query: Closed({
    project: Type.Optional({
      ...inProject,
      description: "The id or the name of a project: tasks that its panels have asked.",
    }),
    state: Type.Optional(TaskState),
    platformCode: Type.Optional(StorableText({ minLength: 1, maxLength: 64, description: "Code of a platform." })),
    batchId: Type.Optional(Uuid),
    tag: Type.Optional(StorableText({ minLength: 1, maxLength: 64, description: "A tag." })),
    clientReference: Type.Optional(StorableText({ minLength: 1, maxLength: 255, description: "Exact match." })),
    ...optionFilters,
    text: Type.Optional(
      StorableText({ minLength: 1, maxLength: 200, description: "Part of the question, case-insensitive." }),
    ),
    createdFrom: Type.Optional(UtcTimestamp),
    createdBefore: Type.Optional(UtcTimestamp),
    limit: pageLimit,
    cursor,
  }),
  replies: {
    200: {
      description: "A page of tasks.",
      headers: { "As-Of": headers.asOf },
      content: json(Type.Object({ tasks: Type.Array(TaskSummary), nextCursor: Nullable(Type.String()) })),
    },
  },
  problems: [...usual, "not_found"],
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

export const getPageEvidence = operation({
  id: "getPageEvidence",
  method: "GET",
  path: "/v1/tasks/{task_id}/evidence/{evidence_kind}",
  tag: "Tasks",
  summary: "Get the picture or the archive of a task's page",
  description:
    "One file of the task's evidence, as listed in `evidence` of the task record, where the operator keeps it for the platform. Available for completed tasks, until the result expires. Returns 404 if the task has no such file; the record states why one is missing.",
  scope: "tasks:read",
  params: Closed({ task_id: Uuid, evidence_kind: PageEvidenceKind }),
  replies: {
    200: {
      description: "The file. Its SHA-256 is that of the record.",
      content: { "image/png": Type.String(), "application/wacz": Type.String() },
    },
  },
  problems: [...usual, "not_found", "state_conflict", "gone"],
});
