import { Readable } from "node:stream";
import type { FeedPosition } from "./feed-position.ts";

/** The events to be written; null if the position does not exist any more, or the next ones have been deleted. */
export type Slice = { readonly bytes: Buffer; readonly next: FeedPosition } | null;

/** How long a stopping reader may take to read the rest before its connection is closed. */
export const closingMs = 1_000;

/** One client's stream. Node asks for more only while less than a slice is buffered. */
export class EventReader extends Readable {
  readonly #source: { version(): number; read(after: FeedPosition): Promise<Slice> };
  /** The token it was opened with. */
  readonly accessId: string | null;
  #after: FeedPosition;
  /** The client has read everything it was sent. */
  #hungry = false;
  #pulling = false;
  /** The account's version when the last read found nothing. */
  #emptyAt = -1;
  #stalledBeats = 0;
  #ending = false;
  #closing: NodeJS.Timeout | undefined;

  constructor(
    after: FeedPosition,
    accessId: string | null,
    source: { version(): number; read(after: FeedPosition): Promise<Slice> },
  ) {
    super({ highWaterMark: 1024 });
    this.#after = after;
    this.accessId = accessId;
    this.#source = source;
    // Sends the headers with the first bytes. A browser waits 3 s before it reconnects.
    this.push("retry: 3000\n\n");
  }

  override _read(): void {
    this.#hungry = true;
    this.pull();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#closing);
    callback(error);
  }

  /** Reads the next slice, if the client wants more and there may be more. */
  pull(): void {
    if (this.#hungry && !this.#pulling && this.#emptyAt !== this.#source.version()) void this.#pullAll();
  }

  /** Sends a heartbeat, as a comment. Disconnects a client that has read nothing for too long. */
  beat(stalledMax: number): void {
    if (this.#ending) return;
    if (this.#hungry) {
      this.#stalledBeats = 0;
      this.#give(Buffer.from(":\n\n"));
    } else if (++this.#stalledBeats >= stalledMax) this.destroy();
  }

  /** Ends the stream. A client that does not read the end in time is disconnected. */
  finish(withinMs: number): void {
    if (this.#ending || this.destroyed) return;
    this.#ending = true;
    this.push(null);
    if (withinMs === 0) this.destroy();
    else this.#closing = setTimeout(() => this.destroy(), withinMs);
  }

  async #pullAll(): Promise<void> {
    this.#pulling = true;
    try {
      while (this.#hungry && !this.#ending && !this.destroyed) {
        const version = this.#source.version();
        if (this.#emptyAt === version) break;
        const slice = await this.#source.read(this.#after);
        if (this.#ending || this.destroyed) break;
        if (slice === null) {
          // The client reconnects with its position, and gets the error that says where to continue.
          this.finish(closingMs);
        } else {
          this.#after = slice.next;
          if (slice.bytes.length === 0) this.#emptyAt = version;
          else this.#give(slice.bytes);
        }
      }
    } catch {
      // The database is unavailable: the poll tries this reader again.
    }
    this.#pulling = false;
  }

  #give(bytes: Buffer): void {
    this.#hungry = false;
    this.#stalledBeats = 0;
    this.push(bytes);
  }
}
