import { setTimeout as delay } from "node:timers/promises";
import { isTransient } from "../db/index.ts";
import { backoffMs } from "../runtime/backoff.ts";
import type { NodeContext } from "./node-context.ts";
import { requeue, type ReturnedRun } from "./requeue.ts";

/** A run that is returned, and the platform whose queue it returns to. */
type GivenBack = ReturnedRun & { readonly platform: string };

/** Returns runs to the queue, however long the database is unavailable, as long as this node has its lease. */
export class TaskReturner {
  readonly #node: NodeContext;
  readonly #onReturned: (platforms: readonly string[]) => Promise<void>;
  /** Tasks that are being returned. */
  readonly #returning = new Set<string>();

  /** `onReturned`: called when runs are back in the queue, or could not be returned. */
  constructor(node: NodeContext, onReturned: (platforms: readonly string[]) => Promise<void>) {
    this.#node = node;
    this.#onReturned = onReturned;
  }

  taskIds(): string[] {
    return [...this.#returning];
  }

  /** Waits for `before` first. */
  async giveBack(nodeId: string, runs: readonly GivenBack[], before?: Promise<void>): Promise<void> {
    for (const { taskId } of runs) this.#returning.add(taskId);
    await before;
    for (let failures = 0; nodeId === this.#node.nodeId();) {
      try {
        await requeue(this.#node.database, nodeId, runs);
        break;
      } catch (error) {
        this.#node.fault("requeue", error);
        if (!isTransient(error) || (!this.#node.isRunning() && failures > 5)) break;
        await delay(backoffMs(++failures, { firstMs: 50, maxMs: 2000 }));
      }
    }
    for (const { taskId } of runs) this.#returning.delete(taskId);
    await this.#onReturned([...new Set(runs.map(({ platform }) => platform))]);
  }
}
