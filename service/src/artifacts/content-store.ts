/** Where the bytes of artifacts are stored: a folder, or a bucket. It knows neither what they are nor who refers to them. */
export interface ContentStore {
  /** The location, for messages. */
  readonly place: string;
  /** Stores all of the bytes, or nothing. If the key exists already, its bytes are the same. */
  write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Reads a stored content; `bytes` is its size. */
  read(key: string, bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Removes it, if it exists. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
}

/**
 * `full`: no space. `missing`: not found. `damaged`: not the bytes that were stored. `refused`: not allowed. `unavailable`: no
 * response.
 */
export type ContentFaultReason = "full" | "missing" | "damaged" | "refused" | "unavailable";

/** An operation of the store failed. The message is for the operator, and contains no secret. */
export class ContentFault extends Error {
  readonly reason: ContentFaultReason;

  constructor(reason: ContentFaultReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ContentFault";
    this.reason = reason;
  }
}

/** The maximum size of an artifact. */
export const artifactBytesMax = 64 * 1024 * 1024;
