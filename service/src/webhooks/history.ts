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
    `update webhooks w set events_pruned_to = greatest(w.events_pruned_to, d.last)
       from (select account_id, max(event_number) as last from ${name} where event_number is not null group by account_id) d
      where w.account_id = d.account_id`,
  );
}
