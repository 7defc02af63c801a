import type pg from "pg";
import { keptPlans, type Database } from "../../db/index.ts";
import { destinationSlots, leaveLine, putInLine, takeUpAgain } from "../outbox/delivery-turns.ts";
import { breakerFailures } from "./record-health.ts";

/** "deliver" in ASCII, cut to 48 bits. */
const claimLock = 0x64_65_6c_69_76_65;

/** An id below every account's. */
const beforeAll = "00000000-0000-0000-0000-000000000000";
/** How many accounts a claim examines in addition to the free slots, since some may have nothing to send. */
const passedMax = 8;

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
  /** The `lastAccount` of the claim before; null: begin with the first. */
  afterAccount: string | null;
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
  /** The account behind which the next claim goes on; null: this one has looked at all that have something to send. */
  readonly lastAccount: string | null;
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
 * so a process that is stopped in between holds no lock. Locks: the claim lock, then rows of `delivery_queue` and turns.
 */
export async function claimDeliveries(database: Database, request: ClaimRequest): Promise<Claim> {
  const { slots, lateSlots, slotDeliveries, leaseMs, sharedSlots, accountSlots, inFlight, afterAccount } = request;
  const [, , claimed, rest] = (await database.transactionOf(
    [
      { text: `select pg_advisory_xact_lock(${claimLock})` },
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
          afterAccount ?? beforeAll,
        ],
      },
      lookAheadStatement,
    ],
    { settings: indexOnly },
  )) as [unknown, unknown, pg.QueryResult<ClaimRow | NothingRow>, pg.QueryResult<LookAheadRow>];
  const { idle = [], last = null } = claimed.rows[0] ?? {};
  // An error must not lose what was claimed. A later claim finds the same accounts.
  if (idle.length >= passedMax / 2) await leaveLine(database, idle, lateSlots <= 0).catch(() => undefined);
  const taken = claimed.rows.filter(isTaken);
  return {
    lastAccount: last,
    rows: taken.flatMap((row) => {
      const { id: batchId, account_id: accountId, origin, slot, attempts, late, fence } = row;
      return row.delivery_ids.map((id) => ({ id, batchId, accountId, origin, slot, attempts, late, fence }));
    }),
    ...aheadOf(rest),
  };
}

/** What a claim would leave if it took nothing. Locks nothing. */
export async function lookAhead(database: Database): Promise<Pick<Claim, "backlog" | "nextDueMs">> {
  const [rest] = (await database.transactionOf([lookAheadStatement], { settings: indexOnly })) as [
    pg.QueryResult<LookAheadRow>,
  ];
  return aheadOf(rest);
}

const aheadOf = ({ rows: [row] }: pg.QueryResult<LookAheadRow>) => ({
  backlog: row?.backlog ?? false,
  nextDueMs: row?.next_due_ms ?? null,
});

/** What every row of a claim says about the claim as a whole. */
interface Passed {
  /** Accounts in line of which nothing could be sent. */
  idle: string[];
  /** The last account that it looked at, if there may be more behind it. */
  last: string | null;
}

interface NothingRow extends Passed {
  id: null;
}

interface ClaimRow extends Passed {
  id: string;
  delivery_ids: string[];
  account_id: string;
  origin: string;
  slot: number;
  attempts: number;
  late: boolean;
  fence: number;
}

interface LookAheadRow {
  backlog: boolean;
  next_due_ms: number | null;
}

/** A claim of nothing is one row without a batch. */
const isTaken = (row: ClaimRow | NothingRow): row is ClaimRow => row.id !== null;

// Queues what has become due, or pauses it while the account's default address is suspended. Index: delivery_queue_waiting.
// Locks: those rows, then their accounts' turns.
const queueDue = `
with due as (
update delivery_queue d
   set state = case when d.to_default and exists (select 1 from webhooks w where w.account_id = d.account_id and w.suspended_at is not null)
                    then 'held' else 'queued' end
 where d.id = any(array(select id from delivery_queue where state = 'waiting' and next_attempt_at <= now()
                         order by next_attempt_at limit 1000 for update skip locked))
returning account_id
), again as (
${takeUpAgain}
), ${putInLine("due")} select`;

// Parameters: slots, slots for late deliveries, deliveries per slot, lease in milliseconds, slots that are not reserved for
// accounts with nothing in flight, slots per account, accounts with slots in flight in this process, the number of those slots,
// and the last account of the claim before. Planning takes 3 ms, so the plan is cached; the statement is written so that one plan
// is right for every length of the queue (test/plans/sudden-line.test.ts).
// `walked` contains as many accounts as there are slots, and a few more, because some may have nothing to send. If the line may
// continue behind them (`is_cut_short`), each gets one slot, in their order, and the next claim continues after the last that got
// one. `first_row` is a loose index scan: one or two seeks of delivery_queue_queued for each destination with queued rows of these
// accounts, regardless of the number of rows.
const claimRows = `
with recursive in_turn as (
  (select account_id from delivery_turns where has_due and account_id > $9::uuid order by account_id limit $1::int + ${passedMax})
  union all
  (select account_id from delivery_turns where has_due and account_id <= $9::uuid order by account_id limit $1::int + ${passedMax})
  limit $1::int + ${passedMax}
), walked as materialized (
  select account_id, row_number() over () as place from in_turn
), walk as materialized (
  select count(*) >= $1::int + ${passedMax} as is_cut_short,
         case when count(*) >= $1::int + ${passedMax} then 1 else ${destinationSlots} end as slots
    from walked
), first_row (account_id, place, origin, late, at) as ( -- of each destination, of those that are late and those that are not
  select w.account_id, w.place, f.*
    from walked w
   cross join lateral (select q.origin, q.late, q.next_attempt_at from delivery_queue q
                        where q.state = 'queued' and q.account_id = w.account_id
                        order by q.origin, q.late, q.next_attempt_at limit 1) f
  union all
  select l.account_id, l.place, n.*
    from first_row l
   cross join lateral (
     select q.origin, q.late, q.next_attempt_at from delivery_queue q
      where q.state = 'queued' and q.account_id = l.account_id and (q.origin, q.late) > (l.origin, l.late)
      order by q.origin, q.late, q.next_attempt_at limit 1) n
), destination as materialized (
  select account_id, place, origin, min(at) filter (where not late) as early_at, min(at) filter (where late) as late_at
    from first_row group by account_id, place, origin
), head as materialized (
  select l.account_id, l.place, l.origin, l.early_at, l.late_at, f.taken, b.failures_in_row,
         -- Late rows wait while their share of the process's slots is used up; otherwise who is due longer goes first.
         l.late_at is not null and $2::int > 0 and (l.early_at is null or l.late_at < l.early_at) as late
    from destination l
    left join delivery_breakers b on b.account_id = l.account_id and b.origin = l.origin
   cross join lateral (select coalesce(array_agg(distinct q.slot::int), '{}') as taken from delivery_queue q
                        where q.state = 'in_flight' and q.account_id = l.account_id and q.origin = l.origin) f
   where b.open_until is null or b.open_until <= now()
), ready as (
  select h.*, case when h.late then h.late_at else h.early_at end as at, coalesce(h.failures_in_row, 0) as failures
    from head h
   where (h.late or h.early_at is not null) and cardinality(h.taken) < ${destinationSlots}
), free_slot as (
  select r.account_id, r.origin, r.late, r.failures, s.slot,
         case when walk.is_cut_short then r.place end as place, r.at,
         cardinality(r.taken) + row_number() over (partition by r.account_id, r.origin order by s.slot) as nth
    from ready r
   cross join walk
   cross join lateral (select case when walk.slots = 1 then 1 else (select count(*)::int from (
       select 1 from delivery_queue q
        where q.state = 'queued' and q.account_id = r.account_id and q.origin = r.origin and q.late = r.late
        order by q.next_attempt_at limit ${destinationSlots}) c) end as n) waiting -- ordered: otherwise a table full of one destination was scanned for another
   cross join lateral (
     select g.slot from generate_series(0, ${destinationSlots - 1}) as g(slot)
      where g.slot <> all (r.taken) and (r.failures < ${breakerFailures} or cardinality(r.taken) = 0)
      order by g.slot limit case when r.failures < ${breakerFailures} then waiting.n else 1 end) s
), of_account as ( -- of each account, each destination's first slot before any destination's second
  select f.*, coalesce(($8::int[])[array_position($7::uuid[], f.account_id)], 0)
              + row_number() over (partition by f.account_id order by f.nth, f.at) as account_nth
    from free_slot f
), fair as ( -- each account's first slot before any account's second
  select *, row_number() over (order by account_nth, place, at) as turn
    from (select *, row_number() over (partition by late order by account_nth, place, at) as of_kind
            from of_account where account_nth <= $6::int) k
   where (not late or of_kind <= $2::int) and (account_nth = 1 or not (select is_cut_short from walk))
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
   -- Checks again that it is still queued: it may have been paused or superseded meanwhile, without the claim lock. The coalesce
   -- keeps the planner from using delivery_queue_queued for this. Locking the rows as they are picked was 10 % slower.
   -- No join: with statistics of an empty queue, a join read 60,000 newly inserted rows once for each picked row.
   where q.id = any((select ids from pick)::uuid[]) and coalesce(q.state, '') = 'queued'
  returning q.id, q.delivery_ids, q.account_id, q.origin, q.slot, q.attempts, q.late, q.fence, q.next_attempt_at
), passed as (
  select array(select w.account_id from walked w
                where not exists (select from head h where h.account_id = w.account_id and (h.early_at is not null or $2::int > 0))) as idle,
         (select account_id from walked
           where place = case when (select count(*) from chosen) = $1::int then (select max(place) from chosen) else $1::int + ${passedMax} end
             and is_cut_short) as last
    from walk
)
select p.idle, p.last, c.id, c.delivery_ids, c.account_id, c.origin, c.slot, c.attempts, c.late, c.fence
  from passed p left join claimed c on true order by c.next_attempt_at, c.id`;

// Ordered, so that stale statistics cannot make a scan of the whole table look cheap.
const lookAheadStatement = {
  name: "look_ahead",
  text: `
select (select id from delivery_queue where state = 'queued' order by account_id, origin, late, next_attempt_at limit 1) is not null as backlog,
       (extract(epoch from least(
         (select min(next_attempt_at) from delivery_queue where state = 'waiting'),
         (select min(open_until) from delivery_breakers where open_until > now())) - clock_timestamp()) * 1000)::float8 as next_due_ms`,
};

/**
 * Settings with which the planner uses indexes and nested loops. With its statistics, which lag behind a
 * queue, the planner hashed the whole table for a claim of two rows: 80 ms with 100,000 waiting rows, instead of 5.
 */
export const indexOnly = {
  ...keptPlans,
  enable_seqscan: "off",
  enable_sort: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};
