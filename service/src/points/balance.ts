import type { Queryable } from "../db/index.ts";

/** An account's available points and unfinished tasks. Zeros for an account that does not exist. */
export async function readBalance(
  db: Queryable,
  accountId: string,
): Promise<{ readonly availablePoints: number; readonly unfinishedTasks: number }> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ availablePoints: number; unfinishedTasks: number }>(
    `select points_available as "availablePoints", unfinished_tasks as "unfinishedTasks" from accounts where id = $1`,
    [accountId],
  );
  return rows[0] ?? { availablePoints: 0, unfinishedTasks: 0 };
}
