import pg from "pg";
import type { Queryable, Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";

export interface Hold {
  readonly accountId: string;
  readonly batchId: string;
  readonly points: number;
  readonly taskCount: number;
}

/** The account cannot accept the batch. `refusalOf` finds the reason after the transaction has ended. */
export class HoldRefused extends Error {
  readonly hold: Hold;

  constructor(hold: Hold) {
    super("The points of the batch can't be held.");
    this.name = "HoldRefused";
    this.hold = hold;
  }
}

/**
 * Holds a batch's points. This is the last step of the transaction that accepts the batch, because everybody waits for the
 * account's row. If the balance or the account's limit does not allow the whole batch, the statement itself fails, so that the
 * commit can be sent right behind it.
 */
export async function holdPoints(tx: Transaction, hold: Hold): Promise<void> {
  // Locks: the account's row, until the commit. One update per batch, regardless of its size. An account that cannot accept it
  // is not updated, and the table rejects a ledger entry without an account.
  try {
    await tx.query({
      name: "hold points",
      text: `with held as (
               update accounts
               set points_available = points_available - $2, points_held = points_held + $2, unfinished_tasks = unfinished_tasks + $3
               where id = $1 and points_available >= $2 and unfinished_tasks + $3 <= unfinished_max
               returning id)
             insert into ledger (account_id, kind, points, batch_id, cause_id) values ((select id from held), 'hold', $2, $4, $4)`,
      values: [hold.accountId, hold.points, hold.taskCount, hold.batchId],
    });
  } catch (error) {
    const isRefusal = error instanceof pg.DatabaseError && error.code === "23502" && error.column === "account_id";
    throw isRefusal ? new HoldRefused(hold) : error;
  }
}

/** The error for a refused hold (402, 503); null if the account could accept it by now. */
export async function refusalOf(db: Queryable, { accountId, points, taskCount }: Hold): Promise<ProblemError | null> {
  const { rows } = await db.query<{ points_available: number; unfinished_tasks: number; unfinished_max: number }>(
    "select points_available, unfinished_tasks, unfinished_max from accounts where id = $1",
    [accountId],
  );
  const account = rows[0];
  if (account === undefined) throw new Error(`account ${accountId} is gone`);
  if (account.points_available < points) {
    const short = points - account.points_available;
    return new ProblemError(
      "points_short",
      `The batch needs ${points} points and ${account.points_available} are available: ${short} short. Nothing was accepted.`,
    );
  }
  if (account.unfinished_tasks + taskCount <= account.unfinished_max) return null;
  return new ProblemError(
    "queue_full",
    `The account has ${account.unfinished_tasks} unfinished tasks and may have ${account.unfinished_max}. Nothing was accepted.`,
    { headers: { "retry-after": "30" } },
  );
}
