import { racePoint } from "../../runtime/race-points.ts";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";
import { attempt } from "./attempt.ts";
import { handedBack, unreadAttempt } from "../queue/attempt-log.ts";
import type { Claimed } from "../queue/claim.ts";
import { attemptEnd, decideRetry } from "./decide-retry.ts";
import type { NodeContext } from "./node-context.ts";
import type { OutcomeReporter } from "./outcome-reporter.ts";
import type { Claimer } from "./claimer.ts";
import type { Runs } from "./runs.ts";
import type { TaskCompleter } from "./task-completer.ts";
import type { UnwrittenBytes } from "./unwritten-bytes.ts";
import { releaseCanceled, type TaskReturner } from "./task-returner.ts";
import type { Work } from "./work.ts";

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
