import type { Claimed } from "./claim.ts";
import { RunClock } from "./run-clock.ts";
import type { RunEnd, Work } from "./work.ts";

/** Why a run was aborted: its time is up, its task was canceled, the node lost its lease, the node stops. */
export type AbortCause = "timeout" | "canceled" | "lost" | "stopping";

export interface Run {
  readonly nodeId: string;
  readonly claimed: Claimed;
  readonly abortedFor: AbortCause | null;
  /** How long it waited for something scarce. */
  readonly waitedMs: number;
}

interface LiveRun extends Run {
  abortedFor: AbortCause | null;
  waitedMs: number;
  readonly controller: AbortController;
}

/** How long a platform may take to heed an abort before its run is ended without it. */
const abortGraceMs = 1000;

/** The runs in flight on this node: each with its time limit and its way to be aborted. */
export class Runs<Job, Result> {
  readonly #work: Pick<Work<Job, Result>, "run">;
  readonly #ended: (run: Run, end: RunEnd<Result>) => void;
  readonly #live = new Set<LiveRun>();
  /** The latest run of each task. A lost run may take a while to heed its abort, and its task be claimed here again. */
  readonly #latest = new Map<string, LiveRun>();
  #idle: (() => void)[] = [];

  constructor(work: Pick<Work<Job, Result>, "run">, ended: (run: Run, end: RunEnd<Result>) => void) {
    this.#work = work;
    this.#ended = ended;
  }

  get size(): number {
    return this.#live.size;
  }

  taskIds(): string[] {
    return [...this.#latest.keys()];
  }

  start(nodeId: string, claimed: Claimed, job: Job | undefined): void {
    const run: LiveRun = { nodeId, claimed, abortedFor: null, waitedMs: 0, controller: new AbortController() };
    this.#live.add(run);
    this.#latest.set(claimed.taskId, run);
    void this.#follow(run, job);
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
      this.#idle.push(resolve);
      timer = setTimeout(resolve, atMostMs);
    });
    clearTimeout(timer);
  }

  async #follow(run: LiveRun, job: Job | undefined): Promise<void> {
    const { claimed, controller } = run;
    const clock = new RunClock(claimed.runBudgetMs, () => abortRun(run, "timeout"));
    let end: RunEnd<Result>;
    if (job === undefined) {
      end = internalFault("The task's record is missing.");
    } else {
      const asked = this.#work
        .run(job, claimed, controller.signal, (turn) => clock.waiting(turn))
        .catch(() => internalFault<Result>("The service failed while it ran this task."));
      end = await Promise.race([asked, abortedAfterGrace<Result>(controller.signal)]);
    }
    clock.stop();
    run.waitedMs = clock.waitedMs;
    // Only an abort makes an end of kind aborted; a run that got its answer before the abort keeps it.
    if (run.abortedFor === "timeout" && end.kind !== "completed") end = timedOut;
    else if (run.abortedFor !== null && end.kind !== "completed") end = { kind: "aborted" };
    this.#live.delete(run);
    if (this.#latest.get(claimed.taskId) === run) this.#latest.delete(claimed.taskId);
    this.#ended(run, end);
    if (this.#live.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function abortRun(run: LiveRun, cause: AbortCause): void {
  if (run.abortedFor !== null) return;
  run.abortedFor = cause;
  run.controller.abort(new Error(cause));
}

const timedOut: RunEnd<never> = {
  kind: "failed",
  fault: { code: "run_timeout", stage: "platform", message: "The run took longer than it may.", platformStatus: null },
  retryable: true,
};

function internalFault<Result>(message: string): RunEnd<Result> {
  return {
    kind: "failed",
    fault: { code: "internal", stage: "platform", message, platformStatus: null },
    retryable: true,
  };
}

function abortedAfterGrace<Result>(signal: AbortSignal): Promise<RunEnd<Result>> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => setTimeout(() => resolve({ kind: "aborted" }), abortGraceMs).unref(), {
      once: true,
    });
  });
}
