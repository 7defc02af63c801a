/** Entries of the ledger for batches that cost nothing and were never held or settled: those of a demonstration. */
import { rowsAs, type Transaction } from "../db/index.ts";
import { idRange } from "../kernel/ids.ts";

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
