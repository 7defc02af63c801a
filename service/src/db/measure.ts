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

/** What is connected to the server, and what may be. */
export interface ConnectionBudget {
  readonly max: number;
  /** The connections that are reserved for superusers and other privileged users. */
  readonly reserved: number;
  /** Processes of this service that are connected, and the sum of the connections that they may open. */
  readonly processes: number;
  readonly declared: number;
  /** Connections that are not this service's. */
  readonly others: number;
}

/** `application_name` of a process that may open so many connections: others can see it as long as the process is connected. */
export const applicationNameOf = (processId: string, connectionsMax: number): string =>
  `querent ${processId} of ${connectionsMax}`;

/** Reads what the processes that are connected declare. Users without privileges see the names of all connections, too. */
export async function readConnectionBudget(database: Queryable): Promise<ConnectionBudget> {
  const { rows } = await database.query<ConnectionBudget>(
    `with clients as (
       select substring(application_name from '^querent .+ of (\\d+)$')::int as declared, application_name
         from pg_stat_activity where usename is not null and datname is not null
     ), processes as (
       select distinct application_name, declared from clients where declared is not null
     )
     select current_setting('max_connections')::int as max,
            current_setting('superuser_reserved_connections')::int
              + coalesce(current_setting('reserved_connections', true), '0')::int as reserved,
            (select count(*) from processes) as processes,
            (select coalesce(sum(declared), 0) from processes) as declared,
            (select count(*) from clients where declared is null and application_name not like 'querent%') as others`,
  );
  const [budget] = rows;
  if (budget === undefined) throw new Error("the server did not report its connections");
  return budget;
}

/** The calculation, and what to do if the sum is too high. */
export function describeBudget({ max, reserved, processes, declared, others }: ConnectionBudget): {
  readonly fits: boolean;
  readonly detail: string;
} {
  const available = max - reserved;
  const sum = declared + others;
  const detail = `${processes} ${processes === 1 ? "process of this service" : "processes of this service"} may open ${declared} connections, and others have ${others}: ${sum} of ${available} (max_connections ${max}, less ${reserved} reserved)`;
  if (sum <= available) return { fits: true, detail };
  return {
    fits: false,
    detail: `${detail}. When they are used up, requests get 503 and work waits until a connection is free. Set max_connections of PostgreSQL to at least ${sum + reserved}, lower QUERENT_DATABASE_CONNECTIONS, or use a pooler.`,
  };
}
