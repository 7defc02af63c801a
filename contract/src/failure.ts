import { Type, type Static } from "typebox";
import { Nullable } from "./scalars.ts";

export const failureStages = ["queue", "platform", "parse", "artifact"] as const;
export const failureCodes = [
  "platform_unavailable",
  "platform_timeout",
  "platform_rate_limited",
  "platform_auth",
  "platform_refused",
  "platform_bad_response",
  "platform_not_configured",
  "run_timeout",
  "start_deadline_passed",
  "output_unavailable",
  "internal",
] as const;
export type FailureCode = (typeof failureCodes)[number];
export type FailureStage = (typeof failureStages)[number];

export const platformStatus = Nullable(
  Type.Integer({ description: "The HTTP status that the platform answered, when it did." }),
);

/** Why a task failed. A failed task costs 0 points. */
export const Failure = Type.Object({
  code: Type.Enum([...failureCodes]),
  message: Type.String({ description: "For people. Holds no secret." }),
  stage: Type.Enum([...failureStages]),
  retryable: Type.Boolean({ description: "True when the same question may succeed if it is submitted again." }),
  attempts: Type.Integer({
    minimum: 0,
    description:
      "Attempts made: how many times a node began to ask the platform. Those that the platform throttled, and those that were lost with their node, are counted too, though they do not count towards the platform's limit of attempts.",
  }),
  platformStatus,
});
export type Failure = Static<typeof Failure>;
