import { Type, type Static } from "typebox";
import { Condition } from "./condition.ts";
import { Nullable, Timestamp } from "./scalars.ts";
import { suspensionReasons } from "./webhook.ts";

export const overviewPeriods = ["24h", "7d", "30d"] as const;

const count = Type.Integer({ minimum: 0 });
const seconds = (description: string) => Nullable(Type.Number({ minimum: 0 }), { description });

/** The tasks that ended in a period. */
const ended = {
  completed: count,
  failed: count,
  canceled: count,
  successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: "completed / (completed + failed). Null if there were none.",
  }),
  p50Seconds: seconds(
    "Median time to answer of the completed tasks in seconds, estimated from a histogram. It is measured over the successful attempt, and excludes time in the queue, throttling, open circuit breakers and failed attempts.",
  ),
  p95Seconds: seconds("The 95th percentile of the same."),
  chargedPoints: count,
};

export const OverviewPeriod = Type.Object({ from: Timestamp, to: Timestamp, ...ended });
export type OverviewPeriod = Static<typeof OverviewPeriod>;

export const OverviewBucket = Type.Object({ start: Timestamp, ...ended });
export type OverviewBucket = Static<typeof OverviewBucket>;

/** An account's overview: pending tasks, tasks that ended in a period and in the preceding one, and the status of its webhook. */
export const Overview = Type.Object({
  conditions: Type.Array(Condition, {
    description: "Current problems that delay tasks or deliveries, errors first. Empty if there are none.",
  }),
  period: Type.Enum([...overviewPeriods]),
  pending: Type.Object(
    {
      total: count,
      running: count,
      oldest: Nullable(Timestamp, {
        description:
          "When the oldest task that is ready or running was accepted. Tasks that wait for `notBefore` or for a retry are excluded.",
      }),
    },
    { description: "Tasks that have not ended." },
  ),
  current: OverviewPeriod,
  before: OverviewPeriod,
  bucketSeconds: Type.Integer({ description: "The duration of a bucket: 1 hour, 6 hours or 1 day." }),
  series: Type.Array(OverviewBucket, {
    description: "The buckets of the period, oldest first and without gaps. The last one is incomplete.",
  }),
  seriesBefore: Type.Array(OverviewBucket, { description: "The same number of buckets of the preceding period." }),
  webhook: Type.Object({
    status: Type.Enum(["active", "suspended", "unset"]),
    suspendedAt: Nullable(Timestamp),
    suspendedReason: Nullable(Type.Enum([...suspensionReasons])),
    lastSuccessAt: Nullable(Timestamp),
    failuresSinceSuccess: Type.Integer({
      minimum: 0,
      description: "Failed attempts to deliver to the account's endpoint since the last success.",
    }),
    pendingDeliveries: Type.Integer({ minimum: 0, description: "Counted up to 1,000." }),
    failedDeliveries: Type.Integer({
      minimum: 0,
      description: "Deliveries that failed in the period, among the 1,000 most recent ones that were not delivered.",
    }),
  }),
});
export type Overview = Static<typeof Overview>;
