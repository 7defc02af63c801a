/** What work costs a database, counted instead of timed: the same on a quick machine and on a busy one. */
import { Database, type Queryable } from "../../src/db/index.ts";

interface PageCounter {
  /** Its only connection: what goes over it is what is counted. */
  readonly database: Database;
  /** Pages of tables and indexes that `work` reads, in memory or not, a page as often as it is read. */
  readonly pagesOf: (work: () => Promise<unknown>) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Counts over a connection of its own to the database at `url`. */
export function countPages(url: string): PageCounter {
  const database = new Database({
    connection: { connectionString: url },
    connectionsMax: 1,
    connectTimeoutMs: 180_000,
  });
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

async function pagesRead(database: Queryable): Promise<number> {
  // A session tells of what it has read now and then; this makes it do so at once.
  await database.query("select pg_stat_force_next_flush()");
  const { rows } = await database.query<{ pages: number }>(
    `select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::float8 as pages from pg_statio_user_tables`,
  );
  return rows[0]?.pages ?? 0;
}
