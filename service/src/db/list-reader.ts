import pg from "pg";
import { PollLoop } from "../runtime/poll-loop.ts";
import type { Service } from "../runtime/service.ts";
import { isConnectionLost, isReadOnly, isStatementTimeout } from "./faults.ts";
import { defaultStatementTimeoutMs, type Queryable, type Database } from "./pool.ts";
import { queryConfig } from "./array-parameters.ts";

/** Where one list or export is read. */
export interface ListSource {
  readonly db: Queryable;
  /** What was committed before is shown. Null: everything. */
  readonly asOf: Date | null;
}

/** Decides whether a list or export is read from a replica or from the primary. */
export interface ListReader {
  source(): ListSource;
  /**
   * Reads who sends a request: from the primary, and from the replica while the primary is away, so that lists can be read then. Other
   * statements than reads fail there, which `unlessReadOnly` passes over.
   */
  readonly identities: Queryable;
}

export const primaryReader = (primary: Queryable): ListReader => ({
  source: () => ({ db: primary, asOf: null }),
  identities: primary,
});

/** For statements without which a request can go on, such as those that note when a token was last used. */
export function unlessReadOnly(error: unknown): void {
  if (!isReadOnly(error)) throw error;
}

interface ReplicaReaderOptions {
  readonly primary: Queryable;
  readonly replica: Queryable;
  /** A replica that is further behind reads nothing. */
  readonly behindMsMax: number;
  /** Called when the replica becomes usable (null), or unusable for this reason. */
  readonly onChange: (why: string | null) => void;
}

/** A place in the primary's write-ahead log, and when it was reached, by the primary's clock. */
interface Mark {
  readonly position: bigint;
  readonly at: Date;
}

const compareEveryMs = 1000;
/**
 * A replica that compares well, but breaks connections or lets statements wait, delays a request each time. So it is not read for some time
 * after such a failure: twice as long as after the last one, unless it has worked for the longest such time since.
 */
const restMsMin = 2_000;
const restMsMax = 600_000;
/** A failure after this time has delayed the request. */
const lateMs = 5_000;
const whyCharsMax = 300;

/**
 * Reads from a replica that has replayed what the primary had committed some seconds ago, otherwise from the primary. Compares
 * the positions of the two in the write-ahead log: the replica's own time of replay stands still on a quiet server, and looks
 * current on one that is cut off. While the primary is away, there is nothing else to read: then a replica goes on that was compared
 * before, and what it shows is as old as the last comparison.
 */
export class ReplicaReader implements ListReader, Service {
  readonly identities: Queryable;
  readonly #options: ReplicaReaderOptions;
  readonly #comparisons: PollLoop;
  /** The marks of the last `behindMsMax`. */
  #marks: Mark[] = [];
  #asOf: Date | null = null;
  /** The last `asOf`, or the time of the first comparison. */
  #near: Date | null = null;
  #why: string | null | undefined;
  #restMs = 0;
  #restUntil = 0;
  /** The primary's server and database, as of the last comparison. */
  #identity: string | null = null;
  #isPrimaryAway = false;

  constructor(options: ReplicaReaderOptions) {
    this.#options = options;
    this.identities = {
      query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig | string, values?: unknown[]) =>
        this.#queryIdentities<Row>(queryConfig(query, values)),
    };
    this.#comparisons = new PollLoop({
      everyMs: compareEveryMs,
      look: () => this.#compare(),
      onFault: (error) => this.#leave(reasonOf(error)),
    });
  }

  start(): void {
    this.#comparisons.wake();
    this.#comparisons.start();
  }

  stop(): Promise<void> {
    return this.#comparisons.stop();
  }

  source(): ListSource {
    const { primary, replica } = this.#options;
    const asOf = this.#asOf;
    if (asOf === null) return { db: primary, asOf: null };
    return { db: new WithFallback(replica, primary, (error, tookMs) => this.#fail(error, tookMs)), asOf };
  }

  /** After a statement that failed. Statements of one moment, which fail for one reason, count once. */
  #fail(error: unknown, tookMs: number): void {
    const now = performance.now();
    // The server's own error that comes soon, such as a conflict with its recovery, concerns one statement.
    const hasDelayed = !(error instanceof pg.DatabaseError) || tookMs >= lateMs;
    if (hasDelayed && now >= this.#restUntil) {
      const isAgain = now < this.#restUntil + restMsMax;
      this.#restMs = this.#restMs > 0 && isAgain ? Math.min(restMsMax, this.#restMs * 2) : restMsMin;
      this.#restUntil = now + this.#restMs;
    }
    this.#leave(reasonOf(error));
  }

  async #queryIdentities<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const { primary, replica } = this.#options;
    if (this.#isPrimaryAway && this.#asOf !== null) return replica.query<Row>(query);
    try {
      return await primary.query<Row>(query);
    } catch (error) {
      // The next comparison finds that the primary is away.
      if (!isConnectionLost(error) || this.#asOf === null) throw error;
      return replica.query<Row>(query);
    }
  }

  async #compare(): Promise<void> {
    const { primary, replica, behindMsMax } = this.#options;
    // The primary first: then a replica that is at its position has all of it.
    const found = await readPrimary(primary).catch((error: unknown) => {
      if (this.#identity === null || !isConnectionLost(error)) throw error;
      return null;
    });
    this.#isPrimaryAway = found === null;
    const state = await readReplica(replica);
    const { position } = state;
    if (state.identity !== (found?.identity ?? this.#identity))
      return this.#leave("it belongs to another server, or leads to another database");
    if (position === null) return this.#leave("it leads to a server that is not a replica");
    if (found === null) return this.#goOnAlone(position);
    const { identity, ...mark } = found;
    this.#identity = identity;
    if (!state.isStreaming) return this.#leave("it receives nothing from the primary");
    const oldest = mark.at.getTime() - behindMsMax;
    // A primary that took over may begin before a position of the old one.
    this.#marks = [...this.#marks, mark].filter(
      ({ at, position: reached }) => at.getTime() >= oldest && reached <= mark.position,
    );
    if (performance.now() < this.#restUntil) return;
    this.#asOf = this.#marks.findLast((one) => one.position <= position)?.at ?? null;
    // Until there is a mark of that age, it is not known how far behind the replica is.
    this.#near = this.#asOf ?? this.#near ?? mark.at;
    if (this.#asOf !== null) this.#report(null);
    else if (this.#near.getTime() <= oldest) this.#report("it is too far behind the primary");
  }

  /** Reads from a replica of a primary that is away: all that was compared before, since nothing newer can be known. */
  #goOnAlone(position: bigint): void {
    if (performance.now() < this.#restUntil) return;
    this.#asOf = this.#marks.findLast((one) => one.position <= position)?.at ?? null;
    if (this.#asOf !== null) this.#report(null);
  }

  /** Reads from the primary until a comparison succeeds. */
  #leave(why: string): void {
    this.#asOf = null;
    this.#report(why);
  }

  #report(why: string | null): void {
    if (why === this.#why) return;
    this.#why = why;
    this.#options.onChange(why);
  }
}

/** Runs statements on the replica until one fails, and that one and the following on the primary, which is never behind it. */
class WithFallback implements Queryable {
  readonly #primary: Queryable;
  readonly #onFailure: (error: unknown, tookMs: number) => void;
  #db: Queryable;

  constructor(replica: Queryable, primary: Queryable, onFailure: (error: unknown, tookMs: number) => void) {
    this.#db = replica;
    this.#primary = primary;
    this.#onFailure = onFailure;
  }

  async query<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const config = queryConfig(query, values);
    const db = this.#db;
    const startedAt = performance.now();
    try {
      return await db.query<Row>(config);
    } catch (error) {
      const tookMs = performance.now() - startedAt;
      if (db === this.#primary || isTimeLimit(error, tookMs)) throw error;
      this.#db = this.#primary;
      this.#onFailure(error, tookMs);
      return this.#primary.query<Row>(config);
    }
  }
}

/** It would take as long on the primary. One that comes early is not the time limit, but somebody who cancels statements. */
const isTimeLimit = (error: unknown, tookMs: number) =>
  isStatementTimeout(error) && tookMs >= defaultStatementTimeoutMs * 0.9;

const identity = `(select system_identifier from pg_control_system()) || ' ' ||
  (select oid from pg_database where datname = current_database())`;

async function readPrimary(primary: Queryable): Promise<Mark & { readonly identity: string }> {
  const { rows } = await primary.query<{ identity: string; position: string; at: Date }>(
    `select ${identity} as identity, (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as position, clock_timestamp() as at`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the primary did not report its position");
  return { ...row, position: BigInt(row.position) };
}

interface ReplicaState {
  readonly identity: string;
  /** The position up to which a replica has replayed; null for a server that is none. */
  readonly position: bigint | null;
  readonly isStreaming: boolean;
}

async function readReplica(replica: Queryable): Promise<ReplicaState> {
  const { rows } = await replica.query<{ identity: string; position: string | null; streaming: boolean }>(
    `select ${identity} as identity,
            case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text end as position,
            exists (select from pg_stat_wal_receiver) as streaming`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("it did not report its position");
  const position = row.position === null ? null : BigInt(row.position);
  return { identity: row.identity, position, isStreaming: row.streaming };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, whyCharsMax);

/**
 * For reads that may be given up: when `signal` aborts, the server cancels the statement that runs, and later ones are not sent. Each
 * statement is a transaction, because what is canceled must still be that statement when the server hears of it.
 */
export function readsUntil(database: Database, signal: AbortSignal): Queryable {
  return {
    query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig | string, values?: unknown[]) =>
      queryUntil<Row>(database, signal, queryConfig(query, values)),
  };
}

/** For reads that take turns with others: each statement is sent once `acquire` has resolved, and the function that it returned is called when it has ended. */
export function readsInTurn(db: Queryable, acquire: () => Promise<() => void>): Queryable {
  return {
    query: async <Row extends pg.QueryResultRow>(query: pg.QueryConfig | string, values?: unknown[]) => {
      const release = await acquire();
      try {
        return await db.query<Row>(queryConfig(query, values));
      } finally {
        release();
      }
    },
  };
}

async function queryUntil<Row extends pg.QueryResultRow>(
  database: Database,
  signal: AbortSignal,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  signal.throwIfAborted();
  try {
    return await database.transaction(async (tx) => {
      signal.throwIfAborted();
      // The id is read in the same round trip as the statement, so that it is known while that runs.
      const backend = tx.query<{ pid: number }>("select pg_backend_pid() as pid");
      let canceling: Promise<unknown> | undefined;
      const cancel = () => {
        canceling = backend.then(({ rows }) => database.query("select pg_cancel_backend($1)", [rows[0]?.pid]));
        // If nothing can be sent, the statement runs until its time is over.
        canceling.catch(() => undefined);
      };
      signal.addEventListener("abort", cancel, { once: true });
      try {
        const result = await tx.query<Row>(query);
        await backend;
        return result;
      } finally {
        signal.removeEventListener("abort", cancel);
        // The transaction keeps the connection until the server has been told, so that no other statement is canceled.
        await canceling?.catch(() => undefined);
      }
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
