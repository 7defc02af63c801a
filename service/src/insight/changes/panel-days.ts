import type { Queryable } from "../../db/index.ts";

/** The evidence starts anew after this many days with a run, from the answers of as many days before. */
const blockDays = 28;

/**
 * The first day whose answers are judged, and today; null if the panel has not run. The first day stays the same for 28 days
 * with a run, because evidence from a window that moves each day could not be examined each day. 28 to 56 days are judged,
 * whatever the time between two runs.
 */
export async function readDays(
  db: Queryable,
  accountId: string,
  panelId: string,
): Promise<{ readonly from: string; readonly today: string; readonly now: Date } | null> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ days: string[] | null; today: string; now: Date }>(
    `select array_agg(distinct to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')) as days,
            to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today, date_trunc('milliseconds', now()) as now
       from panel_runs where account_id = $1 and panel_id = $2 and state = 'started'`,
    [accountId, panelId],
  );
  const [row] = rows;
  const days = row?.days?.toSorted() ?? [];
  if (row === undefined || days.length === 0) return null;
  const blocks = Math.floor((days.length - 1) / blockDays);
  return { from: days[Math.max(0, blocks - 1) * blockDays] ?? row.today, today: row.today, now: row.now };
}
