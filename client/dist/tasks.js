import { jittered, sleep } from "./backoff.js";
import { WaitTimeoutError } from "./errors.js";
import { paged } from "./paged.js";
import { submit, submitAll } from "./submissions.js";
const holdSeconds = 25;
const waitBackoff = { firstMs: 500, mostMs: 15_000 };
export class Tasks {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /**
   * Submits a batch, which is accepted or rejected as a whole. The tasks are durable when this resolves. A string is sent
   * unchanged, so that a program that stores its submissions sends the same bytes after a restart.
   */
  submit(questions, options = {}) {
    return submit(this.#transport, bodyOf(questions), options);
  }
  /** Submits any number of questions in chunks, each with its own key. To resume, see `SubmitAllOptions.runKey`. */
  submitAll(questions, options = {}) {
    return submitAll(this.#transport, items(questions), options);
  }
  /** Submits one question and waits until the task has ended. Check `state`: it may have failed. */
  async ask(question, options = {}) {
    const { idempotencyKey, signal } = options;
    const submitted = await this.submit([question], {
      signal,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    return this.wait(submitted.tasks[0]?.taskId ?? "", options);
  }
  async get(taskId, options = {}) {
    return (await this.#transport.json(this.#reading(taskId, options))).body;
  }
  /** Returns the task with its exact JSON, or null if it still matches `etag`. */
  async read(taskId, { etag, ...options } = {}) {
    const reply = await this.#transport.unlessChanged({ ...this.#reading(taskId, options), etag });
    if (reply === null) return null;
    return { record: reply.body, json: reply.text, etag: reply.headers.get("etag") ?? undefined };
  }
  #reading(taskId, { waitSeconds = 0, ...options }) {
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
  async wait(taskId, { signal, timeoutMs = Infinity, onUpdate } = {}) {
    const deadline = performance.now() + timeoutMs;
    for (let quick = 0; ;) {
      const leftMs = deadline - performance.now();
      const askedAt = performance.now();
      const waitSeconds = Math.max(0, Math.min(holdSeconds, leftMs / 1000));
      const late = () =>
        new WaitTimeoutError(`Task ${taskId} has not ended within ${timeoutMs} ms. It continues.`, taskId);
      const reading = { ...this.#reading(taskId, { waitSeconds, signal }), deadline };
      const { body: record } = await this.#transport.json(reading).catch((error) => {
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
  list(filters = {}, options = {}) {
    return paged(this.#transport, "/v1/tasks", { ...filters }, options, "tasks");
  }
  /** Returns one page of tasks. */
  async page(filters = {}, options = {}) {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/tasks", query, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Returns the attempts of a task and its waits with their reasons; for a pending task, those so far. */
  async attempts(taskId, options = {}) {
    const path = `/v1/tasks/${encodeURIComponent(taskId)}/attempts`;
    return (await this.#transport.json({ ...options, method: "GET", path, repeat: "always" })).body;
  }
  /** Cancels a task: a queued one does not start, a running one is aborted. It is not charged. */
  async cancel(taskId, options = {}) {
    const { body } = await this.#transport.json({
      ...options,
      method: "POST",
      path: `/v1/tasks/${encodeURIComponent(taskId)}/cancellation`,
      repeat: "refused",
    });
    return body;
  }
  /** Returns the evidence of a completed task, a signed zip file that `querent verify` verifies offline. */
  async evidence(taskId, options = {}) {
    const path = `/v1/tasks/${encodeURIComponent(taskId)}/evidence`;
    return this.#transport.bytes({ ...options, method: "GET", path, repeat: "always" }, "application/zip");
  }
  /** Returns the cost and the errors of a batch, without accepting it. */
  async quote(questions, options = {}) {
    const { body } = await this.#transport.json({
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
export function hasEnded(state) {
  return state === "completed" || state === "failed" || state === "canceled";
}
const bodyOf = (questions) => (typeof questions === "string" ? questions : JSON.stringify(questions.map(itemOf)));
const itemOf = (question) => ({ ...question, options: question.options ?? {} });
async function* items(questions) {
  for await (const question of questions) yield itemOf(question);
}
