import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";
import { failureCodes, platformStatus } from "./failure.ts";

export const waitReasons = ["queued", "not_before", "retry", "throttled", "breaker_open", "paused"] as const;
export type WaitReason = (typeof waitReasons)[number];
export const WaitReason = Type.Enum([...waitReasons], {
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
