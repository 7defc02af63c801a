import type { Claimed } from "./claim.ts";
import { lossesMax } from "./reap.ts";
import { backoffMs, type Return } from "./requeue.ts";
import type { RunEnd, TaskEnd } from "./work.ts";

/** What becomes of a task whose run is over. */
export type Verdict<Result> =
  | { readonly kind: "end"; readonly end: TaskEnd<Result> }
  /** It goes back to the queue. */
  | { readonly kind: "return"; readonly back: Return; readonly event: "task.retried" | "task.throttled" | "task.lost" };

/** A platform that throttles one task more often than this fails it. */
const throttlesMax = 50;

/** Decides what the end of a run means for its task: over, again later, or again as soon as the platform takes it. Pure. */
export function judgeRun<Result>(claimed: Claimed, end: RunEnd<Result>, random: () => number): Verdict<Result> {
  if (end.kind === "throttled" && claimed.throttles < throttlesMax)
    return { kind: "return", back: { kind: "throttled" }, event: "task.throttled" };
  if (end.kind === "lost" && claimed.losses < lossesMax)
    return { kind: "return", back: { kind: "stray" }, event: "task.lost" };
  if (
    end.kind === "failed" &&
    end.retryable &&
    end.fault.code !== "run_timeout" &&
    claimed.attempt < claimed.attemptsMax
  ) {
    const delayMs = backoffMs(claimed.attempt, random);
    return { kind: "return", back: { kind: "retry", delayMs }, event: "task.retried" };
  }
  return { kind: "end", end: taskEnd(claimed, end) };
}

/** True when the platform itself failed, which is what its breaker counts. */
export function isPlatformFailure<Result>(end: RunEnd<Result>): boolean {
  return end.kind === "failed" && end.retryable && end.fault.code.startsWith("platform_");
}

function taskEnd<Result>(claimed: Claimed, end: RunEnd<Result>): TaskEnd<Result> {
  const base = { taskId: claimed.taskId, startedAt: null, attempts: claimed.attempt };
  switch (end.kind) {
    case "completed":
      return { ...base, state: "completed", result: end.result };
    case "failed":
      return { ...base, state: "failed", fault: end.fault, retryable: end.retryable };
    case "throttled": {
      const message = "The platform kept asking for patience.";
      const fault = {
        code: "platform_rate_limited",
        stage: "platform",
        message,
        platformStatus: end.platformStatus,
      } as const;
      return { ...base, state: "failed", fault, retryable: true };
    }
    case "lost": {
      const message = "What ran this task was lost too often.";
      const fault = { code: "internal", stage: "platform", message, platformStatus: null } as const;
      return { ...base, state: "failed", fault, retryable: true };
    }
    case "aborted":
      // Somebody else has ended the task: the fence will turn this away, and free its place.
      return { ...base, state: "canceled" };
  }
}
