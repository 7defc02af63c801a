import type { Transaction, Queryable } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { newId } from "../kernel/ids.ts";

/** The maximum total of points granted to one account: far below 2^53, so that sums stay exact in every client. */
const grantedPointsMax = 1_000_000_000_000;

/** Grants points to an account. Returns the balance afterwards. */
export async function grantPoints(
  tx: Transaction,
  grant: { accountId: string; points: number; note: string | null },
): Promise<number> {
  if (!Number.isSafeInteger(grant.points) || grant.points <= 0)
    throw new ProblemError("validation_failed", "Points are a positive whole number.");
  const { rows } = await tx.query<{ points_available: number; points_granted: number }>(
    `update accounts set points_available = points_available + $2, points_granted = points_granted + $2
     where id = $1 returning points_available, points_granted`,
    [grant.accountId, grant.points],
  );
  const account = rows[0];
  if (account === undefined) throw new ProblemError("not_found", "There is no such account.");
  if (account.points_granted > grantedPointsMax)
    throw new ProblemError("state_conflict", `An account can be granted ${grantedPointsMax} points in all, not more.`);
  await tx.query("insert into ledger (account_id, kind, points, note, cause_id) values ($1, 'grant', $2, $3, $4)", [
    grant.accountId,
    grant.points,
    grant.note,
    newId(),
  ]);
  return account.points_available;
}

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

/** When the ledger was last written; null if it is empty. Reads all of it. */
export async function readLastEntry(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>("select max(created_at) as at from ledger");
  return rows[0]?.at ?? null;
}

export const ledgerTable = { table: "ledger", key: "cause_id" } as const;
