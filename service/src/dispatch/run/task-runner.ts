import { racePoint } from "../../runtime/race-points.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { handedBack, unreadAttempt } from "../queue/attempt-log.ts";
import type { Claimed } from "../queue/claim.ts";
import { attemptEnd, decideRetry, platformFailureOf, throttledFault } from "./decide-retry.ts";
import type { NodeContext } from "./node-context.ts";
import type { Claimer, UnwrittenBytes } from "./claimer.ts";
import { abortRun, type Runs, type Run } from "./runs.ts";
import { type TaskCompleter, releaseCanceled, type TaskReturner } from "./task-completer.ts";
import type { Work, WorkEnd } from "./work.ts";
import {
  countFailure,
  countSuccess,
  endThrottle,
  noteFailure,
  pausePlatform,
  throttlePlatform,
} from "../queue/limiter.ts";

interface TaskRunnerDeps<Job, Result> {
  readonly work: Pick<Work<Job, Result>, "load" | "run">;
  readonly runs: Runs;
  readonly outcomes: OutcomeReporter;
  readonly completer: TaskCompleter<Result>;
  readonly returner: TaskReturner;
  readonly unwritten: UnwrittenBytes;
  readonly claimer: Pick<Claimer, "releaseSlot" | "leaveShared" | "slotFreed">;
  readonly random: () => number;
}

/** The path of a task through this node: claimed, run, and then completed, or returned to the queue. */
export class TaskRunner<Job, Result> {
  readonly #node: NodeContext;
  readonly #deps: TaskRunnerDeps<Job, Result>;

  constructor(node: NodeContext, deps: TaskRunnerDeps<Job, Result>) {
    this.#node = node;
    this.#deps = deps;
  }

  /** Starts the runs of tasks that were just claimed. */
  async launch(nodeId: string, claimed: readonly Claimed[]): Promise<void> {
    const { runs, unwritten, claimer } = this.#deps;
    runs.expect(claimed);
    await racePoint("claim.committed", nodeId);
    if (claimed.length === 0) return;
    let jobs: ReadonlyMap<string, Job>;
    try {
      jobs = await this.#deps.work.load(claimed);
    } catch (error) {
      this.#node.fault("load", error);
      await this.#returnUnstarted(nodeId, claimed);
      return;
    }
    let since = performance.now();
    for (const task of claimed) {
      // Runs that end immediately would otherwise end five hundred times before other work gets a turn.
      if (unwritten.isFull || performance.now() - since > sliceMs) {
        await unwritten.room();
        await yieldToEventLoop();
        since = performance.now();
      }
      if (runs.unexpect(task.taskId)) {
        this.#node.background.add(this.#run(nodeId, task, jobs.get(task.taskId)));
      } else {
        // Canceled before it started.
        claimer.releaseSlot(task);
        this.#node.background.add(releaseCanceled(this.#node, runs));
      }
    }
  }

  async #run(nodeId: string, claimed: Claimed, job: Job | undefined): Promise<void> {
    const { work, runs, outcomes, completer, returner, claimer, random } = this.#deps;
    const { taskId, fence, platform, probe } = claimed;
    this.#node.log({ event: "task.claimed", taskId, platform, attempt: claimed.attempt });
    const run = runs.begin(nodeId, claimed);
    const running = attempt(work, run, job, () => claimer.leaveShared(claimed));
    // The lease was lost during the claim: this run no longer belongs to this node.
    if (nodeId !== this.#node.nodeId) runs.abort(taskId, "lost");
    else if (!this.#node.isRunning) runs.abort(taskId, "stopping");

    const { end, waitedMs } = await running;
    // Nothing is awaited from here until the task is handed over, so that it has an owner at any time.
    runs.end(run);
    claimer.releaseSlot(claimed);
    if (nodeId !== this.#node.nodeId || run.abortedFor === "lost") {
      claimer.slotFreed(platform);
      return;
    }
    if (run.abortedFor === "stopping" && end.kind === "aborted") {
      await returner.giveBack(nodeId, [{ ...claimed, back: { kind: "handed_back" }, ended: handedBack(probe) }]);
      return;
    }
    const reported = outcomes.report(nodeId, claimed, end);
    const decision = decideRetry(claimed, end, random);
    if (decision.kind === "end") {
      const bytes = end.kind === "completed" ? (end.bytes ?? 0) : 0;
      completer.complete({ nodeId, fence, platform, probe, bytes, ...decision.end });
      return;
    }
    this.#node.log({ event: decision.event, taskId, platform, attempt: claimed.attempt });
    const given = { ...claimed, back: decision.back, ended: attemptEnd(claimed, end), waitedMs };
    // The limiter first: if it was returned before, the task could be claimed again immediately, and would not record what it
    // waits for.
    await returner.giveBack(nodeId, [given], reported);
  }

  /** As after the lost reply to a claim: at no cost, and from the second time on after a delay that grows. */
  async #returnUnstarted(nodeId: string, claimed: readonly Claimed[]): Promise<void> {
    for (const task of claimed) {
      this.#deps.runs.unexpect(task.taskId);
      this.#deps.claimer.releaseSlot(task);
    }
    await this.#deps.returner.giveBack(
      nodeId,
      claimed.map((task) => ({ ...task, back: { kind: "lost" }, ended: unreadAttempt(task.probe) })),
    );
  }
}

/** How an attempt ended, and how long it waited for a scarce resource. */
interface Attempt<Result> {
  readonly end: WorkEnd<Result>;
  readonly waitedMs: number;
}

/** How long a platform may take to react to an abort before its run is ended anyway. */
const abortGraceMs = 1000;

/** Runs a claimed task once, within its time limit. Never throws. */
async function attempt<Job, Result>(
  work: Pick<Work<Job, Result>, "run">,
  run: Run,
  job: Job | undefined,
  leaveShared: () => void,
): Promise<Attempt<Result>> {
  if (job === undefined) return { end: internalFault("The task's record is missing."), waitedMs: 0 };
  const { claimed, abort } = run;
  const clock = new RunClock(claimed.runBudgetMs, () => abortRun(run, "timeout"));
  const asked = work
    .run(job, claimed, abort.signal, (turn) => clock.waiting(turn), leaveShared)
    .catch(() => internalFault<Result>("The service failed while it ran this task."));
  const end = await Promise.race([asked, abortedAfterGrace<Result>(abort.signal)]);
  clock.stop();
  return { end: afterAbort(run, end), waitedMs: clock.waitedMs };
}

/** Only an abort causes an end of kind aborted; a run that got its answer before the abort keeps it. */
function afterAbort<Result>(run: Run, end: WorkEnd<Result>): WorkEnd<Result> {
  if (run.abortedFor === null || end.kind === "completed") return end;
  return run.abortedFor === "timeout" ? timedOut : { kind: "aborted" };
}

const timedOut: WorkEnd<never> = {
  kind: "failed",
  fault: { code: "run_timeout", stage: "platform", message: "The run took longer than it may.", platformStatus: null },
  retryable: true,
};

function internalFault<Result>(message: string): WorkEnd<Result> {
  return {
    kind: "failed",
    fault: { code: "internal", stage: "platform", message, platformStatus: null },
    retryable: true,
  };
}

function abortedAfterGrace<Result>(signal: AbortSignal): Promise<WorkEnd<Result>> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => setTimeout(() => resolve({ kind: "aborted" }), abortGraceMs).unref(), {
      once: true,
    });
  });
}

/** The maximum total time that a run may wait for scarce resources: afterwards its time is over. */
const waitMsMax = 3_600_000;

/**
 * The time limit of a run. Its clock is stopped while the run waits for a scarce resource, such as a browser, because that is
 * not the platform's time.
 */
class RunClock {
  readonly #onTimeUp: () => void;
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #waitLeftMs = waitMsMax;
  /** Since when it has been running, or stopped. */
  #since = performance.now();
  #waits = 0;
  #stopped = false;

  constructor(budgetMs: number, onTimeUp: () => void) {
    this.#leftMs = budgetMs;
    this.#onTimeUp = onTimeUp;
    this.#arm(budgetMs);
  }

  /** How long it was stopped. */
  get waitedMs(): number {
    return waitMsMax - this.#waitLeftMs + (this.#waits > 0 ? performance.now() - this.#since : 0);
  }

  /** Stops the clock until `turn` resolves. */
  async waiting<Turn>(turn: Promise<Turn>): Promise<Turn> {
    if (this.#stopped) return turn;
    if (this.#waits++ === 0) {
      this.#leftMs -= this.#passed();
      this.#arm(this.#waitLeftMs);
    }
    try {
      return await turn;
    } finally {
      if (--this.#waits === 0 && !this.#stopped) {
        this.#waitLeftMs -= this.#passed();
        this.#arm(this.#leftMs);
      }
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped = true;
  }

  #passed(): number {
    const since = this.#since;
    this.#since = performance.now();
    return this.#since - since;
  }

  #arm(inMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimeUp, Math.max(0, inMs));
  }
}

/** Reports the platforms' outcomes to their limiters. */
export class OutcomeReporter {
  readonly #node: NodeContext;
  /** Platforms that failed here since their last success. */
  readonly #failing = new Set<string>();

  constructor(node: NodeContext) {
    this.#node = node;
  }

  /**
   * Consecutive failures of a platform open its breaker; a success is reported if it failed before this run was claimed, or
   * here since. Resolves once the limiter is updated, or the report has failed.
   */
  async report(nodeId: string, claimed: Claimed, end: WorkEnd<unknown>): Promise<void> {
    const { platform, probe, platformFailing, platformThrottled } = claimed;
    const { database } = this.#node;
    if (end.kind === "throttled") {
      const fault = throttledFault(end.platformStatus);
      const pause = end.ownPace === true ? pausePlatform : throttlePlatform;
      return this.#write(pause(database, nodeId, platform, end.retryAfterMs, fault));
    }
    const writes: Promise<void>[] = [];
    const failure = platformFailureOf(end);
    if (failure !== null) {
      this.#failing.add(platform);
      writes.push(
        failure.counted
          ? countFailure(database, nodeId, platform, probe, failure.fault)
          : noteFailure(database, nodeId, platform, failure.fault),
      );
    } else if (end.kind === "completed" && (platformFailing || this.#failing.has(platform))) {
      this.#failing.delete(platform);
      writes.push(countSuccess(database, nodeId, platform));
    }
    const answered = end.kind === "completed" || (end.kind === "failed" && failure?.counted !== true);
    if (platformThrottled && answered) writes.push(endThrottle(database, nodeId, platform));
    await Promise.all(writes.map((write) => this.#write(write)));
  }

  #write(write: Promise<void>): Promise<void> {
    const written = write.catch((error: unknown) => this.#node.fault("limiter", error));
    this.#node.background.add(written);
    return written;
  }
}
