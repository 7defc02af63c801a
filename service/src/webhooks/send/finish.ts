import type { DeliveryAttempt } from "@querent/contract";
import { jsonbArray, type Database } from "../../db/index.ts";
import { breakerFailures, type ClaimedDelivery } from "./claim.ts";
import type { NextStep } from "./schedule.ts";
import type { Fault } from "./send.ts";
import type { Signed } from "./signature.ts";

export interface Attempted {
  readonly kind: "attempted";
  readonly delivery: ClaimedDelivery;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly fault: Fault | null;
  readonly snippet: string | null;
  /** What signed it, as it was sent. */
  readonly signed: Signed;
  readonly next: NextStep;
}

/** What becomes of a claimed delivery. */
export type Finish =
  | Attempted
  /** Handed back untried. */
  | { readonly kind: "released"; readonly delivery: ClaimedDelivery; readonly delayMs: number };

/** An attempt as `deliveries.attempt_log` holds it; its number is its place. Signed at `startedAt`. */
export type LoggedAttempt = Omit<DeliveryAttempt, "attempt" | "headers"> & Partial<Signed>;

/**
 * Records attempts and hands rows back, many in one statement: all of it or nothing. A row whose fence has moved on is
 * left alone, and its attempt is not recorded: another process answers for it now. Safe to repeat after an error,
 * whether or not the first try was committed.
 *
 * Locks: the queue's rows (nobody else wants rows in flight, save upkeep, which skips them), their deliveries, then breakers, then
 * webhooks.
 * Two processes can meet in the last two in different order; PostgreSQL then fails one, which repeats.
 *
 * Returns the ids whose fence held.
 */
export async function finishDeliveries(database: Database, finishes: readonly Finish[]): Promise<Set<string>> {
  const tried = finishes.map((finish) => (finish.kind === "attempted" ? finish : null));
  const { rows } = await database.query<{ id: string }>({
    name: "finish_deliveries",
    text: finishStatement,
    values: [
      finishes.map(({ delivery }) => delivery.accountId),
      finishes.map(({ delivery }) => delivery.id),
      finishes.map(({ delivery }) => delivery.bundleId),
      finishes.map(({ delivery }) => delivery.fence),
      jsonbArray(tried.map((attempt) => (attempt === null ? null : JSON.stringify(logEntry(attempt))))),
      tried.map((attempt) => attempt?.status ?? null),
      tried.map((attempt) => attempt?.next.state ?? "pending"),
      finishes.map((finish) =>
        finish.kind === "released" ? finish.delayMs : finish.next.state === "pending" ? finish.next.delayMs : 0,
      ),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** An attempt as the row keeps it, with the times of this process; its next one is told by the process that asks. */
function logEntry({ startedAt, durationMs, status, fault, snippet, signed, next }: Attempted): LoggedAttempt {
  return {
    ...signed,
    startedAt: startedAt.toISOString(),
    durationMs,
    status,
    fault,
    responseSnippet: snippet,
    nextAttemptAt:
      next.state === "pending" ? new Date(startedAt.getTime() + durationMs + next.delayMs).toISOString() : null,
  };
}

const failsForDays = `not a.healthy and w.failures + a.failures >= 5
                and w.first_failure_at <= now() - interval '12 h'
                and greatest(w.last_success_at, w.url_set_at) <= now() - interval '5 days'`;

// That a row of the queue is one of these is said by arrays too, or by them alone: with statistics of an empty queue joins read
// 60,000 rows that had just come, once for each that is recorded.
const finishStatement = `
with o as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::jsonb[], $6::int[], $7::text[], $8::float8[])
    as o(account_id, id, bundle, fence, entry, status, state, delay_ms)
), b as (
  select bundle, fence, array_agg(id) as ids from o group by bundle, fence
), q as materialized (
  select q.id, q.delivery_ids, q.origin, q.to_default, q.attempts, q.next_attempt_at, q.expires_at,
         array(select u.id from unnest(q.delivery_ids) with ordinality as u(id, nth) where u.id <> all (b.ids) order by u.nth) as rest
    from b join delivery_queue q on q.id = any(array(select bundle from b)) and q.id = b.bundle and q.fence = b.fence and q.lease_until is not null -- in flight; said so, it would join by that index
     for update of q
), mine as materialized (
  select o.*, q.origin, q.to_default, q.expires_at, q.attempts + (o.entry is not null)::int as attempts,
         case when o.delay_ms > 0 then 'waiting' else 'queued' end as place,
         case when o.delay_ms > 0 then now() + o.delay_ms * interval '1 millisecond' else q.next_attempt_at end as next_attempt_at
    from o join q on q.id = o.bundle
   where o.id = any (q.delivery_ids)
), again as ( -- those to be sent again wait alone from now on: in the row they have, when they had it alone
  update delivery_queue w
     set place = m.place, attempts = m.attempts, next_attempt_at = m.next_attempt_at, lease_until = null, slot = null
    from mine m
   where w.id = any(array(select id from mine where bundle = id and state = 'pending')) and w.id = m.id
), alone as (
  insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, place, attempts, next_attempt_at, expires_at)
  select id, array[id], account_id, origin, to_default, place, attempts, next_attempt_at, expires_at
    from mine where bundle <> id and state = 'pending'
), smaller as (
  update delivery_queue s set delivery_ids = q.rest
    from q where s.id = any(array(select id from q where rest <> '{}')) and s.id = q.id
), emptied as (
  delete from delivery_queue
   where id = any(array(select id from q where rest = '{}' except select id from mine where bundle = id and state = 'pending'))
), d as (
  update deliveries d
     set state = o.state,
         attempt_log = d.attempt_log || o.entry,
         -- A redelivery has bytes of its own (another deliveryRevision), so these are needed no more.
         body = case when o.state = 'pending' then d.body end,
         finished_at = case when o.state <> 'pending' then now() end
    from mine o
   where d.account_id = o.account_id and d.id = o.id and o.entry is not null
  returning d.account_id, o.origin, d.url, o.to_default, o.state, o.status, o.entry->>'fault' as fault
), lane as (
  select account_id, origin, bool_or(state = 'delivered') as healthy, count(*)::int as failures
    from d group by account_id, origin
), healed as (
  delete from delivery_breakers b using lane l where l.healthy and b.account_id = l.account_id and b.origin = l.origin
), broken as (
  insert into delivery_breakers as b (account_id, origin, failures_in_row, openings, open_until)
  select account_id, origin, failures,
         case when failures >= ${breakerFailures} then 1 else 0 end,
         case when failures >= ${breakerFailures} then now() + interval '30 s' end
    from lane where not healthy order by account_id, origin
  on conflict (account_id, origin) do update
     set failures_in_row = b.failures_in_row + excluded.failures_in_row,
         -- Opened again, and for twice as long, when the probe fails; not by those that were under way when it opened.
         openings = b.openings + case when b.failures_in_row + excluded.failures_in_row >= ${breakerFailures}
                                       and (b.open_until is null or b.open_until <= now()) then 1 else 0 end,
         open_until = case when b.failures_in_row + excluded.failures_in_row >= ${breakerFailures}
                            and (b.open_until is null or b.open_until <= now())
                           then now() + least(900, 30 * power(2, least(b.openings, 10))) * interval '1 s'
                           else b.open_until end
), by_account as (
  select account_id, url, bool_or(state = 'delivered') as healthy, count(*)::int as failures, bool_or(status = 410) as gone,
         -- Of several that failed together one is told; a 410 before any other, since it suspends.
         case when bool_or(status = 410) then 410 else max(status) filter (where state <> 'delivered') end as status,
         max(fault) filter (where state <> 'delivered' and status is null) as fault
    from d where to_default group by account_id, url
), webhook as (
  update webhooks w
     set last_success_at  = case when a.healthy then now() else w.last_success_at end,
         failures         = case when a.healthy then 0 else w.failures + a.failures end,
         first_failure_at = case when a.healthy then null else coalesce(w.first_failure_at, now()) end,
         last_failure_at  = case when a.healthy then null else now() end,
         last_failure_status = case when a.healthy and not a.gone then null else a.status end,
         last_failure_fault = case when a.healthy or a.status is not null then null else a.fault end,
         suspended_reason = case
           when w.suspended_at is not null then w.suspended_reason
           when a.gone then 'gone'
           when ${failsForDays} then 'failing'
         end,
         suspended_at     = case
           when w.suspended_at is not null then w.suspended_at
           when a.gone then now()
           when ${failsForDays} then now()
         end
    from by_account a
   where w.account_id = a.account_id and w.url = a.url
     -- Under constant success the row is written once a second, not for every delivery.
     and (not a.healthy or a.gone or w.failures > 0 or w.last_success_at is null or w.last_success_at < now() - interval '1 s')
)
select id from mine`;
