/** Submissions: one key for each logical one, on every attempt and in every run of the program. */
import { jittered, sleep } from "./backoff.ts";
import { UnavailableError } from "./errors.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { SubmissionAccepted, SubmissionItem } from "./wire.ts";

export interface SubmitOptions extends CallOptions {
  /** One for each logical submission. Made when left out; the answer and every error carry it. */
  readonly idempotencyKey?: string;
  /** Wait while the account's queue is full, and try again, until `signal` aborts. It is an error at once when left out. */
  readonly waitWhileFull?: boolean;
}

export interface Submitted extends SubmissionAccepted {
  readonly idempotencyKey: string;
  /** True when the service had accepted this before, and only said so again. */
  readonly replayed: boolean;
}

/** A part of a long submission: what one request carries. */
export interface Chunk {
  readonly index: number;
  /** How many items come before it. */
  readonly firstItem: number;
  readonly itemCount: number;
  /** `<run key>/<index>`. */
  readonly idempotencyKey: string;
  /** SHA-256 of the bytes that are sent, in hex: to see whether the input is still what it was. */
  readonly digest: string;
}

export interface SubmittedChunk extends Chunk {
  readonly accepted: SubmissionAccepted;
  readonly replayed: boolean;
}

export interface SubmitAllOptions extends CallOptions {
  /**
   * Names the run. Run again with the same key and the same items, and nothing is done or paid twice: what was accepted
   * answers as it did at first. Made when left out, which lets repeats within this run be safe, and no other.
   */
  readonly runKey?: string;
  /** Items a request; 500 by default. */
  readonly chunkItems?: number;
  /** Bytes a request; 4 MiB by default. */
  readonly chunkBytes?: number;
  /** True for a chunk that is known to be accepted, such as from a journal: it is not sent, and not given again. */
  readonly skip?: (chunk: Chunk) => boolean | Promise<boolean>;
  /** Called before a chunk is sent for the first time, such as to write it into a journal. */
  readonly onSend?: (chunk: Chunk) => void | Promise<void>;
  /** The account's queue is full: the run waits, and tries again. */
  readonly onQueueFull?: (waitMs: number) => void;
}

const queueFullBackoff = { firstMs: 1_000, mostMs: 30_000 };

export async function submit(
  transport: Transport,
  body: string,
  { idempotencyKey = crypto.randomUUID(), waitWhileFull = false, ...options }: SubmitOptions = {},
): Promise<Submitted> {
  const deliver = waitWhileFull ? sendPatiently : send;
  return deliver(transport, body, idempotencyKey, options);
}

/**
 * Submits any number of items, a chunk at a time, in order. The key of a chunk is the run's and its number. The content is
 * not part of it: a chunk that has changed is refused by the service (422 `idempotency_key_reused`), where a key made of
 * content would have its unchanged items done and paid twice.
 */
export async function* submitAll(
  transport: Transport,
  items: AsyncIterable<SubmissionItem> | Iterable<SubmissionItem>,
  options: SubmitAllOptions = {},
): AsyncGenerator<SubmittedChunk, void, void> {
  const runKey = checkRunKey(options.runKey ?? crypto.randomUUID());
  let index = 0;
  let firstItem = 0;
  for await (const { body, itemCount } of bodies(items, options)) {
    const chunk: Chunk = {
      index,
      firstItem,
      itemCount,
      idempotencyKey: `${runKey}/${index}`,
      digest: await sha256(body),
    };
    if ((await options.skip?.(chunk)) !== true) {
      await options.onSend?.(chunk);
      const {
        replayed,
        idempotencyKey: _,
        ...accepted
      } = await sendPatiently(transport, body, chunk.idempotencyKey, options);
      yield { ...chunk, accepted, replayed };
    }
    index++;
    firstItem += itemCount;
  }
}

/** The bodies that the items make: the same ones for the same items, every time. */
async function* bodies(
  items: AsyncIterable<SubmissionItem> | Iterable<SubmissionItem>,
  { chunkItems = 500, chunkBytes = 4 * 1024 * 1024, signal }: SubmitAllOptions,
): AsyncGenerator<{ body: string; itemCount: number }, void, void> {
  if (!(Number.isInteger(chunkItems) && chunkItems > 0 && chunkBytes > 0))
    throw new TypeError("chunkItems must be a whole number above 0, chunkBytes above 0.");
  const encoder = new TextEncoder();
  let parts: string[] = [];
  let bytes = 2;
  const take = () => {
    const chunk = { body: `[${parts.join(",")}]`, itemCount: parts.length };
    parts = [];
    bytes = 2;
    return chunk;
  };
  for await (const item of items) {
    signal?.throwIfAborted();
    const text = JSON.stringify(item);
    const size = encoder.encode(text).length + 1;
    if (parts.length > 0 && (parts.length >= chunkItems || bytes + size > chunkBytes)) yield take();
    parts.push(text);
    bytes += size;
  }
  if (parts.length > 0) yield take();
}

async function sendPatiently(
  transport: Transport,
  body: string,
  idempotencyKey: string,
  options: Pick<SubmitAllOptions, "onQueueFull" | keyof CallOptions>,
): Promise<Submitted> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(transport, body, idempotencyKey, options);
    } catch (error) {
      if (!(error instanceof UnavailableError) || error.code !== "queue_full") throw error;
      // The service names the longest sensible wait; tasks end all the time, so that a shorter one may do.
      const waitMs = Math.max(100, jittered(attempt, queueFullBackoff, transport.random));
      options.onQueueFull?.(waitMs);
      await sleep(waitMs, options.signal);
    }
  }
}

async function send(transport: Transport, body: string, idempotencyKey: string, options: CallOptions) {
  const { body: accepted, headers } = await transport.json<SubmissionAccepted>({
    method: "POST",
    path: "/v1/tasks/batch",
    body,
    idempotencyKey,
    repeat: "always",
    signal: options.signal,
    maxRetries: options.maxRetries,
    timeoutMs: options.timeoutMs,
  });
  return { ...accepted, idempotencyKey, replayed: headers.get("idempotent-replayed") === "true" };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function checkRunKey(key: string): string {
  if (!/^[\x21\x23-\x7e]{1,200}$/.test(key))
    throw new TypeError('runKey must be 1 to 200 printable ASCII characters without spaces and ".');
  return key;
}
