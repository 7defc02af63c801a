import { type Submitted } from "./submissions.ts";
import type { WaitOptions } from "./tasks.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { BatchCancellation, BatchPage, BatchRecord, TaskRecord } from "./wire.ts";
export interface BatchFilters {
  readonly createdFrom?: string;
  readonly createdBefore?: string;
  /** Batches per page. */
  readonly limit?: number;
}
export interface ResultsOptions extends CallOptions {
  /** Only tasks that ended at this time or later. */
  readonly endedFrom?: string | undefined;
}
export declare class Batches {
  #private;
  constructor(transport: Transport);
  get(batchId: string, options?: CallOptions): Promise<BatchRecord>;
  /** Iterates over the account's batches, newest first. */
  list(filters?: BatchFilters, options?: CallOptions): AsyncGenerator<BatchRecord, void, void>;
  /** Returns one page of batches. */
  page(
    filters?: BatchFilters & {
      readonly cursor?: string;
    },
    options?: CallOptions,
  ): Promise<BatchPage>;
  /** Waits until every task of the batch has ended. */
  wait(batchId: string, { signal, timeoutMs, onUpdate }?: WaitOptions<BatchRecord>): Promise<BatchRecord>;
  /**
   * Iterates over the records of the batch's tasks, in the order of the submission. Tasks that have not ended are `pending`.
   * If the connection breaks, it continues where it stopped.
   */
  results(
    batchId: string,
    { signal, maxRetries, timeoutMs, endedFrom }?: ResultsOptions,
  ): AsyncGenerator<TaskRecord, void, unknown>;
  /**
   * Submits the failed tasks of a finished batch again, as one new batch. Null if none failed. Called again for the same
   * batch, it returns the same new batch, so nothing is charged twice. The new tasks have the options, tags, reference,
   * priority, webhook URL and run timeout of the old ones, but not their `notBefore` and `startBefore`.
   */
  retryFailed(batchId: string, options?: CallOptions): Promise<Submitted | null>;
  /** Cancels the unfinished tasks of the batch. */
  cancel(batchId: string, options?: CallOptions): Promise<BatchCancellation>;
}
