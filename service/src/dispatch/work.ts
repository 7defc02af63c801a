/** What the engine needs from those who know what a task is. `Job` is the question, `Result` the answer; the engine looks into neither. */
import type { FailureCode, FailureStage } from "@querent/contract";
import type { Transaction } from "../db/index.ts";
import type { LoggedAttempt } from "./attempt-log.ts";
import type { Claimed } from "./claimed.ts";

export interface RunFault {
  readonly code: FailureCode;
  readonly stage: FailureStage;
  readonly message: string;
  readonly platformStatus: number | null;
}

/** How one run ended. */
export type RunEnd<Result> =
  /** `bytes`: what the result takes in the database, about; it bounds what waits and what one transaction writes. */
  | { readonly kind: "completed"; readonly result: Result; readonly bytes?: number }
  | { readonly kind: "failed"; readonly fault: RunFault; readonly retryable: boolean }
  | { readonly kind: "throttled"; readonly retryAfterMs: number; readonly platformStatus: number | null }
  /** The node lost what it ran with, such as a browser: nothing is spent, as when a node is lost. */
  | { readonly kind: "lost" }
  | { readonly kind: "aborted" };

export interface LastAttempt {
  readonly startedAt: Date;
  readonly nodeId: string;
  readonly probe: boolean;
}

/** How a task ended, for good. */
export type TaskEnd<Result> = {
  readonly taskId: string;
  readonly startedAt: Date | null;
  /** Attempts made: how often a node began to ask. */
  readonly attempts: number;
  /** What came of those before the last; null or left out: nothing that was kept. */
  readonly earlier?: readonly LoggedAttempt[] | null;
  /** The attempt that ended it; null or left out: it ended while it waited. */
  readonly last?: LastAttempt | null;
} & (
  | { readonly state: "completed"; readonly result: Result }
  | { readonly state: "failed"; readonly fault: RunFault; readonly retryable: boolean }
  | { readonly state: "canceled" }
);

/** Waits for the turn at something scarce, while the run's clock stands still. */
export type Waiting = <Turn>(turn: Promise<Turn>) => Promise<Turn>;

export interface Work<Job, Result> {
  /** Reads what the claimed tasks ask. A task that is missing in the answer ends as `internal`. */
  load(claimed: readonly Claimed[]): Promise<ReadonlyMap<string, Job>>;
  /**
   * Runs one attempt. Stops when `signal` aborts. Should not throw; if it does, the task fails as `internal`. What it waits for within
   * `waiting` does not count against its time.
   */
  run(job: Job, claimed: Claimed, signal: AbortSignal, waiting: Waiting): Promise<RunEnd<Result>>;
  /**
   * Writes the ends of tasks: record, result, points and webhook deliveries. The engine commits the transaction right behind it, and
   * then calls what it returns.
   */
  end(tx: Transaction, ends: readonly TaskEnd<Result>[]): Promise<() => void>;
}
