import { Type, type Static } from "typebox";
import { Nullable } from "./scalars.ts";

export const failureStages = ["queue", "platform", "parse", "artifact"] as const;
export const failureCodes = [
  "platform_unavailable",
  "platform_timeout",
  "platform_rate_limited",
  "platform_auth",
  "platform_human_check",
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
  Type.Integer({ description: "The HTTP status that the platform returned, if any." }),
);

/** Why a task failed. A failed task is not charged. */
export const Failure = Type.Object({
  code: Type.Enum([...failureCodes]),
  message: Type.String({ description: "A message for people. Contains no secrets." }),
  stage: Type.Enum([...failureStages]),
  retryable: Type.Boolean({ description: "True if the same question may succeed when submitted again." }),
  attempts: Type.Integer({
    minimum: 0,
    description:
      "The number of attempts that were started, including attempts that were throttled or lost with their node. Those do not count towards the platform's limit of attempts.",
  }),
  platformStatus,
});
export type Failure = Static<typeof Failure>;
