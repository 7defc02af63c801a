import type { InProject } from "./projects.ts";
import { jittered, sleep } from "./backoff.ts";
import { WaitTimeoutError } from "./errors.ts";
import { paged } from "./paged.ts";
import type { optionFilters } from "./question-options.ts";
import {
  submit,
  submitAll,
  type SubmitAllOptions,
  type SubmitOptions,
  type Submitted,
  type SubmittedChunk,
} from "./submissions.ts";
import type { Call, CallOptions, Transport } from "./transport.ts";
import type { PageEvidence, Quote, SubmissionItem, TaskAttempts, TaskRecord, TaskState, TaskSummary } from "./wire.ts";

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

/** Members of the requested options, such as `country: "DE"`. */
type OptionFilters = { readonly [Name in (typeof optionFilters)[number]["name"]]?: string };

export interface TaskFilters extends OptionFilters, InProject {
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

const holdSeconds = 25;
const waitBackoff = { firstMs: 500, mostMs: 15_000 };

export class Tasks {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Submits a batch, which is accepted or rejected as a whole. The tasks are durable when this resolves. A string is sent
   * unchanged, so that a program that stores its submissions sends the same bytes after a restart.
   */
  submit(questions: readonly Question[] | string, options: SubmitOptions = {}): Promise<Submitted> {
    return submit(this.#transport, bodyOf(questions), options);
  }

  /** Submits any number of questions in chunks, each with its own key. To resume, see `SubmitAllOptions.runKey`. */
  submitAll(
    questions: AsyncIterable<Question> | Iterable<Question>,
    options: SubmitAllOptions = {},
  ): AsyncGenerator<SubmittedChunk, void, void> {
    return submitAll(this.#transport, items(questions), options);
  }

  /** Submits one question and waits until the task has ended. Check `state`: it may have failed. */
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

  /** Returns the task with its exact JSON, or null if it still matches `etag`. */
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
      // The service delays the response by this time.
      timeoutMs: (options.timeoutMs ?? this.#transport.timeoutMs) + Math.ceil(waitSeconds) * 1000,
      repeat: "always",
    };
  }

  /** Waits until a task has ended. Fails immediately if the task does not exist. */
  async wait(taskId: string, { signal, timeoutMs = Infinity, onUpdate }: WaitOptions<TaskRecord> = {}) {
    const deadline = performance.now() + timeoutMs;
    for (let quick = 0; ;) {
      const leftMs = deadline - performance.now();
      const askedAt = performance.now();
      const waitSeconds = Math.max(0, Math.min(holdSeconds, leftMs / 1000));
      const late = () =>
        new WaitTimeoutError(`Task ${taskId} has not ended within ${timeoutMs} ms. It continues.`, taskId);
      const reading = { ...this.#reading(taskId, { waitSeconds, signal }), deadline };
      const { body: record } = await this.#transport.json<TaskRecord>(reading).catch((error: unknown) => {
        throw performance.now() >= deadline ? late() : error;
      });
      onUpdate?.(record);
      if (hasEnded(record.state)) return record;
      if (performance.now() >= deadline) throw late();
      // Avoids a busy loop if the response was not delayed, or has a state that this version does not know.
      quick = record.state === "pending" && performance.now() - askedAt > 1_000 ? 0 : quick + 1;
      if (quick > 0) {
        const pauseMs = Math.max(100, jittered(quick, waitBackoff, this.#transport.random));
        await sleep(Math.min(pauseMs, Math.max(0, deadline - performance.now())), signal);
      }
    }
  }

  /** Iterates over tasks without their results, newest first. */
  list(filters: TaskFilters = {}, options: CallOptions = {}): AsyncGenerator<TaskSummary, void, void> {
    return paged(this.#transport, "/v1/tasks", { ...filters }, options, "tasks");
  }

  /** Returns one page of tasks. */
  async page(filters: TaskFilters & { readonly cursor?: string } = {}, options: CallOptions = {}): Promise<TaskPage> {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/tasks", query, repeat: "always" } as const;
    return (await this.#transport.json<TaskPage>(call)).body;
  }

  /** Returns the attempts of a task and its waits with their reasons; for a pending task, those so far. */
  async attempts(taskId: string, options: CallOptions = {}): Promise<TaskAttempts> {
    const path = `/v1/tasks/${encodeURIComponent(taskId)}/attempts`;
    return (await this.#transport.json<TaskAttempts>({ ...options, method: "GET", path, repeat: "always" })).body;
  }

  /** Cancels a task: a queued one does not start, a running one is aborted. It is not charged. */
  async cancel(taskId: string, options: CallOptions = {}): Promise<TaskRecord> {
    const { body } = await this.#transport.json<TaskRecord>({
      ...options,
      method: "POST",
      path: `/v1/tasks/${encodeURIComponent(taskId)}/cancellation`,
      repeat: "refused",
    });
    return body;
  }

  /** Returns the evidence of a completed task, a signed zip file that `querent verify` verifies offline. */
  async evidence(taskId: string, options: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const path = `/v1/tasks/${encodeURIComponent(taskId)}/evidence`;
    return this.#transport.bytes({ ...options, method: "GET", path, repeat: "always" }, "application/zip");
  }

  /**
   * Returns the picture (PNG) or the web archive (WACZ) of a completed task's page, as listed in `evidence` of its record. Throws
   * `NotFoundError` if the task has none.
   */
  async pageEvidence(
    taskId: string,
    kind: PageEvidence["kind"],
    options: CallOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const path = `/v1/tasks/${encodeURIComponent(taskId)}/evidence/${encodeURIComponent(kind)}`;
    const type = kind === "picture" ? "image/png" : "application/wacz";
    return this.#transport.bytes({ ...options, method: "GET", path, repeat: "always" }, type);
  }

  /** Returns the cost and the errors of a batch, without accepting it. */
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

/** True for final states. A state that this version does not know is not final. */
export function hasEnded(state: string): boolean {
  return state === "completed" || state === "failed" || state === "canceled";
}

const bodyOf = (questions: readonly Question[] | string): string =>
  typeof questions === "string" ? questions : JSON.stringify(questions.map(itemOf));

const itemOf = (question: Question): SubmissionItem => ({ ...question, options: question.options ?? {} });

async function* items(questions: AsyncIterable<Question> | Iterable<Question>) {
  for await (const question of questions) yield itemOf(question);
}
