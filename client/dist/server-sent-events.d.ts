export interface ServerSentEvent {
  /** The last event id, as defined by the standard. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
  /** Fields that are not in the standard. */
  readonly more: Readonly<Record<string, string>>;
  /** The delay that the service requests before reconnecting. */
  readonly retryMs: number | null;
}
/** Parses server-sent events as specified in the HTML standard. Incomplete events are discarded. */
export declare function serverSentEvents(
  chunks: AsyncIterable<Uint8Array>,
  eventBytesMax: number,
): AsyncGenerator<ServerSentEvent, void, void>;
