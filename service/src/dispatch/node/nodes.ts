import { newId } from "../../kernel/ids.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import { markWork } from "../queue/account-queues.ts";
import { attemptOfRow, handedBack, withEntry } from "../queue/attempt-log.ts";
import type { FencedRun } from "../queue/fence.ts";
import type { PeerAddress } from "./peers.ts";

export interface NodeTimes {
  /** A node that has not renewed its lease for this time, by the database's clock, is dead if no other node knows better. */
  readonly leaseTtlMs: number;
  readonly renewEveryMs: number;
}

export const nodeTimes: NodeTimes = { leaseTtlMs: 15_000, renewEveryMs: 5_000 };

/** Registers this process as a node and returns its id. */
export async function registerNode(
  database: Queryable,
  input: { name: string; version: string; leaseTtlMs: number; peer?: PeerAddress | null },
): Promise<string> {
  const id = newId();
  await database.query(
    `insert into nodes (id, name, version, lease_until, peer_url, peer_key)
     values ($1, $2, $3, now() + $4 * interval '1 millisecond', $5, $6)`,
    [id, input.name, input.version, input.leaseTtlMs, input.peer?.url ?? null, input.peer?.key ?? null],
  );
  return id;
}

/**
 * Renews a node's lease. False: others have taken over the node's work, and it must not continue. A lease that has expired is
 * renewed all the same while nobody has: a reaper deletes the node's row in the transaction that takes its work.
 */
export async function renewLease(database: Queryable, nodeId: string, leaseTtlMs: number): Promise<boolean> {
  const { rowCount } = await database.query(
    "update nodes set lease_until = now() + $2 * interval '1 millisecond' where id = $1",
    [nodeId, leaseTtlMs],
  );
  return rowCount === 1;
}

/**
 * Removes a node. Its runs return to the queue in the same transaction, at no cost: without the node's row no reaper would find
 * them.
 */
export async function removeNode(database: Database, nodeId: string): Promise<void> {
  await database.transaction(async (tx) => {
    // Locks: the node's row, so that none of its claims is in progress; its dispatch rows; then their account queues.
    await tx.query("select from nodes where id = $1 for update", [nodeId]);
    await lockRunsOf(tx, [nodeId]);
    await tx.query("delete from dispatch where node_id = $1 and state = 'aborting'", [nodeId]);
    await tx.query(
      `with queued as (
       update dispatch d set state = 'queued', attempt = d.attempt - 1,
         attempt_log = ${withEntry(`${attemptOfRow} || $2::jsonb || '{"wait": "queued"}'`)}, node_id = null, claimed_at = null
       where node_id = $1 and state = 'running' returning platform, account_id, rank, task_id
       ), ${markWork("queued")} select`,
      [nodeId, JSON.stringify(handedBack(false))],
    );
    await tx.query("delete from nodes where id = $1", [nodeId]);
  });
}

/**
 * Locks the runs of nodes, in the order of the ids, before they are returned. It waits for concurrent cancellations and then
 * sees their result: otherwise a row would be skipped as running, become `aborting`, and keep its slot forever.
 */
export async function lockRunsOf(tx: Transaction, nodeIds: readonly string[]): Promise<void> {
  // Index: dispatch_claimed, of which this is a part: at most what the platforms allow to run concurrently.
  await tx.query(
    `select from dispatch where node_id = any($1::uuid[]) and state in ('running', 'aborting') order by task_id for update`,
    [nodeIds],
  );
}

/** Runs of this node in the database that are not among the tasks it knows. */
export async function orphanedRunsOf(
  database: Database,
  nodeId: string,
  known: readonly string[],
): Promise<FencedRun[]> {
  // Index: dispatch_claimed, of which this is a part: at most what the platforms allow to run concurrently.
  const { rows } = await database.query<{ task_id: string; fence: number }>(
    "select task_id, fence from dispatch where node_id = $1 and state = 'running' and not task_id = any($2::uuid[])",
    [nodeId, known],
  );
  return rows.map((row) => ({ taskId: row.task_id, fence: row.fence }));
}

/** Tasks of this node that were canceled elsewhere: their runs must be aborted. */
export async function abortingOf(database: Database, nodeId: string): Promise<string[]> {
  const { rows } = await database.query<{ task_id: string }>(
    "select task_id from dispatch where node_id = $1 and state = 'aborting'",
    [nodeId],
  );
  return rows.map((row) => row.task_id);
}
