import { Type, type Static } from "typebox";
import { Condition } from "./condition.ts";
import { Nullable, Timestamp } from "./scalars.ts";
import { suspensionReasons } from "./webhook.ts";

export const overviewPeriods = ["24h", "7d", "30d"] as const;

const count = Type.Integer({ minimum: 0 });
const seconds = (description: string) => Nullable(Type.Number({ minimum: 0 }), { description });

/** What ended within some time. */
const ended = {
  completed: count,
  failed: count,
  canceled: count,
  successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: "completed / (completed + failed); null where neither was.",
  }),
  p50Seconds: seconds(
    "Seconds to answer, of the completed tasks, by a histogram: half took no longer, from the start of the attempt that brought the answer to its end. Time in the queue, throttles, open breakers and attempts that failed are not part of it.",
  ),
  p95Seconds: seconds("19 of 20 took no longer."),
  chargedPoints: count,
};

export const OverviewPeriod = Type.Object({ from: Timestamp, to: Timestamp, ...ended });
export type OverviewPeriod = Static<typeof OverviewPeriod>;

export const OverviewBucket = Type.Object({ start: Timestamp, ...ended });
export type OverviewBucket = Static<typeof OverviewBucket>;

/** How the account does: what is under way, what ended in a period and in the one before it, and how its notifications fare. */
export const Overview = Type.Object({
  conditions: Type.Array(Condition, {
    description: "What holds tasks or deliveries up now, errors first; empty while all is well. For a banner.",
  }),
  period: Type.Enum([...overviewPeriods]),
  pending: Type.Object(
    {
      total: count,
      running: count,
      oldest: Nullable(Timestamp, {
        description:
          "When the oldest task was accepted that could run now or does. Those that wait for a time (`notBefore`, a retry) are left out.",
      }),
    },
    { description: "Tasks that have not ended, now." },
  ),
  current: OverviewPeriod,
  before: OverviewPeriod,
  bucketSeconds: Type.Integer({ description: "How much time one bucket covers: 1 hour, 6 hours or 1 day." }),
  series: Type.Array(OverviewBucket, {
    description: "The period's buckets, oldest first; every one is there. The last is still being filled.",
  }),
  seriesBefore: Type.Array(OverviewBucket, { description: "As many buckets of the period before." }),
  webhook: Type.Object({
    status: Type.Enum(["active", "suspended", "unset"]),
    suspendedAt: Nullable(Timestamp),
    suspendedReason: Nullable(Type.Enum([...suspensionReasons])),
    lastSuccessAt: Nullable(Timestamp),
    failuresSinceSuccess: Type.Integer({ minimum: 0, description: "Of attempts to the account's address." }),
    pendingDeliveries: Type.Integer({ minimum: 0, description: "Counted up to 1,000." }),
    failedDeliveries: Type.Integer({
      minimum: 0,
      description: "Given up in the period, among the newest 1,000 that did not arrive.",
    }),
  }),
});
export type Overview = Static<typeof Overview>;
