import { jittered, sleep } from "./backoff.ts";
import { WaitTimeoutError } from "./errors.ts";
import { paged } from "./paged.ts";
import {
  submit,
  submitAll,
  type SubmitAllOptions,
  type SubmitOptions,
  type Submitted,
  type SubmittedChunk,
} from "./submissions.ts";
import type { Call, CallOptions, Transport } from "./transport.ts";
import type { Quote, SubmissionItem, TaskAttempts, TaskRecord, TaskState, TaskSummary } from "./wire.ts";

export interface GetTaskOptions extends CallOptions {
  /** Let the service hold its answer until the task ends, for so long at most (up to 60). */
  readonly waitSeconds?: number;
}

export interface WaitOptions<Seen> {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait altogether; for ever when left out. */
  readonly timeoutMs?: number | undefined;
  /** Each state that was seen while waiting, the last one included. */
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
  /** Tasks a page. */
  readonly limit?: number;
}

export interface TaskPage {
  readonly tasks: readonly TaskSummary[];
  /** Where the next page begins; null after the last. */
  readonly nextCursor: string | null;
}

export interface ReadTaskOptions extends GetTaskOptions {
  /** `etag` of an earlier reading: null is the answer when nothing has changed since. */
  readonly etag?: string | undefined;
}

export interface TaskReading {
  readonly record: TaskRecord;
  /** The record's JSON as the service wrote it, every number exact. */
  readonly json: string;
  /** Names this state of the record; for `ReadTaskOptions.etag`. */
  readonly etag: string | undefined;
}

/** A question: the options may be left out. */
export type Question = Omit<SubmissionItem, "options"> & Partial<Pick<SubmissionItem, "options">>;

const holdSeconds = 25;
const waitBackoff = { firstMs: 500, mostMs: 15_000 };

export class Tasks {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Submits a batch. It is accepted whole or refused whole; the tasks are durable when this resolves. Text is sent as it is:
   * a program that keeps what it is about to send sends the same bytes when it is started again.
   */
  submit(questions: readonly Question[] | string, options: SubmitOptions = {}): Promise<Submitted> {
    return submit(this.#transport, bodyOf(questions), options);
  }

  /** Submits any number of questions in chunks, each under a key of its own. See `SubmitAllOptions.runKey` for resuming. */
  submitAll(
    questions: AsyncIterable<Question> | Iterable<Question>,
    options: SubmitAllOptions = {},
  ): AsyncGenerator<SubmittedChunk, void, void> {
    return submitAll(this.#transport, items(questions), options);
  }

  /** Submits one question and waits for its end, whatever that is: look at `state`. */
  async ask(question: Question, options: AskOptions = {}): Promise<TaskRecord> {
    const { idempotencyKey, signal } = options;
    const submitted = await this.submit([question], {
      signal,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    return this.wait(submitted.tasks[0]?.taskId ?? "", options);
  }

  async get(taskId: string, options: GetTaskOptions = {}): Promise<TaskRecord> {
    return (await this.#transport.json<TaskRecord>(this.#reading(taskId, options))).body;
  }

  /** The task with its exact JSON; null when it is still what `etag` names. */
  async read(taskId: string, { etag, ...options }: ReadTaskOptions = {}): Promise<TaskReading | null> {
    const reply = await this.#transport.unlessChanged<TaskRecord>({ ...this.#reading(taskId, options), etag });
    if (reply === null) return null;
    return { record: reply.body, json: reply.text, etag: reply.headers.get("etag") ?? undefined };
  }

  #reading(taskId: string, { waitSeconds = 0, ...options }: GetTaskOptions): Call {
    return {
      ...options,
      method: "GET",
      path: `/v1/tasks/${encodeURIComponent(taskId)}`,
      ...(waitSeconds > 0 ? { headers: { prefer: `wait=${Math.ceil(waitSeconds)}` } } : {}),
      // The answer is held on purpose: that time comes on top.
      timeoutMs: (options.timeoutMs ?? this.#transport.timeoutMs) + Math.ceil(waitSeconds) * 1000,
      repeat: "always",
    };
  }

  /** Waits until a task has ended. A task that is not there is an error at once, not something to wait for. */
  async wait(taskId: string, { signal, timeoutMs = Infinity, onUpdate }: WaitOptions<TaskRecord> = {}) {
    const deadline = performance.now() + timeoutMs;
    for (let quick = 0; ;) {
      const leftMs = deadline - performance.now();
      const askedAt = performance.now();
      const waitSeconds = Math.max(0, Math.min(holdSeconds, leftMs / 1000));
      const late = () =>
        new WaitTimeoutError(`Task ${taskId} has not ended within ${timeoutMs} ms; it goes on.`, taskId);
      const reading = { ...this.#reading(taskId, { waitSeconds, signal }), deadline };
      const { body: record } = await this.#transport.json<TaskRecord>(reading).catch((error: unknown) => {
        throw performance.now() >= deadline ? late() : error;
      });
      onUpdate?.(record);
      if (hasEnded(record.state)) return record;
      if (performance.now() >= deadline) throw late();
      // An answer that was not held, or has a state that this version does not know, must not become a hot loop.
      quick = record.state === "pending" && performance.now() - askedAt > 1_000 ? 0 : quick + 1;
      if (quick > 0) {
        const pauseMs = Math.max(100, jittered(quick, waitBackoff, this.#transport.random));
        await sleep(Math.min(pauseMs, Math.max(0, deadline - performance.now())), signal);
      }
    }
  }

  /** Tasks without their results, newest first, over all pages. */
  list(filters: TaskFilters = {}, options: CallOptions = {}): AsyncGenerator<TaskSummary, void, void> {
    return paged(this.#transport, "/v1/tasks", { ...filters }, options, "tasks");
  }

  /** One page of them. */
  async page(filters: TaskFilters & { readonly cursor?: string } = {}, options: CallOptions = {}): Promise<TaskPage> {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/tasks", query, repeat: "always" } as const;
    return (await this.#transport.json<TaskPage>(call)).body;
  }

  /** Every attempt of a task and every wait with its reason; of a pending task, those so far. */
  async attempts(taskId: string, options: CallOptions = {}): Promise<TaskAttempts> {
    const path = `/v1/tasks/${encodeURIComponent(taskId)}/attempts`;
    return (await this.#transport.json<TaskAttempts>({ ...options, method: "GET", path, repeat: "always" })).body;
  }

  /** A queued task does not start, a running one is aborted; it costs nothing. */
  async cancel(taskId: string, options: CallOptions = {}): Promise<TaskRecord> {
    const { body } = await this.#transport.json<TaskRecord>({
      ...options,
      method: "POST",
      path: `/v1/tasks/${encodeURIComponent(taskId)}/cancellation`,
      repeat: "refused",
    });
    return body;
  }

  /** The signed zip that proves what a completed task's answer was; `querent verify` checks it offline. */
  async evidence(taskId: string, options: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const path = `/v1/tasks/${encodeURIComponent(taskId)}/evidence`;
    return this.#transport.bytes({ ...options, method: "GET", path, repeat: "always" }, "application/zip");
  }

  /** What a batch would cost, and what is wrong with it. Nothing is accepted. */
  async quote(questions: readonly Question[] | string, options: CallOptions = {}): Promise<Quote> {
    const { body } = await this.#transport.json<Quote>({
      ...options,
      method: "POST",
      path: "/v1/tasks/quote",
      body: bodyOf(questions),
      repeat: "always",
    });
    return body;
  }
}

/** True for the states that are final. One that this version does not know is not taken for an end. */
export function hasEnded(state: string): boolean {
  return state === "completed" || state === "failed" || state === "canceled";
}

const bodyOf = (questions: readonly Question[] | string): string =>
  typeof questions === "string" ? questions : JSON.stringify(questions.map(itemOf));

const itemOf = (question: Question): SubmissionItem => ({ ...question, options: question.options ?? {} });

async function* items(questions: AsyncIterable<Question> | Iterable<Question>) {
  for await (const question of questions) yield itemOf(question);
}
