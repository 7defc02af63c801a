/**
 * Live readers of the event feed. Each reader is a stream that buffers at most one small slice of events, and gets more only
 * when its client has read that. A client that reads nothing for a minute is disconnected, and resumes at its position. Readers
 * of one account at one position share one read. Tasks that end in this process, and wake-ups from others, wake the readers of
 * an account immediately. Correctness depends only on a poll, one statement for all accounts that have readers.
 */
import { Readable } from "node:stream";
import type { EventType } from "@querent/contract";
import pLimit from "p-limit";
import type { Database } from "../../db/index.ts";
import {
  identityOf,
  startOfFeed,
  writeCursor,
  type EventMark,
  type FeedPosition,
  defaultTypes,
  newestOf,
  readEvents,
  type ReadEventsDeps,
} from "./read-events.ts";

export interface EventFeedOptions {
  pollMs?: number;
  heartbeatMs?: number;
  /** A reader that has read nothing for this number of heartbeats is disconnected. */
  stalledHeartbeatsMax?: number;
}

interface EventFeedDeps extends Omit<ReadEventsDeps, "database"> {
  readonly database: Database;
  /** Returns the ids among these of tokens and logins that are still valid. */
  readonly validAccess?: (accessIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

interface Account {
  readonly readers: Set<EventReader>;
  /** Increases with every sign of a new event: a read that began earlier may have missed what came since. */
  version: number;
  /** The newest event known. */
  head: EventMark;
}

/** Which account's feed, and which types of events a reader gets. */
interface FeedOf {
  readonly accountId: string;
  readonly types: readonly EventType[];
}

const sliceEventsMax = 50;
const sliceBytesMax = 128 * 1024;
/** Concurrent reads: thousands of readers must not take every connection to the database. */
const readsMax = 4;
export class EventFeed {
  readonly #deps: EventFeedDeps;
  readonly #options: Required<EventFeedOptions>;
  readonly #accounts = new Map<string, Account>();
  readonly #reads = new Map<string, Promise<Slice>>();
  readonly #limit = pLimit(readsMax);
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
   * Opens a stream of server-sent events after a position. It ends when `signal` aborts, and within one poll after the token is
   * revoked or expires.
   */
  open(
    accountId: string,
    after: FeedPosition,
    signal: AbortSignal,
    { accessId = null, types = defaultTypes }: { accessId?: string | null; types?: readonly EventType[] } = {},
  ): Readable {
    const account = this.#accounts.get(accountId) ?? { readers: new Set(), version: 0, head: startOfFeed };
    this.#accounts.set(accountId, account);
    account.head = newer(account.head, after);
    const reader = new EventReader(after, accessId, {
      version: () => account.version,
      read: (position) => this.#read({ accountId, types }, account, position),
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

  /** Tasks of these accounts have ended, and their transaction is committed. */
  wake(accountIds: Iterable<string>): void {
    for (const accountId of accountIds) {
      const account = this.#accounts.get(accountId);
      if (account !== undefined) wakeReaders(account);
    }
  }

  /** Tasks of unknown accounts have ended: polls to find out which. */
  look(): void {
    if (this.#readerCount > 0) void this.#poll();
  }

  /** Ends every reader, and waits for the reads in progress. */
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
    const asked = [...this.#accounts].map(([accountId, account]) => ({ accountId, account, known: account.head }));
    try {
      await this.#endInvalid();
      // Two lookups, at the ends of indexes, for each account with readers.
      const { rows } = await this.#deps.database.query<{ account_id: string; head: number | null; id: string | null }>({
        name: "event heads",
        text: `select w.account_id, d.event_number as head, d.id
                 from unnest($1::uuid[]) as w(account_id) left join lateral ${newestOf} on true`,
        values: [asked.map(({ accountId }) => accountId)],
      });
      const heads = new Map(rows.map((row) => [row.account_id, row]));
      for (const { accountId, account, known } of asked) {
        const { head = null, id = null } = heads.get(accountId) ?? {};
        const found = head === null || id === null ? startOfFeed : { number: head, identity: identityOf(id) };
        if (account.head !== known) continue; // a read has found newer events meanwhile
        account.head = found;
        // Also if it is lower, or another event of the same number: the database was restored, and its readers must learn of it.
        const isOther = known.identity !== null && found.identity !== known.identity;
        if (found.number !== known.number || isOther) wakeReaders(account);
      }
    } catch {
      // The database is unavailable: the next poll tries again.
    }
    // Also wakes readers that an earlier error left behind.
    for (const { account } of asked) for (const reader of account.readers) reader.pull();
  }

  /** Ends the readers whose token or login has ended. */
  async #endInvalid(): Promise<void> {
    const { validAccess } = this.#deps;
    const readers = [...this.#accounts.values()].flatMap((account) => [...account.readers]);
    const accessIds = new Set(readers.flatMap(({ accessId }) => accessId ?? []));
    if (validAccess === undefined || accessIds.size === 0) return;
    const valid = await validAccess([...accessIds]);
    for (const reader of readers) if (reader.accessId !== null && !valid.has(reader.accessId)) reader.finish(closingMs);
  }

  /** One read for all readers at the same position, started after the last sign of a new event. */
  #read(of: FeedOf, account: Account, after: FeedPosition): Promise<Slice> {
    const key = `${of.accountId} ${of.types.join(",")} ${writeCursor(after)} ${account.version}`;
    let read = this.#reads.get(key);
    if (read === undefined) {
      read = this.#limit(() => this.#readSlice(of, account, after)).finally(() => this.#reads.delete(key));
      this.#reads.set(key, read);
    }
    return read;
  }

  async #readSlice(of: FeedOf, account: Account, after: FeedPosition): Promise<Slice> {
    const slice = await readEvents(this.#deps, of, after, { limit: sliceEventsMax, bytesMax: sliceBytesMax });
    if (slice === null) return null;
    account.head = newer(account.head, slice.next);
    const text = slice.entries
      // Readers ignore unknown fields, as the standard requires; ours need the id that the webhook carries.
      .map(
        ({ type, cursor, deliveryId, payload }) =>
          `id: ${cursor}\nevent: ${type}\ndelivery: ${deliveryId}\ndata: ${payload}\n\n`,
      )
      .join("");
    return { bytes: Buffer.from(text, "utf8"), next: slice.next };
  }
}

const newer = (one: EventMark, other: EventMark): EventMark => (other.number > one.number ? other : one);

function wakeReaders(account: Account): void {
  account.version++;
  for (const reader of account.readers) reader.pull();
}

/** The events to be written; null if the position does not exist any more, or the next ones have been deleted. */
type Slice = { readonly bytes: Buffer; readonly next: FeedPosition } | null;

/** How long a stopping reader may take to read the rest before its connection is closed. */
const closingMs = 1_000;

/** One client's stream. Node asks for more only while less than a slice is buffered. */
class EventReader extends Readable {
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
