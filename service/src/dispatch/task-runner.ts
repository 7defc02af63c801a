import { racePoint } from "../runtime/race-points.ts";
import { sliceMs, yieldToEventLoop } from "../runtime/slices.ts";
import { attempt } from "./attempt.ts";
import { handedBack, unreadAttempt } from "./attempt-log.ts";
import type { Claimed } from "./claimed.ts";
import { attemptEnd, decideRetry } from "./decide-retry.ts";
import { releaseAborting } from "./fence.ts";
import type { NodeContext } from "./node-context.ts";
import type { OutcomeReporter } from "./outcome-reporter.ts";
import type { Runs } from "./runs.ts";
import type { TaskCompleter } from "./task-completer.ts";
import type { TaskReturner } from "./task-returner.ts";
import type { Work } from "./work.ts";

interface TaskRunnerDeps<Job, Result> {
  readonly work: Pick<Work<Job, Result>, "load" | "run">;
  readonly runs: Runs;
  readonly outcomes: OutcomeReporter;
  readonly completer: TaskCompleter<Result>;
  readonly returner: TaskReturner;
  readonly releaseSlot: (claimed: Claimed) => void;
  /** Called when a run no longer uses what its platform shares. */
  readonly leaveShared: (claimed: Claimed) => void;
  /** Called when a run ended without anything to write: it only frees a slot. */
  readonly onSlotOnly: (platform: string) => void;
  readonly random: () => number;
}

/** The path of a task through this node: claimed, run, and then completed, or returned to the queue. */
export class TaskRunner<Job, Result> {
  readonly #node: NodeContext;
  readonly #deps: TaskRunnerDeps<Job, Result>;
  /** Claimed tasks whose run has not started. */
  readonly #launching = new Set<string>();

  constructor(node: NodeContext, deps: TaskRunnerDeps<Job, Result>) {
    this.#node = node;
    this.#deps = deps;
  }

  /** Tasks that run here, or are about to. */
  taskIds(): string[] {
    return [...this.#launching, ...this.#deps.runs.taskIds()];
  }

  /** Aborts the runs of tasks that were canceled, if this node has them. */
  abort(taskIds: readonly string[]): void {
    for (const taskId of taskIds) if (!this.#launching.delete(taskId)) this.#deps.runs.abort(taskId, "canceled");
  }

  /** Frees the slots under the platforms' limits of canceled tasks whose run is no longer here. */
  async releaseAborting(): Promise<void> {
    const nodeId = this.#node.nodeId();
    if (nodeId === "") return;
    await releaseAborting(this.#node.database, nodeId, this.taskIds()).catch((error: unknown) =>
      this.#node.fault("release aborting", error),
    );
  }

  /** Starts the runs of tasks that were just claimed. */
  async launch(nodeId: string, claimed: readonly Claimed[]): Promise<void> {
    for (const { taskId } of claimed) this.#launching.add(taskId);
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
      if (this.#deps.completer.isFull || performance.now() - since > sliceMs) {
        await this.#deps.completer.room();
        await yieldToEventLoop();
        since = performance.now();
      }
      if (this.#launching.delete(task.taskId)) {
        this.#node.background.add(this.#run(nodeId, task, jobs.get(task.taskId)));
      } else {
        // Canceled before it started.
        this.#deps.releaseSlot(task);
        this.#node.background.add(this.releaseAborting());
      }
    }
  }

  async #run(nodeId: string, claimed: Claimed, job: Job | undefined): Promise<void> {
    const { work, runs, outcomes, completer, returner, random } = this.#deps;
    const { taskId, fence, platform, probe } = claimed;
    this.#node.log({ event: "task.claimed", taskId, platform, attempt: claimed.attempt });
    const run = runs.begin(nodeId, claimed);
    const running = attempt(work, run, job, () => this.#deps.leaveShared(claimed));
    // The lease was lost during the claim: this run no longer belongs to this node.
    if (nodeId !== this.#node.nodeId()) runs.abort(taskId, "lost");
    else if (!this.#node.isRunning()) runs.abort(taskId, "stopping");

    const { end, waitedMs } = await running;
    // Nothing is awaited from here until the task is handed over, so that it has an owner at any time.
    runs.end(run);
    this.#deps.releaseSlot(claimed);
    if (nodeId !== this.#node.nodeId() || run.abortedFor === "lost") {
      this.#deps.onSlotOnly(platform);
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
      this.#launching.delete(task.taskId);
      this.#deps.releaseSlot(task);
    }
    await this.#deps.returner.giveBack(
      nodeId,
      claimed.map((task) => ({ ...task, back: { kind: "lost" }, ended: unreadAttempt(task.probe) })),
    );
  }
}
