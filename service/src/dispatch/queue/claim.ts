import { keptPlans, type Database } from "../../db/index.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { clearQueues, firstQueued, fromPosition, inOrder } from "./account-queues.ts";
import { breakerPauseFirstS, breakerPauseLastS, throttledInterval } from "./limiter.ts";

/** The number of accounts without work that a claim passes on its way to those that have some. */
const idleMax = 16;

export interface ClaimResult {
  readonly claimed: readonly Claimed[];
  /** True if the claim took all it had room for, or all that it takes of one account's queue: more could start immediately. */
  readonly more: boolean;
  /** True if work was queued when the claim started: claim again as soon as a run ends. */
  readonly backlog: boolean;
  /**
   * How long the limiter (rate, Retry-After, breaker) prevents further starts; null if the limiter does not bound this claim.
   */
  readonly limitedForMs: number | null;
}

/** A platform's limits, and the capacity that they allow now. */
interface Limiter {
  running_max: number;
  attempts_max: number;
  /** The time between two starts, by the rate limit and after a throttle; null: no limit. */
  interval_s: number | null;
  /** Starts that the rate allows now; null: no rate limit. */
  rate_room: number | null;
  rate_limited_ms: number;
  throttled_ms: number;
  breaker_ms: number;
  /** True while the breaker has opened and no probe has succeeded yet. */
  probing: boolean;
  failing: boolean;
  /** It was throttled, and has not answered since. */
  throttled: boolean;
}

const nothing = (limitedForMs: number | null, backlog: boolean) => ({
  claimed: [],
  idle: [],
  cutShort: false,
  more: false,
  backlog,
  limitedForMs,
});

/**
 * Claims up to `slots` tasks of a platform for a node, in one transaction: the platform's row is locked by the first statement,
 * so that the second one's snapshot includes every earlier claim. One statement is not sufficient: its snapshot would be taken
 * before the lock was granted, and a limit of 3 resulted in 15 running tasks.
 */
export async function claim(
  database: Database,
  input: {
    platform: string;
    nodeId: string;
    slots: number;
    /** True: tasks that need a browser are left to the nodes that have one. */
    leaveBrowserTasks?: boolean;
    /** The maximum of these for one account, and for accounts with a lower maximum; unlimited by default. */
    accountSlots?: number;
    accountSlotsOf?: Readonly<Record<string, number>>;
  },
): Promise<ClaimResult> {
  const { idle, cutShort, ...result } = await claimOnce(database, input);
  if (idle.length < idleMax / 2 && (result.claimed.length > 0 || !cutShort)) return result;
  // An error must not lose what was claimed. A later claim finds the same accounts.
  const cleared = await clearQueues(database, input.platform, idle).catch(() => 0);
  return { ...result, more: result.more || (cutShort && cleared > 0) };
}

/** `idle`: accounts without work that were in the way. `cutShort`: there are further accounts that this claim did not reach. */
async function claimOnce(
  database: Database,
  input: Parameters<typeof claim>[1],
): Promise<ClaimResult & { idle: readonly string[]; cutShort: boolean }> {
  return database.transaction(
    async (tx) => {
      const { rows: limiters } = await tx.query<Limiter>({
        name: "lock limiter",
        text: lockLimiter,
        values: [input.platform, input.nodeId],
      });
      const limiter = limiters[0];
      await racePoint("claim.limiter_locked", input.nodeId);
      if (limiter === undefined) return nothing(null, false);
      const limitedMs = Math.max(limiter.throttled_ms, limiter.breaker_ms);
      if (limitedMs > 0) return nothing(limitedMs, true);
      if (limiter.rate_room !== null && limiter.rate_room <= 0)
        return nothing(Math.max(1, limiter.rate_limited_ms), true);

      const room = Math.min(
        input.slots,
        limiter.rate_room ?? input.slots,
        limiter.probing ? 1 : Number.POSITIVE_INFINITY,
      );
      if (room <= 0) return nothing(null, true);
      const claiming = tx.query<ClaimedRow | NoTaskRow>({
        ...(input.leaveBrowserTasks === true
          ? { name: "claim tasks without browser", text: claimTasksWithoutBrowser }
          : { name: "claim tasks", text: claimTasks }),
        values: [
          input.platform,
          input.nodeId,
          room,
          limiter.probing,
          breakerPauseFirstS,
          breakerPauseLastS,
          input.accountSlots ?? room,
          JSON.stringify(input.accountSlotsOf ?? {}),
          limiter.interval_s,
        ],
      });
      tx.commit();
      const { rows } = await claiming;
      const claimed = rows.filter(isTask).map((row) => ({
        taskId: row.task_id,
        accountId: row.account_id,
        platform: input.platform,
        attempt: row.attempt,
        fence: row.fence,
        runBudgetMs: Math.max(0, row.run_timeout_s * 1000 - row.run_spent_ms),
        attemptsMax: limiter.attempts_max,
        throttles: row.throttles,
        losses: row.losses,
        rank: row.rank,
        probe: limiter.probing,
        platformFailing: limiter.failing,
        platformThrottled: limiter.throttled,
      }));
      const rateBound = limiter.rate_room !== null && claimed.length >= limiter.rate_room;
      const { idle = [], cut_short: cutShort = false, share_full: shareFull = false } = rows[0] ?? {};
      return {
        claimed,
        idle,
        cutShort: cutShort && claimed.length < room,
        more: (claimed.length === room || shareFull) && !rateBound && !limiter.probing,
        backlog: true,
        limitedForMs: rateBound ? Math.max(1, limiter.rate_limited_ms) : null,
      };
    },
    { settings: indexOnly },
  );
}

/** What every row of a claim says about the claim as a whole. */
interface Walk {
  idle: string[];
  cut_short: boolean;
  share_full: boolean;
}

interface NoTaskRow extends Walk {
  task_id: null;
}

interface ClaimedRow extends Walk {
  task_id: string;
  account_id: string;
  attempt: number;
  fence: number;
  run_timeout_s: number;
  run_spent_ms: number;
  throttles: number;
  losses: number;
  rank: number;
}

/** A claim of nothing is one row without a task. */
const isTask = (row: ClaimedRow | NoTaskRow): row is ClaimedRow => row.task_id !== null;

// Index: dispatch_queue, for whether anything is queued.
// Locks: the platform's row, against other claims and changes of limits; and the node's own row, shared, so that the
// reaper can't declare it dead between this and the commit. A node whose lease ran out gets no row, and claims nothing. If nothing is
// queued, nothing is locked: after a wake-up, most nodes find the queue empty.
// The rate allows the next start once the clock has passed tat - (burst - 1) intervals.
const lockLimiter = `
  select running_max, attempts_max, r.interval_s::float8,
         case when r.interval_s is not null then greatest(0, floor(r.burst - r.ahead_s / r.interval_s))::int end as rate_room,
         coalesce(ceil(1000 * (r.ahead_s - (r.burst - 1) * r.interval_s)), 0)::float8 as rate_limited_ms,
         coalesce(ceil(1000 * extract(epoch from greatest(held_until - now(), interval '0'))), 0)::float8 as throttled_ms,
         coalesce(ceil(1000 * extract(epoch from greatest(breaker_open_until - now(), interval '0'))), 0)::float8 as breaker_ms,
         breaker_openings > 0 as probing,
         failures_in_row > 0 or failing_since is not null as failing,
         coalesce(throttled_since <= held_until, false) as throttled
  from platforms p join nodes n on n.id = $2 and n.lease_until > now()
  cross join lateral (
    select extract(epoch from greatest(rate_tat, now()) - now()) as ahead_s,
           greatest(extract(epoch from rate_interval), t.interval_s) as interval_s,
           case when t.interval_s is null then rate_burst else 1 end as burst
    from (select ${throttledInterval} as interval_s) t
  ) r
  where p.code = $1
    and exists (select from account_lanes l cross join lateral (${firstQueued("l", "task_id")} limit 1) q
                where l.platform = $1 and l.has_work)
  for no key update of p for key share of n`;

/**
 * The settings of a claim's transaction. The plans are kept (planning a claim took a millisecond), so they must be right for a queue of any length,
 * whatever the statistics say that it is like: no table is scanned, and what an index returns in order is not read whole to be
 * sorted.
 */
const indexOnly = { ...keptPlans, enable_seqscan: "off", enable_sort: "off" };

// $4: this is a probe of a platform whose breaker has opened. One at a time goes: the next may follow when a pause is over
// without news of this one.
// Locks: account queues and dispatch rows of the tasks it takes, under the platform's row locked before.
// Indexes: account_lanes_work (the accounts whose turn is next), dispatch_queue (each one's first tasks, from its positions on),
// dispatch_claimed (what runs, from `running_since` on). Both bounds are there because an old snapshot keeps the entries of all that was
// claimed before.
// $7, $8: slots of the node that one account may get; of those accounts that may get fewer, by their ids. $9: `interval_s`.
// `start` is when the tasks start: not now(), the time at which the transaction began. This statement sees what was submitted while
// the first one waited for its lock, and such a task would have started before it was created. The rate counts starts at the same
// times; the room that it leaves was computed for an earlier time, so it is never too large. It is not before `running_since`, to which
// the server's clock may have been set back.
// `account_queues` are as many as could start a task each, and some more, because some of them may turn out to be empty: those are
// `idle`. Accounts at their limit are passed over; there are at most as many of these as tasks run.
// `share` bounds what one account gives to one claim, to four times its part: without it, a claim of 500 over a thousand accounts
// read 500 rows of each (264,000 pages). An account that gives its whole share may have more: then the claim is not the last.
// `picks` is materialized, since a limiting subquery may run more than once in a nested loop. The update looks at each row
// again (a cancellation does not lock the platform): a row that was queued is still without a node, or gone. It does not say
// `state = 'queued'`, which would let the planner join by dispatch_queue: with statistics taken while the queue was empty it
// compared every queued row with every pick (300 of 300: 76 ms instead of 9; a claim of 500 from a long queue, seconds). Nor does it
// join the picks, for the same reason (400 of 400: 30 of 39 ms); an account's pass follows from how many were taken of it.
const claimFrom = (queue: string, filter: string) => `
  with limiter as (
    select running_max, virtual_time, running_since from platforms where code = $1
  ), start as materialized (
    select greatest(clock_timestamp(), running_since) as at from limiter
  ), running as materialized (
    select count(*)::int as n, min(claimed_at) as since from dispatch
    where platform = $1 and state in ('running', 'aborting') and claimed_at >= (select running_since from limiter)
  ), running_of as materialized (
    select account_id, count(*)::int as n from dispatch
    where platform = $1 and state in ('running', 'aborting') and claimed_at >= (select running_since from limiter)
    group by account_id
  ), room as (
    select greatest(0, least($3::int, g.running_max - (select n from running))) as n from limiter g
  ), account_queues as materialized (
    select l.platform, l.account_id, greatest(l.pass, (select virtual_time from limiter)) as pass, l.weight, l.positions,
           a.room as account_room
    from account_lanes l
    cross join lateral (
      select least(coalesce(($8::jsonb ->> l.account_id::text)::int, $7::int),
               l.running_max - case when l.running_max = 2147483647 then 0
               else coalesce((select r.n from running_of r where r.account_id = l.account_id), 0) end) as room
    ) a
    where l.platform = $1 and l.has_work and a.room > 0
    order by l.pass, l.account_id
    limit (select case when n > 0 then n + ${idleMax} else 0 end from room)
  ), share as (
    select (4 * ceil(r.n / greatest(1, (select count(*) from account_queues))::float8))::int as n from room r
  ), candidates as materialized (
    select l.platform, l.account_id, l.positions, t.task_id, l.pass + t.nth / l.weight as finish,
           t.nth = ceil(s.n * greatest(1, l.weight)) and t.nth < least(r.n, l.account_room) as share_full
    from account_queues l cross join room r cross join share s
    left join lateral (
      select q.task_id, row_number() over (order by q.rank, q.task_id) as nth
      from (
        select d.task_id, d.rank from unnest(l.positions) with ordinality as p(task_id, nth)
        cross join lateral (
          select task_id, rank from ${queue}
          where platform = $1 and account_id = l.account_id and state = 'queued' and ${fromPosition("(p.nth - 1)::smallint", "p.task_id")}
            ${filter} (start_before is null or start_before > (select at from start))
          ${inOrder}
          limit least(r.n, l.account_room, ceil(s.n * greatest(1, l.weight)))
        ) d
        where p.task_id is not null
        order by d.rank, d.task_id
        limit least(r.n, l.account_room, ceil(s.n * greatest(1, l.weight)))
      ) q
    ) t on true
  ), picks as materialized (
    select task_id, account_id, finish, share_full from candidates
    where task_id is not null
    order by finish, task_id
    limit (select n from room)
  ), walk as (
    select (select count(*) from account_queues) >= (select n + ${idleMax} from room) as cut_short,
           array(select c.account_id from candidates c
                 where c.task_id is null and not exists (${firstQueued("c", "task_id")})) as idle
  ), claimed as (
    update dispatch d
    set state = 'running', node_id = $2, attempt = d.attempt + 1, fence = d.fence + 1, claimed_at = (select at from start),
        started_at = coalesce(d.started_at, (select at from start)), start_before = null
    where d.task_id = any(array(select task_id from picks)) and d.node_id is null
    returning d.task_id, d.account_id, d.attempt, d.fence, d.run_timeout_s, d.run_spent_ms, d.throttles, d.losses, d.rank
  ), account_pass as (
    update account_lanes l set pass = greatest(l.pass, g.virtual_time) + c.tasks / l.weight
    from limiter g, (select account_id, count(*) as tasks from claimed group by account_id) c
    where l.platform = $1 and l.account_id = c.account_id
  ), limiter_clock as (
    update platforms set
      running_since = coalesce((select since from running), (select at from start)),
      virtual_time = greatest(virtual_time, (select min(finish) from picks) - 1),
      rate_tat = case when $9::float8 is null then rate_tat
                      else greatest(rate_tat, (select at from start)) + (select count(*) from claimed) * $9::float8 * interval '1 second' end,
      breaker_open_until = case when $4::boolean
        then (select at from start) + least($6::int, $5::int * power(2, least(breaker_openings - 1, 20))) * interval '1 second'
        else breaker_open_until end
    where code = $1 and exists (select from claimed)
  )
  select w.idle, w.cut_short, coalesce((select bool_or(share_full) from picks), false) as share_full,
         c.task_id, c.account_id, c.attempt, c.fence, c.run_timeout_s, c.run_spent_ms, c.throttles, c.losses, c.rank
  from walk w left join claimed c on true order by c.rank, c.task_id`;

const claimTasks = claimFrom("dispatch", "and");

// Only the first tasks of each account and rank are examined: an account with this many screenshots in front gets nothing from
// this node until others have run some. So a long queue of tasks that this node cannot run costs no more than a short one.
const firstOfAccount = `(
          select * from dispatch
          where platform = $1 and account_id = l.account_id and state = 'queued' and ${fromPosition("(p.nth - 1)::smallint", "p.task_id")}
          ${inOrder}
          limit 200
        ) first_of_account`;
const claimTasksWithoutBrowser = claimFrom(firstOfAccount, "and not needs_browser and");

/** A task that this node has claimed and may run once. */
export interface Claimed {
  readonly taskId: string;
  readonly accountId: string;
  readonly platform: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The end of this run must present this number. */
  readonly fence: number;
  /** The time limit of this run in milliseconds. */
  readonly runBudgetMs: number;
  readonly attemptsMax: number;
  readonly throttles: number;
  /** How often this task was lost: with its node, or with a resource of the node. */
  readonly losses: number;
  /** Of its priority: tasks of the lowest are first. */
  readonly rank: number;
  /** True for the single task that tests whether a failing platform works again. */
  readonly probe: boolean;
  /** True if the platform's last requests failed: then a success must be reported. */
  readonly platformFailing: boolean;
  /** True if the platform was throttled, and had not answered since: then its next answer must be reported. */
  readonly platformThrottled: boolean;
}
