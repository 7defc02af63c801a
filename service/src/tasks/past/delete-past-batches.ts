import { rowsAs, type Transaction } from "../../db/index.ts";
import { forgetFreeBatches } from "../../points/index.ts";
import { batchRange } from "../batch-range.ts";

const deletedRows = rowsAs<{ readonly id: string; readonly result_day: string | null }>("e", {
  task_id: ["uuid", (row) => row.id],
  day: ["date", (row) => row.result_day],
});

/** Deletes batches that `pastBatch` wrote, with everything of their tasks but their observations. */
export async function deletePastBatches(
  tx: Transaction,
  accountId: string,
  batchIds: readonly string[],
): Promise<void> {
  if (batchIds.length === 0) return;
  const { least, greatest } = batchRange(batchIds);
  // Locks: the deleted rows. Index: tasks_batch; the range selects the partitions.
  const { rows } = await tx.query<{ id: string; result_day: string | null }>(
    `delete from tasks where account_id = $1 and batch_id = any($2::uuid[]) and id between $3 and $4
     returning id, result_day::text`,
    [accountId, batchIds, least, greatest],
  );
  const taskIds = rows.map(({ id }) => id);
  // Locks: the deleted rows. Index: the primary keys.
  await tx.query(
    `delete from task_results r using ${deletedRows.after(1)}
      where r.day = e.day and r.task_id = e.task_id and r.account_id = $1`,
    [accountId, ...deletedRows.values(rows)],
  );
  await tx.query(
    "delete from task_tags where account_id = $1 and task_id between $2 and $3 and task_id = any($4::uuid[])",
    [accountId, least, greatest, taskIds],
  );
  await tx.query("delete from batches where account_id = $1 and id = any($2::uuid[])", [accountId, batchIds]);
  await forgetFreeBatches(tx, accountId, { batchIds, taskIds });
}
