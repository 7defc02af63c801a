import { rowsAs, type Transaction, type Database, type Queryable } from "../../db/index.ts";
import { openQueues, ranks, markWork } from "./account-queues.ts";
import { type LoggedAttempt, type LastAttempt, attemptOfRow, withEntry, type AttemptEnd } from "./attempt-log.ts";
import type { FencedRun } from "./fence.ts";

export interface Enqueued {
  readonly taskId: string;
  readonly platform: string;
  readonly priority: number;
  readonly notBefore: string | null;
  readonly startBefore: string | null;
  readonly runTimeoutSeconds: number;
  /** A node for this platform is not sufficient: it must also have a browser. */
  readonly needsBrowser: boolean;
}

/** Ascending: the tasks of the highest priority are first. */
const rankOf = ({ priority }: Enqueued): number => ranks - 1 - priority;

const newRows = rowsAs<Enqueued>("t", {
  task_id: ["uuid", (task) => task.taskId],
  platform: ["text", (task) => task.platform],
  rank: ["smallint", rankOf],
  not_before: ["timestamptz", (task) => task.notBefore],
  start_before: ["timestamptz", (task) => task.startBefore],
  run_timeout_s: ["int", (task) => task.runTimeoutSeconds],
  needs_browser: ["boolean", (task) => task.needsBrowser],
});

/** Queues accepted tasks of one account, as part of the transaction that accepts them. */
export async function enqueue(tx: Transaction, accountId: string, tasks: readonly Enqueued[]): Promise<void> {
  const queues = openQueues(
    tx,
    accountId,
    tasks.map((task) => ({ platform: task.platform, rank: rankOf(task), taskId: task.taskId })),
  );
  // Locks: only the new rows.
  const rows = tx.query({
    name: "enqueue",
    text: `insert into dispatch (task_id, account_id, platform, state, rank, run_at, start_before, run_timeout_s, needs_browser)
           select t.task_id, $1, t.platform, case when t.not_before > now() then 'waiting' else 'queued' end, t.rank,
                  coalesce(t.not_before, now()), t.start_before, t.run_timeout_s, t.needs_browser
           from ${newRows.after(1)}`,
    values: [accountId, ...newRows.values(tasks)],
  });
  await Promise.all([queues, rows]);
}

export interface CanceledRun {
  readonly taskId: string;
  readonly accountId: string;
  readonly startedAt: Date | null;
  /** Attempts made. */
  readonly attempts: number;
  readonly earlier: readonly LoggedAttempt[] | null;
  /** The run to abort; null if it is not running. */
  readonly last: LastAttempt | null;
}

/**
 * Removes tasks from the engine in any state, as part of the transaction that ends them. A running one stays as `aborting`
 * until its node releases it, so that the platform's limit always holds; it cannot end any more. Tasks that have already ended
 * are not returned.
 */
export async function cancelRuns(tx: Transaction, taskIds: readonly string[]): Promise<CanceledRun[]> {
  // Locks: the dispatch rows, in the order of their ids, in a separate statement. In one statement with the update, the row's
  // old version would be checked against `running_has_node` while a claim has just given it a node.
  await tx.query("select from dispatch where task_id = any($1::uuid[]) order by task_id for update", [taskIds]);
  const { rows } = await tx.query<{
    task_id: string;
    account_id: string;
    started_at: Date | null;
    fence: number;
    attempt_log: LoggedAttempt[] | null;
    node_id: string | null;
    claimed_at: Date | null;
  }>(
    `with removed as (
       delete from dispatch where task_id = any($1::uuid[]) and state in ('waiting', 'queued')
       returning task_id, account_id, started_at, fence, attempt_log, node_id, claimed_at
     ), aborted as (
       update dispatch set state = 'aborting' where task_id = any($1::uuid[]) and state = 'running'
       returning task_id, account_id, started_at, fence, attempt_log, node_id, claimed_at
     )
     select * from removed union all select * from aborted`,
    [taskIds],
  );
  return rows.map((row) => ({
    taskId: row.task_id,
    accountId: row.account_id,
    startedAt: row.started_at,
    attempts: row.fence,
    earlier: row.attempt_log,
    last:
      row.node_id === null || row.claimed_at === null
        ? null
        : { startedAt: row.claimed_at, nodeId: row.node_id, probe: false },
  }));
}

/** Removes tasks whose latest start time has passed before they started. */
export async function removeOverdue(
  tx: Transaction,
  atMost: number,
): Promise<{ readonly taskId: string; readonly accountId: string }[]> {
  // Index: dispatch_start_before. SKIP LOCKED: another node may be doing the same, or claiming.
  const { rows } = await tx.query<{ taskId: string; accountId: string }>(
    `delete from dispatch where task_id in (
       select task_id from dispatch
       where start_before is not null and start_before <= now() and state in ('waiting', 'queued')
       order by start_before limit $1 for update skip locked)
     returning task_id as "taskId", account_id as "accountId"`,
    [atMost],
  );
  return rows;
}

/** Why a run returns to the queue, and what that costs its task. */
export type Return =
  /** The platform failed: wait, then retry. Uses up the attempt. */
  | { readonly kind: "retry"; readonly delayMs: number }
  /** The platform throttles: keeps the position in the queue, and uses up no attempt. */
  | { readonly kind: "throttled" }
  /** The node stops: keeps the position, and uses up no attempt. */
  | { readonly kind: "handed_back" }
  /**
   * The node lost what the run needed, or lost track of the run: uses up no attempt, but a task that is lost repeatedly returns
   * after increasing delays.
   */
  | { readonly kind: "lost" };

/** A task is not started again after it was suspected of this number of lost nodes. */
export const lossesMax = 10;

/** SQL: what a returned task waits for; if there are several reasons, the one that lasts longest. */
const waitAfter = `case
    when r.kind in ('retry', 'throttled') then coalesce((
      select case
          when p.running_max = 0 then 'paused'
          when p.breaker_open_until > now() + r.delay_ms * interval '1 millisecond'
               and p.breaker_open_until >= coalesce(p.held_until, now()) then 'breaker_open'
          when p.held_until > now() + r.delay_ms * interval '1 millisecond' then 'throttled' end
      from platforms p where p.code = d.platform), case when r.kind = 'retry' then 'retry' else 'queued' end)
    else 'queued' end`;

/** A run that returns to the queue. */
export type ReturnedRun = FencedRun & {
  readonly back: Return;
  readonly ended: AttemptEnd;
  /** How long it waited for scarce resources. */
  readonly waitedMs?: number;
};

const returnedRows = rowsAs<ReturnedRun>("r", {
  task_id: ["uuid", (run) => run.taskId],
  fence: ["int", (run) => run.fence],
  kind: ["text", (run) => run.back.kind],
  delay_ms: ["int", (run) => (run.back.kind === "retry" ? run.back.delayMs : 0)],
  ended: ["jsonb", (run) => JSON.stringify(run.ended)],
  waited_ms: ["int", (run) => Math.round(run.waitedMs ?? 0)],
});

/** Returns runs to the queue. Runs that lost their task meanwhile are left alone. */
export async function requeue(db: Queryable, nodeId: string, returns: readonly ReturnedRun[]): Promise<void> {
  if (returns.length === 0) return;
  // Locks: the dispatch rows, by primary key (see `completeFenced`), then their account queues. `attempt` counts what the platform is responsible for.
  // What the task waits for now is recorded with its attempt; the platform's clocks are read for that, but not locked.
  await db.query(
    `with back as (
     update dispatch d set
       state = case when r.kind = 'retry' and r.delay_ms > 0 or r.kind = 'lost' and d.losses > 0 then 'waiting' else 'queued' end,
       run_at = now() + case when r.kind = 'lost' then least(300, power(2, d.losses)) * interval '1 second'
                             else r.delay_ms * interval '1 millisecond' end,
       losses = d.losses + case when r.kind = 'lost' then 1 else 0 end,
       attempt = d.attempt - case when r.kind = 'retry' then 0 else 1 end,
       throttles = d.throttles + case when r.kind = 'throttled' then 1 else 0 end,
       run_spent_ms = d.run_spent_ms + case when r.kind = 'retry'
         then least(2000000, greatest(0, extract(epoch from now() - d.claimed_at) * 1000 - r.waited_ms))::int else 0 end,
       attempt_log = ${withEntry(`${attemptOfRow} || r.ended || jsonb_build_object('wait', ${waitAfter})`)},
       node_id = null, claimed_at = null
     from ${returnedRows.after(1)}
     where d.task_id = any(${returnedRows.array("task_id", 1)}) and d.task_id = r.task_id and d.fence = r.fence and d.node_id = $1 and d.state <> 'aborting'
     returning d.platform, d.account_id, d.rank, d.task_id, d.state
     ), queued as (select platform, account_id, rank, task_id from back where state = 'queued'), ${markWork("queued")} select`,
    [nodeId, ...returnedRows.values(returns)],
  );
}

/** Moves due tasks from waiting to queued; returns the platforms that got work, and when the next one is due. */
export async function promoteDue(database: Database): Promise<{ platforms: string[]; nextInMs: number | null }> {
  // Index: dispatch_waiting. SKIP LOCKED: several nodes may do this concurrently, and a cancellation may have locked a row.
  // Locks: those rows, then their account queues.
  const { rows } = await database.query<{ platform: string }>(
    `with queued as (
       update dispatch set state = 'queued'
       where task_id in (select task_id from dispatch where state = 'waiting' and run_at <= now()
                         order by run_at limit 5000 for update skip locked)
       returning platform, account_id, rank, task_id
     ), ${markWork("queued")} select distinct platform from queued`,
  );
  const { rows: next } = await database.query<{ in_ms: number }>(
    // No row at all if nothing waits: greatest() of null and 0 would be 0, and an idle node would poll continuously.
    `select greatest(0, ceil(extract(epoch from run_at - now()) * 1000))::float8 as in_ms
     from dispatch where state = 'waiting' order by run_at limit 1`,
  );
  return { platforms: rows.map((row) => row.platform), nextInMs: next[0]?.in_ms ?? null };
}

/** Those of the platforms that have queued work. */
export async function platformsWithWork(database: Database, platforms: readonly string[]): Promise<string[]> {
  // Index: dispatch_queue. Ordered, since the planner takes a bare `exists` for a reason to read the table until it meets a queued row.
  // Without the settings of a claim, it would collect and sort an account's tasks to find the first by its position.
  const { rows } = await database.query<{ platform: string }>(
    `select p.platform from unnest($1::text[]) as p(platform)
     where (select true from dispatch d where d.platform = p.platform and d.state = 'queued' order by d.account_id limit 1)`,
    [platforms],
  );
  return rows.map((row) => row.platform);
}
