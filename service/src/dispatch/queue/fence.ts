import { rowsAs, type Database, type Transaction } from "../../db/index.ts";
import type { LoggedAttempt } from "./attempt-log.ts";

/** A claimed task, and the fence of its claim. */
export interface FencedRun {
  readonly taskId: string;
  readonly fence: number;
}

interface Completed {
  readonly taskId: string;
  readonly startedAt: Date;
  /** When the ending run started. */
  readonly claimedAt: Date;
  /** The outcomes of earlier attempts. */
  readonly earlier: readonly LoggedAttempt[] | null;
}

const runRows = rowsAs<FencedRun>("k", {
  task_id: ["uuid", (run) => run.taskId],
  fence: ["int", (run) => run.fence],
});

/**
 * Removes the tasks of these runs from the engine, as the first step of the transaction that ends them. Returns only runs that
 * still own their task; the others were taken from the node meanwhile, and nothing may be written for them.
 */
export async function completeFenced(
  tx: Transaction,
  nodeId: string,
  runs: readonly FencedRun[],
): Promise<Map<string, Completed>> {
  // Locks: the dispatch rows, in the order of their ids (the input is sorted, so two batches can't wait for each other).
  // What has a node runs or aborts; said like this, no statistics make the planner look by another index than the primary key. A
  // join would do so too, but not with statistics of an empty queue: it may read all rows once for each task that has ended. Inside the
  // case, the fences are hashed once, which costs less than looking for them in an array.
  const sorted = runs.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1));
  const { rows } = await tx.query<{
    task_id: string;
    started_at: Date;
    claimed_at: Date;
    attempt_log: LoggedAttempt[] | null;
  }>({
    name: "complete fenced",
    text: `delete from dispatch
     where task_id = any(${runRows.array("task_id", 1)}) and node_id = $1 and state <> 'aborting'
       and case when (task_id, fence) in (select * from ${runRows.after(1)}) then true end
     returning task_id, started_at, claimed_at, attempt_log`,
    values: [nodeId, ...runRows.values(sorted)],
  });
  return new Map(
    rows.map((row) => [
      row.task_id,
      { taskId: row.task_id, startedAt: row.started_at, claimedAt: row.claimed_at, earlier: row.attempt_log },
    ]),
  );
}

/** Deletes runs whose task was ended by another process (canceled): their slot under the platform's limit becomes free. */
export async function releaseSlot(tx: Transaction, nodeId: string, taskIds: readonly string[]): Promise<void> {
  // Locks: the dispatch rows, by primary key.
  await tx.query("delete from dispatch where task_id = any($1::uuid[]) and state = 'aborting' and node_id = $2", [
    taskIds,
    nodeId,
  ]);
}

/** The same for all runs of a node, except those of `known` tasks, which still run. */
export async function releaseAborting(database: Database, nodeId: string, known: readonly string[]): Promise<void> {
  // Locks: the dispatch rows. Index: dispatch_claimed.
  await database.query(
    "delete from dispatch where node_id = $1 and state = 'aborting' and not task_id = any($2::uuid[])",
    [nodeId, known],
  );
}
