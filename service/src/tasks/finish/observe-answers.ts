import type { TaskRecord } from "@querent/contract";
import type { Transaction } from "../../db/index.ts";

/** A completed task with its result, when it ends or its result is revised. */
export interface AnsweredTask {
  readonly accountId: string;
  readonly record: TaskRecord;
  /** The result as stored. */
  readonly resultJson: Buffer | string;
}

/** Called in the transaction that stores the results. */
export type ObserveAnswers = (tx: Transaction, answered: readonly AnsweredTask[]) => Promise<void>;
