import pg from "pg";

/** What a query needs: a pool, or the client of an open transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

/** The client of an open transaction. Everything done with it happens together or not at all. */
export interface Transaction extends Queryable {
  readonly inTransaction: true;
}

// int8 (20) as a number: points, counts and ids stay far below 2^53. numeric is not used.
pg.types.setTypeParser(20, Number);

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  /** Connections at most. */
  connectionsMax: number;
  /** A statement that runs longer is canceled by the server. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** Told of connections that die while idle; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void;
}

/** The service's way to PostgreSQL: a pool, transactions, and a connection that listens. */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  readonly #connection: pg.ClientConfig;

  constructor(options: DatabaseOptions) {
    this.#connection = {
      ...options.connection,
      application_name: options.applicationName ?? "querent",
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // Statements that a transaction does not wait for between go out together, and are answered in order.
      pipeline: true,
      statement_timeout: options.statementTimeoutMs ?? 30_000,
      idle_in_transaction_session_timeout: 30_000,
      options: "-c timezone=UTC -c default_transaction_isolation=read\\ committed",
    };
    this.#pool = new pg.Pool({ ...this.#connection, max: options.connectionsMax, idleTimeoutMillis: 30_000 });
    this.#pool.on("error", (error) => options.onIdleError?.(error));
  }

  query<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    return typeof query === "string" ? this.#pool.query<Row>(query, values) : this.#pool.query<Row>(query);
  }

  /**
   * Runs `work` in one READ COMMITTED transaction. Any error rolls back and is thrown on. A client whose connection
   * broke is thrown away; whether the commit happened is then unknown, and callers must be safe to run again.
   *
   * Statements that `work` starts together (`Promise.all`) go out in one round trip and run in that order; when one
   * fails, those after it are refused, and the first error is the one that is thrown.
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on("error", onError);
    try {
      // Goes out with the first statement of `work`, which fails with it.
      const begun = client.query("begin");
      begun.catch(() => {});
      const result = await work(client as unknown as Transaction);
      await begun;
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /** A connection of its own, outside the pool: for LISTEN and session locks. The caller ends it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#connection, statement_timeout: 0 });
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
