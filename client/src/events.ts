import { jittered, sleep } from "./backoff.ts";
import {
  ConnectionError,
  GoneError,
  QuerentError,
  RateLimitedError,
  RequestTimeoutError,
  UnavailableError,
  UnexpectedReplyError,
} from "./errors.ts";
import { readChunks } from "./read-body.ts";
import { serverSentEvents } from "./server-sent-events.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { AnyNotification, EventPage, EventType } from "./wire.ts";

/** The notification of an event of these types. */
export type NotificationOf<Types extends EventType> = Extract<AnyNotification, { event: Types }>;

export interface FeedEntry<Types extends EventType = "task.finished"> {
  /** Store it once the event is processed, and pass it as `after` to continue. */
  readonly cursor: string;
  /** The `X-Service-Delivery` of the webhook for this event. */
  readonly deliveryId: string;
  readonly notification: NotificationOf<Types>;
  /** The notification's JSON, unchanged: the text that is signed when it is sent. */
  readonly body: string;
}

export interface StreamOptions<Types extends EventType = "task.finished"> {
  /** The types of events to read. Default: only `task.finished`. The others exist only while the account subscribes to them. */
  readonly types?: readonly Types[] | undefined;
  /** A cursor, or `latest`. Default: the oldest stored event. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Reconnect when the connection ends. Default: true, unless the client has `maxRetries: 0`. */
  readonly reconnect?: boolean;
  /** Called when the connection ends. The stream reconnects after `waitMs`. */
  readonly onBreak?: (error: Error, waitMs: number) => void;
  /**
   * Called when the last event that was read no longer exists, because the service's database was restored or failed over
   * without its latest changes. The stream continues after `resumeAfter`, so no event that exists now is missed, but some are
   * repeated: skip a `deliveryId` that you have processed.
   */
  readonly onReplaced?: (resumeAfter: string, error: GoneError) => void;
  /** Called when a connection is established. */
  readonly onOpen?: () => void;
}

export interface PageOptions<Types extends EventType = "task.finished"> extends CallOptions {
  /** The types of events to read. Default: only `task.finished`. */
  readonly types?: readonly Types[];
  readonly after?: string;
  readonly limit?: number;
}

/** A page of events of these types. */
export type FeedPage<Types extends EventType = "task.finished"> = Omit<EventPage, "events"> & {
  events: (Omit<EventPage["events"][number], "notification"> & { notification: NotificationOf<Types> })[];
};

const backoff = { firstMs: 500, mostMs: 30_000 };
const eventBytesMax = 64 * 1024 * 1024;
/** The service sends a comment every 15 s. */
const idleMs = 45_000;

export class Events {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns one page of the feed, oldest first. */
  async page<Types extends EventType = "task.finished">({
    after,
    limit,
    types,
    ...options
  }: PageOptions<Types> = {}): Promise<FeedPage<Types>> {
    const { body } = await this.#transport.json<FeedPage<Types>>({
      ...options,
      method: "GET",
      path: "/v1/events",
      query: { after, limit, types: types?.join(",") },
      repeat: "always",
    });
    return body;
  }

  /**
   * Iterates over the events of the feed, in order, as they occur. When the connection ends, it reconnects and continues after
   * the last event, so that no event is missed or repeated. If that event no longer exists, it goes back to one that does (see
   * `onReplaced`). It ends when the signal aborts, or with an error that reconnecting cannot resolve.
   */
  async *stream<Types extends EventType = "task.finished">(
    options: StreamOptions<Types> = {},
  ): AsyncGenerator<FeedEntry<Types>, void, void> {
    const { signal } = options;
    const reconnect = options.reconnect ?? this.#transport.maxRetries > 0;
    // "latest" is resolved before the first connection, so that events are not missed if it breaks.
    let after = options.after === "latest" ? (await this.#latest(signal)).nextCursor : options.after;
    for (let failures = 0; ;) {
      let broke: Error = new ConnectionError("The service ended the stream.");
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

  #latest(signal: AbortSignal | undefined) {
    return this.page({ after: "latest", limit: 1, ...(signal === undefined ? {} : { signal }) });
  }

  async *#connection<Types extends EventType>(
    after: string | undefined,
    { signal, onOpen, types }: StreamOptions<Types>,
  ): AsyncGenerator<FeedEntry<Types>, void, void> {
    const wanted = new Set<string>(types ?? ["task.finished"]);
    const { response, abort } = await this.#transport.open({
      method: "GET",
      path: "/v1/events",
      query: { types: types?.join(",") },
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
        if (!wanted.has(event)) continue;
        yield { cursor: id, deliveryId: more["delivery"] ?? "", notification: parse<Types>(data), body: data };
      }
    } catch (error) {
      if (error instanceof QuerentError || signal?.aborted === true) throw error;
      throw new ConnectionError("The connection to the feed was closed.", { cause: error });
    }
  }
}

const isReplaced = (error: unknown): error is GoneError & { readonly resumeAfter: string } =>
  error instanceof GoneError && error.code === "events_replaced" && error.resumeAfter !== null;

function mayConnectAgain(error: Error): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof RequestTimeoutError ||
    error instanceof UnavailableError ||
    error instanceof RateLimitedError
  );
}

function parse<Types extends EventType>(data: string): NotificationOf<Types> {
  try {
    return JSON.parse(data) as NotificationOf<Types>;
  } catch (cause) {
    throw new UnexpectedReplyError("An event of the feed is not JSON.", { cause });
  }
}
