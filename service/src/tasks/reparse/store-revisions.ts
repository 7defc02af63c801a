import type { StoredResult } from "@querent/contract";
import type { Transaction } from "../../db/index.ts";
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
    `select t.id from tasks t join unnest($1::uuid[], $2::int[]) as n(task_id, replaces) on t.account_id = $3 and t.id = n.task_id
      where t.revision = n.replaces and t.state = 'completed' and t.expires_at > now()
      order by t.id for no key update of t`,
    [revisions.map(({ taskId }) => taskId), revisions.map(({ replaces }) => replaces), accountId],
  );
  const mine = new Set(locked.map(({ id }) => id));
  const results = new Map(revisions.filter(({ taskId }) => mine.has(taskId)).map((made) => [made.taskId, made]));
  if (results.size === 0) return [];
  const made = [...results.values()];
  // If the partition was dropped concurrently, there is no row to update, and the task is not revised. Index: the primary keys.
  const { rows } = await tx.query<TaskRow>(
    `with stored as (
       update task_results r set result = n.result
         from unnest($1::uuid[], $2::date[], $3::json[]) as n(task_id, day, result)
        where r.day = n.day and r.task_id = n.task_id and r.account_id = $4 and r.expires_at > now()
       returning r.task_id
     )
     update tasks t set revision = t.revision + 1 from stored s where t.account_id = $4 and t.id = s.task_id
     returning ${taskColumns}`,
    [
      made.map(({ taskId }) => taskId),
      made.map(({ day }) => day),
      made.map(({ result }) => JSON.stringify(result)),
      accountId,
    ],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    taskId: row.id,
    webhookUrl: row.webhook_url,
    record: taskRecord(row, results.get(row.id)?.result ?? null, row.completed_at ?? row.created_at),
  }));
}
