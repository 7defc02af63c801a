import { isTransient, type Database, type Queryable, type Transaction } from "../../db/index.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import { learnPositions, markForgotten, markWork } from "../queue/account-queues.ts";
import { unaskedAttempt, lostEntry, withEntry, type LoggedAttempt, type LastAttempt } from "../queue/attempt-log.ts";
import type { NodeLease } from "./lease.ts";
import {
  abortingOf,
  orphanedRunsOf,
  lockRunsOf,
  nodeTimes,
  type NodeTimes,
  type Peers,
  type PeerRow,
} from "./nodes.ts";
import type { NodeContext } from "../run/node-context.ts";
import { requeue, lossesMax } from "../queue/queue.ts";
import type { QueuePoll } from "../run/claimer.ts";
import type { Runs } from "../run/runs.ts";
import { type TaskCompleter, releaseCanceled, type TaskReturner } from "../run/task-completer.ts";
import type { TaskEnd, Work } from "../run/work.ts";
import type { FencedRun } from "../queue/fence.ts";
import { racePoint } from "../../runtime/race-points.ts";

/** How often a node looks for queued tasks that nobody has marked. */
const forgottenEveryMs = 60_000;

interface NodeUpkeepDeps {
  readonly times: NodeTimes;
  readonly lease: NodeLease;
  readonly peers: Pick<Peers, "withoutLife">;
  readonly orphans: OrphanedRuns;
  readonly runs: Runs;
  readonly completer: Pick<TaskCompleter<never>, "taskIds">;
  readonly returner: Pick<TaskReturner, "taskIds">;
  readonly work: Pick<Work<never, never>, "end" | "announce">;
  readonly queuePoll: Pick<QueuePoll, "wakeAll">;
}

/** A node's periodic work: renews its lease, handles runs that were canceled elsewhere or orphaned, and reaps dead nodes. */
export class NodeUpkeep implements Service {
  readonly #node: NodeContext;
  readonly #deps: NodeUpkeepDeps;
  /** Separate loops: the renewal waits for nothing else. */
  readonly #loops: readonly PollLoop[];
  /** Until then no lease is judged: the server was away, and every node has the length of a lease to renew its own. */
  #judgeFrom = Number.NEGATIVE_INFINITY;
  readonly #upkeepLoop: PollLoop;

  constructor(node: NodeContext, deps: NodeUpkeepDeps) {
    this.#node = node;
    this.#deps = deps;
    const { renewEveryMs } = deps.times;
    this.#upkeepLoop = this.#loop("upkeep", renewEveryMs, () => this.#upkeep());
    this.#loops = [
      this.#loop("renew", renewEveryMs, () => this.#renew()),
      this.#upkeepLoop,
      this.#loop("mark account queues", forgottenEveryMs, () => this.#markForgotten()),
      this.#loop("reap", Math.min(2000, renewEveryMs), () => this.#judge()),
    ];
  }

  /** `alone`: no other process can use this database, so other nodes' work is taken over immediately. */
  async takeOver(alone: boolean): Promise<void> {
    await (alone ? this.#reap(true) : this.#judge()).catch((error: unknown) => this.#node.fault("reap", error));
  }

  /** Registers this process as a node. */
  async register(): Promise<void> {
    const nodeId = await this.#deps.lease.take();
    this.#node.log({ event: "node.started", nodeId });
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** Some runs were canceled elsewhere: aborts those of this node now, instead of at the next interval. */
  lookForCanceled(): void {
    this.#upkeepLoop.wake();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  #loop(doing: string, everyMs: number, look: () => Promise<void>): PollLoop {
    const faultBackoff = { firstMs: Math.min(250, everyMs), maxMs: everyMs };
    const onFault = (error: unknown) => {
      if (isTransient(error)) this.#judgeFrom = performance.now() + this.#deps.times.leaseTtlMs;
      this.#node.fault(doing, error);
    };
    return new PollLoop({ everyMs, look, onFault, faultBackoff });
  }

  /** Renews the lease, or gets a new one after it was lost. */
  async #renew(): Promise<void> {
    const { lease } = this.#deps;
    if (lease.nodeId !== "" && (await lease.renew())) return;
    if (lease.nodeId === "" && this.#node.isRunning) {
      await this.register();
      this.#deps.queuePoll.wakeAll();
    }
  }

  /** Aborts runs that were canceled elsewhere, frees their slots, and returns orphaned runs. */
  async #upkeep(): Promise<void> {
    const nodeId = this.#node.nodeId;
    if (nodeId === "") return;
    this.#deps.runs.cancel(await abortingOf(this.#node.database, nodeId));
    await releaseCanceled(this.#node, this.#deps.runs);
    await this.#returnOrphans(nodeId);
  }

  async #returnOrphans(nodeId: string): Promise<void> {
    const { runs, completer, returner } = this.#deps;
    const known = [...runs.taskIds(), ...completer.taskIds(), ...returner.taskIds()];
    const orphaned = await this.#deps.orphans.look(nodeId, known);
    if (orphaned.length === 0) return;
    await requeue(
      this.#node.database,
      nodeId,
      orphaned.map((run) => ({ ...run, back: { kind: "lost" }, ended: unaskedAttempt })),
    );
    this.#node.log({ event: "node.orphaned_runs_returned", nodeId, runs: orphaned.length });
    if (this.#node.isRunning) this.#deps.queuePoll.wakeAll();
  }

  async #markForgotten(): Promise<void> {
    const platforms = await markForgotten(this.#node.database, this.#node.nodeId);
    if (platforms.length > 0) this.#deps.queuePoll.wakeAll();
    await learnPositions(this.#node.database);
  }

  /** Takes over the work of nodes whose leases ran out while the server could be written for a whole lease. */
  async #judge(): Promise<void> {
    const { leaseTtlMs, renewEveryMs } = this.#deps.times;
    const askedAt = performance.now();
    const expired = await expiredNodes(this.#node.database, this.#node.nodeId || null);
    // A reply that took long may have been on its way when the server was frozen.
    if (performance.now() - askedAt > renewEveryMs) this.#judgeFrom = performance.now() + leaseTtlMs;
    if (expired.length === 0 || performance.now() < this.#judgeFrom) return;
    const dead = await this.#deps.peers.withoutLife(expired);
    if (dead.length > 0) await this.#reap(false, dead);
  }

  async #reap(allNodes: boolean, among?: readonly string[]): Promise<void> {
    const { work } = this.#deps;
    const written: unknown[] = [];
    const { nodes, requeued } = await reap(
      this.#node.database,
      {
        nodeId: this.#node.nodeId || null,
        allNodes,
        leaseTtlMs: this.#deps.times.leaseTtlMs,
        ...(among !== undefined && { among }),
      },
      async (tx, lost) => {
        written.push(await work.end(tx, lost.map(lostEnd)));
      },
    );
    for (const ended of written) work.announce(ended);
    if (nodes === 0) return;
    this.#node.log({ event: "node.reaped", nodes, requeued });
    this.#deps.queuePoll.wakeAll();
  }
}

function lostEnd(lost: Lost): TaskEnd<never> {
  const message = "The process that ran this task was lost too often.";
  const fault = { code: "internal", stage: "platform", message, platformStatus: null } as const;
  return { ...lost, state: "failed", fault, retryable: true };
}

/** Checks after an error: the last of them is late enough for anything that was in progress. */
const looksAfterFault = 4;

/**
 * Finds runs of this node that are in the database, but not in memory. A claim may be committed and its reply lost; while the
 * node lives, no reaper takes such a task. A run that two consecutive checks find is orphaned.
 */
export class OrphanedRuns {
  readonly #database: Database;
  /** Runs that the last check found in the database but not here, with their fences. */
  #found = new Map<string, number>();
  /** Remaining checks: some after each error, none otherwise. */
  #looks = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** An operation failed, and its outcome may be unknown. */
  suspect(): void {
    this.#looks = looksAfterFault;
  }

  /** Others take over its runs. */
  leaseLost(): void {
    this.#found.clear();
  }

  /** Runs of the node that were not `known` at this check and at the last. */
  async look(nodeId: string, known: readonly string[]): Promise<readonly FencedRun[]> {
    if (this.#looks === 0) return [];
    this.#looks--;
    const found = await orphanedRunsOf(this.#database, nodeId, known);
    const orphaned = found.filter((run) => this.#found.get(run.taskId) === run.fence);
    this.#found = new Map(found.map((run) => [run.taskId, run.fence]));
    if (found.length > 0) this.suspect();
    return orphaned;
  }
}

/** A task whose node was lost so often that it is suspected of killing nodes. */
interface Lost {
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
async function expiredNodes(db: Queryable, nodeId: string | null): Promise<PeerRow[]> {
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
    // Index: dispatch_claimed. The last heartbeat is the lease's end minus its length.
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
       returning d.platform, d.account_id, d.rank, d.task_id, d.state
       ), queued as (select platform, account_id, rank, task_id from back where state = 'queued'), ${markWork("queued")}
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
