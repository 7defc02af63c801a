import { Type, type Static } from "typebox";
import { Nullable, Timestamp } from "./scalars.ts";

export const conditionCodes = [
  "endpoint_suspended",
  "endpoint_failing",
  "channel_gone",
  "platform_failing",
  "platform_throttled",
  "platform_paused",
  "no_browser",
  "no_worker",
  "points_exhausted",
  "points_low",
] as const;
export type ConditionCode = (typeof conditionCodes)[number];

/** A current problem that delays tasks or deliveries, or soon will. */
export const Condition = Type.Object({
  code: Type.Enum([...conditionCodes], {
    description:
      "`endpoint_suspended`: nothing is sent to the account's webhook endpoint until the endpoint is set again or passes a test. `endpoint_failing`: the last attempts to deliver to it failed, and will be retried. `channel_gone`: a channel of reports and alerts is gone, and nothing is sent to it until its address is replaced or it passes a test. `platform_failing`: a platform is failing, or its circuit breaker is open. `platform_throttled`: a platform returned a rate limit and is paused until it expires. `platform_paused`: the operator has set a platform's limit to 0. `no_browser`: no worker has a working browser, so screenshots and tasks for web platforms are rejected. `no_worker`: no running worker can ask a platform, and its tasks wait. `points_exhausted`: the account has no points left. `points_low`: at the rate of the last 24 hours, the remaining points last less than a day. More codes may be added.",
  }),
  severity: Type.Enum(["error", "warning"], {
    description: "`error`: something does not work. `warning`: it works with limitations, or is retried automatically.",
  }),
  since: Nullable(Timestamp, { description: "When it started. Null if unknown." }),
  detail: Type.String({ description: "An explanation for people, and how to resolve it." }),
  platformCode: Nullable(Type.String(), { description: "The platform concerned, if any." }),
});
export type Condition = Static<typeof Condition>;
