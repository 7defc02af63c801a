import pg from "pg";
import { Announcer } from "./announcer.ts";
import { currentAction } from "../runtime/audited.ts";
import { isAborted, isConnectionLost, isReadOnly, isShutdown } from "./faults.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { queryConfig } from "./array-parameters.ts";
import { beginWithSettings, isSession, openClient, requireTransactions, setUpSession } from "./session.ts";

setValueParsers();

/** What a query needs: a pool, or the client of an open transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

/** The client of an open transaction. Everything done with it is committed together or not at all. */
export interface Transaction extends Queryable {
  readonly inTransaction: true;
  /**
   * Sends the commit right behind the previous statements instead of waiting for their results, which holds its locks for one
   * round trip less. If one of those statements fails, nothing is committed. No statement can follow it, and the rest of `work`
   * must not fail.
   */
  commit(): void;
}

/** Settings of PostgreSQL that hold for one transaction. They are sent with its `begin`. */
interface TransactionOptions {
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * For transactions whose statements are named and written for any parameters: each is planned once on a connection. Otherwise
 * PostgreSQL plans the first five executions for their parameters, and only then decides to keep a plan. A connection that ended
 * a few hundred tasks spent more on plans than on tasks.
 */
export const keptPlans = { plan_cache_mode: "force_generic_plan" };

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  /**
   * If `connection` leads to a pooler: the server itself, for what needs a session. Then every statement through the pooler is
   * in a transaction with its own settings, and none is prepared under a name.
   */
  direct?: pg.ClientConfig | undefined;
  /** The maximum of connections. */
  connectionsMax: number;
  /** How long to wait for a connection before the query fails. */
  connectTimeoutMs?: number;
  /** The server cancels a statement that runs longer. */
  statementTimeoutMs?: number;
  /** How long a reply may be overdue before it is checked whether the server is still there. */
  silentMs?: number;
  applicationName?: string;
  /** The name of the connections that do not go through a pooler, which have a number of their own. Default: the same name. */
  directApplicationName?: string;
  /** Called with the error of a connection that breaks while idle; the pool replaces it automatically. */
  onIdleError?: (error: Error) => void;
}

/**
 * The connection was lost during a commit, which may or may not have happened. The caller must check the database, or be safe
 * to repeat.
 */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super("The connection was lost during a commit; whether it happened is unknown.", { cause });
    this.name = "CommitUnknownError";
  }
}

/** The database is known not to answer: refused at once, so that the caller can try again instead of waiting. */
class AwayError extends Error {
  constructor() {
    super("Connection terminated: the database does not reply at present.");
    this.name = "AwayError";
  }
}

export const defaultStatementTimeoutMs = 30_000;

/** A connection that is silent for this much longer than the server's own time limit counts as lost. */
const silenceMs = 5000;

/** How long to wait for the server to close its side of a connection. */
const endingMsMax = 2000;

/** The service's access to PostgreSQL: a pool, transactions, and a connection that listens. */
export class Database implements Queryable {
  readonly #pool: MeasuredPool;
  /** The configurations of the pool's connections, and of those outside it: the same without a pooler. */
  readonly #connection: pg.ClientConfig;
  readonly #direct: pg.ClientConfig;
  readonly #isPooled: boolean;
  readonly #begin: string;
  readonly #announcer: Announcer;
  readonly #watch: SilenceWatch;
  /** The pool's connections that have not ended. */
  readonly #open = new Set<pg.PoolClient>();
  #closing = false;
  #onAllEnded: () => void = () => undefined;

  constructor(options: DatabaseOptions) {
    const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
    const common: pg.ClientConfig = {
      application_name: options.applicationName ?? "querent",
      connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
      // Notices within 15 s that the other side of an idle connection is gone. Without a delay, Linux begins after two hours.
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      // Statements that a transaction does not await one by one are sent together, and answered in order.
      pipeline: true,
      // TCP takes many minutes to notice a silently broken connection (a failed host, a firewall that dropped its state).
      query_timeout: statementTimeoutMs + silenceMs,
    };
    this.#connection = { ...options.connection, ...common };
    this.#direct = {
      ...(options.direct ?? options.connection),
      ...common,
      application_name: options.directApplicationName ?? common.application_name,
    };
    this.#isPooled = options.direct !== undefined;
    this.#begin = this.#isPooled ? beginWithSettings({ statementTimeoutMs }) : "begin";
    this.#pool = new MeasuredPool({
      ...this.#connection,
      max: options.connectionsMax,
      // A new connection has no plans, and an empty cache of the catalog.
      idleTimeoutMillis: 300_000,
      // The pool awaits what this returns, which its types do not say.
      // oxlint-disable-next-line typescript/no-misused-promises
      ...(this.#isPooled ? {} : { onConnect: (client) => setUpSession(client, { statementTimeoutMs }) }),
    });
    this.#announcer = new Announcer((channel, payload) => this.query("select pg_notify($1, $2)", [channel, payload]));
    this.#watch = new SilenceWatch({
      silentMs: options.silentMs ?? 5000,
      answerMsMax: this.#isPooled ? 2_000 : undefined,
      newClient: () => new pg.Client({ ...this.#connection, query_timeout: this.#connection.connectionTimeoutMillis }),
    });
    this.#pool.on("connect", (client) => {
      this.#open.add(client);
      this.#watch.add(client, { isPooled: this.#isPooled });
    });
    this.#pool.on("remove", (client) => {
      this.#open.delete(client);
      if (this.#open.size === 0) this.#onAllEnded();
    });
    this.#pool.on("error", (error) => {
      // While the pool is closing, the server's shutdown of its connections is expected.
      if (!(this.#closing && isShutdown(error))) options.onIdleError?.(error);
    });
  }

  /** Called with the time that each statement and transaction waited for a connection. */
  onWaited(callback: (seconds: number) => void): void {
    this.#pool.onWaited = callback;
  }

  get poolUse(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this.#pool;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max };
  }

  query<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const config = queryConfig(query, values);
    if (this.#watch.isAway) return Promise.reject(new AwayError());
    return this.#isPooled ? this.#queryPooled<Row>(config) : this.#pool.query<Row>(config);
  }

  /** Runs the statement in a transaction, whose settings hold for it and leave nothing behind on the pooler's connection. */
  async #queryPooled<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const [result] = await this.transactionOf([query]);
    return result as pg.QueryResult<Row>;
  }

  /**
   * Runs `work` in one READ COMMITTED transaction. Any error rolls back and is rethrown. A client whose connection broke is
   * discarded; if that happened during the commit, a `CommitUnknownError` is thrown.
   *
   * If it is part of an audited action, the action's entry is committed with it.
   *
   * Statements that `work` starts together (`Promise.all`) are sent in one round trip and run in that order. If one fails,
   * those after it are rejected, and the first error is the one that is thrown.
   */
  async transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    { settings = {} }: TransactionOptions = {},
  ): Promise<Result> {
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    const client = await this.#checkOut(onError);
    let committing: Promise<pg.QueryResult> | undefined;
    // Among statements that were sent together the first failure is the cause; the others only report that there was one
    // (25P02), and may reach `work` before it does.
    let cause: unknown;
    const send = (query: pg.QueryConfig) => {
      sendTogether(client);
      const answer = client.query(this.#statement(query));
      answer.catch((error: unknown) => (cause ??= error));
      return answer;
    };
    const action = currentAction();
    let recording: Promise<pg.QueryResult> | undefined;
    const commit = () => {
      if (committing !== undefined) return committing;
      const entry = action?.statement() ?? null;
      // Its failure is that of the commit, which is sent right behind it.
      if (entry !== null) recording = send(entry);
      return (committing = send({ text: "commit" }));
    };
    const tx = {
      inTransaction: true,
      query: (query: pg.QueryConfig | string, values?: unknown[]) => {
        if (committing !== undefined) throw new Error("The commit of this transaction has been sent.");
        return send(queryConfig(query, values));
      },
      commit: () => void commit(),
    };
    try {
      // Sent with the first statement of `work`, which fails with it.
      sendTogether(client);
      const begun = client.query(this.#beginWith(settings));
      begun.catch(() => {});
      const result = await work(tx as Transaction);
      await begun;
      const { command } = await commit();
      // The result of a commit after a failure that `work` did not rethrow.
      if (command === "ROLLBACK") throw cause;
      if (((await recording)?.rowCount ?? 0) > 0) action?.written();
      return result;
    } catch (thrown) {
      const error = isAborted(thrown) && cause !== undefined ? cause : thrown;
      // A connection that is lost or silent cannot roll back: the server does so once it is closed.
      if (isConnectionLost(error) || isReadOnly(error)) broken = error;
      else await client.query("rollback").catch((failure: Error) => (broken = failure));
      throw committing !== undefined && isConnectionLost(error) ? new CommitUnknownError(error) : error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /**
   * Runs statements that do not depend on each other's results in one READ COMMITTED transaction that is sent at once,
   * including the commit: one round trip, and no locks are held while this process does something else.
   */
  async transactionOf(
    queries: readonly pg.QueryConfig[],
    { settings = {} }: TransactionOptions = {},
  ): Promise<pg.QueryResult[]> {
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    const client = await this.#checkOut(onError);
    try {
      sendTogether(client);
      const answers = [{ text: this.#beginWith(settings) }, ...queries, { text: "commit" }].map((query) =>
        client.query(this.#statement(queryConfig(query))),
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

  #beginWith(settings: Readonly<Record<string, string>>): string {
    return [this.#begin, ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)].join("; ");
  }

  /**
   * A client with an error listener from the moment it is handed over. One turn of the event loop later is too late: the server
   * may announce its shutdown in the same packet as the reply that freed the client, and an error without a listener ends the
   * process.
   */
  #checkOut(onError: (error: Error) => void): Promise<pg.PoolClient> {
    if (this.#watch.isAway) return Promise.reject(new AwayError());
    return new Promise((resolve, reject) => {
      this.#pool.connect((error, client) => {
        if (client === undefined) return reject(error ?? new Error("The pool gave no client."));
        client.on("error", onError);
        resolve(client);
      });
    });
  }

  /**
   * Wakes the processes that listen on a channel, after the commit that it concerns. Returns immediately, and may be lost (see
   * `Announcer`). `names`: whom or what it concerns; none: everything.
   */
  announce(channel: string, names: readonly string[]): void {
    this.#announcer.announce(channel, names);
  }

  /** A pooler prepares a named statement on one of its connections, and the next transaction may get another. */
  #statement(query: pg.QueryConfig): pg.QueryConfig {
    return this.#isPooled && query.name !== undefined ? { ...query, name: undefined } : query;
  }

  /**
   * A connection outside the pool, and not through a pooler: for LISTEN, session locks, and work that must not wait for others.
   * The caller ends it.
   */
  async connect({ timeoutMs = 0 }: { timeoutMs?: number } = {}): Promise<pg.Client> {
    const client = await openClient({ ...this.#direct, query_timeout: timeoutMs });
    try {
      await setUpSession(client, { statementTimeoutMs: timeoutMs });
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    this.#watch.add(client);
    return client;
  }

  /** False if a pooler gives each transaction another connection, where a session is needed. */
  isSession(): Promise<boolean> {
    return isSession(() => openClient(this.#direct));
  }

  /** Throws the reason of the server, or of the pooler, if it takes no transactions. */
  requireTransactions(): Promise<void> {
    return requireTransactions(() => openClient(this.#connection));
  }

  /** Resolves once every connection of the pool has ended, so that the server can be stopped. */
  async close(): Promise<void> {
    this.#closing = true;
    // Resolves when the pool has asked its connections to end, which takes a moment longer.
    await this.#pool.end();
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAllEnded = resolve;
    const timer = setTimeout(resolve, endingMsMax);
    await promise;
    clearTimeout(timer);
  }
}

/** Sends all statements of this turn of the event loop in one system call. Each costs as much as a small statement does. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = client.connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A pool that reports how long each statement and transaction waited for a connection. */
class MeasuredPool extends pg.Pool {
  onWaited: ((seconds: number) => void) | null = null;

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const from = performance.now();
    const waited = () => this.onWaited?.((performance.now() - from) / 1000);
    if (callback === undefined) return super.connect().finally(waited);
    super.connect((error, client, done) => {
      waited();
      callback(error, client, done);
    });
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** How the connections of a pool are used. */
interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** Sets the parsers of the driver, for the whole process. */
function setValueParsers(): void {
  // int8 (20) as a number: points, counts and ids stay far below 2^53. Queries cast numeric (money) to float8.
  pg.types.setTypeParser(20, Number);
  // timestamptz (1184) in the format of our sessions, in UTC, parsed by the JavaScript engine: the end of a task has five of
  // them, and the driver's parser took five times as long. Other formats (years before Christ, infinity) are left to the driver.
  const parseTime = pg.types.getTypeParser(1184);
  pg.types.setTypeParser(1184, (text: string): Date =>
    isUtcTime.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : (parseTime(text) as Date),
  );
}

const isUtcTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;
