import { api, type Overview, type overviewPeriods } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { readUnderWay } from "../dispatch/index.ts";
import { timeOfId } from "../kernel/ids.ts";
import { route, type Route } from "../api/route.ts";
import { readWebhookHealth } from "../webhooks/index.ts";
import { readConditions, type ConditionSource } from "./conditions.ts";
import { addUp, endedFigures, readBalance, readEndedSums } from "../points/index.ts";

type Period = (typeof overviewPeriods)[number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Each period consists of buckets of one length, up to the end of the current hour or day. */
const shapes: Readonly<Record<Period, { bucketMs: number; buckets: number; endsOn: number }>> = {
  "24h": { bucketMs: hourMs, buckets: 24, endsOn: hourMs },
  "7d": { bucketMs: 6 * hourMs, buckets: 28, endsOn: hourMs },
  "30d": { bucketMs: dayMs, buckets: 30, endsOn: dayMs },
};

/** `GET /v1/overview`: the account's state, from sums that are updated as tasks end, and its current problems. */
export function overviewRoutes(deps: { database: Database; conditions: readonly ConditionSource[] }): Route[] {
  return [
    route(api.getOverview, async ({ caller: { accountId }, query }) => {
      const [overview, conditions] = await Promise.all([
        readOverview(deps.database, accountId, query.period ?? "24h", new Date()),
        readConditions(deps.conditions, accountId),
      ]);
      return { status: 200, headers: { "cache-control": "private, no-cache" }, body: { conditions, ...overview } };
    }),
  ];
}

export async function readOverview(
  database: Database,
  accountId: string,
  period: Period,
  now: Date,
): Promise<Omit<Overview, "conditions">> {
  const { bucketMs, buckets, endsOn } = shapes[period];
  const to = (Math.floor(now.getTime() / endsOn) + 1) * endsOn;
  const from = to - buckets * bucketMs;
  const beforeFrom = from - buckets * bucketMs;
  const [sums, underWay, total, webhook] = await Promise.all([
    readEndedSums(database, accountId, {
      from: new Date(beforeFrom),
      bucketSeconds: bucketMs / 1000,
      buckets: 2 * buckets,
    }),
    readUnderWay(database, accountId),
    readBalance(database, accountId).then(({ unfinishedTasks }) => unfinishedTasks),
    readWebhookHealth(database, accountId, new Date(from)),
  ]);
  const series = sums.map((sum, index) => ({
    start: iso(beforeFrom + index * bucketMs),
    ...endedFigures(sum),
  }));
  return {
    period,
    pending: {
      total,
      running: underWay.running,
      oldest: underWay.oldest === null ? null : timeOfId(underWay.oldest).toISOString(),
    },
    current: { from: iso(from), to: iso(to), ...endedFigures(addUp(sums.slice(buckets))) },
    before: { from: iso(beforeFrom), to: iso(from), ...endedFigures(addUp(sums.slice(0, buckets))) },
    bucketSeconds: bucketMs / 1000,
    series: series.slice(buckets),
    seriesBefore: series.slice(0, buckets),
    webhook,
  };
}

const iso = (time: number) => new Date(time).toISOString();
