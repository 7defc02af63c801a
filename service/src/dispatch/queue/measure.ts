/** Figures about the engine for metrics. */
import type { Database } from "../../db/index.ts";

export interface PlatformFigures {
  readonly platform: string;
  readonly running: number;
  readonly runningMax: number;
  readonly failuresInRow: number;
  readonly breakerOpen: boolean;
  readonly throttled: boolean;
  /** Its rate allows no start now. */
  readonly rateReached: boolean;
  /** No worker can ask it, as far as they have reported. */
  readonly unasked: boolean;
}

export interface EngineFigures {
  readonly platforms: readonly PlatformFigures[];
  /** `leaseSeconds`: until the lease expires; negative if it has. */
  readonly nodes: readonly { readonly nodeId: string; readonly leaseSeconds: number }[];
}

/** The platforms and the workers. Reads what runs, of which there is no more than the platforms allow. */
export async function measureEngine(database: Database): Promise<EngineFigures> {
  const [{ rows: platforms }, { rows: nodes }] = await Promise.all([
    // Index: dispatch_claimed.
    database.query<PlatformFigures & Record<string, unknown>>(
      `select p.code as platform, coalesce(r.n, 0) as running, p.running_max as "runningMax", p.failures_in_row as "failuresInRow",
              coalesce(p.breaker_open_until > now(), false) as "breakerOpen", coalesce(p.held_until > now(), false) as throttled,
              coalesce(p.rate_tat > now() + (p.rate_burst - 1) * p.rate_interval, false) as "rateReached",
              coalesce(p.askable in ('lacking', 'no_worker'), false) as unasked
       from platforms p
       left join (select platform, count(*)::int as n from dispatch where state in ('running', 'aborting') group by platform) r
              on r.platform = p.code`,
    ),
    database.query<{ nodeId: string; leaseSeconds: number }>(
      `select id as "nodeId", extract(epoch from lease_until - now())::float8 as "leaseSeconds" from nodes`,
    ),
  ]);
  return { platforms, nodes };
}

export interface QueueFigures {
  readonly platform: string;
  /** Tasks that could start. */
  readonly queued: number;
  /** Tasks that wait for a time. */
  readonly later: number;
  /** Accounts with tasks that could start. */
  readonly accounts: number;
  /** Since when the first tasks in line could have started: the longest of them. Null: none is queued. */
  readonly oldestSeconds: number | null;
}

/**
 * Every platform's queue, counted exactly. Its duration grows with the queues: a count of a million tasks takes a few hundred
 * milliseconds of one connection, so the caller must not repeat it without a pause. Locks nothing.
 */
export async function measureQueues(database: Database): Promise<QueueFigures[]> {
  const [queues] = await database.transactionOf([{ text: queueFigures }], { settings: indexOnly });
  return (queues?.rows ?? []) as QueueFigures[];
}

/** One process of the server, and no scan of the whole table, in which dead rows may be many times the queued ones. */
const indexOnly = { enable_seqscan: "off", max_parallel_workers_per_gather: "0" };

// Indexes: dispatch_queue, without the table, for the count; dispatch_waiting. `head` walks dispatch_queue from rank to rank of each
// account, where the first task is the next in line: its time is read from the table, since a task may have been due later
// than its id says. At most this many are read.
const queueFigures = `
  with recursive head as (
    (select platform, account_id, rank, run_at from dispatch where state = 'queued'
     order by platform, account_id, rank, task_id limit 1)
    union all
    select n.* from head h cross join lateral (
      select d.platform, d.account_id, d.rank, d.run_at from dispatch d
      where d.state = 'queued' and (d.platform, d.account_id, d.rank) > (h.platform, h.account_id, h.rank)
      order by d.platform, d.account_id, d.rank, d.task_id limit 1) n
  ), heads as (
    select platform, count(distinct account_id)::int as accounts, min(run_at) as oldest
    from (select * from head limit 100000) first group by platform
  ), queued as (
    select platform, count(*)::int as n from dispatch where state = 'queued' group by platform
  ), later as (
    select platform, count(*)::int as n from dispatch where state = 'waiting' group by platform
  )
  select p.code as platform, coalesce(q.n, 0) as queued, coalesce(l.n, 0) as later, coalesce(h.accounts, 0) as accounts,
         greatest(extract(epoch from now() - h.oldest), 0)::float8 as "oldestSeconds"
  from platforms p
  left join queued q on q.platform = p.code
  left join later l on l.platform = p.code
  left join heads h on h.platform = p.code`;
