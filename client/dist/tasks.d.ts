import { type SubmitAllOptions, type SubmitOptions, type Submitted, type SubmittedChunk } from "./submissions.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { Quote, SubmissionItem, TaskAttempts, TaskRecord, TaskState, TaskSummary } from "./wire.ts";
export interface GetTaskOptions extends CallOptions {
  /** The service delays its response until the task ends, for at most this time (up to 60). */
  readonly waitSeconds?: number;
}
export interface WaitOptions<Seen> {
  readonly signal?: AbortSignal | undefined;
  /** The total time to wait. Default: until the task ends. */
  readonly timeoutMs?: number | undefined;
  /** Called with each task record received while waiting, including the last. */
  readonly onUpdate?: ((seen: Seen) => void) | undefined;
}
export interface AskOptions extends WaitOptions<TaskRecord> {
  readonly idempotencyKey?: string;
}
export interface TaskFilters {
  readonly state?: TaskState;
  readonly platformCode?: string;
  readonly batchId?: string;
  readonly tag?: string;
  readonly clientReference?: string;
  /** Part of the question. */
  readonly text?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
  /** Tasks per page. */
  readonly limit?: number;
}
export interface TaskPage {
  readonly tasks: readonly TaskSummary[];
  /** The cursor of the next page. Null after the last page. */
  readonly nextCursor: string | null;
}
export interface ReadTaskOptions extends GetTaskOptions {
  /** The `etag` of an earlier response. If the record has not changed, the result is null. */
  readonly etag?: string | undefined;
}
export interface TaskReading {
  readonly record: TaskRecord;
  /** The record's JSON, unchanged, with exact numbers. */
  readonly json: string;
  /** Identifies this version of the record, for `ReadTaskOptions.etag`. */
  readonly etag: string | undefined;
}
/** A question. The options can be omitted. */
export type Question = Omit<SubmissionItem, "options"> & Partial<Pick<SubmissionItem, "options">>;
export declare class Tasks {
  #private;
  constructor(transport: Transport);
  /**
   * Submits a batch, which is accepted or rejected as a whole. The tasks are durable when this resolves. A string is sent
   * unchanged, so that a program that stores its submissions sends the same bytes after a restart.
   */
  submit(questions: readonly Question[] | string, options?: SubmitOptions): Promise<Submitted>;
  /** Submits any number of questions in chunks, each with its own key. To resume, see `SubmitAllOptions.runKey`. */
  submitAll(
    questions: AsyncIterable<Question> | Iterable<Question>,
    options?: SubmitAllOptions,
  ): AsyncGenerator<SubmittedChunk, void, void>;
  /** Submits one question and waits until the task has ended. Check `state`: it may have failed. */
  ask(question: Question, options?: AskOptions): Promise<TaskRecord>;
  get(taskId: string, options?: GetTaskOptions): Promise<TaskRecord>;
  /** Returns the task with its exact JSON, or null if it still matches `etag`. */
  read(taskId: string, { etag, ...options }?: ReadTaskOptions): Promise<TaskReading | null>;
  /** Waits until a task has ended. Fails immediately if the task does not exist. */
  wait(taskId: string, { signal, timeoutMs, onUpdate }?: WaitOptions<TaskRecord>): Promise<TaskRecord>;
  /** Iterates over tasks without their results, newest first. */
  list(filters?: TaskFilters, options?: CallOptions): AsyncGenerator<TaskSummary, void, void>;
  /** Returns one page of tasks. */
  page(
    filters?: TaskFilters & {
      readonly cursor?: string;
    },
    options?: CallOptions,
  ): Promise<TaskPage>;
  /** Returns the attempts of a task and its waits with their reasons; for a pending task, those so far. */
  attempts(taskId: string, options?: CallOptions): Promise<TaskAttempts>;
  /** Cancels a task: a queued one does not start, a running one is aborted. It is not charged. */
  cancel(taskId: string, options?: CallOptions): Promise<TaskRecord>;
  /** Returns the evidence of a completed task, a signed zip file that `querent verify` verifies offline. */
  evidence(taskId: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the cost and the errors of a batch, without accepting it. */
  quote(questions: readonly Question[] | string, options?: CallOptions): Promise<Quote>;
}
/** True for final states. A state that this version does not know is not final. */
export declare function hasEnded(state: string): boolean;
