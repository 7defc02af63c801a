import { jittered, sleep } from "./backoff.js";
import {
  ConflictError,
  ConnectionError,
  QuerentError,
  RequestTimeoutError,
  UnexpectedReplyError,
  WaitTimeoutError,
} from "./errors.js";
import { paged } from "./paged.js";
import { readChunks, readLines } from "./read-body.js";
import { submit } from "./submissions.js";
const waitBackoff = { firstMs: 400, mostMs: 10_000 };
const resumeBackoff = { firstMs: 500, mostMs: 20_000 };
const keySurelyKnownMs = 6 * 86_400_000;
const lineBytesMax = 64 * 1024 * 1024;
/** The service streams continuously. If it sends nothing for this long, the connection is dead. */
const idleMs = 60_000;
export class Batches {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  async get(batchId, options = {}) {
    const { body } = await this.#transport.json({
      ...options,
      method: "GET",
      path: pathOf(batchId),
      repeat: "always",
    });
    return body;
  }
  /** Iterates over the account's batches, newest first. */
  list(filters = {}, options = {}) {
    return paged(this.#transport, "/v1/batches", { ...filters }, options, "batches");
  }
  /** Returns one page of batches. */
  async page(filters = {}, options = {}) {
    const query = { ...filters };
    const call = { ...options, method: "GET", path: "/v1/batches", query, repeat: "always" };
    return (await this.#transport.json(call)).body;
  }
  /** Waits until every task of the batch has ended. */
  async wait(batchId, { signal, timeoutMs = Infinity, onUpdate } = {}) {
    const deadline = performance.now() + timeoutMs;
    const late = () =>
      new WaitTimeoutError(`Batch ${batchId} has not ended within ${timeoutMs} ms. It continues.`, batchId);
    let ended = -1;
    for (let unchanged = 0; ;) {
      const call = { method: "GET", path: pathOf(batchId), repeat: "always", signal, deadline };
      const { body: batch } = await this.#transport.json(call).catch((error) => {
        throw performance.now() >= deadline ? late() : error;
      });
      onUpdate?.(batch);
      if (batch.state === "finished") return batch;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw late();
      // Polls often while the counts change, and less often while they do not.
      const now = batch.counts.completed + batch.counts.failed + batch.counts.canceled;
      unchanged = now === ended ? unchanged + 1 : Math.min(unchanged, 2);
      ended = now;
      const pauseMs = Math.max(200, jittered(unchanged + 1, waitBackoff, this.#transport.random));
      await sleep(Math.min(pauseMs, leftMs), signal);
    }
  }
  /**
   * Iterates over the records of the batch's tasks, in the order of the submission. Tasks that have not ended are `pending`.
   * If the connection breaks, it continues where it stopped.
   */
  async *results(batchId, { signal, maxRetries, timeoutMs, endedFrom } = {}) {
    let given = 0;
    for (let failures = 0; ;) {
      const before = given;
      try {
        for await (const record of this.#records(batchId, given, { signal, maxRetries, timeoutMs, endedFrom })) {
          given++;
          failures = 0;
          yield record;
        }
        return;
      } catch (error) {
        signal?.throwIfAborted();
        const isBreak = error instanceof ConnectionError || error instanceof RequestTimeoutError;
        if (!isBreak || (given === before && ++failures > (maxRetries ?? this.#transport.maxRetries))) throw error;
        await sleep(jittered(failures, resumeBackoff, this.#transport.random), signal);
      }
    }
  }
  async *#records(batchId, skip, { endedFrom, ...options }) {
    const { response, abort } = await this.#transport.open({
      ...options,
      method: "GET",
      path: `${pathOf(batchId)}/results`,
      query: { endedFrom },
      headers: { accept: "application/x-ndjson" },
      repeat: "always",
    });
    const silent = new RequestTimeoutError(`No results were received for ${idleMs} ms.`);
    let count = 0;
    try {
      const chunks = readChunks(response, { ms: idleMs, onIdle: () => abort(silent) });
      for await (const { line, isWhole } of readLines(chunks, { bytesMax: lineBytesMax })) {
        // A record without a line break is incomplete.
        if (!isWhole) throw new ConnectionError("The connection was closed in the middle of a record.");
        if (line !== "" && count++ >= skip) yield recordOf(line);
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof QuerentError) throw error;
      throw new ConnectionError("The connection was closed while reading results.", { cause: error });
    }
  }
  /**
   * Submits the failed tasks of a finished batch again, as one new batch. Null if none failed. Called again for the same
   * batch, it returns the same new batch, so nothing is charged twice. The new tasks have the options, tags, reference,
   * priority, webhook URL and run timeout of the old ones, but not their `notBefore` and `startBefore`.
   */
  async retryFailed(batchId, options = {}) {
    const batch = await this.get(batchId, options);
    if (batch.state !== "finished")
      throw new ConflictError(`Batch ${batchId} has not ended: ${batch.counts.pending} of its tasks are pending.`);
    if (batch.counts.failed === 0) return null;
    const tag = `${retryTag}${batch.batchId}`;
    // The key is stored for 7 days after the first retry, which came after the end. After that, the tag identifies the retry.
    const isKeyKnown = batch.finishedAt !== null && Date.now() - Date.parse(batch.finishedAt) < keySurelyKnownMs;
    const before = isKeyKnown ? null : await this.#retryOf(tag, options);
    if (before !== null) return before;
    const items = [];
    for await (const record of this.results(batchId, options))
      if (record.state === "failed") items.push(itemOf(record, tag));
    if (!isKeyKnown && !items.some(({ tags }) => tags?.includes(tag)))
      throw new ConflictError(
        `Batch ${batchId} ended more than 6 days ago, and its failed tasks have ${tagsMax} tags each: a second retry could not be distinguished from the first. Submit the questions again.`,
      );
    return submit(this.#transport, JSON.stringify(items), {
      ...options,
      idempotencyKey: `retry-failed/${batch.batchId}`,
    });
  }
  async #retryOf(tag, options) {
    const found = [];
    for await (const task of paged(this.#transport, "/v1/tasks", { tag }, options, "tasks")) found.unshift(task);
    const [first] = found;
    if (first === undefined) return null;
    const { batchId, createdAt, points } = await this.get(first.batchId, options);
    return {
      batchId,
      createdAt,
      acceptedCount: found.length,
      estimatedPoints: points.estimated,
      tasks: found.map(({ taskId, clientReference }) => ({
        taskId,
        clientReference,
        state: "pending",
        statusUrl: `/v1/tasks/${taskId}`,
      })),
      idempotencyKey: `retry-failed/${tag.slice(retryTag.length)}`,
      replayed: true,
    };
  }
  /** Cancels the unfinished tasks of the batch. */
  async cancel(batchId, options = {}) {
    const { body } = await this.#transport.json({
      ...options,
      method: "POST",
      path: `${pathOf(batchId)}/cancellation`,
      repeat: "always",
    });
    return body;
  }
}
/** The service's limit of tags per task. A task that has as many is not given another. */
const tagsMax = 10;
const retryTag = "retry-of:";
function itemOf(record, tag) {
  // If a retry was retried, the last one counts.
  const own = record.tags.filter((each) => !each.startsWith(retryTag));
  return {
    question: record.question,
    platformCode: record.platformCode,
    options: record.options,
    ...(record.clientReference === null ? {} : { clientReference: record.clientReference }),
    ...(record.webhookUrl === null ? {} : { webhookUrl: record.webhookUrl }),
    ...(record.runTimeoutSeconds === null ? {} : { runTimeoutSeconds: record.runTimeoutSeconds }),
    priority: record.priority,
    tags: own.length < tagsMax ? [...own, tag] : own,
  };
}
const pathOf = (batchId) => `/v1/batches/${encodeURIComponent(batchId)}`;
function recordOf(line) {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new UnexpectedReplyError("A line of the results is not JSON.", { cause });
  }
}
