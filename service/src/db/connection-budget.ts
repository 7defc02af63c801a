import type { Queryable } from "./pool.ts";

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
