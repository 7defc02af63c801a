import { jittered, sleep } from "./backoff.js";
import {
  ConnectionError,
  GoneError,
  QuerentError,
  RateLimitedError,
  RequestTimeoutError,
  UnavailableError,
  UnexpectedReplyError,
} from "./errors.js";
import { readChunks } from "./read-body.js";
import { serverSentEvents } from "./server-sent-events.js";
const backoff = { firstMs: 500, mostMs: 30_000 };
const eventBytesMax = 64 * 1024 * 1024;
/** The service sends a comment every 15 s. */
const idleMs = 45_000;
export class Events {
  #transport;
  constructor(transport) {
    this.#transport = transport;
  }
  /** Returns one page of the feed, oldest first. */
  async page({ after, limit, ...options } = {}) {
    const { body } = await this.#transport.json({
      ...options,
      method: "GET",
      path: "/v1/events",
      query: { after, limit },
      repeat: "always",
    });
    return body;
  }
  /**
   * Iterates over the events of the feed, in order, as they occur. When the connection ends, it reconnects and continues after
   * the last event, so that no event is missed or repeated. If that event no longer exists, it goes back to one that does (see
   * `onReplaced`). It ends when the signal aborts, or with an error that reconnecting cannot resolve.
   */
  async *stream(options = {}) {
    const { signal } = options;
    const reconnect = options.reconnect ?? this.#transport.maxRetries > 0;
    // "latest" is resolved before the first connection, so that events are not missed if it breaks.
    let after = options.after === "latest" ? (await this.#latest(signal)).nextCursor : options.after;
    for (let failures = 0; ;) {
      let broke = new ConnectionError("The service ended the stream.");
      try {
        for await (const entry of this.#connection(after, options)) {
          failures = 0;
          after = entry.cursor;
          yield entry;
        }
      } catch (error) {
        if (signal?.aborted === true) return;
        if (reconnect && isReplaced(error) && error.resumeAfter !== after) {
          after = error.resumeAfter;
          options.onReplaced?.(after, error);
          continue;
        }
        if (!(error instanceof Error) || !mayConnectAgain(error)) throw error;
        broke = error;
      }
      if (signal?.aborted === true) return;
      if (!reconnect) throw broke;
      const asked = broke instanceof UnavailableError || broke instanceof RateLimitedError ? broke.retryAfterMs : null;
      const waitMs = Math.max(asked ?? 0, 100, jittered(failures++, backoff, this.#transport.random));
      options.onBreak?.(broke, waitMs);
      try {
        await sleep(waitMs, signal);
      } catch {
        return;
      }
    }
  }
  #latest(signal) {
    return this.page({ after: "latest", limit: 1, ...(signal === undefined ? {} : { signal }) });
  }
  async *#connection(after, { signal, onOpen }) {
    const { response, abort } = await this.#transport.open({
      method: "GET",
      path: "/v1/events",
      headers: { accept: "text/event-stream", ...(after === undefined ? {} : { "last-event-id": after }) },
      repeat: "always",
      maxRetries: 0,
      signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (!/^text\/event-stream\b/i.test(type)) {
      await response.body?.cancel();
      throw new UnexpectedReplyError(`The feed has the type ${type} instead of text/event-stream.`);
    }
    onOpen?.();
    const silent = new RequestTimeoutError(`The feed sent nothing for ${idleMs} ms.`);
    try {
      const chunks = readChunks(response, { ms: idleMs, onIdle: () => abort(silent) });
      for await (const { id, event, data, more } of serverSentEvents(chunks, eventBytesMax)) {
        // Events of other kinds, which may be added, are not notifications.
        if (event !== "task.finished") continue;
        yield { cursor: id, deliveryId: more["delivery"] ?? "", notification: parse(data), body: data };
      }
    } catch (error) {
      if (error instanceof QuerentError || signal?.aborted === true) throw error;
      throw new ConnectionError("The connection to the feed was closed.", { cause: error });
    }
  }
}
const isReplaced = (error) =>
  error instanceof GoneError && error.code === "events_replaced" && error.resumeAfter !== null;
function mayConnectAgain(error) {
  return (
    error instanceof ConnectionError ||
    error instanceof RequestTimeoutError ||
    error instanceof UnavailableError ||
    error instanceof RateLimitedError
  );
}
function parse(data) {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new UnexpectedReplyError("An event of the feed is not JSON.", { cause });
  }
}
