import type pg from "pg";
import type { Database, Queryable } from "./pool.ts";
import { queryConfig } from "./query-config.ts";

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
