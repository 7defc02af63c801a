import { backoffMs } from "../../runtime/backoff.ts";
import { handedBack, keptMessage, lostAttempt, type AttemptEnd, type RunFault } from "../queue/attempt-log.ts";
import type { Claimed } from "../queue/claim.ts";
import { lossesMax, type Return } from "../queue/queue.ts";
import type { WorkEnd, TaskEnd } from "./work.ts";

/** What happens to a task after its run. */
type Decision<Result> =
  | { readonly kind: "end"; readonly end: TaskEnd<Result> }
  /** It returns to the queue. */
  | { readonly kind: "return"; readonly back: Return; readonly event: "task.retried" | "task.throttled" | "task.lost" };

/** The delay before a failed attempt is repeated, with full jitter. */
const retryBackoff = { firstMs: 1000, maxMs: 60_000, jitter: 1 };
/** A task that its platform throttles more often than this fails. */
const throttlesMax = 50;

/** Decides what the end of a run means for its task: final, retry later, or retry as soon as the platform allows it. Pure. */
export function decideRetry<Result>(claimed: Claimed, end: WorkEnd<Result>, random: () => number): Decision<Result> {
  if (end.kind === "throttled" && claimed.throttles < throttlesMax)
    return { kind: "return", back: { kind: "throttled" }, event: "task.throttled" };
  if (end.kind === "lost" && claimed.losses < lossesMax)
    return { kind: "return", back: { kind: "lost" }, event: "task.lost" };
  if (
    end.kind === "failed" &&
    end.retryable &&
    end.fault.code !== "run_timeout" &&
    claimed.attempt < claimed.attemptsMax
  ) {
    const delayMs = backoffMs(claimed.attempt, retryBackoff, random);
    return { kind: "return", back: { kind: "retry", delayMs }, event: "task.retried" };
  }
  return { kind: "end", end: taskEnd(claimed, end) };
}

/** Failures of the platform itself, without refusals and errors on our side. */
const platformFailures: ReadonlySet<string> = new Set([
  "platform_auth",
  "platform_human_check",
  "platform_bad_response",
  "platform_unavailable",
  "platform_timeout",
  "platform_rate_limited",
  "run_timeout",
]);

/**
 * How the platform itself failed, if it did. Its breaker counts failures that may be over in a minute, but not, for instance, a
 * rejected key.
 */
export function platformFailureOf<Result>(end: WorkEnd<Result>): { fault: RunFault; counted: boolean } | null {
  if (end.kind !== "failed") return null;
  const counted = end.retryable && end.fault.code.startsWith("platform_");
  return counted || platformFailures.has(end.fault.code) ? { fault: end.fault, counted } : null;
}

/** The failure for a platform's rate limiting. */
export function throttledFault(platformStatus: number | null): RunFault {
  const message = "The platform returned a rate limit.";
  return { code: "platform_rate_limited", stage: "platform", message, platformStatus };
}

/** The outcome of an attempt that does not end its task. */
export function attemptEnd<Result>(claimed: Claimed, end: WorkEnd<Result>): AttemptEnd {
  const consumption = end.kind === "completed" || end.kind === "aborted" ? null : end.consumption;
  return { ...outcomeOf(claimed, end), ...(consumption ? { consumption } : {}) };
}

function outcomeOf<Result>({ probe }: Claimed, end: WorkEnd<Result>): AttemptEnd {
  switch (end.kind) {
    case "failed":
      return ended("failed", end.fault, probe);
    case "throttled":
      return ended("throttled", throttledFault(end.platformStatus), probe);
    case "lost":
      return lostAttempt(probe);
    case "completed":
    case "aborted":
      return handedBack(probe);
  }
}

function ended(outcome: AttemptEnd["outcome"], fault: RunFault, probe: boolean): AttemptEnd {
  const { code, message, platformStatus } = fault;
  return { outcome, code, message: keptMessage(message), platformStatus, probe };
}

function taskEnd<Result>(claimed: Claimed, end: WorkEnd<Result>): TaskEnd<Result> {
  const { taskId, accountId, fence: attempts } = claimed;
  const consumption = end.kind === "completed" || end.kind === "aborted" ? null : end.consumption;
  const base = { taskId, accountId, startedAt: null, attempts, ...(consumption ? { consumption } : {}) };
  switch (end.kind) {
    case "completed":
      return { ...base, state: "completed", result: end.result };
    case "failed":
      return { ...base, state: "failed", fault: end.fault, retryable: end.retryable };
    case "throttled": {
      const message = `The platform returned a rate limit ${throttlesMax + 1} times.`;
      return { ...base, state: "failed", fault: { ...throttledFault(end.platformStatus), message }, retryable: true };
    }
    case "lost": {
      const message = "The browser or process that ran this task was lost too often.";
      const fault = { code: "internal", stage: "platform", message, platformStatus: null } as const;
      return { ...base, state: "failed", fault, retryable: true };
    }
    case "aborted":
      // Another process has ended the task: the fence will reject this end, and free its slot.
      return { ...base, state: "canceled" };
  }
}
