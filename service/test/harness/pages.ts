/**
 * Measures the database cost of work by counting instead of timing, so that it is the same on a fast machine and on a busy one.
 */
import { Database, type Queryable } from "../../src/db/index.ts";
import { until } from "./wait.ts";

export interface PageCounter {
  /** Its only connection. What other sessions read meanwhile is counted too. */
  readonly database: Database;
  /** Pages of tables and indexes that `work` reads, in memory or not, counted each time. */
  readonly pagesOf: (work: () => Promise<unknown>) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Counts on a separate connection to the database at `url`, whose tables are no longer vacuumed or analyzed on their own. */
export async function countPages(url: string): Promise<PageCounter> {
  const database = new Database({
    connection: { connectionString: url },
    connectionsMax: 1,
    connectTimeoutMs: 180_000,
  });
  await stopAutovacuum(database);
  return {
    database,
    async pagesOf(work) {
      const before = await pagesRead(database);
      await work();
      return (await pagesRead(database)) - before;
    },
    close: () => database.close(),
  };
}

/** Autovacuum reads whole tables when it likes, and its pages would be counted as those of the work. */
async function stopAutovacuum(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) await database.query(`alter table ${name} set (autovacuum_enabled = off)`);
  await until("autovacuum to leave the database", async () => {
    const { rowCount } = await database.query(
      "select from pg_stat_activity where datname = current_database() and backend_type = 'autovacuum worker'",
    );
    return rowCount === 0;
  });
}

async function pagesRead(database: Queryable): Promise<number> {
  // A session reports its statistics from time to time; this makes it report immediately.
  await database.query("select pg_stat_force_next_flush()");
  const { rows } = await database.query<{ pages: number }>(
    `select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::float8 as pages from pg_statio_user_tables`,
  );
  return rows[0]?.pages ?? 0;
}
