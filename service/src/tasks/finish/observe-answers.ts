import type { TaskRecord } from "@querent/contract";
import type { Transaction } from "../../db/index.ts";

/** A completed task with its result, when it ends or its result is revised. */
export interface AnsweredTask extends EndedTask {
  /** The result as stored. */
  readonly resultJson: Buffer | string;
}

/** A task that ended, with or without an answer. */
export interface EndedTask {
  readonly accountId: string;
  readonly record: TaskRecord;
}

/**
 * Called in the transaction that stores the results, with the accounts whose results these may be. Reads what is needed of them, in
 * one round trip with the statements beside it, and returns what writes the observations; and of the tasks that failed what remains of them.
 */
export type ObserveAnswers = (
  tx: Transaction,
  accountIds: readonly string[],
) => Promise<(answered: readonly AnsweredTask[], failed?: readonly EndedTask[]) => Promise<void>>;
