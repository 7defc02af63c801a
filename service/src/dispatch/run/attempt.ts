import { abortRun, type Run } from "./runs.ts";
import type { WorkEnd, Work } from "./work.ts";

/** How an attempt ended, and how long it waited for a scarce resource. */
interface Attempt<Result> {
  readonly end: WorkEnd<Result>;
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
