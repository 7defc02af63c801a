import type { Queryable } from "../db/index.ts";

/** From when to when a running task waited for its start. */
export interface Wait {
  readonly from: Date;
  readonly to: Date;
}

/** How long running tasks waited for this start, by task, for traces. */
export async function readWaits(db: Queryable, taskIds: readonly string[]): Promise<ReadonlyMap<string, Wait>> {
  // Index: the primary key.
  const { rows } = await db.query<{ id: string; from: Date; to: Date }>({
    name: "waits",
    text: `select task_id as id, least(run_at, claimed_at) as "from", claimed_at as "to" from dispatch
           where task_id = any($1::uuid[]) and claimed_at is not null`,
    values: [taskIds],
  });
  return new Map(rows.map(({ id, from, to }) => [id, { from, to }]));
}
