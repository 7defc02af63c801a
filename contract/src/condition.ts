import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";

export const conditionCodes = [
  "endpoint_suspended",
  "endpoint_failing",
  "platform_failing",
  "platform_throttled",
  "platform_paused",
  "no_browser",
  "points_exhausted",
  "points_low",
] as const;
export type ConditionCode = (typeof conditionCodes)[number];

/** Something that holds tasks or deliveries up now, and that somebody should know of. */
export const Condition = Type.Object({
  code: Type.Enum([...conditionCodes], {
    description:
      "`endpoint_suspended`: nothing is sent to the account's address until it is set again or passes a test. `endpoint_failing`: the last attempts to it failed, and are repeated. `platform_failing`: a platform fails, or its breaker is open. `platform_throttled`: a platform asks for fewer requests, and nobody asks it for a while. `platform_paused`: the operator has set a platform's limit to 0. `no_browser`: no worker has a browser that works, so that screenshots and tasks for web platforms are refused. `points_exhausted`: no points are left to accept a task with. `points_low`: the points that are left last less than a day at the rate of the last 24 hours. More codes may be added.",
  }),
  severity: Type.Enum(["error", "warning"], {
    description: "`error`: something does not work. `warning`: it works, or tries again by itself.",
  }),
  since: Nullable(Timestamp, { description: "When it began; null where that is not known." }),
  detail: Type.String({ description: "For people: what it means, and what ends it." }),
  platformCode: Nullable(Type.String(), { description: "Of the platform that it is about." }),
});
export type Condition = Static<typeof Condition>;
