/** Waiting and running tasks, for display. Counts stop at a bound: a queue of millions is not read completely. */
import type { Queryable } from "../../db/index.ts";

export interface Queue {
  readonly platform: string;
  readonly queued: number;
  readonly waiting: number;
  readonly running: number;
  readonly oldestQueued: string | null;
  readonly runningMax: number;
  readonly rate: { readonly perSecond: number; readonly burst: number } | null;
  readonly overriddenAt: Date | null;
  readonly overriddenBy: string | null;
  readonly throttledUntil: Date | null;
  readonly breakerAfter: number | null;
  readonly failuresInRow: number;
  readonly breakerOpenUntil: Date | null;
}

const countedMax = 20_000;

/** The queue and limiter of every platform, or of one. */
export async function readQueues(db: Queryable, platform: string | null = null): Promise<Queue[]> {
  // Indexes: dispatch_queue, dispatch_claimed, dispatch_waiting. `oldest` walks dispatch_queue from account to account, and there from
  // rank to rank: the first of each is its oldest, since the ids sort by time.
  const { rows } = await db.query<Omit<Queue, "rate"> & { interval_s: number | null; burst: number }>(
    `with waits as (
       select platform, count(*)::int as n from (select platform from dispatch where state = 'waiting' limit $2) w group by platform
     )
     select p.code as platform, coalesce(w.n, 0) as waiting, q.n as queued, r.n as running, o.task_id as "oldestQueued",
            p.running_max as "runningMax", extract(epoch from p.rate_interval)::float8 as interval_s, p.rate_burst as burst,
            l.set_at as "overriddenAt", l.token_id as "overriddenBy",
            case when p.held_until > now() then p.held_until end as "throttledUntil", p.breaker_after as "breakerAfter",
            p.failures_in_row as "failuresInRow", case when p.breaker_open_until > now() then p.breaker_open_until end as "breakerOpenUntil"
     from platforms p
     left join platform_limits l on l.platform = p.code
     left join waits w on w.platform = p.code
     cross join lateral (select count(*)::int as n from (select from dispatch where platform = p.code and state = 'queued' limit $2) d) q
     cross join lateral (select count(*)::int as n from dispatch where platform = p.code and state in ('running', 'aborting')) r
     left join lateral (
       with recursive first_of_rank as (
         (select account_id, rank, task_id from dispatch where platform = p.code and state = 'queued'
          order by account_id, rank, task_id limit 1)
         union all
         select n.* from first_of_rank f cross join lateral (
           select d.account_id, d.rank, d.task_id from dispatch d
           where d.platform = p.code and d.state = 'queued' and (d.account_id, d.rank) > (f.account_id, f.rank)
           order by d.account_id, d.rank, d.task_id limit 1) n
       )
       select task_id from (select task_id from first_of_rank limit 10000) first order by task_id limit 1
     ) o on true
     where $1::text is null or p.code = $1
     order by p.code`,
    [platform, countedMax],
  );
  return rows.map(({ interval_s, burst, ...row }) => ({
    ...row,
    rate: interval_s === null ? null : { perSecond: perSecond(interval_s), burst },
  }));
}

/** Intervals are stored in microseconds: a rate of 3 per second is returned as 3, not as 3.000003. */
const perSecond = (intervalS: number): number => Number((1 / intervalS).toPrecision(5));

export interface NodeRow {
  readonly nodeId: string;
  readonly name: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly leaseUntil: Date;
  readonly alive: boolean;
  readonly running: number;
  /** Its running tasks by platform. */
  readonly runningByPlatform: Readonly<Record<string, number>>;
  /** Its report about its browser; null if there has been none. */
  readonly browser: { readonly usable: boolean; readonly why: string | null } | null;
  /** Its report about what it can ask; null if there has been none. */
  readonly report: {
    readonly roles: readonly string[];
    readonly slotsMax: number;
    readonly onlyPlatforms: readonly string[] | null;
    readonly askable: readonly string[];
    readonly lacking: Readonly<Record<string, { readonly why: string }>>;
  } | null;
}

export async function readNodes(db: Queryable): Promise<NodeRow[]> {
  // Index: dispatch_claimed, for at most what the platforms allow to run concurrently.
  const { rows } = await db.query<NodeRow & Record<string, unknown>>(
    `select n.id as "nodeId", n.name, n.version, n.started_at as "startedAt", n.lease_until as "leaseUntil",
            n.lease_until > now() as alive, coalesce(d.n, 0) as running,
            coalesce(d.platforms, '{}') as "runningByPlatform",
            case when p.node_id is not null then json_build_object('roles', p.roles, 'slotsMax', p.slots_max,
              'onlyPlatforms', p.only_platforms, 'askable', p.askable, 'lacking', p.lacking) end as report,
            case when b.node_id is not null then json_build_object('usable', b.usable, 'why', b.why) end as browser
     from nodes n
     left join node_browsers b on b.node_id = n.id
     left join node_platforms p on p.node_id = n.id
     left join (select node_id, sum(n)::int as n, json_object_agg(platform, n) as platforms
                from (select node_id, platform, count(*)::int as n from dispatch where state in ('running', 'aborting')
                      group by node_id, platform) each group by node_id) d
            on d.node_id = n.id
     order by n.started_at, n.id`,
  );
  return rows;
}

/** The number of running tasks of an account, and its oldest task among those that run or could. */
export async function readUnderWay(
  db: Queryable,
  accountId: string,
): Promise<{ running: number; oldest: string | null }> {
  // Indexes: dispatch_claimed; dispatch_queue, scanned rank by rank, where the first of each is its oldest. For the first of
  // one rank, the planner used the primary key for its order, and read a queue of 100,000 completely 200 times; for running
  // tasks too, if the aggregate asked for an order.
  const { rows } = await db.query<{ running: number; oldest: string | null }>({
    name: "under way",
    text: `select coalesce(sum(o.n), 0)::int as running,
                  (array_agg(o.task_id order by o.task_id) filter (where o.task_id is not null))[1] as oldest
           from platforms p
           cross join lateral (select count(*)::int as n, (select u from unnest(array_agg(task_id)) u order by u limit 1) as task_id
                                 from dispatch where platform = p.code and account_id = $1 and state in ('running', 'aborting')) r
           cross join lateral (
             with recursive first_of_rank as (
               (select rank, task_id from dispatch where platform = p.code and account_id = $1 and state = 'queued'
                order by rank, task_id limit 1)
               union all
               select n.* from first_of_rank f cross join lateral (
                 select d.rank, d.task_id from dispatch d
                 where d.platform = p.code and d.account_id = $1 and d.state = 'queued' and d.rank > f.rank
                 order by d.rank, d.task_id limit 1) n
             )
             select task_id, 0 as n from first_of_rank union all select r.task_id, r.n
           ) o`,
    values: [accountId],
  });
  return rows[0] ?? { running: 0, oldest: null };
}

/** Running tasks by account, over all nodes. */
export async function runningByAccount(database: Queryable): Promise<ReadonlyMap<string, number>> {
  // Index: dispatch_claimed, for at most what the platforms allow to run concurrently.
  const { rows } = await database.query<{ account_id: string; n: number }>(
    "select account_id, count(*)::int as n from dispatch where state in ('running', 'aborting') group by account_id",
  );
  return new Map(rows.map(({ account_id, n }) => [account_id, n]));
}

/** From when to when a running task waited for its start. */
export interface Wait {
  readonly from: Date;
  readonly to: Date;
}

/** How long running tasks waited for this start, by task, for traces. */
export async function readWaits(db: Queryable, taskIds: readonly string[]): Promise<ReadonlyMap<string, Wait>> {
  // Index: the primary key.
  const { rows } = await db.query<{ id: string; from: Date; to: Date }>({
    name: "waits",
    text: `select task_id as id, least(run_at, claimed_at) as "from", claimed_at as "to" from dispatch
           where task_id = any($1::uuid[]) and claimed_at is not null`,
    values: [taskIds],
  });
  return new Map(rows.map(({ id, from, to }) => [id, { from, to }]));
}
