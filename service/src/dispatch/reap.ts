import type { Database, Transaction } from "../db/index.ts";
import { racePoint } from "../kernel/race-points.ts";
import { lostEntry, withEntry, type LoggedAttempt } from "./attempt-log.ts";
import { lockRunsOf } from "./node.ts";
import type { LastAttempt } from "./work.ts";

/** A task whose node was lost so often that it is suspected of killing nodes. */
export interface Lost {
  readonly taskId: string;
  readonly startedAt: Date | null;
  /** Attempts made. */
  readonly attempts: number;
  readonly earlier: readonly LoggedAttempt[] | null;
  readonly last: LastAttempt;
}

/** After so many lost nodes a task is not started again. */
export const lossesMax = 10;

/**
 * Gives the work of dead nodes back to the queue: of those whose lease ran out, or, with `allNodes`, of every node but
 * this one (for a data folder that only one process can hold). Burns no attempt. `endLost` is called last in the same
 * transaction for tasks that lost too many nodes; they are out of the engine then.
 */
export async function reap(
  database: Database,
  options: { nodeId: string | null; allNodes?: boolean },
  endLost: (tx: Transaction, lost: Lost[]) => Promise<void>,
): Promise<{ requeued: number; nodes: number }> {
  return database.transaction(async (tx) => {
    // Locks: rows of dead nodes (SKIP LOCKED: one reaper a node is enough), then their dispatch rows.
    const { rows: dead } = await tx.query<{ id: string }>(
      `select id from nodes where id is distinct from $1 and (lease_until < now() or $2) for update skip locked`,
      [options.nodeId, options.allNodes ?? false],
    );
    if (dead.length === 0) return { requeued: 0, nodes: 0 };
    const ids = dead.map((node) => node.id);
    await racePoint("reap.nodes_locked", options.nodeId ?? "");
    await lockRunsOf(tx, ids);
    await tx.query("delete from dispatch where node_id = any($1::uuid[]) and state = 'aborting'", [ids]);
    const { rows: lost } = await tx.query<{
      task_id: string;
      started_at: Date | null;
      fence: number;
      attempt_log: LoggedAttempt[] | null;
      claimed_at: Date;
      node_id: string;
    }>(
      `delete from dispatch where node_id = any($1::uuid[]) and state = 'running' and losses >= $2
       returning task_id, started_at, fence, attempt_log, claimed_at, node_id`,
      [ids, lossesMax],
    );
    const { rowCount } = await tx.query(
      `update dispatch d set state = 'queued', attempt = d.attempt - 1, losses = d.losses + 1,
         attempt_log = ${withEntry(lostEntry)}, node_id = null, claimed_at = null
       where node_id = any($1::uuid[]) and state = 'running'`,
      [ids],
    );
    await tx.query("delete from nodes where id = any($1::uuid[])", [ids]);
    if (lost.length > 0) {
      await endLost(
        tx,
        lost.map((row) => ({
          taskId: row.task_id,
          startedAt: row.started_at,
          attempts: row.fence,
          earlier: row.attempt_log,
          last: { startedAt: row.claimed_at, nodeId: row.node_id, probe: false },
        })),
      );
    }
    return { requeued: rowCount ?? 0, nodes: ids.length };
  });
}
