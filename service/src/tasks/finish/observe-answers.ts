import type { TaskRecord } from "@querent/contract";
import type { Transaction } from "../../db/index.ts";

/** A completed task with its result, when it ends or its result is revised. */
export interface AnsweredTask {
  readonly accountId: string;
  readonly record: TaskRecord;
  /** The result as stored. */
  readonly resultJson: Buffer | string;
}

/**
 * Called in the transaction that stores the results, with the accounts whose results these may be. Reads what is needed of them, in
 * one round trip with the statements beside it, and returns what writes the observations.
 */
export type ObserveAnswers = (
  tx: Transaction,
  accountIds: readonly string[],
) => Promise<(answered: readonly AnsweredTask[]) => Promise<void>>;
