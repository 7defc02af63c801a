/** Old tasks are dropped with their partition; here is what else has to be known and removed. */
import { listAccounts } from "../accounts/index.ts";
import type { Database, Partition, Queryable } from "../db/index.ts";
import { firstIdAt } from "../kernel/ids.ts";

export const tasksTable = { table: "tasks", key: "id" } as const;

/** Whether a partition has a task that has not ended, or that ended at this time or later. */
export async function hasRecentTasks(db: Queryable, { name }: Partition, endedSince: Date): Promise<boolean> {
  // Reads the partition until it finds one. Locks nothing.
  const { rows } = await db.query<{ any: boolean }>(
    `select exists (select from ${name} where state = 'pending' or completed_at >= $1) as any`,
    [endedSince],
  );
  return rows[0]?.any ?? true;
}

const rowsAtOnce = 5_000;

/** Deletes what other tables have about tasks that were accepted before a time, account by account, in bounded steps. */
export async function forgetTasks(database: Database, acceptedBefore: Date): Promise<void> {
  const bound = firstIdAt(acceptedBefore);
  for (const { accountId } of await listAccounts(database)) {
    // Indexes: the primary keys, which begin with the account. Locks: the deleted rows.
    for (const [table, id] of [
      ["task_tags", "task_id"],
      ["unanswered_tasks", "task_id"],
      ["batches", "id"],
    ] as const) {
      for (let deleted = rowsAtOnce; deleted === rowsAtOnce;) {
        const { rowCount } = await database.query(
          `delete from ${table} where account_id = $1 and ctid = any(array(
             select ctid from ${table} where account_id = $1 and ${id} < $2 limit ${rowsAtOnce}))`,
          [accountId, bound],
        );
        deleted = rowCount ?? 0;
      }
    }
  }
}
