import type { RunEnd } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { idRange } from "../../kernel/ids.ts";
import { batchRange } from "../batch-range.ts";
import { taskKeys } from "./record.ts";

/** A task of these batches that has not ended; null: all have. */
export async function findPending(
  db: Queryable,
  accountId: string,
  batchIds: readonly string[],
): Promise<string | null> {
  const { least, greatest } = batchRange(batchIds);
  // Index: tasks_batch. Reads the batches' tasks until it finds one. Locks nothing.
  const { rows } = await db.query<{ id: string }>(
    `select id from tasks
      where account_id = $1 and batch_id = any ($2::uuid[]) and id between $3 and $4 and state = 'pending' limit 1`,
    [accountId, batchIds, least, greatest],
  );
  return rows[0]?.id ?? null;
}

/** Those of the tasks that have not ended. */
export async function stillPending(
  db: Queryable,
  tasks: readonly { readonly accountId: string; readonly taskId: string }[],
): Promise<ReadonlySet<string>> {
  if (tasks.length === 0) return new Set();
  const { least, greatest } = idRange(tasks.map(({ taskId }) => taskId));
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ id: string }>(
    `select t.id from ${taskKeys.after(2)}
       join tasks t on t.account_id = k.account_id and t.id = k.id and t.id between $1 and $2 and t.state = 'pending'`,
    [least, greatest, ...taskKeys.values(tasks)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** How the tasks of these batches ended, and when the last did; null if there are none any more. */
export async function countEnds(
  db: Queryable,
  accountId: string,
  batchIds: readonly string[],
): Promise<{ readonly ends: RunEnd; readonly lastEnd: Date | null }> {
  const { least, greatest } = batchRange(batchIds);
  // Index: tasks_batch. Locks nothing.
  const { rows } = await db.query<{ state: string; code: string | null; count: number; last_end: Date }>(
    `select state, failure->>'code' as code, count(*)::int as count, max(completed_at) as last_end from tasks
      where account_id = $1 and batch_id = any ($2::uuid[]) and id between $3 and $4 and state <> 'pending'
      group by 1, 2 order by 2`,
    [accountId, batchIds, least, greatest],
  );
  const sum = (state: string) =>
    rows.filter((row) => row.state === state).reduce((total, { count }) => total + count, 0);
  const failed = rows.flatMap(({ code, count }): [string, number][] => (code === null ? [] : [[code, count]]));
  const times = rows.map((row) => row.last_end.getTime());
  return {
    ends: {
      completed: sum("completed"),
      failed: sum("failed"),
      canceled: sum("canceled"),
      failedByCode: Object.fromEntries(failed),
    },
    lastEnd: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}
