import type { FailureCode } from "./failure.ts";

interface FailureKind {
  /** What happened. */
  meaning: string;
  /** What the client, or the operator, should do. */
  advice: string;
}

/** Every reason that a task can fail for. The reference page is made from it. */
export const failures = {
  platform_unavailable: {
    meaning: "The platform could not be reached, or answered that it is out of order, on every attempt.",
    advice: "Submit it again later.",
  },
  platform_timeout: {
    meaning: "The platform took the question and did not answer in time, on every attempt.",
    advice: "Submit it again later, or give it a longer `runTimeoutSeconds`.",
  },
  platform_rate_limited: {
    meaning: "The platform kept asking for patience for as long as the service was willing to wait.",
    advice: "Submit it again later. The operator may lower the platform's `rate`.",
  },
  platform_auth: {
    meaning: "The platform did not accept the operator's credentials.",
    advice: "Do not submit it again before the operator has put the credentials right.",
  },
  platform_refused: {
    meaning: "The platform declined to answer this question.",
    advice: "Ask another question, or another platform.",
  },
  platform_bad_response: {
    meaning: "The platform's answer could not be understood, on every attempt.",
    advice: "Submit it again later. When it stays so, tell the operator: the platform may have changed.",
  },
  platform_not_configured: {
    meaning: "The platform lost its configuration after the task was accepted.",
    advice: "Do not submit it again before the operator has configured the platform.",
  },
  run_timeout: {
    meaning:
      "The running time that the task was given is used up, over all attempts. Waiting in the queue does not count.",
    advice: "Submit it again with a longer `runTimeoutSeconds`.",
  },
  start_deadline_passed: {
    meaning: "The task had not started by its `startBefore`.",
    advice: "Submit it again with a later `startBefore`, or with none.",
  },
  output_unavailable: {
    meaning:
      "The screenshot or the share link that was asked for could not be made, or what a web page's answer was read from could not be kept.",
    advice: "Submit it again with `output: answer`.",
  },
  internal: {
    meaning: "The service itself failed.",
    advice: "Submit it again. When it stays so, tell the operator the `taskId`.",
  },
} as const satisfies Record<FailureCode, FailureKind>;
