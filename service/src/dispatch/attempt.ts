import { RunClock } from "./run-clock.ts";
import { abortRun, type Run } from "./runs.ts";
import type { RunEnd, Work } from "./work.ts";

/** How an attempt ended, and how long it waited for a scarce resource. */
export interface Attempt<Result> {
  readonly end: RunEnd<Result>;
  readonly waitedMs: number;
}

/** How long a platform may take to react to an abort before its run is ended anyway. */
const abortGraceMs = 1000;

/** Runs a claimed task once, within its time limit. Never throws. */
export async function attempt<Job, Result>(
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
function afterAbort<Result>(run: Run, end: RunEnd<Result>): RunEnd<Result> {
  if (run.abortedFor === null || end.kind === "completed") return end;
  return run.abortedFor === "timeout" ? timedOut : { kind: "aborted" };
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
