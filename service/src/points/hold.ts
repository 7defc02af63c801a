import pg from "pg";
import { rowsAs, type Queryable, type Transaction } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import type { TaskOptions } from "@querent/contract";
import { idRange } from "../kernel/ids.ts";

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

/** The price of a platform in whole points: `base`, and what each option adds. */
export interface Price {
  readonly base: number;
  readonly deepAnalysis: number;
  readonly screenshot: number;
  readonly shareLink: number;
  /** Added if `resultFormat` includes the page (`html` or `all`). */
  readonly pageHtml: number;
}

/** The price of one task. It is fixed when the task is accepted. */
export function priceOf(price: Price, options: TaskOptions, webType: boolean): number {
  return (
    price.base +
    (options.deepAnalysis ? price.deepAnalysis : 0) +
    (options.output === "screenshot" ? price.screenshot : 0) +
    (options.output === "share_link" ? price.shareLink : 0) +
    (webType && options.resultFormat !== "json" ? price.pageHtml : 0)
  );
}

// Entries of the ledger for batches that cost nothing and were never held or settled: those of a demonstration.

export interface FreeBatch {
  readonly accountId: string;
  readonly batchId: string;
  readonly acceptedAt: Date;
  readonly tasks: readonly { readonly taskId: string; readonly endedAt: Date }[];
}

const endedRows = rowsAs<FreeBatch["tasks"][number]>("e", {
  task_id: ["uuid", (task) => task.taskId],
  ended_at: ["timestamptz", (task) => task.endedAt],
});

/** Writes what every batch has, a hold, and every completed task, a capture: of 0 points, at the time given. No balance changes. */
export async function recordFreeBatch(
  tx: Transaction,
  { accountId, batchId, acceptedAt, tasks }: FreeBatch,
): Promise<void> {
  // Locks: only the new rows.
  await tx.query(
    `insert into ledger (account_id, kind, points, batch_id, task_id, cause_id, created_at)
     select $1::uuid, 'hold', 0, $2::uuid, null::uuid, $2::uuid, $3::timestamptz
     union all
     select $1::uuid, 'capture', 0, $2::uuid, e.task_id, e.task_id, e.ended_at
       from ${endedRows.after(3)}`,
    [accountId, batchId, acceptedAt, ...endedRows.values(tasks)],
  );
}

/** Deletes the entries that `recordFreeBatch` wrote. Those that moved points are kept: the ledger is never rewritten. */
export async function forgetFreeBatches(
  tx: Transaction,
  accountId: string,
  batches: { readonly batchIds: readonly string[]; readonly taskIds: readonly string[] },
): Promise<void> {
  // Locks: the deleted rows. Indexes: ledger_batch and ledger_task of the partitions of this time.
  for (const [condition, ids] of [
    ["kind = 'hold' and batch_id", batches.batchIds],
    ["task_id", batches.taskIds],
  ] as const) {
    if (ids.length === 0) continue;
    const { least, greatest } = idRange(ids);
    await tx.query(
      `delete from ledger where account_id = $1 and cause_id between $2 and $3 and points = 0 and ${condition} = any($4::uuid[])`,
      [accountId, least, greatest, ids],
    );
  }
}
