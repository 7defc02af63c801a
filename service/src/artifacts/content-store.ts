/** Where the bytes of artifacts are: a folder, or a bucket. Neither knows what they are, or who refers to them. */
export interface ContentStore {
  /** For people: where it is. */
  readonly place: string;
  /** Stores the bytes whole, or not at all. What is there under this key already is the same bytes. */
  write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Reads what was stored, of which `bytes` is the size. */
  read(key: string, bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Removes it; nothing happens when it is not there. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** Lets go of connections. */
  close(): Promise<void>;
}

/** `full`: no room. `missing`: not there. `damaged`: not the bytes that were stored. `refused`: not allowed. `unavailable`: no answer. */
export type ContentFaultReason = "full" | "missing" | "damaged" | "refused" | "unavailable";

/** The store could not do it. The message is for the operator, and holds no secret. */
export class ContentFault extends Error {
  readonly reason: ContentFaultReason;

  constructor(reason: ContentFaultReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ContentFault";
    this.reason = reason;
  }
}

/** The largest artifact. */
export const artifactBytesMax = 64 * 1024 * 1024;
