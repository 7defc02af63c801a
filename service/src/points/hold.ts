import type { Transaction } from "../db/index.ts";
import { ProblemError } from "../kernel/problem-error.ts";

/**
 * Holds a batch's points, as the last thing of the transaction that accepts it: the account's row is what everybody
 * waits for. Refuses (402, 503) when the balance or the account's queue can't take the whole batch.
 */
export async function holdPoints(
  tx: Transaction,
  hold: { accountId: string; batchId: string; points: number; taskCount: number },
): Promise<void> {
  // Locks: the account's row, until the commit. One update a batch, whatever its size.
  const { rowCount } = await tx.query(
    `with held as (
       update accounts
       set points_available = points_available - $2, points_held = points_held + $2, unfinished_tasks = unfinished_tasks + $3
       where id = $1 and points_available >= $2 and unfinished_tasks + $3 <= unfinished_max
       returning id)
     insert into ledger (account_id, kind, points, batch_id) select id, 'hold', $2, $4 from held`,
    [hold.accountId, hold.points, hold.taskCount, hold.batchId],
  );
  if (rowCount === 1) return;
  const { rows } = await tx.query<{ points_available: number; unfinished_tasks: number; unfinished_max: number }>(
    "select points_available, unfinished_tasks, unfinished_max from accounts where id = $1",
    [hold.accountId],
  );
  const account = rows[0];
  if (account === undefined) throw new Error(`account ${hold.accountId} is gone`);
  if (account.points_available < hold.points) {
    const short = hold.points - account.points_available;
    throw new ProblemError(
      "points_short",
      `The batch needs ${hold.points} points and ${account.points_available} are available: ${short} short. Nothing was accepted.`,
    );
  }
  throw new ProblemError(
    "queue_full",
    `The account has ${account.unfinished_tasks} unfinished tasks and may have ${account.unfinished_max}. Nothing was accepted.`,
    { headers: { "retry-after": "30" } },
  );
}
