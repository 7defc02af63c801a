import { isTransient, type Database } from "../../db/index.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import { markForgotten } from "../queue/account-queues.ts";
import { unaskedAttempt } from "../queue/attempt-log.ts";
import type { NodeLease } from "./lease.ts";
import { abortingOf, orphanedRunsOf, type NodeTimes } from "./nodes.ts";
import type { NodeContext } from "../run/node-context.ts";
import type { Peers } from "./peers.ts";
import { expiredNodes, reap, type Lost } from "./reap.ts";
import { requeue } from "../queue/requeue.ts";
import type { QueuePoll } from "../run/queue-poll.ts";
import type { Runs } from "../run/runs.ts";
import type { TaskCompleter } from "../run/task-completer.ts";
import { releaseCanceled, type TaskReturner } from "../run/task-returner.ts";
import type { TaskEnd, Work } from "../run/work.ts";
import type { FencedRun } from "../queue/fence.ts";

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
