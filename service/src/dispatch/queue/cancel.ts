import type { Transaction } from "../../db/index.ts";
import type { LoggedAttempt, LastAttempt } from "./attempt-log.ts";

export interface CanceledRun {
  readonly taskId: string;
  readonly accountId: string;
  readonly startedAt: Date | null;
  /** Attempts made. */
  readonly attempts: number;
  readonly earlier: readonly LoggedAttempt[] | null;
  /** The run to abort; null if it is not running. */
  readonly last: LastAttempt | null;
}

/**
 * Removes tasks from the engine in any state, as part of the transaction that ends them. A running one stays as `aborting`
 * until its node releases it, so that the platform's limit always holds; it cannot end any more. Tasks that have already ended
 * are not returned.
 */
export async function cancelRuns(tx: Transaction, taskIds: readonly string[]): Promise<CanceledRun[]> {
  // Locks: the dispatch rows, in the order of their ids, in a separate statement. In one statement with the update, the row's
  // old version would be checked against `running_has_node` while a claim has just given it a node.
  await tx.query("select from dispatch where task_id = any($1::uuid[]) order by task_id for update", [taskIds]);
  const { rows } = await tx.query<{
    task_id: string;
    account_id: string;
    started_at: Date | null;
    fence: number;
    attempt_log: LoggedAttempt[] | null;
    node_id: string | null;
    claimed_at: Date | null;
  }>(
    `with removed as (
       delete from dispatch where task_id = any($1::uuid[]) and state in ('waiting', 'queued')
       returning task_id, account_id, started_at, fence, attempt_log, node_id, claimed_at
     ), aborted as (
       update dispatch set state = 'aborting' where task_id = any($1::uuid[]) and state = 'running'
       returning task_id, account_id, started_at, fence, attempt_log, node_id, claimed_at
     )
     select * from removed union all select * from aborted`,
    [taskIds],
  );
  return rows.map((row) => ({
    taskId: row.task_id,
    accountId: row.account_id,
    startedAt: row.started_at,
    attempts: row.fence,
    earlier: row.attempt_log,
    last:
      row.node_id === null || row.claimed_at === null
        ? null
        : { startedAt: row.claimed_at, nodeId: row.node_id, probe: false },
  }));
}

/** Removes tasks whose latest start time has passed before they started. */
export async function removeOverdue(
  tx: Transaction,
  atMost: number,
): Promise<{ readonly taskId: string; readonly accountId: string }[]> {
  // Index: dispatch_start_before. SKIP LOCKED: another node may be doing the same, or claiming.
  const { rows } = await tx.query<{ taskId: string; accountId: string }>(
    `delete from dispatch where task_id in (
       select task_id from dispatch
       where start_before is not null and start_before <= now() and state in ('waiting', 'queued')
       order by start_before limit $1 for update skip locked)
     returning task_id as "taskId", account_id as "accountId"`,
    [atMost],
  );
  return rows;
}
