import type { Outcome } from "../../platform.ts";
import type { SendEnd } from "./send.ts";

/** The maximum size of an answer's body in bytes. */
export const bodyBytesMax = 16 * 1024 * 1024;

/** The outcome of a request that ended without a complete answer. */
export function outcomeOfBreak(end: Exclude<SendEnd, { kind: "received" }>): Outcome {
  switch (end.kind) {
    case "aborted":
      return { kind: "canceled" };
    case "timeout":
      return {
        kind: "retryable",
        code: "platform_timeout",
        stage: "platform",
        message: "The platform did not answer in time.",
        platformStatus: null,
      };
    case "unreachable":
      return {
        kind: "retryable",
        code: "platform_unavailable",
        stage: "platform",
        message: `The platform can't be reached (${end.reason}).`,
        platformStatus: null,
      };
    case "cut":
      return {
        kind: "retryable",
        code: "platform_bad_response",
        stage: "parse",
        message: "The connection broke in the middle of the platform's answer.",
        platformStatus: end.status,
      };
    case "undecodable":
      return {
        kind: "retryable",
        code: "platform_bad_response",
        stage: "parse",
        message: "The platform's answer cannot be decoded: its encoding is unknown, or its bytes are damaged.",
        platformStatus: end.status,
      };
    case "oversize":
      return {
        kind: "permanent",
        code: "platform_bad_response",
        stage: "parse",
        message: `The platform's answer is larger than ${bodyBytesMax} bytes.`,
        platformStatus: end.status,
      };
  }
}
