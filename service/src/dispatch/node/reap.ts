import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { markWork } from "../queue/account-queues.ts";
import { lostEntry, withEntry, type LoggedAttempt, type LastAttempt } from "../queue/attempt-log.ts";
import { lockRunsOf, nodeTimes } from "./nodes.ts";
import type { PeerRow } from "./peers.ts";
import { lossesMax } from "../queue/requeue.ts";

/** A task whose node was lost so often that it is suspected of killing nodes. */
export interface Lost {
  readonly taskId: string;
  readonly accountId: string;
  readonly startedAt: Date | null;
  /** Attempts made. */
  readonly attempts: number;
  readonly earlier: readonly LoggedAttempt[] | null;
  readonly last: LastAttempt;
}

/** Tasks that started within this time before a node's last heartbeat are suspected when the node dies. */
const newMs = 30_000;
/** From this number of losses on a task is started again after a delay, so that tasks that were lost together start apart. */
const apartFrom = 3;

/** Nodes whose leases have expired, other than this one. They may live nevertheless: see `Peers`. */
export async function expiredNodes(db: Queryable, nodeId: string | null): Promise<PeerRow[]> {
  const { rows } = await db.query<PeerRow & Record<string, unknown>>(
    `select id as "nodeId", peer_url as url, peer_key as key from nodes where id is distinct from $1 and lease_until < now()`,
    [nodeId],
  );
  return rows;
}

/**
 * Returns the work of dead nodes to the queue: of those whose lease expired, or, with `allNodes`, of every node except this one
 * (for a data folder that only one process can use). `among`: only of these. Uses up no attempt. `endLost` is called last in the same transaction for
 * tasks that lost too many nodes, which have been removed from the engine then.
 *
 * A node's death is counted against the tasks that were new on it, and against all only if none was new: a task that had run
 * for minutes beside others is unlikely to have killed it. Otherwise one account's tasks that kill nodes would make everybody's
 * fail.
 */
export async function reap(
  database: Database,
  options: { nodeId: string | null; among?: readonly string[]; allNodes?: boolean; leaseTtlMs?: number },
  endLost: (tx: Transaction, lost: Lost[]) => Promise<void>,
): Promise<{ requeued: number; nodes: number }> {
  return database.transaction(async (tx) => {
    // Locks: rows of dead nodes (SKIP LOCKED: one reaper per node is enough), their dispatch rows, then their account queues.
    const { rows: dead } = await tx.query<{ id: string }>(
      `select id from nodes where id is distinct from $1 and (lease_until < now() or $2) and ($3::uuid[] is null or id = any($3))
       for update skip locked`,
      [options.nodeId, options.allNodes ?? false, options.among ?? null],
    );
    if (dead.length === 0) return { requeued: 0, nodes: 0 };
    const ids = dead.map((node) => node.id);
    await racePoint("reap.nodes_locked", options.nodeId ?? "");
    await lockRunsOf(tx, ids);
    await tx.query("delete from dispatch where node_id = any($1::uuid[]) and state = 'aborting'", [ids]);
    // Index: dispatch_running. The last heartbeat is the lease's end minus its length.
    const { rows: running } = await tx.query<{ task_id: string; node_id: string; losses: number; is_new: boolean }>(
      `select d.task_id, d.node_id, d.losses, d.claimed_at > n.lease_until - $2 * interval '1 millisecond' as is_new
       from dispatch d join nodes n on n.id = d.node_id where d.node_id = any($1::uuid[]) and d.state = 'running'`,
      [ids, (options.leaseTtlMs ?? nodeTimes.leaseTtlMs) + newMs],
    );
    const withNew = new Set(running.flatMap((run) => (run.is_new ? [run.node_id] : [])));
    const suspects = running.filter((run) => run.is_new || !withNew.has(run.node_id));
    const { rows: lost } = await tx.query<{
      task_id: string;
      account_id: string;
      started_at: Date | null;
      fence: number;
      attempt_log: LoggedAttempt[] | null;
      claimed_at: Date;
      node_id: string;
    }>(
      `delete from dispatch where task_id = any($1::uuid[])
       returning task_id, account_id, started_at, fence, attempt_log, claimed_at, node_id`,
      [suspects.filter(({ losses }) => losses >= lossesMax).map((run) => run.task_id)],
    );
    const { rows: back } = await tx.query<{ n: number }>(
      `with back as (
       update dispatch d set
         state = case when s.task_id is not null and d.losses + 1 >= $3 then 'waiting' else 'queued' end,
         run_at = case when s.task_id is not null and d.losses + 1 >= $3
                    then now() + random() * least(300, power(2, d.losses + 1)) * interval '1 second' else d.run_at end,
         attempt_log = ${withEntry(lostEntry)}, node_id = null, claimed_at = null, attempt = d.attempt - 1,
         losses = d.losses + case when s.task_id is null then 0 else 1 end
       from dispatch r left join unnest($2::uuid[]) as s(task_id) on s.task_id = r.task_id
       where d.task_id = r.task_id and r.node_id = any($1::uuid[]) and r.state = 'running'
       returning d.platform, d.account_id, d.state
       ), queued as (select platform, account_id from back where state = 'queued'), ${markWork("queued")}
       select count(*) as n from back`,
      [ids, suspects.map((run) => run.task_id), apartFrom],
    );
    await tx.query("delete from nodes where id = any($1::uuid[])", [ids]);
    if (lost.length > 0) {
      await endLost(
        tx,
        lost.map((row) => ({
          taskId: row.task_id,
          accountId: row.account_id,
          startedAt: row.started_at,
          attempts: row.fence,
          earlier: row.attempt_log,
          last: { startedAt: row.claimed_at, nodeId: row.node_id, probe: false },
        })),
      );
    }
    return { requeued: back[0]?.n ?? 0, nodes: ids.length };
  });
}
