import { Type, type Static } from "typebox";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { Failure } from "./failure.ts";
import { TaskOptions } from "./task-options.ts";
import { Progress } from "./task-progress.ts";
import { Availability, Provenance, resultFields } from "./task-result.ts";
import { TaskState } from "./task-state.ts";

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
