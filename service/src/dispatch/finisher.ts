import { isTransient, type Database } from "../db/index.ts";
import { racePoint } from "../runtime/race-points.ts";
import { letGo, takeOut } from "./fence.ts";
import type { TaskEnd, Work } from "./work.ts";

/** The end of a run, before the fence has let it through. */
export type PendingEnd<Result> = {
  readonly fence: number;
  readonly platform: string;
  readonly probe: boolean;
  /** Of its result. */
  readonly bytes: number;
} & TaskEnd<Result>;

interface FinisherDeps<Result> {
  database: Database;
  nodeId: () => string;
  waitingBytesMax: number;
  work: Pick<Work<never, Result>, "end">;
  /** Told when ends are settled, one way or another: their places are free. */
  settled: (ends: readonly PendingEnd<Result>[]) => void;
  onError: (error: unknown, taskIds: readonly string[]) => void;
}

/**
 * Ends that come together are written together: this many at most, and results of so many bytes; a longer one goes alone. Writing 4 MiB
 * takes some 50 ms of the main thread. A thousand results of 1 MiB in two transactions took it for 20 s, in which the lease ran out.
 */
const batchMax = 500;
const batchBytesMax = 4 * 1024 * 1024;
/** From so many bytes on a result is long: short ones are written before it, whoever came first. */
const longBytes = 64 * 1024;
const flushesMax = 2;

/**
 * Writes the ends of runs: fence, result, record, points and notification in one transaction. Ends that arrive while a
 * transaction is under way go into the next one. While the database is away they wait here; the node's lease bounds that.
 */
export class Finisher<Result> {
  readonly #deps: FinisherDeps<Result>;
  #short: PendingEnd<Result>[] = [];
  #long: PendingEnd<Result>[] = [];
  /** Tasks whose end waits or is being written. */
  readonly #inHand = new Set<string>();
  #flushing = 0;
  #waitingBytes = 0;
  #roomWaiters: (() => void)[] = [];
  #idle: (() => void)[] = [];
  #dropped = false;

  constructor(deps: FinisherDeps<Result>) {
    this.#deps = deps;
  }

  taskIds(): string[] {
    return [...this.#inHand];
  }

  /** Bytes of results that wait or are being written. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get isFull(): boolean {
    return this.#waitingBytes >= this.#deps.waitingBytesMax;
  }

  /** Resolves when it is not full, or not full to this part. */
  async room(part = 1): Promise<void> {
    while (this.#waitingBytes >= this.#deps.waitingBytesMax * part)
      await new Promise<void>((resolve) => this.#roomWaiters.push(resolve));
  }

  push(end: PendingEnd<Result>): void {
    this.#waitingBytes += end.bytes;
    (end.bytes < longBytes ? this.#short : this.#long).push(end);
    this.#inHand.add(end.taskId);
    // Not at once: ends of the same turn of the event loop belong together.
    if (this.#flushing < flushesMax) setImmediate(() => void this.#flush());
  }

  /** Resolves once nothing waits or is under way. */
  idle(): Promise<void> {
    if (this.#waits === 0 && this.#flushing === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Forgets what waits: the node has lost its lease, and nothing of it may be written. */
  drop(): void {
    const dropped = [...this.#short, ...this.#long];
    this.#short = [];
    this.#long = [];
    if (dropped.length > 0) this.#settled(dropped);
  }

  /** Gives up on what can't be written, at the very end. */
  abandon(): void {
    this.#dropped = true;
    this.drop();
  }

  get #waits(): number {
    return this.#short.length + this.#long.length;
  }

  async #flush(): Promise<void> {
    if (this.#flushing >= flushesMax || this.#waits === 0) return;
    this.#flushing++;
    const batch = this.#takeBatch();
    await this.#write(batch);
    this.#flushing--;
    if (this.#waits > 0) void this.#flush();
    else if (this.#flushing === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The short ones first, so that nobody's wait for another's long ones; then one long one, and more where they fit. */
  #takeBatch(): PendingEnd<Result>[] {
    const short = this.#short.splice(0, fitting(this.#short, batchBytesMax));
    const left = batchBytesMax - bytesOf(short);
    return [...short, ...this.#long.splice(0, Math.max(1, fitting(this.#long, left)))];
  }

  async #write(batch: readonly PendingEnd<Result>[]): Promise<void> {
    const nodeId = this.#deps.nodeId();
    for (let failures = 0; !this.#dropped && nodeId === this.#deps.nodeId(); failures++) {
      try {
        const committed = await this.#commit(nodeId, batch);
        await racePoint("finish.committed", nodeId);
        committed?.();
        this.#settled(batch);
        return;
      } catch (error) {
        this.#deps.onError(
          error,
          batch.map((end) => end.taskId),
        );
        if (isTransient(error)) {
          await new Promise((resolve) => setTimeout(resolve, Math.min(2000, 50 * 2 ** failures)));
        } else if (batch.length > 1) {
          // One of them can't be written: find it, so that it takes no other down.
          for (const end of batch) await this.#write([end]);
          return;
        } else if (failures === 0 && batch[0] !== undefined && batch[0].state !== "canceled") {
          batch = [unwritable(batch[0])];
        } else {
          break;
        }
      }
    }
    this.#settled(batch);
  }

  #settled(batch: readonly PendingEnd<Result>[]): void {
    for (const end of batch) {
      this.#inHand.delete(end.taskId);
      this.#waitingBytes -= end.bytes;
    }
    for (const resolve of this.#roomWaiters.splice(0)) resolve();
    this.#deps.settled(batch);
  }

  /** Returns what to call now that it is committed; null: none of them was this node's any more. */
  #commit(nodeId: string, batch: readonly PendingEnd<Result>[]): Promise<(() => void) | null> {
    return this.#deps.database.transaction(async (tx) => {
      await racePoint("finish.before_fence", nodeId);
      const taken = await takeOut(tx, nodeId, batch);
      await racePoint("finish.fenced", nodeId);
      const ends = batch.flatMap((end): TaskEnd<Result>[] => {
        const mine = taken.get(end.taskId);
        if (mine === undefined) return [];
        const last = { startedAt: mine.claimedAt, nodeId, probe: end.probe };
        return [{ ...end, startedAt: mine.startedAt, earlier: mine.earlier, last }];
      });
      if (ends.length < batch.length) {
        await letGo(
          tx,
          nodeId,
          batch.filter((end) => !taken.has(end.taskId)).map((end) => end.taskId),
        );
      }
      return ends.length > 0 ? this.#deps.work.end(tx, ends) : null;
    });
  }
}

const bytesOf = (ends: readonly PendingEnd<unknown>[]): number => ends.reduce((sum, { bytes }) => sum + bytes, 0);

/** How many of the first ends go into one transaction. */
function fitting(ends: readonly PendingEnd<unknown>[], bytesMax: number): number {
  let count = 0;
  for (let bytes = 0; count < Math.min(batchMax, ends.length); count++) {
    bytes += ends[count]?.bytes ?? 0;
    if (bytes > bytesMax) break;
  }
  return count;
}

/** An end whose result the database refuses, as a failure instead: the task must end. */
function unwritable<Result>(end: PendingEnd<Result>): PendingEnd<Result> {
  return {
    taskId: end.taskId,
    fence: end.fence,
    platform: end.platform,
    probe: end.probe,
    bytes: end.bytes,
    startedAt: end.startedAt,
    attempts: end.attempts,
    state: "failed",
    fault: { code: "internal", stage: "parse", message: "The result could not be stored.", platformStatus: null },
    retryable: true,
  };
}
