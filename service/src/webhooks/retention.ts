/** How long deliveries and events are stored, and where the history of the event feed begins afterwards. */
import type { Database, Partition, Queryable } from "../db/index.ts";

export const deliveriesTable = { table: "deliveries", key: "id" } as const;

const rowsAtOnce = 5_000;

/** SQL: records that the history of the feed begins after these rows, which have `account_id`, `id` and a number. */
const beginAfter = (rows: string, number: string) => `
  update webhooks w set events_pruned_to = g.number, events_pruned_id = g.id
    from (select distinct on (account_id) account_id, id, ${number} as number from ${rows}
           where ${number} is not null order by account_id, ${number} desc) g
   where w.account_id = g.account_id and g.number > w.events_pruned_to`;

/** Whether a partition has a delivery that has not ended. */
export async function hasPendingDeliveries(db: Queryable, { name }: Partition): Promise<boolean> {
  // Reads the partition until it finds one. Locks nothing.
  const { rows } = await db.query<{ any: boolean }>(
    `select exists (select from ${name} where state = 'pending') as any`,
  );
  return rows[0]?.any ?? true;
}

/** Records, before a partition is dropped, that the history of the event feed begins after its events. */
export async function endFeedHistory(database: Database, { name }: Partition): Promise<void> {
  // Locks: rows of `webhooks`.
  await database.query(beginAfter(name, "event_number"));
}

/**
 * Deletes completed deliveries that are older than this number of days. It works in bounded batches, each in its own
 * transaction, which also records the new start of the feed's history. A reader therefore finds every event after its position,
 * or gets an error that its position has been deleted.
 */
export async function pruneDeliveries(
  database: Database,
  olderThanDays: number,
  signal?: AbortSignal,
): Promise<{ deleted: number }> {
  let deleted = 0;
  while (signal?.aborted !== true) {
    // Index: deliveries_age.
    const { rows } = await database.query<{ count: number }>(
      `with gone as (
         delete from deliveries d using (
           select account_id, id from deliveries where state <> 'pending' and created_at < now() - make_interval(days => $1)
            limit $2 for update skip locked) old
          where d.account_id = old.account_id and d.id = old.id
         returning d.account_id, d.id, d.event_number
       ), recorded as (${beginAfter("gone", "event_number")})
       select count(*) from gone`,
      [olderThanDays, rowsAtOnce],
    );
    const count = rows[0]?.count ?? 0;
    deleted += count;
    if (count < rowsAtOnce) break;
  }
  await pruneEvents(database, Math.max(olderThanDays, eventDaysMin));
  return { deleted };
}

/** Events of accounts are kept for longer than the longest period that is announced once: the month of a cap. */
const eventDaysMin = 40;

async function pruneEvents(database: Database, olderThanDays: number): Promise<void> {
  // Index: account_events_age. There are few of them. Locks: those rows, then rows of `webhooks`.
  await database.query(
    `with gone as (
       delete from account_events where created_at < now() - make_interval(days => $1) returning account_id, id, number
     ) ${beginAfter("gone", "number")}`,
    [olderThanDays],
  );
  // There are few of them. Locks: those rows.
  await database.query("delete from addressed_events where created_at < now() - make_interval(days => $1)", [
    olderThanDays,
  ]);
}
