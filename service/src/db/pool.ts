import pg from "pg";
import { arrayLiteral } from "./array-parameters.ts";
import { isConnectionLost, isReadOnly } from "./faults.ts";

/** What a query needs: a pool, or the client of an open transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

/** The client of an open transaction. Everything done with it happens together or not at all. */
export interface Transaction extends Queryable {
  readonly inTransaction: true;
  /**
   * Sends the commit right behind what was sent, not when that has been answered: its locks are held a round trip less. When one of
   * those statements fails, nothing is committed. Nothing can be sent after it, and what `work` still does must not fail.
   */
  commit(): void;
}

// int8 (20) as a number: points, counts and ids stay far below 2^53. numeric is not used.
pg.types.setTypeParser(20, Number);

// timestamptz (1184) as our sessions write it, in UTC, by the engine's own parser: an end has five of them, and the driver's took
// five times as long. What has another form (a year before Christ, infinity) is left to the driver.
const parseTime = pg.types.getTypeParser(1184);
const isUtcTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;
pg.types.setTypeParser(1184, (text: string): Date =>
  isUtcTime.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : (parseTime(text) as Date),
);

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  /** Connections at most. */
  connectionsMax: number;
  /** Whoever gets no connection for so long gets an error instead. */
  connectTimeoutMs?: number;
  /** A statement that runs longer is canceled by the server. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** Told of connections that die while idle; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
}

/**
 * The connection was lost while a commit was under way: it may or may not have happened. Whoever gets this must ask the
 * database what is true, or be safe to run again.
 */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super("The connection was lost during a commit; whether it happened is unknown.", { cause });
    this.name = "CommitUnknownError";
  }
}

/** After this much silence beyond the server's own time limit a connection is taken for dead. */
const silenceMs = 5000;

/** A server that does not close its side of a connection is waited for so long. */
const endingMsMax = 2000;

/** "terminating connection due to administrator command": what a server that is stopped tells its connections. */
const isShutdown = (error: Error) => error instanceof pg.DatabaseError && error.code === "57P01";

/** "current transaction is aborted": what every statement after a failed one is told. */
const isAborted = (error: unknown) => error instanceof pg.DatabaseError && error.code === "25P02";

/** The service's way to PostgreSQL: a pool, transactions, and a connection that listens. */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #connection: pg.ClientConfig;
  /** The pool's connections that have not ended. */
  readonly #open = new Set<pg.PoolClient>();
  #closing = false;
  #onAllEnded: () => void = () => undefined;

  constructor(options: DatabaseOptions) {
    const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
    this.#connection = {
      ...options.connection,
      application_name: options.applicationName ?? "querent",
      connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
      keepAlive: true,
      // Statements that a transaction does not wait for between go out together, and are answered in order.
      pipeline: true,
      statement_timeout: statementTimeoutMs,
      // A cut without a word (a host that is gone, a firewall that forgot) is not told by TCP for many minutes.
      query_timeout: statementTimeoutMs + silenceMs,
      // A process that is stopped in the middle of a transaction holds its locks: shorter than a node's lease.
      idle_in_transaction_session_timeout: 10_000,
      options: "-c timezone=UTC -c default_transaction_isolation=read\\ committed",
    };
    this.#pool = new pg.Pool({ ...this.#connection, max: options.connectionsMax, idleTimeoutMillis: 30_000 });
    this.#pool.on("connect", (client) => this.#open.add(client));
    this.#pool.on("remove", (client) => {
      this.#open.delete(client);
      if (this.#open.size === 0) this.#onAllEnded();
    });
    this.#pool.on("error", (error) => {
      // Once we close, a server that goes down says nothing new to connections that are on their way out.
      if (!(this.#closing && isShutdown(error))) options.onIdleError?.(error);
    });
  }

  query<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    return this.#pool.query<Row>(queryConfig(query, values));
  }

  /**
   * Runs `work` in one READ COMMITTED transaction. Any error rolls back and is thrown on. A client whose connection
   * broke is thrown away; when that was during the commit, a `CommitUnknownError` says so.
   *
   * Statements that `work` starts together (`Promise.all`) go out in one round trip and run in that order; when one
   * fails, those after it are refused, and the first error is the one that is thrown.
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    const client = await this.#checkOut(onError);
    let committing: Promise<pg.QueryResult> | undefined;
    // Of statements that went out together the first failure is the cause; the others only say that there was one (25P02),
    // and may reach `work` before it does.
    let cause: unknown;
    const send = (query: pg.QueryConfig) => {
      const answer = client.query(query);
      answer.catch((error: unknown) => (cause ??= error));
      return answer;
    };
    const commit = () => (committing ??= send({ text: "commit" }));
    const tx = {
      inTransaction: true,
      query: (query: pg.QueryConfig | string, values?: unknown[]) => {
        if (committing !== undefined) throw new Error("The commit of this transaction has been sent.");
        return send(queryConfig(query, values));
      },
      commit: () => void commit(),
    };
    try {
      // Goes out with the first statement of `work`, which fails with it.
      const begun = client.query("begin");
      begun.catch(() => {});
      const result = await work(tx as Transaction);
      await begun;
      const { command } = await commit();
      // What a commit answers after a failure that `work` did not pass on.
      if (command === "ROLLBACK") throw cause;
      return result;
    } catch (thrown) {
      const error = isAborted(thrown) && cause !== undefined ? cause : thrown;
      // A connection that is lost, or silent, can't be asked to roll back: the server does, once it is closed.
      if (isConnectionLost(error) || isReadOnly(error)) broken = error;
      else await client.query("rollback").catch((failure: Error) => (broken = failure));
      throw committing !== undefined && isConnectionLost(error) ? new CommitUnknownError(error) : error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /**
   * Runs statements that need nothing of each other's results in one READ COMMITTED transaction, all of it, the commit too, sent
   * at once: one round trip, and locks that nobody holds while this process does something else.
   */
  async transactionOf(queries: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]> {
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    const client = await this.#checkOut(onError);
    try {
      const answers = [{ text: "begin" }, ...queries, { text: "commit" }].map((query) =>
        client.query(queryConfig(query)),
      );
      const settled = await Promise.allSettled(answers);
      const failed = settled.filter((answer) => answer.status === "rejected");
      const cause = failed.find(({ reason }) => !isAborted(reason)) ?? failed[0];
      if (cause !== undefined) throw cause.reason;
      return settled.slice(1, -1).flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    } catch (error) {
      if (isConnectionLost(error) || isReadOnly(error)) broken = error;
      throw error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /**
   * A client that is heard from the moment it is handed over. A turn later is too late: that the server goes down may be said in the same
   * breath as the answer that freed the client, and an error that nobody hears ends the process.
   */
  #checkOut(onError: (error: Error) => void): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#pool.connect((error, client) => {
        if (client === undefined) return reject(error ?? new Error("The pool gave no client."));
        client.on("error", onError);
        resolve(client);
      });
    });
  }

  /** A connection of its own, outside the pool: for LISTEN, session locks, and what must not wait for others. The caller ends it. */
  async connect({ timeoutMs = 0 }: { timeoutMs?: number } = {}): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#connection, statement_timeout: timeoutMs, query_timeout: timeoutMs });
    // Before the caller can listen; whatever is said on it afterwards fails.
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  /** Resolves once every connection of the pool has ended, so that the server may be stopped. */
  async close(): Promise<void> {
    this.#closing = true;
    // Resolves when the pool has asked its connections to end, which takes them a moment longer.
    await this.#pool.end();
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAllEnded = resolve;
    const timer = setTimeout(resolve, endingMsMax);
    await promise;
    clearTimeout(timer);
  }
}

function queryConfig(query: pg.QueryConfig | string, values?: unknown[]): pg.QueryConfig {
  const config = typeof query === "string" ? { text: query, ...(values !== undefined && { values }) } : query;
  return config.values === undefined ? config : { ...config, values: config.values.map(parameter) };
}

function parameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}
