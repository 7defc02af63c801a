import type { Queryable } from "../../db/index.ts";
import { readBatches } from "../../tasks/index.ts";

/** A run whose answers can be compared. */
export interface ComparableRun {
  readonly runId: string;
  readonly revision: number;
  readonly createdAt: Date;
  /** All of its answers were observed before. */
  readonly endedBefore: Date;
}

export interface ChosenRuns {
  readonly before: ComparableRun;
  readonly after: ComparableRun;
  /** The other runs, nearest to the two first. */
  readonly others: readonly ComparableRun[];
}

const othersMax = 20;
/** After the batches of a run are gone, it is not known when it ended. */
const longestRunMs = 7 * 86_400_000;

interface RunRow {
  id: string;
  revision: number;
  batch_ids: string[];
  created_at: Date;
}

/** The two runs of a diff and those around them. Null: the panel has no such runs, or none to compare with. */
export async function chooseRuns(
  db: Queryable,
  accountId: string,
  { panelId, runId, withRun }: { panelId: string; runId: string; withRun: string | null },
): Promise<ChosenRuns | null> {
  // Index: the primary key, three times. Locks nothing.
  const { rows } = await db.query<RunRow & Record<string, unknown>>(
    `select id, revision, batch_ids, created_at from panel_runs
      where account_id = $1 and panel_id = $2 and id = any($3::uuid[]) and state = 'started'
     union
     (select id, revision, batch_ids, created_at from panel_runs
       where account_id = $1 and panel_id = $2 and id < $4 and state = 'started' order by id desc limit ${othersMax + 1})
     union
     (select id, revision, batch_ids, created_at from panel_runs
       where account_id = $1 and panel_id = $2 and id > $4 and state = 'started' order by id limit ${othersMax})
     order by id`,
    [accountId, panelId, [runId, ...(withRun === null ? [] : [withRun])], runId],
  );
  const at = rows.findIndex(({ id }) => id === runId);
  const withAt = withRun === null ? at - 1 : rows.findIndex(({ id }) => id === withRun);
  const [after, before] = [rows[at], rows[withAt]];
  if (after === undefined || before === undefined) return null;
  const others = rows
    .map((row, index) => ({ row, distance: Math.min(Math.abs(index - at), Math.abs(index - withAt)) }))
    .filter(({ distance }) => distance > 0)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, othersMax)
    .map(({ row }) => row);
  const [first, second, ...more] = await withEnds(db, accountId, [before, after, ...others]);
  return first === undefined || second === undefined ? null : { before: first, after: second, others: more };
}

async function withEnds(db: Queryable, accountId: string, rows: readonly RunRow[]): Promise<ComparableRun[]> {
  const batches = await readBatches(
    db,
    accountId,
    rows.flatMap((row) => row.batch_ids),
  );
  const ends = new Map(batches.map(({ batchId, finishedAt }) => [batchId, finishedAt]));
  return rows.map(({ id, revision, batch_ids: batchIds, created_at: createdAt }) => {
    const known = batchIds.map((batchId) => ends.get(batchId) ?? null).filter((end) => end !== null);
    const last = known.map((end) => Date.parse(end)).toSorted((a, b) => b - a)[0];
    const ended =
      known.length === batchIds.length && last !== undefined ? last + 1 : createdAt.getTime() + longestRunMs;
    return { runId: id, revision, createdAt, endedBefore: new Date(ended) };
  });
}
