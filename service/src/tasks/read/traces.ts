import type { Queryable } from "../../db/index.ts";

/** The `traceparent` of the submissions of these tasks, by task, if they were traced. */
export async function readTraceParents(
  db: Queryable,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Indexes: the primary keys.
  const { rows } = await db.query<{ id: string; traceparent: string }>({
    name: "trace parents",
    text: `select t.id, b.traceparent from tasks t join batches b on b.id = t.batch_id
           where t.id = any($1::uuid[]) and b.traceparent is not null`,
    values: [taskIds],
  });
  return new Map(rows.map((row) => [row.id, row.traceparent]));
}
