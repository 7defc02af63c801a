/**
 * The batches in which deliveries are queued, and the accounts whose deliveries a claim examines: `delivery_turns` has one row for each account. Those with `has_due` form the
 * notifiers' line. A claim examines some of them, in the order of their ids, and the next claim continues from there.
 *
 * Invariant: `has_due` is false only if nothing of the account can be sent, at least until `again_at`. Whatever makes a delivery
 * sendable locks the row `for key share` in the same transaction, and sets it to true if it is false. These locks do not conflict
 * with each other, but with `for update`, under which an account leaves the line. So it leaves only while no such transaction is
 * in progress, and the query that finds nothing to send starts after the lock was granted. An account may be in line without
 * anything to send: a claim that finds nothing there removes it.
 */
import type { Database, Transaction } from "../../db/index.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { newId } from "../../kernel/ids.ts";

/** The maximum of requests in flight for a destination (an account's deliveries to one origin), over all processes. */
export const destinationSlots = 4;
/** The maximum of deliveries in a batch, which are leased together. */
export const batchDeliveriesMax = 32;

/** A delivery to be queued. */
export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly origin: string;
  readonly toDefault: boolean;
  /** `held`: paused while the account's default address is suspended. */
  readonly state: "queued" | "held";
  /** When its result expires; null if it contains nothing that expires. */
  readonly expiresAt: string | null;
}

/**
 * A row to be inserted into `delivery_queue`: deliveries to one destination that are claimed, leased and completed together.
 */
export interface DeliveryBatch extends Omit<QueuedDelivery, "deliveryId"> {
  readonly id: string;
  readonly deliveryIds: readonly string[];
}

/**
 * Groups deliveries that are queued together by destination, so that a thousand ends need only a few rows of the queue. A
 * destination gets at least as many batches as it has slots, so that batching does not slow it down.
 */
export function groupIntoBatches(queued: readonly QueuedDelivery[]): DeliveryBatch[] {
  const destinations = Map.groupBy(queued, (one) => `${one.accountId} ${one.origin} ${one.toDefault} ${one.state}`);
  return [...destinations.values()].flatMap((deliveries) => {
    const { length } = deliveries;
    const count = Math.max(Math.min(destinationSlots, length), Math.ceil(length / batchDeliveriesMax));
    const start = (nth: number) => Math.floor((nth * length) / count);
    return Array.from({ length: count }, (_, nth) => deliveries.slice(start(nth), start(nth + 1))).flatMap(batchOf);
  });
}

function batchOf(queued: readonly QueuedDelivery[]): DeliveryBatch[] {
  const [first, ...others] = queued;
  if (first === undefined) return [];
  const { deliveryId, ...destination } = first;
  const id = others.length === 0 ? deliveryId : newId();
  const expiresAt = queued.flatMap((one) => one.expiresAt ?? []).sort()[0] ?? null;
  return [{ ...destination, id, deliveryIds: queued.map((one) => one.deliveryId), expiresAt }];
}

/**
 * Condition: a delivery `d` is pending and belongs to the queue's row `q`, either as part of its original batch or in a row of
 * its own.
 */
export const waitsIn =
  "d.state = 'pending' and q.id = any (array[d.id, d.delivery_batch_id]) and d.id = any (q.delivery_ids)";

/**
 * Follows a CTE `taken (account_id, id, batch)` that has the queue's rows locked; removes these deliveries from their batches.
 */
export const takeOutOfBatches = `batch as (
       select batch as id, array_agg(id) as taken from taken group by batch
     ), left_over as (
       update delivery_queue q
          set delivery_ids = array(select u.id from unnest(q.delivery_ids) with ordinality as u(id, nth)
                                    where u.id <> all (b.taken) order by u.nth)
         from batch b where q.id = b.id and not q.delivery_ids <@ b.taken
     ), emptied as (
       delete from delivery_queue q using batch b where q.id = b.id and q.delivery_ids <@ b.taken
     )`;

/**
 * SQL: common table expressions that put accounts in line. `from` is a preceding one that queued deliveries or closed breakers,
 * and returns `account_id`.
 */
export const putInLine = (from: string) => `turn as materialized (
    select t.account_id, t.has_due from delivery_turns t
     where t.account_id = any(array(select distinct account_id from ${from}))
     order by t.account_id for key share
  ), in_line as (
    update delivery_turns t set has_due = true, again_at = null
      from turn n where t.account_id = n.account_id and not n.has_due
  )`;

/**
 * SQL: puts accounts back in line whose `again_at` has passed. Index: delivery_turns_again. Locks: their turns (SKIP LOCKED: the
 * others are being put in line).
 */
export const takeUpAgain = `update delivery_turns set has_due = true, again_at = null
  where account_id = any(array(select account_id from delivery_turns where again_at <= now()
                                order by again_at limit 1000 for update skip locked))`;

/** Puts an account in line, because something of it will be sendable once this transaction is committed. Call it before any other lock. */
export async function putAccountInLine(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(`with account as (select $1::uuid as account_id), ${putInLine("account")} select`, [accountId]);
}

/** If such a transaction is lost in a crash, a claim finds nothing there again. */
const lazily = { synchronous_commit: "off" };

/**
 * Removes accounts with nothing queued from the line, and those whose destinations' breakers are all open until the first of them
 * may be probed. `isLateLeftOut`: this process has no slots left for late deliveries; accounts that have only these wait a second.
 */
export async function leaveLine(
  database: Database,
  accountIds: readonly string[],
  isLateLeftOut: boolean,
): Promise<void> {
  await database.transaction(
    async (tx) => {
      // Locks: turns of accounts for which no transaction is making anything sendable (SKIP LOCKED: the others stay in line).
      const { rows } = await tx.query<{ account_id: string }>(
        "select account_id from delivery_turns where account_id = any($1::uuid[]) and has_due order by account_id for update skip locked",
        [accountIds],
      );
      if (rows.length === 0) return;
      await racePoint("delivery_turns.locked", "");
      await tx.query({
        name: "leave_line",
        text: leave,
        values: [rows.map((row) => row.account_id), isLateLeftOut],
      });
    },
    { settings: lazily },
  );
}

// Index: delivery_queue_queued, a seek for each destination of these accounts. Its snapshot is later than the locks.
const leave = `
with recursive destination (account_id, origin) as (
  select a.account_id, (select q.origin from delivery_queue q where q.state = 'queued' and q.account_id = a.account_id
                         order by q.origin limit 1)
    from unnest($1::uuid[]) as a(account_id)
  union all
  select d.account_id, (select q.origin from delivery_queue q where q.state = 'queued' and q.account_id = d.account_id
                           and q.origin > d.origin order by q.origin limit 1)
    from destination d where d.origin is not null
), sendable as (
  select d.account_id,
         min(case when b.open_until > now() then b.open_until
                  when $2 and (select true from delivery_queue q
                                where q.state = 'queued' and q.account_id = d.account_id and q.origin = d.origin and q.late = false
                                order by q.next_attempt_at limit 1) is null then now() + interval '1 s'
                  else now() end) filter (where d.origin is not null) as from_at
    from destination d left join delivery_breakers b on b.account_id = d.account_id and b.origin = d.origin
   group by d.account_id
)
update delivery_turns t set has_due = false, again_at = s.from_at
  from sendable s where t.account_id = s.account_id and (s.from_at is null or s.from_at > now())`;

/** Puts accounts in line that have queued deliveries and are missing there, such as those queued by a process of the previous version. */
export async function putForgottenInLine(database: Database): Promise<boolean> {
  // Index: delivery_queue_queued, one seek for each account with queued deliveries. Locks: the turns that it changes.
  const { rowCount } = await database.query(
    `with recursive queued (account_id) as (
       (select account_id from delivery_queue where state = 'queued' order by account_id limit 1)
       union all
       select n.account_id from queued l cross join lateral (
         select q.account_id from delivery_queue q where q.state = 'queued' and q.account_id > l.account_id
         order by q.account_id limit 1) n
     )
     insert into delivery_turns as t (account_id)
     select q.account_id from queued q left join delivery_turns t on t.account_id = q.account_id
      where t.account_id is null or not t.has_due and t.again_at is null
     on conflict (account_id) do update set has_due = true, again_at = null where not t.has_due`,
  );
  return (rowCount ?? 0) > 0;
}
