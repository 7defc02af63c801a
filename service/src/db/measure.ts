/** Figures about the database server for metrics. */
import type { Queryable } from "./pool.ts";

export interface ServerFigures {
  readonly writable: boolean;
  readonly connections: number;
  readonly connectionsMax: number;
  readonly standbys: readonly {
    readonly syncState: string;
    readonly count: number;
    readonly replayLagSeconds: number;
  }[];
}

export async function measureServer(db: Queryable): Promise<ServerFigures> {
  const [{ rows: servers }, { rows: standbys }] = await Promise.all([
    db.query<Omit<ServerFigures, "standbys"> & Record<string, unknown>>(
      `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable,
              (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
              current_setting('max_connections')::int as "connectionsMax"`,
    ),
    // Users without the role pg_monitor see that there are standbys, but not their state.
    db.query<ServerFigures["standbys"][number] & Record<string, unknown>>(
      `select coalesce(sync_state, 'hidden') as "syncState", count(*)::int as count,
              coalesce(max(extract(epoch from replay_lag)), 0)::float8 as "replayLagSeconds"
       from pg_stat_replication group by 1`,
    ),
  ]);
  const [server] = servers;
  if (server === undefined) throw new Error("The server returned no row.");
  return { ...server, standbys };
}

export interface StorageFigures {
  readonly bytes: number;
  /** `seconds`: until the end of the table's last partition. */
  readonly partitions: readonly { readonly table: string; readonly seconds: number }[];
}

/** The size of the database, and how far the tables that are partitioned by time reach into the future. */
export async function measureStorage(db: Queryable): Promise<StorageFigures> {
  const [{ rows: sizes }, { rows: partitions }] = await Promise.all([
    db.query<{ bytes: number }>("select pg_database_size(current_database())::float8 as bytes"),
    // A partition's upper bound is the second date of its definition.
    db.query<StorageFigures["partitions"][number] & Record<string, unknown>>(
      `select parent.relname as table,
              extract(epoch from max(substring(pg_get_expr(part.relpartbound, part.oid) from 'TO \\(''(\\d{4}-\\d\\d-\\d\\d)')::date)
                - now() at time zone 'UTC')::float8 as seconds
       from pg_inherits i
       join pg_class parent on parent.oid = i.inhparent and parent.relkind = 'p'
       join pg_class part on part.oid = i.inhrelid
       where parent.relnamespace = current_schema()::regnamespace
         and pg_get_expr(part.relpartbound, part.oid) ~ 'TO \\(''\\d{4}-\\d\\d-\\d\\d'
       group by parent.relname`,
    ),
  ]);
  return { bytes: sizes[0]?.bytes ?? 0, partitions };
}
