import { rowsAs, type Database, type Queryable } from "../../db/index.ts";
import { markWork } from "./account-queues.ts";
import { attemptOfRow, withEntry, type AttemptEnd } from "./attempt-log.ts";
import type { FencedRun } from "./fence.ts";

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
