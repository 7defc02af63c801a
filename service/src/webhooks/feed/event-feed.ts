/**
 * Live readers of the event feed. Each is a stream that holds one small slice of events at most and is asked for more only
 * when its client has taken that; a client that takes nothing for a minute is cut off, and resumes where it was.
 * Readers of one account at one position share one read. Ends in this process, and hints from others, wake the readers
 * of an account at once; the truth is a poll, one statement for all accounts that have readers.
 */
import { Readable } from "node:stream";
import type { Database } from "../../db/index.ts";
import { readEvents, type ReadEventsDeps } from "./read-events.ts";

export interface EventFeedOptions {
  pollMs?: number;
  heartbeatMs?: number;
  /** A reader that takes nothing for so many heartbeats is cut off. */
  stalledHeartbeatsMax?: number;
}

export interface EventFeedDeps extends Omit<ReadEventsDeps, "database"> {
  readonly database: Database;
  /** Those of these tokens that are neither revoked nor expired. */
  readonly validTokens?: (tokenIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

interface Account {
  readonly readers: Set<EventReader>;
  /** Raised by every sign of a new event: a read that began before it says nothing about what came since. */
  version: number;
  /** The highest number that is known to be there. */
  head: number;
}

/** `null`: what comes next has been deleted. */
type Slice = { readonly bytes: Buffer; readonly next: number } | null;

const sliceEventsMax = 50;
const sliceBytesMax = 128 * 1024;
/** Reads under way at a time: thousands of readers must not take every connection to the database. */
const readsMax = 4;
/** What a stop lets a reader take until its connection is cut. */
const closingMs = 1_000;

export class EventFeed {
  readonly #deps: EventFeedDeps;
  readonly #options: Required<EventFeedOptions>;
  readonly #accounts = new Map<string, Account>();
  readonly #reads = new Map<string, Promise<Slice>>();
  readonly #queue: (() => void)[] = [];
  #reading = 0;
  #readerCount = 0;
  #timers: NodeJS.Timeout[] = [];
  #polling: Promise<void> | null = null;

  constructor(deps: EventFeedDeps, options: EventFeedOptions = {}) {
    this.#deps = deps;
    this.#options = {
      pollMs: options.pollMs ?? 1_000,
      heartbeatMs: options.heartbeatMs ?? 15_000,
      stalledHeartbeatsMax: options.stalledHeartbeatsMax ?? 4,
    };
  }

  /** Live readers, for metrics. */
  get readers(): number {
    return this.#readerCount;
  }

  /**
   * A stream of server-sent events after a position. It ends when `signal` aborts, and within a poll of the revocation or the expiry
   * of the token.
   */
  open(accountId: string, after: number, signal: AbortSignal, tokenId: string | null = null): Readable {
    const account = this.#accounts.get(accountId) ?? { readers: new Set(), version: 0, head: 0 };
    this.#accounts.set(accountId, account);
    account.head = Math.max(account.head, after);
    const reader = new EventReader(after, tokenId, {
      version: () => account.version,
      read: (position) => this.#read(accountId, account, position),
    });
    account.readers.add(reader);
    this.#readerCount++;
    if (this.#readerCount === 1) this.#startTimers();
    const stop = () => reader.finish(closingMs);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    reader.once("close", () => {
      signal.removeEventListener("abort", stop);
      account.readers.delete(reader);
      if (account.readers.size === 0) this.#accounts.delete(accountId);
      this.#readerCount--;
      if (this.#readerCount === 0) this.#stopTimers();
    });
    return reader;
  }

  /** Ends of these accounts' tasks have been committed. */
  wake(accountIds: Iterable<string>): void {
    for (const accountId of accountIds) {
      const account = this.#accounts.get(accountId);
      if (account !== undefined) wakeReaders(account);
    }
  }

  /** Ends of somebody's tasks have been committed: asks whose. */
  look(): void {
    if (this.#readerCount > 0) void this.#poll();
  }

  /** Ends every reader, and waits for reads under way. */
  async stop(): Promise<void> {
    this.#stopTimers();
    for (const account of [...this.#accounts.values()]) for (const reader of account.readers) reader.finish(0);
    await Promise.allSettled([...this.#reads.values(), this.#polling]);
  }

  #startTimers(): void {
    const { pollMs, heartbeatMs, stalledHeartbeatsMax } = this.#options;
    this.#timers = [
      setInterval(() => void this.#poll(), pollMs),
      setInterval(() => {
        for (const account of this.#accounts.values())
          for (const reader of account.readers) reader.beat(stalledHeartbeatsMax);
      }, heartbeatMs),
    ];
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #poll(): Promise<void> {
    this.#polling ??= this.#askHeads().finally(() => (this.#polling = null));
    return this.#polling;
  }

  async #askHeads(): Promise<void> {
    const asked = [...this.#accounts];
    try {
      await this.#endInvalid();
      // deliveries_events alone: one look at its end for each account with readers.
      const { rows } = await this.#deps.database.query<{ account_id: string; head: number }>({
        name: "event heads",
        text: `select a.id as account_id, e.head
                 from unnest($1::uuid[], $2::bigint[]) as a(id, head)
                cross join lateral (
                  select d.event_number as head from deliveries d
                   where d.account_id = a.id and d.event_number > a.head order by d.event_number desc limit 1) e`,
        values: [asked.map(([accountId]) => accountId), asked.map(([, { head }]) => head)],
      });
      for (const { account_id: accountId, head } of rows) {
        const account = this.#accounts.get(accountId);
        if (account === undefined || account.head >= head) continue;
        account.head = head;
        wakeReaders(account);
      }
    } catch {
      // The database is away: the next poll asks again.
    }
    // Whoever a fault left behind.
    for (const [, account] of asked) for (const reader of account.readers) reader.pull();
  }

  /** Ends the readers whose token has been revoked, or has expired. */
  async #endInvalid(): Promise<void> {
    const { validTokens } = this.#deps;
    const readers = [...this.#accounts.values()].flatMap((account) => [...account.readers]);
    const tokenIds = new Set(readers.flatMap(({ tokenId }) => tokenId ?? []));
    if (validTokens === undefined || tokenIds.size === 0) return;
    const valid = await validTokens([...tokenIds]);
    for (const reader of readers) if (reader.tokenId !== null && !valid.has(reader.tokenId)) reader.finish(closingMs);
  }

  /** One read for all readers that stand at the same place, begun after the last sign of a new event. */
  #read(accountId: string, account: Account, after: number): Promise<Slice> {
    const key = `${accountId} ${after} ${account.version}`;
    let read = this.#reads.get(key);
    if (read === undefined) {
      read = this.#readSlice(accountId, account, after).finally(() => this.#reads.delete(key));
      this.#reads.set(key, read);
    }
    return read;
  }

  async #readSlice(accountId: string, account: Account, after: number): Promise<Slice> {
    if (this.#reading >= readsMax) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#reading++;
    try {
      const slice = await readEvents(this.#deps, accountId, after, { limit: sliceEventsMax, bytesMax: sliceBytesMax });
      if (slice === null) return null;
      account.head = Math.max(account.head, slice.next);
      const text = slice.entries
        // The standard has readers pass over fields that they don't know; ours need the id that the notification carries.
        .map(
          ({ cursor, deliveryId, payload }) =>
            `id: ${cursor}\nevent: task.finished\ndelivery: ${deliveryId}\ndata: ${payload}\n\n`,
        )
        .join("");
      return { bytes: Buffer.from(text, "utf8"), next: slice.next };
    } finally {
      // The place is handed on.
      const next = this.#queue.shift();
      if (next === undefined) this.#reading--;
      else next();
    }
  }
}

function wakeReaders(account: Account): void {
  account.version++;
  for (const reader of account.readers) reader.pull();
}

/** One client's stream. Node asks it for more only while less than a slice waits to be taken. */
class EventReader extends Readable {
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
          // Asked again with its position, the client is told that it comes too late.
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
