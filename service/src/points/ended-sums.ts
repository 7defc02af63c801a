import type { OverviewPeriod } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { quantile } from "../kernel/histogram.ts";
import { answerSeconds, answerTimeColumns } from "./settle.ts";

/** Sums over the tasks that ended in a period. */
export interface EndedSums {
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
  readonly chargedPoints: number;
  /** Completed tasks by answer time. */
  readonly times: readonly number[];
}

const nothing: EndedSums = {
  completed: 0,
  failed: 0,
  canceled: 0,
  chargedPoints: 0,
  times: answerTimeColumns.map(() => 0),
};

/** An account's sums in consecutive buckets of whole hours starting at `from`, including empty ones. */
export async function readEndedSums(
  db: Queryable,
  accountId: string,
  { from, bucketSeconds, buckets }: { from: Date; bucketSeconds: number; buckets: number },
): Promise<EndedSums[]> {
  // Index: the key of usage_hours, account and hour. Two months of hours on five platforms with five tokens are at most 36,000
  // rows.
  const { rows } = await db.query<{ bucket: number } & Omit<EndedSums, "times"> & Record<string, number>>({
    name: "ended sums",
    text: `select floor(extract(epoch from hour - $2) / $3)::int as bucket, sum(completed)::bigint as completed,
                  sum(failed)::bigint as failed, sum(canceled)::bigint as canceled, sum(charged_points)::bigint as "chargedPoints",
                  ${answerTimeColumns.map((column) => `sum(${column})::bigint as ${column}`).join(", ")}
           from usage_hours
           where account_id = $1 and hour >= $2 and hour < $2 + $3::int * $4::int * interval '1 second'
           group by 1`,
    values: [accountId, from, bucketSeconds, buckets],
  });
  const found = new Map(rows.map((row) => [row.bucket, row]));
  return Array.from({ length: buckets }, (_, bucket) => {
    const row = found.get(bucket);
    if (row === undefined) return nothing;
    const { completed, failed, canceled, chargedPoints } = row;
    return { completed, failed, canceled, chargedPoints, times: answerTimeColumns.map((column) => row[column] ?? 0) };
  });
}

export function addUp(sums: readonly EndedSums[]): EndedSums {
  return sums.reduce(
    (all, one) => ({
      completed: all.completed + one.completed,
      failed: all.failed + one.failed,
      canceled: all.canceled + one.canceled,
      chargedPoints: all.chargedPoints + one.chargedPoints,
      times: all.times.map((count, bucket) => count + (one.times[bucket] ?? 0)),
    }),
    nothing,
  );
}

/** The sums in the form in which the overview shows them. */
export function endedFigures({ times, ...counts }: EndedSums): Omit<OverviewPeriod, "from" | "to"> {
  const decided = counts.completed + counts.failed;
  return {
    ...counts,
    successRate: decided === 0 ? null : counts.completed / decided,
    p50Seconds: quantile(answerSeconds, times, 0.5),
    p95Seconds: quantile(answerSeconds, times, 0.95),
  };
}
