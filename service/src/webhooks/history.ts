import type { Database, Partition, Queryable } from "../db/index.ts";

export const deliveriesTable = { table: "deliveries", key: "id" } as const;

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
  await database.query(
    `update webhooks w set events_pruned_to = d.event_number, events_pruned_id = d.id
       from (select distinct on (account_id) account_id, id, event_number from ${name}
              where event_number is not null order by account_id, event_number desc) d
      where w.account_id = d.account_id and d.event_number > w.events_pruned_to`,
  );
}
