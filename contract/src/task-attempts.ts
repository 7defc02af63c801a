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
