/** The attempts of a task: stored with its end, read together with its waits, and deleted once its result has expired. */
import type { TaskAttempt, TaskAttempts, TaskWait } from "@querent/contract";
import type { Database, Queryable } from "../../db/index.ts";
import type { LoggedAttempt } from "../../dispatch/index.ts";
import { progressColumns, progressJoin, progressOf, type ProgressRow, type TaskRow } from "./record.ts";

type AttemptsRow = Pick<
  TaskRow,
  "id" | "state" | "failure" | "created_at" | "started_at" | "completed_at" | "expires_at"
> &
  ProgressRow & {
    dispatch_claimed_at: Date | null;
    dispatch_node_id: string | null;
    entries: LoggedAttempt[] | null;
    now: Date;
  };

/** A task's attempts and waits; null if the account has no such task. */
export async function readAttempts(db: Queryable, accountId: string, taskId: string): Promise<TaskAttempts | null> {
  // Indexes: the primary keys.
  const { rows } = await db.query<AttemptsRow>({
    name: "read attempts",
    text: `select t.id, t.state, t.failure, t.created_at, t.started_at, t.completed_at, t.expires_at, ${progressColumns},
                  d.claimed_at as dispatch_claimed_at, d.node_id as dispatch_node_id, a.entries, now() as now
           from tasks t ${progressJoin}
           left join task_attempts a on t.state <> 'pending' and a.account_id = t.account_id and a.task_id = t.id and a.expires_at > now()
           where t.id = $1 and t.account_id = $2`,
    values: [taskId, accountId],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const head = { taskId: row.id, state: row.state };
  if (row.expires_at !== null && row.expires_at <= row.now)
    return { ...head, expired: true, attemptCount: null, attempts: [], waits: [] };
  const log = row.entries ?? row.dispatch_log ?? firstSuccess(row);
  const attempts = [...log.map(attemptOf), ...underWay(row)];
  return {
    ...head,
    expired: false,
    attemptCount: attempts.at(-1)?.attempt ?? 0,
    attempts,
    waits: waitsOf(row, log, attempts),
  };
}

const attemptOf = (entry: LoggedAttempt): TaskAttempt => ({
  attempt: entry.attempt,
  startedAt: new Date(entry.startedAt).toISOString(),
  endedAt: new Date(entry.endedAt).toISOString(),
  nodeId: entry.nodeId,
  outcome: entry.outcome,
  code: entry.code,
  message: entry.message,
  platformStatus: entry.platformStatus,
  probe: entry.probe,
});

/** A task that completed at its first attempt has no row: the time is in its record. */
function firstSuccess(row: AttemptsRow): LoggedAttempt[] {
  if (row.state !== "completed" || row.started_at === null || row.completed_at === null) return [];
  return [
    {
      attempt: 1,
      startedAt: row.started_at.toISOString(),
      endedAt: row.completed_at.toISOString(),
      nodeId: null,
      outcome: "completed",
      code: null,
      message: null,
      platformStatus: null,
      probe: false,
      wait: null,
    },
  ];
}

function underWay(row: AttemptsRow): TaskAttempt[] {
  if (row.dispatch_claimed_at === null || row.dispatch_state !== "running") return [];
  return [
    {
      attempt: row.dispatch_attempts ?? 1,
      startedAt: row.dispatch_claimed_at.toISOString(),
      endedAt: null,
      nodeId: row.dispatch_node_id,
      outcome: null,
      code: null,
      message: null,
      platformStatus: null,
      probe: false,
    },
  ];
}

function waitsOf(row: AttemptsRow, log: readonly LoggedAttempt[], attempts: readonly TaskAttempt[]): TaskWait[] {
  const waits: TaskWait[] = [];
  const reasonNow = progressOf(row, row.now)?.reason ?? "queued";
  const [first] = attempts;
  const startedAt = row.started_at ?? row.dispatch_started_at;
  const endedAt = row.completed_at?.toISOString() ?? null;
  const from = row.created_at.toISOString();
  if (startedAt !== null) waits.push({ reason: "queued", from, until: startedAt.toISOString() });
  else if (first === undefined) waits.push({ reason: reasonNow, from, until: endedAt });
  for (const [index, entry] of log.entries()) {
    if (entry.wait === null) continue;
    const next = attempts[index + 1];
    const reason =
      next === undefined ? (endedAt === null ? reasonNow : entry.wait) : next.probe ? "breaker_open" : entry.wait;
    waits.push({ reason, from: new Date(entry.endedAt).toISOString(), until: next?.startedAt ?? endedAt });
  }
  return waits;
}

/** Deletes the attempts of tasks whose results have expired. */
export async function forgetAttempts(database: Database): Promise<void> {
  // Index: task_attempts_age. In bounded steps, so that no lock is held for long.
  for (let deleted = stepMax; deleted === stepMax;) {
    const { rowCount } = await database.query(
      `delete from task_attempts where ctid = any(array(
         select ctid from task_attempts where expires_at <= now() order by expires_at limit ${stepMax}))`,
    );
    deleted = rowCount ?? 0;
  }
}

const stepMax = 5000;
