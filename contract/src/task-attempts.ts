import { Type, type Static } from "typebox";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { failureCodes, platformStatus } from "./failure.ts";
import { WaitReason } from "./task-progress.ts";
import { TaskState } from "./task-state.ts";

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
