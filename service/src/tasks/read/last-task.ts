/** What a copy of the database has of tasks, for a restore. */
import type { Queryable } from "../../db/index.ts";
import { firstIdAt } from "../../kernel/ids.ts";

/** How many tasks there are, and when the last one was accepted; null if there is none. Reads every task. */
export async function readLastTask(db: Queryable): Promise<{ tasks: number; acceptedAt: Date | null }> {
  const { rows } = await db.query<{ tasks: number; acceptedAt: Date | null }>(
    `select count(*)::int as tasks, max(created_at) as "acceptedAt" from tasks`,
  );
  return rows[0] ?? { tasks: 0, acceptedAt: null };
}

/** The tasks that were accepted after that moment. */
export async function countTasksSince(db: Queryable, since: Date): Promise<number> {
  // The ids begin with their time, so older partitions are not read.
  const { rows } = await db.query<{ tasks: number }>(
    "select count(*)::int as tasks from tasks where id >= $1 and created_at > $2",
    [firstIdAt(since), since],
  );
  return rows[0]?.tasks ?? 0;
}
