/** Batches whose tasks have ended already, at times in the past: for data that nobody asked for, such as a demonstration. */
import type { StoredResult } from "@querent/contract";
import { rowsAs, type Transaction } from "../db/index.ts";
import { idRange, firstIdAt, timeOfId } from "../kernel/ids.ts";
import { recordFreeBatch, forgetFreeBatches } from "../points/index.ts";
import type { AnsweredTask, ObserveAnswers, ObservedAnswer } from "./observe-answers.ts";
import { taskColumns, taskRecord, type TaskRow } from "./read/record.ts";
import { insertTaskRows, newBatch, type BatchOrigin } from "./submit/accept-batch.ts";
import type { AcceptableItem } from "./submit/read-items.ts";

/** An item with its answer. */
export interface PastTask {
  readonly item: AcceptableItem;
  readonly startedAt: Date;
  readonly completedAt: Date;
  readonly result: StoredResult;
  readonly observed: ObservedAnswer;
}

interface PastBatch {
  readonly id: string;
  /** In the order of the tasks given. */
  readonly taskIds: readonly string[];
  /** Inserts the batch, its completed tasks with their results, and their observations. */
  write(): Promise<void>;
}

export interface PastDeps {
  /** How long the results are kept, from now on: their day is today, whenever the tasks ended. */
  readonly retentionMs: number;
  readonly observe: Pick<ObserveAnswers, "write">;
}

/**
 * Prepares a batch of completed tasks, accepted at `origin.now`. They were never queued, cost nothing, and are announced to nobody: no
 * webhook, no event. What they have of an ordinary batch are the rows, including one entry of the ledger each, of 0 points.
 */
export function pastBatch(tx: Transaction, origin: BatchOrigin, tasks: readonly PastTask[], deps: PastDeps): PastBatch {
  const free = tasks.map(({ item }) => ({ ...item, pricePoints: 0 }));
  const batch = newBatch(origin, free);
  const taskIds = batch.tasks.map(({ id }) => id);
  return {
    id: batch.id,
    taskIds,
    write: async () => {
      await insertTaskRows(tx, batch);
      const ended = tasks.map((task, index) => ({ ...task, taskId: taskIds[index] ?? "" }));
      const rows = await endRows(tx, origin.accountId, ended, deps.retentionMs);
      await insertResults(tx, ended, rows);
      await deps.observe.write(tx, answeredTasks(ended, rows));
      await recordFreeBatch(tx, {
        accountId: origin.accountId,
        batchId: batch.id,
        acceptedAt: origin.now,
        tasks: ended.map(({ taskId, completedAt }) => ({ taskId, endedAt: completedAt })),
      });
    },
  };
}

type EndedTask = PastTask & { readonly taskId: string };

const endedRows = rowsAs<EndedTask>("e", {
  task_id: ["uuid", (task) => task.taskId],
  started_at: ["timestamptz", (task) => task.startedAt],
  completed_at: ["timestamptz", (task) => task.completedAt],
});

const resultRows = rowsAs<EndedTask>("e", {
  task_id: ["uuid", (task) => task.taskId],
  result: ["json", (task) => JSON.stringify(task.result)],
});

async function endRows(
  tx: Transaction,
  accountId: string,
  tasks: readonly EndedTask[],
  retentionMs: number,
): Promise<ReadonlyMap<string, TaskRow>> {
  const { least, greatest } = idRange(tasks.map(({ taskId }) => taskId));
  // Locks: rows that this transaction has inserted. Index: the primary key; the range selects the partitions.
  const { rows } = await tx.query<TaskRow>(
    `update tasks t set state = 'completed', revision = 1, started_at = e.started_at, completed_at = e.completed_at,
            expires_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond',
            result_day = (now() at time zone 'UTC')::date
       from ${endedRows.after(4)}
      where t.account_id = $1 and t.id = e.task_id and t.id between $3 and $4 and t.state = 'pending'
     returning ${taskColumns}`,
    [accountId, retentionMs, least, greatest, ...endedRows.values(tasks)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function insertResults(
  tx: Transaction,
  tasks: readonly EndedTask[],
  rows: ReadonlyMap<string, TaskRow>,
): Promise<void> {
  const [first] = rows.values();
  // Locks: the new rows.
  await tx.query(
    `insert into task_results (day, task_id, expires_at, result, account_id)
     select $1, e.task_id, $2, e.result, $3 from ${resultRows.after(3)}`,
    [first?.result_day, first?.expires_at, first?.account_id, ...resultRows.values(tasks)],
  );
}

function answeredTasks(tasks: readonly EndedTask[], rows: ReadonlyMap<string, TaskRow>): AnsweredTask[] {
  return tasks.flatMap(({ taskId, completedAt, result, observed }) => {
    const row = rows.get(taskId);
    if (row === undefined) return [];
    return [{ accountId: row.account_id, record: taskRecord(row, result, completedAt), observed }];
  });
}

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

const marginMs = 3_600_000;

/**
 * The range of ids in which the tasks of these batches are, so that a statement reads only the partitions of that time. The ids
 * of a batch and its tasks contain the same time, that of their acceptance; the margin is for data that was made otherwise.
 */
export function batchRange(batchIds: readonly string[]): { readonly least: string; readonly greatest: string } {
  const { least, greatest } = idRange(batchIds);
  return {
    least: firstIdAt(new Date(timeOfId(least).getTime() - marginMs)),
    greatest: firstIdAt(new Date(timeOfId(greatest).getTime() + marginMs)),
  };
}
