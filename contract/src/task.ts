import { Type, type Static } from "typebox";
import { PageEvidence } from "./evidence.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { Failure } from "./failure.ts";
import { Effective, TaskOptions } from "./question-options.ts";
import { Progress } from "./task-progress.ts";
import { Availability, Provenance, resultFields, Truncation } from "./task-result.ts";
import { TaskState } from "./task-state.ts";

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

/**
 * None of the five values of `availability` applies to a failed task, because it is unknown which fields the platform
 * would have returned.
 */
const withResultOnly =
  "Present if there is a result. Null before the task ends, if it failed (see `failure`) or was canceled, and once the result has expired (see `expired`).";

const recordFields = {
  ...head,
  ...resultFields,
  truncatedBy: Nullable(Truncation, {
    description:
      "What ended the platform's answer before its end: the platform's limit of length, or its content filter. `content` is what came before, and its last line states this. Null if the platform ended its answer by itself, or does not tell.",
  }),
  availability: Nullable(Availability, { description: withResultOnly }),
  provenance: Nullable(Provenance, { description: withResultOnly }),
  effective: Nullable(Effective, {
    description:
      "What was in force when the platform was asked: for each requested option its value and how it was applied. Present if there is a result; empty if no such option was requested. Null without a result, and for answers of versions that did not record it.",
  }),
  evidence: Type.Array(PageEvidence, {
    description:
      "What the operator keeps of the platform's page besides its HTML, by the platform's configuration. Empty if nothing is kept, before completion, and once the result has expired.",
  }),
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
