import type { BatchRecord } from "@querent/contract";
import type { Queryable } from "../db/index.ts";

interface BatchRow {
  id: string;
  task_count: number;
  estimated_points: number;
  created_at: Date;
  pending: number;
  completed: number;
  failed: number;
  canceled: number;
  charged: number;
  released: number;
  last_end: Date | null;
  ended_lately: number;
  running: number;
  now: Date;
}

/** How a batch stands, or null when the account has no such batch. */
export async function getBatch(db: Queryable, accountId: string, batchId: string): Promise<BatchRecord | null> {
  // Index: tasks_batch; a batch has a bounded number of tasks.
  const { rows } = await db.query<BatchRow>(
    `select b.id, b.task_count, b.estimated_points, b.created_at, s.*, now() as now
     from batches b cross join lateral (
       select count(*) filter (where t.state = 'pending') as pending,
              count(*) filter (where t.state = 'completed') as completed,
              count(*) filter (where t.state = 'failed') as failed,
              count(*) filter (where t.state = 'canceled') as canceled,
              coalesce(sum(t.charged_points), 0)::bigint as charged,
              coalesce(sum(t.price_points) filter (where t.state in ('failed', 'canceled')), 0)::bigint as released,
              max(t.completed_at) as last_end,
              count(*) filter (where t.completed_at > now() - interval '1 minute') as ended_lately,
              count(d.task_id) filter (where d.state = 'running') as running
       from tasks t left join dispatch d on t.state = 'pending' and d.task_id = t.id
       where t.batch_id = b.id
     ) s
     where b.id = $1 and b.account_id = $2`,
    [batchId, accountId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const ended = row.task_count - row.pending;
  return {
    batchId: row.id,
    state: row.pending === 0 ? "finished" : "pending",
    taskCount: row.task_count,
    counts: { pending: row.pending, completed: row.completed, failed: row.failed, canceled: row.canceled },
    running: row.running,
    progress: ended / row.task_count,
    points: { estimated: row.estimated_points, charged: row.charged, released: row.released },
    createdAt: row.created_at.toISOString(),
    finishedAt: row.pending === 0 ? (row.last_end?.toISOString() ?? null) : null,
    etaAt: eta(row),
  };
}

/** From the pace of the last minute, or of the batch's life when that is shorter. */
function eta(row: BatchRow): string | null {
  if (row.pending === 0 || row.ended_lately === 0) return null;
  const spanMs = Math.max(1, Math.min(60_000, row.now.getTime() - row.created_at.getTime()));
  return new Date(row.now.getTime() + (row.pending / row.ended_lately) * spanMs).toISOString();
}

/** Whether the account has this batch. */
export async function hasBatch(db: Queryable, accountId: string, batchId: string): Promise<boolean> {
  const { rowCount } = await db.query("select 1 from batches where id = $1 and account_id = $2", [batchId, accountId]);
  return rowCount === 1;
}

/** The tasks of a batch that have not ended, for a cancellation. */
export async function pendingTasksOf(db: Queryable, batchId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from tasks where batch_id = $1 and state = 'pending' order by id",
    [batchId],
  );
  return rows.map((row) => row.id);
}
