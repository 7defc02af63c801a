import { GoneError } from "./errors.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { EventPage, Notification } from "./wire.ts";
export interface FeedEntry {
  /** Store it once the event is processed, and pass it as `after` to continue. */
  readonly cursor: string;
  /** The `X-Service-Delivery` of the webhook for this event. */
  readonly deliveryId: string;
  readonly notification: Notification;
  /** The notification's JSON, unchanged: the text that is signed when it is sent. */
  readonly body: string;
}
export interface StreamOptions {
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
export interface PageOptions extends CallOptions {
  readonly after?: string;
  readonly limit?: number;
}
export declare class Events {
  #private;
  constructor(transport: Transport);
  /** Returns one page of the feed, oldest first. */
  page({ after, limit, ...options }?: PageOptions): Promise<EventPage>;
  /**
   * Iterates over the events of the feed, in order, as they occur. When the connection ends, it reconnects and continues after
   * the last event, so that no event is missed or repeated. If that event no longer exists, it goes back to one that does (see
   * `onReplaced`). It ends when the signal aborts, or with an error that reconnecting cannot resolve.
   */
  stream(options?: StreamOptions): AsyncGenerator<FeedEntry, void, void>;
}
