/**
 * The interface of the engine to the code that knows what a task is. `Job` is the question, `Result` the answer; the engine
 * does not look into either.
 */
import type { Transaction } from "../../db/index.ts";
import type { Consumption } from "../../kernel/consumption.ts";
import type { LoggedAttempt, RunFault, LastAttempt } from "../queue/attempt-log.ts";
import type { Claimed } from "../queue/claim.ts";

/** How one run ended. */
export type WorkEnd<Result> =
  /** `bytes`: the approximate size of the result in the database; it bounds what waits and what one transaction writes. */
  | { readonly kind: "completed"; readonly result: Result; readonly bytes?: number }
  | ({ readonly kind: "failed"; readonly fault: RunFault; readonly retryable: boolean } & Spent)
  | ({
      readonly kind: "throttled";
      readonly retryAfterMs: number;
      readonly platformStatus: number | null;
      /** True: the wait is the service's own and exact, not a platform's. */
      readonly ownPace?: boolean;
    } & Spent)
  /** The node lost what it ran with, such as a browser: uses up no attempt, as when a node is lost. */
  | ({ readonly kind: "lost" } & Spent)
  | { readonly kind: "aborted" };

interface Spent {
  /** What was consumed at the platform for no result. */
  readonly consumption?: Consumption | null;
}

/** The final end of a task. */
export type TaskEnd<Result> = {
  readonly taskId: string;
  readonly accountId: string;
  readonly startedAt: Date | null;
  /** The number of attempts: how often a node started to ask. */
  readonly attempts: number;
  /** The outcomes of earlier attempts; null or absent: none were recorded. */
  readonly earlier?: readonly LoggedAttempt[] | null;
  /** The attempt that ended it; null or absent: it ended while it waited. */
  readonly last?: LastAttempt | null;
} & Spent &
  (
    | { readonly state: "completed"; readonly result: Result }
    | { readonly state: "failed"; readonly fault: RunFault; readonly retryable: boolean }
    | { readonly state: "canceled" }
  );

/** Waits for a scarce resource while the run's clock is stopped. */
export type Waiting = <Turn>(turn: Promise<Turn>) => Promise<Turn>;

/** `Ended`: what a transaction that ended tasks has to tell others once it is committed. */
export interface Work<Job, Result, Ended = unknown> {
  /** Reads the questions of claimed tasks. A task that is missing in the result ends as `internal`. */
  load(claimed: readonly Claimed[]): Promise<ReadonlyMap<string, Job>>;
  /**
   * Runs one attempt. Stops when `signal` aborts. Should not throw; if it does, the task fails as `internal`. Time spent within
   * `waiting` does not count as run time. It calls `leaveShared` when it no longer uses what its platform shares with others,
   * such as a browser: then another task may start before this run ends.
   */
  run(
    job: Job,
    claimed: Claimed,
    signal: AbortSignal,
    waiting: Waiting,
    leaveShared: () => void,
  ): Promise<WorkEnd<Result>>;
  /**
   * Writes the ends of tasks: record, result, points and webhook deliveries. The engine commits the transaction right behind
   * it, and then announces what this returned.
   */
  end(tx: Transaction, ends: readonly TaskEnd<Result>[]): Promise<Ended>;
  announce(ended: Ended): void;
}
