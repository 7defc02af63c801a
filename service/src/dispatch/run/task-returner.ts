import { setTimeout as delay } from "node:timers/promises";
import { isTransient } from "../../db/index.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import { releaseAborting } from "../queue/fence.ts";
import type { Claimer, QueuePoll } from "./claimer.ts";
import type { NodeContext } from "./node-context.ts";
import type { Runs } from "./runs.ts";
import { requeue, type ReturnedRun } from "../queue/requeue.ts";

/** A run that is returned, and the platform whose queue it returns to. */
type GivenBack = ReturnedRun & { readonly platform: string };

interface TaskReturnerDeps {
  readonly runs: Runs;
  readonly claimer: Pick<Claimer, "claimRefused">;
  readonly queuePoll: Pick<QueuePoll, "wake" | "promote">;
}

/** Returns runs to the queue, however long the database is unavailable, as long as this node has its lease. */
export class TaskReturner {
  readonly #node: NodeContext;
  readonly #deps: TaskReturnerDeps;
  /** Tasks that are being returned. */
  readonly #returning = new Set<string>();

  constructor(node: NodeContext, deps: TaskReturnerDeps) {
    this.#node = node;
    this.#deps = deps;
  }

  taskIds(): string[] {
    return [...this.#returning];
  }

  /** Waits for `before` first. */
  async giveBack(nodeId: string, runs: readonly GivenBack[], before?: Promise<void>): Promise<void> {
    for (const { taskId } of runs) this.#returning.add(taskId);
    await before;
    for (let failures = 0; nodeId === this.#node.nodeId;) {
      try {
        await requeue(this.#node.database, nodeId, runs);
        break;
      } catch (error) {
        this.#node.fault("requeue", error);
        if (!isTransient(error) || (!this.#node.isRunning && failures > 5)) break;
        await delay(backoffMs(++failures, { firstMs: 50, maxMs: 2000 }));
      }
    }
    for (const { taskId } of runs) this.#returning.delete(taskId);
    await this.#returned([...new Set(runs.map(({ platform }) => platform))]);
  }

  /** The runs are back in the queue, or could not be returned. */
  async #returned(platforms: readonly string[]): Promise<void> {
    const { runs, claimer, queuePoll } = this.#deps;
    // A run that was canceled before it was returned still exists as aborting.
    await releaseCanceled(this.#node, runs);
    if (!this.#node.isRunning) return;
    claimer.claimRefused();
    queuePoll.wake(platforms);
    queuePoll.promote();
  }
}

/** Frees the slots under the platforms' limits of canceled tasks whose run is no longer here. */
export async function releaseCanceled(node: NodeContext, runs: Runs): Promise<void> {
  if (node.nodeId === "") return;
  await releaseAborting(node.database, node.nodeId, runs.taskIds()).catch((error: unknown) =>
    node.fault("release aborting", error),
  );
}
