import { setTimeout as delay } from "node:timers/promises";
import { isTransient, keptPlans } from "../../db/index.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import { Batcher } from "../../runtime/batcher.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { completeFenced, releaseSlot, releaseAborting } from "../queue/fence.ts";
import type { Claimer, UnwrittenBytes, QueuePoll } from "./claimer.ts";
import type { NodeContext } from "./node-context.ts";
import type { TaskEnd, Work } from "./work.ts";
import type { Runs } from "./runs.ts";
import { requeue, type ReturnedRun } from "../queue/queue.ts";

/** The end of a run, before the fence has accepted it. */
type PendingEnd<Result> = {
  /** The node that ran it: nothing of this is written once it has lost its lease. */
  readonly nodeId: string;
  readonly fence: number;
  readonly platform: string;
  readonly probe: boolean;
  /** The size of its result. */
  readonly bytes: number;
} & TaskEnd<Result>;

interface TaskCompleterDeps<Result> {
  readonly work: Pick<Work<never, Result>, "end" | "announce">;
  readonly unwritten: UnwrittenBytes;
  readonly claimer: Pick<Claimer, "endsSettled">;
}

/**
 * Ends that arrive together are written together: at most this many, and this many bytes of results; a longer one is written
 * alone. Writing 1 MiB takes some 10 ms of the main thread, and PostgreSQL some 20 ms.
 */
const endsMax = 500;
const bytesMax = 1024 * 1024;
/** The size in bytes from which a result is long: its transaction has no short results, and only one of these runs at a time. */
const longBytes = 64 * 1024;
/** The number of concurrent transactions with short results. */
const concurrency = 2;

/**
 * Writes the ends of runs: fence, result, record, points and notification in one transaction. Ends that arrive during a
 * transaction are written in the next one. While the database is unavailable they wait here, for as long as the node's lease
 * lasts.
 */
export class TaskCompleter<Result> {
  readonly #node: NodeContext;
  readonly #deps: TaskCompleterDeps<Result>;
  readonly #batcher: Batcher<PendingEnd<Result>>;
  /** Tasks whose end waits or is being written. */
  readonly #taskIds = new Set<string>();
  #abandoned = false;

  constructor(node: NodeContext, deps: TaskCompleterDeps<Result>) {
    this.#node = node;
    this.#deps = deps;
    this.#batcher = new Batcher({
      delayMs: 0,
      itemsMax: endsMax,
      bytesMax,
      bytesOf: (end) => end.bytes,
      longBytes,
      concurrency,
      write: (ends) => this.#write(ends),
    });
  }

  taskIds(): string[] {
    return [...this.#taskIds];
  }

  /** Writes the end of a task, in the background. */
  complete(end: PendingEnd<Result>): void {
    this.#deps.unwritten.add(end.bytes);
    this.#taskIds.add(end.taskId);
    void this.#batcher.add(end);
  }

  /** Resolves once nothing waits or is in progress. */
  idle(): Promise<void> {
    return this.#batcher.flush();
  }

  /** Gives up what cannot be written, at the very end. */
  abandon(): void {
    this.#abandoned = true;
  }

  async #write(ends: readonly PendingEnd<Result>[]): Promise<readonly void[]> {
    const { nodeId } = this.#node;
    await this.#writeOwn(
      nodeId,
      ends.filter((end) => end.nodeId === nodeId),
    );
    for (const { taskId } of ends) this.#taskIds.delete(taskId);
    this.#deps.unwritten.remove(ends.reduce((sum, { bytes }) => sum + bytes, 0));
    this.#deps.claimer.endsSettled(new Set(ends.map(({ platform }) => platform)));
    return ends.map(() => undefined);
  }

  /** Retries until they are written, or cannot be, or no longer belong to this node. */
  async #writeOwn(nodeId: string, ends: readonly PendingEnd<Result>[]): Promise<void> {
    let isReplaced = false;
    for (let failures = 0; ends.length > 0 && !this.#abandoned && nodeId === this.#node.nodeId;) {
      try {
        const committed = await this.#commit(nodeId, ends);
        await racePoint("finish.committed", nodeId);
        if (committed !== null) this.#deps.work.announce(committed.ended);
        return;
      } catch (error) {
        this.#node.fault("complete", error);
        const [first, ...others] = ends;
        if (isTransient(error)) {
          await delay(backoffMs(++failures, { firstMs: 50, maxMs: 2000 }));
        } else if (others.length > 0) {
          // One of them cannot be written: find it, so that it does not affect the others.
          for (const end of ends) await this.#writeOwn(nodeId, [end]);
          return;
        } else if (first !== undefined && first.state !== "canceled" && !isReplaced) {
          ends = [unwritable(first)];
          isReplaced = true;
        } else {
          return;
        }
      }
    }
  }

  /** Returns what to announce after the commit; null if none of the tasks still belonged to this node. */
  #commit(nodeId: string, batch: readonly PendingEnd<Result>[]): Promise<{ readonly ended: unknown } | null> {
    return this.#node.database.transaction(
      async (tx) => {
        await racePoint("finish.before_fence", nodeId);
        const fenced = await completeFenced(tx, nodeId, batch);
        await racePoint("finish.fenced", nodeId);
        const ends = batch.flatMap((end): TaskEnd<Result>[] => {
          const own = fenced.get(end.taskId);
          if (own === undefined) return [];
          const last = { startedAt: own.claimedAt, nodeId, probe: end.probe };
          return [{ ...end, startedAt: own.startedAt, earlier: own.earlier, last }];
        });
        if (ends.length < batch.length) {
          await releaseSlot(
            tx,
            nodeId,
            batch.filter((end) => !fenced.has(end.taskId)).map((end) => end.taskId),
          );
        }
        return ends.length > 0 ? { ended: await this.#deps.work.end(tx, ends) } : null;
      },
      { settings: keptPlans },
    );
  }
}

/** Converts an end whose result the database rejects to a failure: the task must end. */
function unwritable<Result>(end: PendingEnd<Result>): PendingEnd<Result> {
  const { nodeId, taskId, accountId, fence, platform, probe, bytes, startedAt, attempts } = end;
  return {
    ...{ nodeId, taskId, accountId, fence, platform, probe, bytes, startedAt, attempts },
    state: "failed",
    fault: { code: "internal", stage: "parse", message: "The result could not be stored.", platformStatus: null },
    retryable: true,
  };
}

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
