import type { Database } from "../db/index.ts";

const rowsAtOnce = 5_000;

/** Deletes deliveries that ended, with their attempts, once they are older than so many days. Bounded batches, each its own transaction. */
export async function pruneDeliveries(
  database: Database,
  olderThanDays: number,
  signal?: AbortSignal,
): Promise<{ deleted: number }> {
  let deleted = 0;
  while (signal?.aborted !== true) {
    // deliveries_ended; attempts go by cascade.
    const { rowCount } = await database.query(
      `delete from deliveries where id in (
         select id from deliveries where place is null and created_at < now() - make_interval(days => $1)
          order by created_at limit $2 for update skip locked)`,
      [olderThanDays, rowsAtOnce],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < rowsAtOnce) break;
  }
  return { deleted };
}
