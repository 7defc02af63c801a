import { Type, type Static } from "typebox";
import { MediaCard, ProductCard, Source, VideoCard } from "./cards.ts";
import { Closed, HttpsUrl, Nullable, OptionalOrNull, StorableText, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

/** The longest question, in characters (code points) after trimming. */
export const questionLengthMax = 10_000;

export const outputs = ["answer", "screenshot", "share_link"] as const;
export const resultFormats = ["json", "html", "all"] as const;
export type Output = (typeof outputs)[number];
export type ResultFormat = (typeof resultFormats)[number];

// Defaults stand in the descriptions: generators of clients take a member with the keyword `default` for one that is always there.
const deepAnalysis = Type.Boolean({ description: "Ask for deeper analysis. False when left out." });
const output = Type.Enum([...outputs], {
  description:
    "`answer` (when left out): the standard answer. `screenshot`: the answer and a screenshot. `share_link`: the answer and a public address of it. Web-type platforms always return `answer` here.",
});
const resultFormat = Type.Enum([...resultFormats], {
  description:
    "For web-type platforms. `json` (when left out): structured answer. `html`: web page content. `all`: both. Other platforms always give the structured answer.",
});

/** Options as submitted (interface 2.1). They may be left out, each of them and all. */
export const SubmittedOptions = Closed({
  deepAnalysis: OptionalOrNull(deepAnalysis),
  output: OptionalOrNull(output),
  resultFormat: OptionalOrNull(resultFormat),
});

/** Options as echoed: complete, with defaults filled in. */
export const TaskOptions = Type.Object({ deepAnalysis, output, resultFormat });
export type TaskOptions = Static<typeof TaskOptions>;

/** One element of the submitted list: interface 2.1 and the additive fields. Unknown members are refused, `null` is absence. */
export const SubmissionItem = Closed(
  {
    question: StorableText({
      minLength: 1,
      description: "The question: 1 to 10,000 characters after trimming, not white space alone.",
    }),
    platformCode: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Code of the answer platform, as `GET /v1/platforms` lists it.",
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
          "Seconds that one run may take; waiting in the queue never counts. The platform's own value otherwise.",
      }),
    ),
    priority: OptionalOrNull(
      Type.Integer({
        minimum: 0,
        maximum: 9,
        description: "Orders your own account's tasks only; 9 goes first. 5 when left out.",
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

/** The answer to a submission: interface 2.2, with the additive `batchId`, `createdAt`, `estimatedPoints`. */
export const SubmissionAccepted = Type.Object({
  acceptedCount: Type.Integer({ minimum: 1 }),
  tasks: Type.Array(SubmittedTask, { description: "One entry per item, in the order of the list." }),
  batchId: Uuid,
  createdAt: Timestamp,
  estimatedPoints: Type.Integer({
    minimum: 0,
    description: "Points held for the batch. What each task costs in the end is its `chargedPoints`.",
  }),
});
export type SubmissionAccepted = Static<typeof SubmissionAccepted>;

export const taskStates = ["pending", "completed", "failed", "canceled"] as const;
export const TaskState = Type.Enum([...taskStates], {
  description: "`pending` until the end, whatever happens meanwhile; the other three are final.",
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

const platformStatus = Nullable(
  Type.Integer({ description: "The HTTP status that the platform answered, when it did." }),
);

/** Why a task failed. A failed task costs 0 points. */
export const Failure = Type.Object({
  code: Type.Enum([...failureCodes]),
  message: Type.String({ description: "For people. Holds no secret." }),
  stage: Type.Enum([...failureStages]),
  retryable: Type.Boolean({ description: "True when the same question may succeed if it is submitted again." }),
  attempts: Type.Integer({
    minimum: 0,
    description:
      "Attempts made: how many times a node began to ask the platform. Those that the platform throttled, and those that were lost with their node, are counted too, though they do not count towards the platform's limit of attempts.",
  }),
  platformStatus,
});
export type Failure = Static<typeof Failure>;

export const waitReasons = ["queued", "not_before", "retry", "throttled", "breaker_open", "paused"] as const;
export type WaitReason = (typeof waitReasons)[number];
const WaitReason = Type.Enum([...waitReasons], {
  description:
    "`queued`: for its turn, behind other tasks or the platform's limits. `not_before`: for the time that it was submitted with. `retry`: the last attempt failed, and the next one comes after a pause. `throttled`: the platform answered that it is asked too often, and nobody asks it for a while. `breaker_open`: the platform failed many times in a row, and is left alone for a while. `paused`: the operator has set the platform's limit to 0.",
});

/** A failed attempt of a task that has not ended. */
export const LastFailure = Type.Object({
  code: Type.Enum([...failureCodes]),
  message: Type.String({ description: "For people. Holds no secret." }),
  at: Timestamp,
  attempt: Type.Integer({ minimum: 1, description: "Which attempt it was." }),
  platformStatus,
});
export type LastFailure = Static<typeof LastFailure>;

/** Where a pending task stands; null at the end. */
export const Progress = Type.Object({
  phase: Type.Enum(["queued", "running", "waiting_retry"], {
    description:
      "`queued`: it waits for its turn, or for its first attempt. `running`: an attempt is under way. `waiting_retry`: it was tried before, and waits for `nextAttemptAt`; `reason` says why.",
  }),
  attempt: Type.Integer({
    minimum: 0,
    description: "Attempts made, the one that is under way included; 0 before the first.",
  }),
  startedAt: Nullable(Timestamp, { description: "When the first attempt began." }),
  nextAttemptAt: Nullable(Timestamp, {
    description:
      "The earliest time of the next attempt, as far as it is known: after a pause, a throttle or an open breaker. Null while it runs, and while only its turn is missing.",
  }),
  reason: Nullable(WaitReason, { description: "What it waits for. Null while it runs." }),
  lastFailure: Nullable(LastFailure, { description: "The last attempt that failed; null when none has." }),
});
export type Progress = Static<typeof Progress>;

export const attemptOutcomes = ["completed", "failed", "throttled", "lost", "handed_back", "canceled"] as const;

/** One attempt of a task. */
export const TaskAttempt = Type.Object({
  attempt: Type.Integer({ minimum: 1 }),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp, { description: "Null while it is under way." }),
  nodeId: Nullable(Uuid, {
    description: "The process that ran it. Null for a task that completed at its first attempt: it is not kept then.",
  }),
  outcome: Nullable(
    Type.Enum([...attemptOutcomes], {
      description:
        "`completed`: it brought the answer. `failed`: `code` says why. `throttled`: the platform answered that it is asked too often. `lost`: the process, or the browser, that ran it was lost. `handed_back`: its process was stopped, and another one took the task. `canceled`: the task was canceled meanwhile.",
    }),
    { description: "Null while it is under way." },
  ),
  code: Nullable(Type.Enum([...failureCodes])),
  message: Nullable(Type.String({ description: "For people. Holds no secret." })),
  platformStatus,
  probe: Type.Boolean({
    description: "True when it was let through to see whether a platform works again whose breaker had opened.",
  }),
});
export type TaskAttempt = Static<typeof TaskAttempt>;

/** A time in which a task was not tried. */
export const TaskWait = Type.Object({
  reason: WaitReason,
  from: Timestamp,
  until: Nullable(Timestamp, { description: "When the next attempt began. Null while it waits." }),
});
export type TaskWait = Static<typeof TaskWait>;

/** What became of a task before its end: `GET /v1/tasks/{id}/attempts`. */
export const TaskAttempts = Type.Object(
  {
    taskId: Uuid,
    state: TaskState,
    expired: Type.Boolean({ description: "True once the result has expired: attempts and waits are deleted with it." }),
    attemptCount: Nullable(Type.Integer({ minimum: 0 }), {
      description: "Attempts made, those that are not kept included. Null once they have expired.",
    }),
    attempts: Type.Array(TaskAttempt, { description: "The last 20, oldest first." }),
    waits: Type.Array(TaskWait, {
      description: "Before, between and after the attempts shown, oldest first. None overlaps an attempt.",
    }),
  },
  { description: "Every attempt of a task, and every wait with its reason." },
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
    "`present`: it is there. `none_on_platform`: the platform can give it and gave none. `not_requested`: the options did not ask for it. `not_exposed`: this platform never gives it. `parse_failed`: it was given and could not be read.",
});

/** Why a field of a result is empty, for each field that can be. */
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

/** Where the answer came from. */
export const Provenance = Type.Object({
  kind: Type.Enum([...platformKinds]),
  platform: Type.String(),
  endpoint: Nullable(Type.String()),
  region: Nullable(Type.String()),
});
export type Provenance = Static<typeof Provenance>;

/** What a finished task found: the part of the record that expires. */
export const resultFields = {
  content: Nullable(
    Type.String({
      description: "The answer in Markdown (CommonMark and GFM), with display-ready cards. Null before completion.",
    }),
  ),
  pageHtml: Nullable(Type.String()),
  modelVersion: Nullable(Type.String({ description: "The model as the platform reported it." })),
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
  webhookUrl: Nullable(Type.String(), { description: "The address given with the task; null: the account's." }),
  priority: Type.Integer({ minimum: 0, maximum: 9 }),
  notBefore: Nullable(Timestamp),
  startBefore: Nullable(Timestamp),
  runTimeoutSeconds: Nullable(
    Type.Integer({
      minimum: 1,
      description: "As given, or the platform's. Null in tasks that were accepted before the record showed it.",
    }),
  ),
  state: TaskState,
  progress: Nullable(Progress),
} as const;

const tail = {
  failure: Nullable(Failure),
  chargedPoints: Type.Integer({ minimum: 0, description: "Points actually deducted." }),
  revision: Type.Integer({
    minimum: 0,
    description: "0 before the end, 1 at the first end, +1 each time the stored result is replaced.",
  }),
  expired: Type.Boolean({
    description:
      "True once the result has passed its retention period; its content is gone then. Always false for a task that never had a result: one that failed or was canceled.",
  }),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
  canceledAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp, { description: "When the result expires. Null where there is none." }),
  durationMs: Nullable(Type.Integer({ minimum: 0 }), {
    description:
      "Milliseconds from the start of the attempt that ended the task to its end: what asking took. Time in the queue, and waits between attempts (a pause before a retry, a throttle, an open breaker), are not part of it. Null before the end, for a canceled task, and for one that ended without an attempt.",
  }),
} as const;

/** The part of a record that expires, as it is stored. */
const StoredResult = Type.Object({ ...resultFields, availability: Availability, provenance: Provenance });
export type StoredResult = Static<typeof StoredResult>;

/**
 * None of the five words of `availability` is true of a task that failed: the platform may have had the field or not, and
 * nobody knows. `not_exposed` for some fields beside a guess for the others would say less than the failure does.
 */
const withResultOnly =
  "There when there is a result. Null before the end; null when the task failed (`failure` says why everything is empty), was canceled, or its result has expired (`expired`).";

const recordFields = {
  ...head,
  ...resultFields,
  availability: Nullable(Availability, { description: withResultOnly }),
  provenance: Nullable(Provenance, { description: withResultOnly }),
  ...tail,
} as const;

/** The task record: interface 2.3 with the additive members. Always all members. */
export const TaskRecord = Type.Object(recordFields, {
  description: "One task: its question, state, answer and points.",
});
export type TaskRecord = Static<typeof TaskRecord>;

/** A task without its result, as lists show it. */
export const TaskSummary = Type.Object({ ...head, ...tail });
export type TaskSummary = Static<typeof TaskSummary>;

/** The task record as it stands inside a notification: with `resultOmitted` false. */
export const NotifiedTask = Type.Object({ ...recordFields, resultOmitted: Type.Literal(false) });
