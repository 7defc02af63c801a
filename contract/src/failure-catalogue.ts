import type { FailureCode } from "./failure.ts";

interface FailureKind {
  /** What happened. */
  meaning: string;
  /** What the client, or the operator, should do. */
  advice: string;
}

/** Every reason for which a task can fail. The reference page is generated from it. */
export const failures = {
  platform_unavailable: {
    meaning: "The platform could not be reached or returned a server error, on every attempt.",
    advice: "Submit it again later.",
  },
  platform_timeout: {
    meaning: "The platform accepted the question but did not answer in time, on every attempt.",
    advice: "Submit it again later, or with a longer `runTimeoutSeconds`.",
  },
  platform_rate_limited: {
    meaning: "The platform returned rate limits until the service stopped retrying.",
    advice: "Submit it again later. The operator may lower the platform's `rate`.",
  },
  platform_auth: {
    meaning: "The platform did not accept the operator's credentials.",
    advice: "Do not submit it again until the operator has corrected the credentials.",
  },
  platform_human_check: {
    meaning: "The platform's page asked for a human, and the service does not pass such checks.",
    advice: "Do not submit it again until the operator has passed the check, or signed in to the platform.",
  },
  platform_refused: {
    meaning: "The platform declined to answer this question.",
    advice: "Ask another question, or another platform.",
  },
  platform_bad_response: {
    meaning: "The platform's response could not be parsed, on every attempt.",
    advice: "Submit it again later. If it keeps failing, inform the operator: the platform may have changed.",
  },
  platform_not_configured: {
    meaning: "The platform lost its configuration after the task was accepted.",
    advice: "Do not submit it again until the operator has configured the platform.",
  },
  run_timeout: {
    meaning: "The task's run time is used up, over all attempts. Time in the queue does not count.",
    advice: "Submit it again with a longer `runTimeoutSeconds`.",
  },
  start_deadline_passed: {
    meaning: "The task had not started by its `startBefore`.",
    advice: "Submit it again with a later `startBefore`, or without one.",
  },
  output_unavailable: {
    meaning:
      "The requested screenshot or share link could not be created, or the stored content of a web page could not be saved.",
    advice: "Submit it again with `output: answer`.",
  },
  internal: {
    meaning: "The service itself failed.",
    advice: "Submit it again. If it keeps failing, send the operator the `taskId`.",
  },
} as const satisfies Record<FailureCode, FailureKind>;
