import type pg from "pg";
import type { Database } from "../../db/index.ts";
import { destinationSlots } from "../outbox/delivery-batches.ts";
import { breakerFailures } from "./record-health.ts";

/** "deliver" in ASCII, cut to 48 bits. */
const claimLock = 0x64_65_6c_69_76_65;

export interface ClaimRequest {
  /** The maximum of slots to fill. */
  slots: number;
  /** The maximum of these slots for late deliveries (attempt 4 and later). */
  lateSlots: number;
  /** The number of these that are not reserved for accounts with nothing in flight here. */
  sharedSlots: number;
  /** The maximum of slots of one account, including those that it has in flight here. */
  accountSlots: number;
  /** Slots in flight here, by account. The limits apply to this process's slots, so those of other processes do not count. */
  inFlight: ReadonlyMap<string, number>;
  /** The maximum of deliveries per slot after its first batch; destinations that fail get one batch per slot. */
  slotDeliveries: number;
  leaseMs: number;
}

export interface ClaimedDelivery {
  readonly id: string;
  /** The delivery batch it was claimed with: a row of the queue. */
  readonly batchId: string;
  readonly accountId: string;
  readonly origin: string;
  readonly slot: number;
  /** Earlier attempts. */
  readonly attempts: number;
  readonly late: boolean;
  /** Increased by the claim: only the holder of the current value may record the outcome of the delivery. */
  readonly fence: number;
}

export interface Claim {
  /** In sending order. */
  readonly rows: readonly ClaimedDelivery[];
  /** Queued rows remain, for lack of slots here or at their destination. */
  readonly backlog: boolean;
  /** The time until the next waiting row becomes due; null if there is none. */
  readonly nextDueMs: number | null;
}

/**
 * Claims deliveries. A destination is one account's deliveries to one origin. It has `destinationSlots` slots, and deliveries
 * that are claimed into the same slot are sent one after the other by the process that claimed them. So a destination never has
 * more than `destinationSlots` requests in flight, over all processes, and throughput stays high because a slot takes several
 * deliveries at a time.
 *
 * The claim holds the claim lock, which is acquired by its own statement before the claim (READ COMMITTED takes a new snapshot
 * for each statement; within one statement, two processes would count the same free slots). All statements are sent together,
 * so a process that is stopped in between holds no lock. Locks: the claim lock, then rows of `delivery_queue`.
 */
export async function claimDeliveries(database: Database, request: ClaimRequest): Promise<Claim> {
  const { slots, lateSlots, slotDeliveries, leaseMs, sharedSlots, accountSlots, inFlight } = request;
  const [, , claimed, rest] = (await database.transactionOf([
    { text: `select pg_advisory_xact_lock(${claimLock}), ${indexOnly}` },
    { name: "queue_due", text: queueDue },
    {
      name: "claim_deliveries",
      text: claimRows,
      values: [
        ...[slots, lateSlots, slotDeliveries, leaseMs, sharedSlots, accountSlots].map((value) =>
          Math.max(0, Math.trunc(value)),
        ),
        [...inFlight.keys()],
        [...inFlight.values()],
      ],
    },
    { name: "look_ahead", text: lookAhead },
  ])) as [unknown, unknown, pg.QueryResult<ClaimRow>, pg.QueryResult<LookAhead>];
  return {
    rows: claimed.rows.flatMap((row) => {
      const { id: batchId, account_id: accountId, origin, slot, attempts, late, fence } = row;
      return row.delivery_ids.map((id) => ({ id, batchId, accountId, origin, slot, attempts, late, fence }));
    }),
    backlog: rest.rows[0]?.backlog ?? false,
    nextDueMs: rest.rows[0]?.next_due_ms ?? null,
  };
}

interface ClaimRow {
  id: string;
  delivery_ids: string[];
  account_id: string;
  origin: string;
  slot: number;
  attempts: number;
  late: boolean;
  fence: number;
}

interface LookAhead {
  backlog: boolean;
  next_due_ms: number | null;
}

// Queues what has become due, or pauses it while the account's default address is suspended. Index: delivery_queue_waiting.
const queueDue = `
update delivery_queue d
   set state = case when d.to_default and exists (select 1 from webhooks w where w.account_id = d.account_id and w.suspended_at is not null)
                    then 'held' else 'queued' end
 where d.id = any(array(select id from delivery_queue where state = 'waiting' and next_attempt_at <= now()
                         order by next_attempt_at limit 1000 for update skip locked))`;

// Parameters: slots, slots for late deliveries, deliveries per slot, lease in milliseconds, slots that are not reserved for
// accounts with nothing in flight, slots per account, accounts with slots in flight in this process, and the number of those
// slots. Planning takes 3 ms, so the plan is cached; the statement is written so that one plan is right for every length of the
// queue (test/plans/sudden-line.test.ts). `destination` is a loose index scan: one seek of delivery_queue_queued for each
// destination with queued rows, regardless of their number.
const claimRows = `
with recursive destination (account_id, origin) as (
  (select account_id, origin from delivery_queue where state = 'queued' order by account_id, origin limit 1)
  union all
  select n.account_id, n.origin
    from destination l
   cross join lateral (
     select q.account_id, q.origin from delivery_queue q
      where q.state = 'queued' and (q.account_id, q.origin) > (l.account_id, l.origin)
      order by q.account_id, q.origin limit 1) n
), head as (
  select l.account_id, l.origin, f.taken, b.failures_in_row,
         -- Late rows wait while their share of the process's slots is used up; otherwise who is due longer goes first.
         t.at is not null and $2::int > 0 and (e.at is null or t.at < e.at) as late,
         e.at as early_at, t.at as late_at
    from destination l
    left join delivery_breakers b on b.account_id = l.account_id and b.origin = l.origin
   cross join lateral (select min(next_attempt_at) as at from delivery_queue q
                        where q.state = 'queued' and q.account_id = l.account_id and q.origin = l.origin and q.late = false) e
   cross join lateral (select min(next_attempt_at) as at from delivery_queue q
                        where q.state = 'queued' and q.account_id = l.account_id and q.origin = l.origin and q.late = true) t
   cross join lateral (select coalesce(array_agg(distinct q.slot::int), '{}') as taken from delivery_queue q
                        where q.state = 'in_flight' and q.account_id = l.account_id and q.origin = l.origin) f
   where b.open_until is null or b.open_until <= now()
), ready as (
  select h.*, case when h.late then h.late_at else h.early_at end as at, coalesce(h.failures_in_row, 0) as failures
    from head h
   where (h.late or h.early_at is not null) and cardinality(h.taken) < ${destinationSlots}
), free_slot as (
  select r.account_id, r.origin, r.late, r.at, r.failures, s.slot,
         cardinality(r.taken) + row_number() over (partition by r.account_id, r.origin order by s.slot) as nth
    from ready r
   cross join lateral (select count(*)::int as n from (
       select 1 from delivery_queue q
        where q.state = 'queued' and q.account_id = r.account_id and q.origin = r.origin and q.late = r.late
        order by q.next_attempt_at limit ${destinationSlots}) c) waiting -- ordered: without it, a table full of one destination was scanned for another
   cross join lateral (
     select g.slot from generate_series(0, ${destinationSlots - 1}) as g(slot)
      where g.slot <> all (r.taken) and (r.failures < ${breakerFailures} or cardinality(r.taken) = 0)
      order by g.slot limit case when r.failures < ${breakerFailures} then waiting.n else 1 end) s
), of_account as ( -- of each account, each destination's first slot before any destination's second
  select f.*, coalesce(($8::int[])[array_position($7::uuid[], f.account_id)], 0)
              + row_number() over (partition by f.account_id order by f.nth, f.at) as account_nth
    from free_slot f
), fair as ( -- each account's first slot before any account's second
  select *, row_number() over (order by account_nth, at) as turn
    from (select *, row_number() over (partition by late order by account_nth, at) as of_kind
            from of_account where account_nth <= $6::int) k
   where not late or of_kind <= $2::int
), chosen as (
  select * from fair where turn <= $5::int or account_nth = 1 order by turn limit $1::int
), destination_slot as (
  select account_id, origin, late, array_agg(slot order by slot) as slots, count(*)::int as n,
         case when max(failures) = 0 then $3::int else 1 end as slot_deliveries
    from chosen group by account_id, origin, late
), picked as materialized (
  select p.id, c.slots[1 + (p.nth - 1) % c.n] as slot
    from destination_slot c
   cross join lateral (
     select x.id, (row_number() over claim_order)::int as nth, sum(cardinality(x.delivery_ids)) over claim_order as deliveries
       from (select q.id, q.delivery_ids, q.next_attempt_at from delivery_queue q
              where q.state = 'queued' and q.account_id = c.account_id and q.origin = c.origin and q.late = c.late
              order by q.next_attempt_at limit c.n * c.slot_deliveries) x
     window claim_order as (order by x.next_attempt_at, x.id rows unbounded preceding)) p
   where p.nth <= c.n or p.deliveries <= c.n * c.slot_deliveries
), pick as materialized (
  select array_agg(id) as ids, array_agg(slot) as slots from picked
), claimed as (
  update delivery_queue q
     set state = 'in_flight', slot = (select slots from pick)[array_position((select ids from pick), q.id)], fence = q.fence + 1,
         lease_until = clock_timestamp() + $4::int * interval '1 millisecond'
   -- That it is still queued is looked at again (it may be paused, or superseded, meanwhile; both take no claim lock). Put like
   -- this, the planner does not take it for a reason to look by delivery_queue_queued. Locking rows as they are picked cost a tenth.
   -- No join: with statistics of an empty queue one read 60,000 rows that had just come, once for each that was picked.
   where q.id = any((select ids from pick)::uuid[]) and coalesce(q.state, '') = 'queued'
  returning q.id, q.delivery_ids, q.account_id, q.origin, q.slot, q.attempts, q.late, q.fence, q.next_attempt_at
)
select id, delivery_ids, account_id, origin, slot, attempts, late, fence from claimed order by next_attempt_at, id`;

// Ordered, so that stale statistics cannot make a scan of the whole table look cheap.
const lookAhead = `
select (select id from delivery_queue where state = 'queued' order by account_id, origin, late, next_attempt_at limit 1) is not null as backlog,
       (extract(epoch from least(
         (select min(next_attempt_at) from delivery_queue where state = 'waiting'),
         (select min(open_until) from delivery_breakers where open_until > now())) - clock_timestamp()) * 1000)::float8 as next_due_ms`;

/**
 * Makes the planner use indexes and nested loops for the rest of the transaction. With its statistics, which lag behind a
 * queue, the planner hashed the whole table for a claim of two rows: 80 ms with 100,000 waiting rows, instead of 5.
 */
export const indexOnly =
  "set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)";
