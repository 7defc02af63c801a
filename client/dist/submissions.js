/** Submissions: each has one idempotency key for all attempts and all runs of the program. */
import { jittered, sleep } from "./backoff.js";
import { UnavailableError } from "./errors.js";
const queueFullBackoff = { firstMs: 1_000, mostMs: 30_000 };
export async function submit(
  transport,
  body,
  { idempotencyKey = crypto.randomUUID(), waitWhileFull = false, ...options } = {},
) {
  const deliver = waitWhileFull ? sendPatiently : send;
  return deliver(transport, body, idempotencyKey, options);
}
/**
 * Submits any number of items in chunks, in order. The key of a chunk consists of the run key and the number of the chunk. It
 * does not depend on the content: the service rejects a chunk that has changed (422 `idempotency_key_reused`). A key derived
 * from the content would cause the unchanged items to be submitted and charged twice.
 */
export async function* submitAll(transport, items, options = {}) {
  const runKey = checkRunKey(options.runKey ?? crypto.randomUUID());
  let index = 0;
  let firstItem = 0;
  for await (const { body, itemCount } of bodies(items, options)) {
    const chunk = {
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
/** The bodies for the items. The result is the same for the same items. */
async function* bodies(items, { chunkItems = 500, chunkBytes = 4 * 1024 * 1024, signal }) {
  if (!(Number.isInteger(chunkItems) && chunkItems > 0 && chunkBytes > 0))
    throw new TypeError("chunkItems must be a whole number above 0, chunkBytes above 0.");
  const encoder = new TextEncoder();
  let parts = [];
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
async function sendPatiently(transport, body, idempotencyKey, options) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(transport, body, idempotencyKey, options);
    } catch (error) {
      if (!(error instanceof UnavailableError) || error.code !== "queue_full") throw error;
      // `Retry-After` is an upper bound. Tasks end continuously, so a shorter delay may be sufficient.
      const waitMs = Math.max(100, jittered(attempt, queueFullBackoff, transport.random));
      options.onQueueFull?.(waitMs);
      await sleep(waitMs, options.signal);
    }
  }
}
async function send(transport, body, idempotencyKey, options) {
  const { body: accepted, headers } = await transport.json({
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
async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function checkRunKey(key) {
  if (!/^[\x21\x23-\x7e]{1,200}$/.test(key))
    throw new TypeError('runKey must be 1 to 200 printable ASCII characters without spaces and ".');
  return key;
}
