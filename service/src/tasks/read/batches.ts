import type { BatchRecord, RunEnd } from "@querent/contract";
import type { ListSource, Queryable } from "../../db/index.ts";
import { batchRange } from "../past-batches.ts";
import { firstIdAt, millisecondAt, idRange } from "../../kernel/ids.ts";
import { listAccounts } from "../../accounts/index.ts";
import { taskKeys } from "./record.ts";

interface BatchRow {
  id: string;
  task_count: number;
  estimated_points: number;
  created_at: Date;
  first_question: string;
  platforms: string[];
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
  /** The outcome was stored: nothing was counted. */
  kept: boolean;
}

/** A batch with its counts, or null if the account has no such batch. */
export async function getBatch(db: Queryable, accountId: string, batchId: string): Promise<BatchRecord | null> {
  const [batch] = await readBatches(db, accountId, [batchId]);
  return batch ?? null;
}

interface BatchFilter {
  readonly createdFrom?: string;
  readonly createdBefore?: string;
}

/** A page of the account's batches, newest first: those older than `beforeId`. */
export async function listBatches(
  { db, asOf }: ListSource,
  accountId: string,
  { createdFrom, createdBefore }: BatchFilter,
  page: { beforeId: string | null; limit: number },
): Promise<{ batches: BatchRecord[]; nextId: string | null }> {
  const bound = (time: string | undefined) => (time === undefined ? null : firstIdAt(millisecondAt(time)));
  // Index: the primary key. Ids carry the time of acceptance.
  const { rows } = await db.query<{ id: string }>(
    `select id from batches
     where account_id = $1 and ($2::uuid is null or id < $2) and ($3::uuid is null or id >= $3) and ($4::uuid is null or id < $4)
     order by id desc limit $5`,
    [accountId, page.beforeId, bound(createdFrom), bound(createdBefore), page.limit + 1],
  );
  const shown = rows.slice(0, page.limit).map(({ id }) => id);
  return {
    // A replica cannot store the counts of those that have ended.
    batches: await readBatches(db, accountId, shown, { keep: asOf === null }),
    nextId: rows.length > page.limit ? (shown.at(-1) ?? null) : null,
  };
}

/** These batches with their counts, newest first. */
export async function readBatches(
  db: Queryable,
  accountId: string,
  batchIds: readonly string[],
  { keep }: { keep: boolean } = { keep: true },
): Promise<BatchRecord[]> {
  if (batchIds.length === 0) return [];
  const { least, greatest } = batchRange(batchIds);
  // Index: tasks_batch, for each batch that is not known to be finished; a batch has a bounded number of tasks. Locks nothing.
  const { rows } = await db.query<BatchRow>(
    `select b.id, b.task_count, b.estimated_points, b.created_at, b.finished_at is not null as kept,
            left(f.question, 200) as first_question, coalesce(b.platforms, s.platforms) as platforms, s.pending, s.running,
            s.ended_lately, coalesce(b.completed, s.completed) as completed, coalesce(b.failed, s.failed) as failed,
            coalesce(b.canceled, s.canceled) as canceled, coalesce(b.charged_points, s.charged) as charged,
            coalesce(b.released_points, s.released) as released, coalesce(b.finished_at, s.last_end) as last_end, now() as now
     from batches b cross join lateral (
       select t.question from tasks t where t.account_id = b.account_id and t.batch_id = b.id and t.id between $3 and $4 order by t.item_index limit 1
     ) f cross join lateral (
       select array_agg(distinct t.platform order by t.platform) as platforms,
              count(*) filter (where t.state = 'pending') as pending,
              count(*) filter (where t.state = 'completed') as completed,
              count(*) filter (where t.state = 'failed') as failed,
              count(*) filter (where t.state = 'canceled') as canceled,
              coalesce(sum(t.charged_points), 0)::bigint as charged,
              coalesce(sum(t.price_points) filter (where t.state in ('failed', 'canceled')), 0)::bigint as released,
              max(t.completed_at) as last_end,
              count(*) filter (where t.completed_at > now() - interval '1 minute') as ended_lately,
              count(d.task_id) filter (where d.state = 'running') as running
       from tasks t left join dispatch d on t.state = 'pending' and d.account_id = t.account_id and d.task_id = t.id
       where t.account_id = b.account_id and t.batch_id = b.id and t.id between $3 and $4 and b.finished_at is null
     ) s
     where b.id = any($1::uuid[]) and b.account_id = $2
     order by b.id desc`,
    [batchIds, accountId, least, greatest],
  );
  const finished = rows.filter(({ kept, pending }) => keep && !kept && pending === 0);
  if (finished.length > 0) await keepOutcomes(db, accountId, finished);
  return rows.map(batchRecord);
}

/** Stores the counts of a batch that has ended, since they no longer change. Concurrent counts find the same. */
async function keepOutcomes(db: Queryable, accountId: string, rows: readonly BatchRow[]): Promise<void> {
  // Locks: rows of `batches`, which nobody else updates. Rows that another process has locked are left to it.
  await db.query(
    `with free as (
       select id from batches where account_id = $3 and id = any($1::uuid[]) and finished_at is null for update skip locked
     )
     update batches b set finished_at = o.last_end, platforms = o.platforms, completed = o.completed, failed = o.failed,
                          canceled = o.canceled, charged_points = o.charged, released_points = o.released
     from json_to_recordset($2::json) as o(id uuid, last_end timestamptz, platforms text[], completed int, failed int, canceled int,
                                           charged bigint, released bigint)
     where b.account_id = $3 and b.id = o.id and b.id in (select id from free)`,
    [rows.map(({ id }) => id), JSON.stringify(rows), accountId],
  );
}

function batchRecord(row: BatchRow): BatchRecord {
  const ended = row.task_count - row.pending;
  return {
    batchId: row.id,
    state: row.pending === 0 ? "finished" : "pending",
    taskCount: row.task_count,
    firstQuestion: row.first_question,
    platformCodes: row.platforms,
    counts: { pending: row.pending, completed: row.completed, failed: row.failed, canceled: row.canceled },
    running: row.running,
    progress: ended / row.task_count,
    points: { estimated: row.estimated_points, charged: row.charged, released: row.released },
    createdAt: row.created_at.toISOString(),
    finishedAt: row.pending === 0 ? (row.last_end?.toISOString() ?? null) : null,
    etaAt: eta(row),
  };
}

/** Estimated from the rate of the last minute, or of the batch's lifetime if that is shorter. */
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

/** Whether the account has this batch, and every task of it has ended. */
export async function hasEnded(db: Queryable, accountId: string, batchId: string): Promise<boolean> {
  return (await hasBatch(db, accountId, batchId)) && (await pendingTasksOf(db, accountId, batchId)).length === 0;
}

/** The tasks of a batch that have not ended, for a cancellation. */
export async function pendingTasksOf(db: Queryable, accountId: string, batchId: string): Promise<string[]> {
  const { least, greatest } = batchRange([batchId]);
  const { rows } = await db.query<{ id: string }>(
    "select id from tasks where account_id = $2 and batch_id = $1 and id between $3 and $4 and state = 'pending' order by id",
    [batchId, accountId, least, greatest],
  );
  return rows.map((row) => row.id);
}

/**
 * The account of a task, or of a batch, for the operator, who knows only its id; null if there is none. Keys begin with the
 * account, so this is one look-up per account.
 */
export async function accountOf(
  db: Queryable,
  { taskId, batchId }: { readonly taskId: string | null; readonly batchId: string | null },
): Promise<string | null> {
  const accounts = await listAccounts(db);
  // Indexes: the primary keys, once for each account. `offset 0` keeps the planner from scanning the tables instead.
  const { rows } = await db.query<{ account_id: string }>(
    `select found.account_id
       from unnest($1::uuid[]) as a(id)
      cross join lateral (select account_id from ${taskId === null ? "batches" : "tasks"}
                           where account_id = a.id and id = $2 offset 0) found
      limit 1`,
    [accounts.map(({ accountId }) => accountId), taskId ?? batchId],
  );
  return rows[0]?.account_id ?? null;
}

// What a copy of the database has of tasks, for a restore.

/** How many tasks there are, and when the last one was accepted; null if there is none. Reads every task. */
export async function readLastTask(db: Queryable): Promise<{ tasks: number; acceptedAt: Date | null }> {
  const { rows } = await db.query<{ tasks: number; acceptedAt: Date | null }>(
    `select count(*)::int as tasks, max(created_at) as "acceptedAt" from tasks`,
  );
  return rows[0] ?? { tasks: 0, acceptedAt: null };
}

/** The tasks that were accepted after that moment. */
export async function countTasksSince(db: Queryable, since: Date): Promise<number> {
  // The ids begin with their time, so older partitions are not read.
  const { rows } = await db.query<{ tasks: number }>(
    "select count(*)::int as tasks from tasks where id >= $1 and created_at > $2",
    [firstIdAt(since), since],
  );
  return rows[0]?.tasks ?? 0;
}

/** A task of these batches that has not ended; null: all have. */
export async function findPending(
  db: Queryable,
  accountId: string,
  batchIds: readonly string[],
): Promise<string | null> {
  const { least, greatest } = batchRange(batchIds);
  // Index: tasks_batch. Reads the batches' tasks until it finds one. Locks nothing.
  const { rows } = await db.query<{ id: string }>(
    `select id from tasks
      where account_id = $1 and batch_id = any ($2::uuid[]) and id between $3 and $4 and state = 'pending' limit 1`,
    [accountId, batchIds, least, greatest],
  );
  return rows[0]?.id ?? null;
}

/** Those of the tasks that have not ended. */
export async function stillPending(
  db: Queryable,
  tasks: readonly { readonly accountId: string; readonly taskId: string }[],
): Promise<ReadonlySet<string>> {
  if (tasks.length === 0) return new Set();
  const { least, greatest } = idRange(tasks.map(({ taskId }) => taskId));
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ id: string }>(
    `select t.id from ${taskKeys.after(2)}
       join tasks t on t.account_id = k.account_id and t.id = k.id and t.id between $1 and $2 and t.state = 'pending'`,
    [least, greatest, ...taskKeys.values(tasks)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** How the tasks of these batches ended, and when the last did; null if there are none any more. */
export async function countEnds(
  db: Queryable,
  accountId: string,
  batchIds: readonly string[],
): Promise<{ readonly ends: RunEnd; readonly lastEnd: Date | null }> {
  const { least, greatest } = batchRange(batchIds);
  // Index: tasks_batch. Locks nothing.
  const { rows } = await db.query<{ state: string; code: string | null; count: number; last_end: Date }>(
    `select state, failure->>'code' as code, count(*)::int as count, max(completed_at) as last_end from tasks
      where account_id = $1 and batch_id = any ($2::uuid[]) and id between $3 and $4 and state <> 'pending'
      group by 1, 2 order by 2`,
    [accountId, batchIds, least, greatest],
  );
  const sum = (state: string) =>
    rows.filter((row) => row.state === state).reduce((total, { count }) => total + count, 0);
  const failed = rows.flatMap(({ code, count }): [string, number][] => (code === null ? [] : [[code, count]]));
  const times = rows.map((row) => row.last_end.getTime());
  return {
    ends: {
      completed: sum("completed"),
      failed: sum("failed"),
      canceled: sum("canceled"),
      failedByCode: Object.fromEntries(failed),
    },
    lastEnd: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}

/** The id of any task of a batch; null if the account has no such batch. */
export async function firstTaskOf(db: Queryable, accountId: string, batchId: string): Promise<string | null> {
  const { least, greatest } = batchRange([batchId]);
  // Index: tasks_batch; the range selects the partitions.
  const { rows } = await db.query<{ id: string }>(
    "select id from tasks where account_id = $1 and batch_id = $2 and id between $3 and $4 limit 1",
    [accountId, batchId, least, greatest],
  );
  return rows[0]?.id ?? null;
}
