import type { Claimed } from "../queue/claim.ts";

/** Why a run was aborted: its time is over, its task was canceled, the node lost its lease, or the node stops. */
export type AbortCause = "timeout" | "canceled" | "lost" | "stopping";

/** A claimed task that runs on this node. */
export interface Run {
  readonly nodeId: string;
  readonly claimed: Claimed;
  readonly abort: AbortController;
  abortedFor: AbortCause | null;
}

/** The runs in flight on this node. */
export class Runs {
  readonly #live = new Set<Run>();
  /** The latest run of each task. A lost run may react to its abort late, and its task may be claimed here again. */
  readonly #latest = new Map<string, Run>();
  /** Claimed tasks whose run has not started. */
  readonly #launching = new Set<string>();
  #whenIdle: (() => void)[] = [];

  get size(): number {
    return this.#live.size;
  }

  /** The number of runs of each platform. */
  sizes(): Map<string, number> {
    const sizes = new Map<string, number>();
    for (const { claimed } of this.#live) sizes.set(claimed.platform, (sizes.get(claimed.platform) ?? 0) + 1);
    return sizes;
  }

  /** Tasks that run here, or are about to. */
  taskIds(): string[] {
    return [...this.#launching, ...this.#latest.keys()];
  }

  /** These were claimed, and are about to run. */
  expect(claimed: readonly Claimed[]): void {
    for (const { taskId } of claimed) this.#launching.add(taskId);
  }

  /** The task is not about to run any more. False: it was canceled meanwhile. */
  unexpect(taskId: string): boolean {
    return this.#launching.delete(taskId);
  }

  /** Aborts the runs of tasks that were canceled, if they are here. */
  cancel(taskIds: readonly string[]): void {
    for (const taskId of taskIds) if (!this.#launching.delete(taskId)) this.abort(taskId, "canceled");
  }

  /** They belong to others now. */
  leaseLost(): void {
    this.abortAll("lost");
  }

  begin(nodeId: string, claimed: Claimed): Run {
    const run: Run = { nodeId, claimed, abort: new AbortController(), abortedFor: null };
    this.#live.add(run);
    this.#latest.set(claimed.taskId, run);
    return run;
  }

  end(run: Run): void {
    this.#live.delete(run);
    if (this.#latest.get(run.claimed.taskId) === run) this.#latest.delete(run.claimed.taskId);
    if (this.#live.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  abort(taskId: string, cause: AbortCause): void {
    const run = this.#latest.get(taskId);
    if (run !== undefined) abortRun(run, cause);
  }

  abortAll(cause: AbortCause): void {
    for (const run of this.#live) abortRun(run, cause);
  }

  /** Resolves once no run is left, or after `atMostMs`. */
  async idle(atMostMs: number): Promise<void> {
    if (this.#live.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve);
      timer = setTimeout(resolve, atMostMs);
    });
    clearTimeout(timer);
  }
}

/** The first cause is kept. */
export function abortRun(run: Run, cause: AbortCause): void {
  if (run.abortedFor !== null) return;
  run.abortedFor = cause;
  run.abort.abort(new Error(cause));
}
