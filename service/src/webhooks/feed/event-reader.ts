import { Readable } from "node:stream";

/** Events to be written; null: what comes next has been deleted. */
export type Slice = { readonly bytes: Buffer; readonly next: number } | null;

/** How long a stop lets a reader take what is left, before its connection is cut. */
export const closingMs = 1_000;

/** One client's stream. Node asks it for more only while less than a slice waits to be taken. */
export class EventReader extends Readable {
  readonly #source: { version(): number; read(after: number): Promise<Slice> };
  /** What it was opened with. */
  readonly tokenId: string | null;
  #after: number;
  /** The client has taken what it was given. */
  #hungry = false;
  #pulling = false;
  /** The account's version when the last read found nothing. */
  #emptyAt = -1;
  #stalledBeats = 0;
  #ending = false;
  #closing: NodeJS.Timeout | undefined;

  constructor(
    after: number,
    tokenId: string | null,
    source: { version(): number; read(after: number): Promise<Slice> },
  ) {
    super({ highWaterMark: 1024 });
    this.#after = after;
    this.tokenId = tokenId;
    this.#source = source;
    // Headers go out with the first bytes; a browser waits 3 s before it connects again.
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

  /** Reads on, if the client wants more and there may be more. */
  pull(): void {
    if (this.#hungry && !this.#pulling && this.#emptyAt !== this.#source.version()) void this.#pullAll();
  }

  /** A sign of life, as a comment. Cuts off a client that has taken nothing for too long. */
  beat(stalledMax: number): void {
    if (this.#ending) return;
    if (this.#hungry) {
      this.#stalledBeats = 0;
      this.#give(Buffer.from(":\n\n"));
    } else if (++this.#stalledBeats >= stalledMax) this.destroy();
  }

  /** Ends the stream; a client that does not take the end is cut off. */
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
          // The client asks again with its position, and gets an error that says that it comes too late.
          this.finish(closingMs);
        } else if (slice.bytes.length === 0) this.#emptyAt = version;
        else {
          this.#after = slice.next;
          this.#give(slice.bytes);
        }
      }
    } catch {
      // The database is away: the poll brings the reader back here.
    }
    this.#pulling = false;
  }

  #give(bytes: Buffer): void {
    this.#hungry = false;
    this.#stalledBeats = 0;
    this.push(bytes);
  }
}
