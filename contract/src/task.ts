import { Type, type Static } from "typebox";
import { MediaCard, ProductCard, Source, VideoCard } from "./cards.ts";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, StorableText, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

/** The longest question, in characters (code points) after trimming. */
export const questionLengthMax = 10_000;

export const outputs = ["answer", "screenshot", "share_link"] as const;
export const resultFormats = ["json", "html", "all"] as const;
export type Output = (typeof outputs)[number];
export type ResultFormat = (typeof resultFormats)[number];

// Defaults are given in the descriptions, because client generators treat a member with the keyword `default` as always present.
const deepAnalysis = Type.Boolean({ description: "Requests a deeper analysis. Default: false." });
const output = Type.Enum([...outputs], {
  description:
    "`answer` (default): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public URL of it. Web platforms always return `answer` here.",
});
const resultFormat = Type.Enum([...resultFormats], {
  description:
    "For web platforms. `json` (default): the structured answer. `html`: the content of the web page. `all`: both. Other platforms always return the structured answer.",
});

/** Options as submitted. All are optional. */
export const SubmittedOptions = Closed({
  deepAnalysis: OptionalOrNull(deepAnalysis),
  output: OptionalOrNull(output),
  resultFormat: OptionalOrNull(resultFormat),
});

/** Options as returned: complete, with defaults filled in. */
export const TaskOptions = Type.Object({ deepAnalysis, output, resultFormat });
export type TaskOptions = Static<typeof TaskOptions>;

/** One item of a submission. Unknown members are rejected, and `null` is the same as omitting a member. */
export const SubmissionItem = Closed(
  {
    question: StorableText({
      minLength: 1,
      description: "The question: 1 to 10,000 characters after trimming. Must not be blank.",
    }),
    platformCode: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Code of the answer platform, as listed by `GET /v1/platforms`.",
    }),
    options: OptionalOrNull(SubmittedOptions),
    webhookUrl: OptionalOrNull(HttpsUrl),
    clientReference: OptionalOrNull(
      StorableText({ minLength: 1, maxLength: 255, description: "Your own reference, returned as sent." }),
    ),
    tags: OptionalOrNull(
      Type.Array(StorableText({ minLength: 1, maxLength: 64, description: "A tag." }), {
        maxItems: 10,
        description: "Up to 10 tags.",
      }),
    ),
    notBefore: OptionalOrNull(UtcTimestamp),
    startBefore: OptionalOrNull(UtcTimestamp),
    runTimeoutSeconds: OptionalOrNull(
      Type.Integer({
        minimum: 5,
        maximum: 1800,
        description:
          "The task's maximum run time in seconds. Time in the queue does not count. Default: the platform's value.",
      }),
    ),
    priority: OptionalOrNull(
      Type.Integer({
        minimum: 0,
        maximum: 9,
        description: "Orders the tasks of your account. 9 is the highest priority. Default: 5.",
      }),
    ),
  },
  {
    description: "One question for one platform.",
    examples: [
      {
        question: "How fine should I grind for espresso?",
        platformCode: "sample",
        options: { deepAnalysis: true },
        clientReference: "espresso-1",
        tags: ["coffee"],
      },
    ],
  },
);
export type SubmissionItem = Static<typeof SubmissionItem>;

/** The request body of a submission. The upper bound is the service's (`QUERENT_MAX_BATCH_ITEMS`, 1,000 by default). */
export const Submission = Type.Array(SubmissionItem, {
  minItems: 1,
  description: "The questions: 1 to 1,000 items by default.",
});

export const SubmittedTask = Type.Object({
  taskId: Uuid,
  clientReference: Nullable(Type.String()),
  state: Type.Literal("pending"),
  statusUrl: Type.String({ description: "Relative path: `/v1/tasks/<task_id>`." }),
});

/** The response to a submission. */
export const SubmissionAccepted = Type.Object({
  acceptedCount: Type.Integer({ minimum: 1 }),
  tasks: Type.Array(SubmittedTask, { description: "One entry per item, in the order of the list." }),
  batchId: Uuid,
  createdAt: Timestamp,
  estimatedPoints: Type.Integer({
    minimum: 0,
    description: "The points held for the batch. A task's final cost is its `chargedPoints`.",
  }),
});
export type SubmissionAccepted = Static<typeof SubmissionAccepted>;

export const taskStates = ["pending", "completed", "failed", "canceled"] as const;
export const TaskState = Type.Enum([...taskStates], {
  description: "`pending` until the task ends, including while it is running. The other states are final.",
});
export type TaskState = (typeof taskStates)[number];

export const failureStages = ["queue", "platform", "parse", "artifact"] as const;
export const failureCodes = [
  "platform_unavailable",
  "platform_timeout",
  "platform_rate_limited",
  "platform_auth",
  "platform_refused",
  "platform_bad_response",
  "platform_not_configured",
  "run_timeout",
  "start_deadline_passed",
  "output_unavailable",
  "internal",
] as const;
export type FailureCode = (typeof failureCodes)[number];
export type FailureStage = (typeof failureStages)[number];

const platformStatus = Nullable(Type.Integer({ description: "The HTTP status that the platform returned, if any." }));

/** Why a task failed. A failed task is not charged. */
export const Failure = Type.Object({
  code: Type.Enum([...failureCodes]),
  message: Type.String({ description: "A message for people. Contains no secrets." }),
  stage: Type.Enum([...failureStages]),
  retryable: Type.Boolean({ description: "True if the same question may succeed when submitted again." }),
  attempts: Type.Integer({
    minimum: 0,
    description:
      "The number of attempts that were started, including attempts that were throttled or lost with their node. Those do not count towards the platform's limit of attempts.",
  }),
  platformStatus,
});
export type Failure = Static<typeof Failure>;

export const waitReasons = ["queued", "not_before", "retry", "throttled", "breaker_open", "paused"] as const;
export type WaitReason = (typeof waitReasons)[number];
const WaitReason = Type.Enum([...waitReasons], {
  description:
    "`queued`: for its turn, behind other tasks or the platform's limits. `not_before`: for the `notBefore` of the submission. `retry`: for the delay before the next attempt, after a failed one. `throttled`: the platform returned a rate limit, and no request is sent until it expires. `breaker_open`: the platform's circuit breaker is open after consecutive failures. `paused`: the operator has set the platform's limit to 0.",
});

/** A failed attempt of a task that has not ended. */
export const LastFailure = Type.Object({
  code: Type.Enum([...failureCodes]),
  message: Type.String({ description: "A message for people. Contains no secrets." }),
  at: Timestamp,
  attempt: Type.Integer({ minimum: 1, description: "The number of the attempt." }),
  platformStatus,
});
export type LastFailure = Static<typeof LastFailure>;

/** The progress of a pending task. */
export const Progress = Type.Object({
  phase: Type.Enum(["queued", "running", "waiting_retry"], {
    description:
      "`queued`: waiting for its turn or for its first attempt. `running`: an attempt is in progress. `waiting_retry`: waiting for `nextAttemptAt` after an earlier attempt, for the reason in `reason`.",
  }),
  attempt: Type.Integer({
    minimum: 0,
    description: "The number of attempts, including the one in progress. 0 before the first.",
  }),
  startedAt: Nullable(Timestamp, { description: "When the first attempt started." }),
  nextAttemptAt: Nullable(Timestamp, {
    description:
      "The earliest time of the next attempt, after a retry delay, throttling or an open circuit breaker. Null while the task is running or only waits for its turn.",
  }),
  reason: Nullable(WaitReason, { description: "What the task is waiting for. Null while it is running." }),
  lastFailure: Nullable(LastFailure, { description: "The last failed attempt. Null if none has failed." }),
});
export type Progress = Static<typeof Progress>;

export const attemptOutcomes = ["completed", "failed", "throttled", "lost", "handed_back", "canceled"] as const;

/** One attempt of a task. */
export const TaskAttempt = Type.Object({
  attempt: Type.Integer({ minimum: 1 }),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp, { description: "Null while the attempt is in progress." }),
  nodeId: Nullable(Uuid, {
    description:
      "The node that ran it. Null for a task that completed on its first attempt, for which no node is stored.",
  }),
  outcome: Nullable(
    Type.Enum([...attemptOutcomes], {
      description:
        "`completed`: the platform answered. `failed`: for the reason in `code`. `throttled`: the platform returned a rate limit. `lost`: the node or the browser that ran it was lost. `handed_back`: its node was stopped, and the task returned to the queue. `canceled`: the task was canceled.",
    }),
    { description: "Null while the attempt is in progress." },
  ),
  code: Nullable(Type.Enum([...failureCodes])),
  message: Nullable(Type.String({ description: "A message for people. Contains no secrets." })),
  platformStatus,
  probe: Type.Boolean({
    description: "True if the attempt was a probe of a platform whose circuit breaker had opened.",
  }),
});
export type TaskAttempt = Static<typeof TaskAttempt>;

/** A period in which a task waited. */
export const TaskWait = Type.Object({
  reason: WaitReason,
  from: Timestamp,
  until: Nullable(Timestamp, { description: "When the next attempt started. Null while the task is waiting." }),
});
export type TaskWait = Static<typeof TaskWait>;

/** The attempts and waits of a task: `GET /v1/tasks/{id}/attempts`. */
export const TaskAttempts = Type.Object(
  {
    taskId: Uuid,
    state: TaskState,
    expired: Type.Boolean({ description: "True once the result has expired. Attempts and waits are deleted with it." }),
    attemptCount: Nullable(Type.Integer({ minimum: 0 }), {
      description: "The number of attempts, including those that are no longer stored. Null once they have expired.",
    }),
    attempts: Type.Array(TaskAttempt, { description: "The last 20 attempts, oldest first." }),
    waits: Type.Array(TaskWait, {
      description: "The waits before, between and after these attempts, oldest first. They do not overlap attempts.",
    }),
  },
  { description: "The attempts of a task, and its waits with their reasons." },
);
export type TaskAttempts = Static<typeof TaskAttempts>;

export const availabilityFields = [
  "content",
  "sources",
  "products",
  "videos",
  "media",
  "reasoningProcess",
  "searchProcess",
  "pageHtml",
  "screenshot",
  "share",
] as const;
export const availabilities = ["present", "none_on_platform", "not_requested", "not_exposed", "parse_failed"] as const;
export type AvailabilityField = (typeof availabilityFields)[number];
export type AvailabilityValue = (typeof availabilities)[number];

const AvailabilityEntry = Type.Enum([...availabilities], {
  description:
    "`present`: the field has a value. `none_on_platform`: the platform can return it, but returned none. `not_requested`: the options did not request it. `not_exposed`: this platform never returns it. `parse_failed`: the platform returned it, but it could not be parsed.",
});

/** Why each field of a result is present or empty. */
export const Availability = Type.Object({
  content: AvailabilityEntry,
  sources: AvailabilityEntry,
  products: AvailabilityEntry,
  videos: AvailabilityEntry,
  media: AvailabilityEntry,
  reasoningProcess: AvailabilityEntry,
  searchProcess: AvailabilityEntry,
  pageHtml: AvailabilityEntry,
  screenshot: AvailabilityEntry,
  share: AvailabilityEntry,
});
export type Availability = Static<typeof Availability>;

export const ReasoningStep = Type.Object({ position: Type.Integer({ minimum: 1 }), text: Type.String() });
export type ReasoningStep = Static<typeof ReasoningStep>;

export const SearchStep = Type.Object({
  position: Type.Integer({ minimum: 1 }),
  query: Type.String(),
  results: Type.Array(Type.Object({ title: Type.String(), url: Type.String(), site: Type.String() })),
});
export type SearchStep = Static<typeof SearchStep>;

export const platformKinds = ["api", "web", "sample"] as const;
export type PlatformKind = (typeof platformKinds)[number];

/** The origin of the answer. */
export const Provenance = Type.Object({
  kind: Type.Enum([...platformKinds]),
  platform: Type.String(),
  endpoint: Nullable(Type.String()),
  region: Nullable(Type.String()),
});
export type Provenance = Static<typeof Provenance>;

/** The result of a task: the part of the record that expires. */
export const resultFields = {
  content: Nullable(
    Type.String({
      description: "The answer in Markdown (CommonMark and GFM), including its cards. Null before completion.",
    }),
  ),
  pageHtml: Nullable(Type.String()),
  modelVersion: Nullable(Type.String({ description: "The model that the platform reported." })),
  observedAt: Nullable(Timestamp),
  sources: Type.Array(Source),
  products: Type.Array(ProductCard),
  videos: Type.Array(VideoCard),
  media: Type.Array(MediaCard),
  reasoningProcess: Nullable(Type.Array(ReasoningStep)),
  searchProcess: Nullable(Type.Array(SearchStep)),
  screenshotUrl: Nullable(Type.String()),
  shareUrl: Nullable(Type.String()),
} as const;

const head = {
  taskId: Uuid,
  batchId: Uuid,
  clientReference: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  question: Type.String(),
  platformCode: Type.String(),
  options: TaskOptions,
  webhookUrl: Nullable(Type.String(), {
    description: "The task's own webhook endpoint. Null: the account's endpoint is used.",
  }),
  priority: Type.Integer({ minimum: 0, maximum: 9 }),
  notBefore: Nullable(Timestamp),
  startBefore: Nullable(Timestamp),
  runTimeoutSeconds: Nullable(
    Type.Integer({
      minimum: 1,
      description: "As submitted, or the platform's value. Null for tasks accepted by versions that did not record it.",
    }),
  ),
  state: TaskState,
  progress: Nullable(Progress),
} as const;

const tail = {
  failure: Nullable(Failure),
  chargedPoints: Type.Integer({ minimum: 0, description: "The points charged for the task." }),
  revision: Type.Integer({
    minimum: 0,
    description: "0 before the task ends, 1 when it ends, and 1 higher each time the result is replaced.",
  }),
  expired: Type.Boolean({
    description:
      "True once the retention period of the result has passed and its content has been deleted. Always false for failed and canceled tasks, which have no result.",
  }),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
  canceledAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp, { description: "When the result expires. Null if there is no result." }),
  durationMs: Nullable(Type.Integer({ minimum: 0 }), {
    description:
      "The duration of the attempt that ended the task, in milliseconds. Excludes time in the queue and waits between attempts. Null before the task ends, for canceled tasks, and for tasks that ended without an attempt.",
  }),
} as const;

/** The part of a record that expires, as stored. */
const StoredResult = Type.Object({ ...resultFields, availability: Availability, provenance: Provenance });
export type StoredResult = Static<typeof StoredResult>;

/**
 * None of the five values of `availability` applies to a failed task, because it is unknown which fields the platform
 * would have returned.
 */
const withResultOnly =
  "Present if there is a result. Null before the task ends, if it failed (see `failure`) or was canceled, and once the result has expired (see `expired`).";

const recordFields = {
  ...head,
  ...resultFields,
  availability: Nullable(Availability, { description: withResultOnly }),
  provenance: Nullable(Provenance, { description: withResultOnly }),
  ...tail,
} as const;

/** The task record. All members are always present. */
export const TaskRecord = Type.Object(recordFields, {
  description: "One task: its question, state, answer and points.",
});
export type TaskRecord = Static<typeof TaskRecord>;

/** A task without its result, as in lists. */
export const TaskSummary = Type.Object({ ...head, ...tail });
export type TaskSummary = Static<typeof TaskSummary>;

/** The task record in a notification: with `resultOmitted` false. */
export const NotifiedTask = Type.Object({ ...recordFields, resultOmitted: Type.Literal(false) });
