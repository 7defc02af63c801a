import type { Queryable } from "../db/index.ts";

/** When the ledger was last written; null if it is empty. Reads all of it. */
export async function readLastEntry(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>("select max(created_at) as at from ledger");
  return rows[0]?.at ?? null;
}
