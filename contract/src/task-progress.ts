import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";
import { failureCodes, platformStatus } from "./failure.ts";

export const waitReasons = [
  "queued",
  "not_before",
  "retry",
  "throttled",
  "breaker_open",
  "paused",
  "no_worker",
] as const;
export type WaitReason = (typeof waitReasons)[number];
export const WaitReason = Type.Enum([...waitReasons], {
  description:
    "`queued`: for its turn, behind other tasks or the platform's limits. `not_before`: for the `notBefore` of the submission. `retry`: for the delay before the next attempt, after a failed one. `throttled`: the platform returned a rate limit, and no request is sent until it expires. `breaker_open`: the platform's circuit breaker is open after consecutive failures. `paused`: the operator has set the platform's limit to 0. `no_worker`: no running worker can ask the platform, for example because it lacks the key.",
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
