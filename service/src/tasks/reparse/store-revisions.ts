import type { StoredResult } from "@querent/contract";
import { rowsAs, type Transaction } from "../../db/index.ts";
import type { FinishedTask } from "../../webhooks/index.ts";
import { taskColumns, taskRecord, type TaskRow } from "../read/record.ts";

export interface Revision {
  readonly taskId: string;
  /** The partition of the result. */
  readonly day: string;
  /** The revision that it replaces. */
  readonly replaces: number;
  readonly result: StoredResult;
}

const revisionRows = rowsAs<Revision>("n", {
  task_id: ["uuid", (revision) => revision.taskId],
  replaces: ["int", (revision) => revision.replaces],
});

const resultRows = rowsAs<Revision>("n", {
  task_id: ["uuid", (revision) => revision.taskId],
  day: ["date", (revision) => revision.day],
  result: ["json", (revision) => JSON.stringify(revision.result)],
});

/**
 * Replaces stored results of one account's tasks, and increases the tasks' `revision`. Nothing else of a task changes, neither points nor times. A
 * task whose result has expired, or was replaced concurrently, is left alone. Returns the revised tasks.
 */
export async function storeRevisions(
  tx: Transaction,
  accountId: string,
  revisions: readonly Revision[],
): Promise<FinishedTask[]> {
  // Locks: the tasks' rows, in the order of their ids, in a separate statement, so that the next one sees their current state.
  const { rows: locked } = await tx.query<{ id: string }>(
    `select t.id from tasks t join ${revisionRows.after(1)} on t.account_id = $1 and t.id = n.task_id
      where t.revision = n.replaces and t.state = 'completed' and t.expires_at > now()
      order by t.id for no key update of t`,
    [accountId, ...revisionRows.values(revisions)],
  );
  const mine = new Set(locked.map(({ id }) => id));
  const results = new Map(revisions.filter(({ taskId }) => mine.has(taskId)).map((made) => [made.taskId, made]));
  if (results.size === 0) return [];
  const made = [...results.values()];
  // If the partition was dropped concurrently, there is no row to update, and the task is not revised. Index: the primary keys.
  const { rows } = await tx.query<TaskRow>(
    `with stored as (
       update task_results r set result = n.result
         from ${resultRows.after(1)}
        where r.day = n.day and r.task_id = n.task_id and r.account_id = $1 and r.expires_at > now()
       returning r.task_id
     )
     update tasks t set revision = t.revision + 1 from stored s where t.account_id = $1 and t.id = s.task_id
     returning ${taskColumns}`,
    [accountId, ...resultRows.values(made)],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    taskId: row.id,
    webhookUrl: row.webhook_url,
    record: taskRecord(row, results.get(row.id)?.result ?? null, row.completed_at ?? row.created_at),
  }));
}
