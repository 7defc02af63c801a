import type { Failure, FailureCode, TaskRecord } from "@querent/contract";
import { insertArtifacts } from "../../artifacts/index.ts";
import { rowsAs, type Transaction, type Database } from "../../db/index.ts";
import { attemptsKept, keptMessage, type LoggedAttempt, type TaskEnd } from "../../dispatch/index.ts";
import type { Consumption } from "../../kernel/consumption.ts";
import { idRange } from "../../kernel/ids.ts";
import { settlePoints } from "../../points/index.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { prepareDeliveries } from "../../webhooks/index.ts";
import type { AnsweredTask, ObserveAnswers } from "../observe-answers.ts";
import { durationOf, taskColumns, taskKeys, taskRecord, type TaskRow } from "../read/record.ts";
import type { RunResult } from "../run/run-task.ts";
import { countStored } from "../../accounts/index.ts";

export interface EndTasksDeps {
  readonly retentionMs: number;
  /** The maximum size of a webhook's body in bytes. */
  readonly bodyBytesMax: number;
  /** Keeps what outlives the results of completed tasks. None: nothing is kept. */
  readonly observe?: ObserveAnswers;
}

/** How a task ended. `code`: of its failure. */
interface EndOfTask {
  readonly platform: string;
  readonly state: string;
  readonly code: FailureCode | null;
}

/** The tasks that a transaction ended, to wake those who wait for them after the commit. */
export interface Finish {
  readonly taskIds: readonly string[];
  /** Their accounts, whose event feeds have new events. */
  readonly accountIds: readonly string[];
  /** How each of them ended. */
  readonly ends: readonly EndOfTask[];
  /** Webhook deliveries are due. */
  readonly due: boolean;
}

/**
 * Ends tasks that the engine has released: record, result, points and webhook deliveries, in the caller's transaction. This is
 * the only way a task ends. A second end is rejected by the record's own state.
 *
 * The last statements are sent without waiting for them: the caller has nothing more to do in the transaction, and its commit
 * follows right behind them. This holds the locks on the accounts' rows for one round trip less. If one of the statements
 * fails, so does the commit.
 */
export async function endTasks(
  tx: Transaction,
  ends: readonly TaskEnd<RunResult>[],
  deps: EndTasksDeps,
): Promise<Finish> {
  const byId = new Map(ends.map((end) => [end.taskId, end]));
  const held = await heldForFree(tx, byId);
  const inOrder = [...byId.values()].sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
  const rows = await updateRecords(tx, inOrder, deps.retentionMs);
  const finished = rows.map((row) => ({
    accountId: row.account_id,
    taskId: row.id,
    webhookUrl: row.webhook_url,
    record: taskRecord(row, resultOf(byId.get(row.id))?.stored ?? null, row.completed_at ?? row.created_at),
  }));
  const failed = finished.filter(({ record }) => record.state === "failed");
  const [deliveries, origins] = await Promise.all([
    prepareDeliveries(tx, finished, deps),
    originsOf(tx, rows),
    insertResults(tx, rows, byId),
    insertUnanswered(tx, rows),
    insertAttempts(tx, rows, byId),
    deps.observe?.write(tx, answeredAmong(finished, byId), failed),
  ]);
  await racePoint("end.before_points", rows[0]?.account_id ?? "");
  const settled = settlePoints(
    tx,
    rows.map((row) => ({
      accountId: row.account_id,
      batchId: row.batch_id,
      taskId: row.id,
      tokenId: origins.get(row.batch_id)?.tokenId ?? null,
      projectId: origins.get(row.batch_id)?.projectId ?? null,
      platform: row.platform,
      state: row.state as "completed" | "failed" | "canceled",
      points: held.get(row.id) ?? row.price_points,
      free: held.has(row.id),
      seconds: (durationOf(row) ?? 0) / 1000,
      consumption: resultOf(byId.get(row.id))?.consumption ?? null,
      spentInVain: spentInVain(byId.get(row.id)),
    })),
  );
  // Always points before deliveries, in one round trip: changing points locks the accounts' rows until the commit, and under
  // that lock the deliveries number the ends for the event feed. In the other order, the feed would lose events.
  const written = deliveries.write();
  Promise.all([settled, written, countUncharged(tx, rows)]).catch(() => {}); // the commit fails with the same error
  await racePoint("end.numbered", rows[0]?.account_id ?? "");
  return {
    taskIds: rows.map((row) => row.id),
    accountIds: [...new Set(rows.map((row) => row.account_id))],
    ends: rows.map((row) => ({ platform: row.platform, state: row.state, code: codeOf(byId.get(row.id)) })),
    due: deliveries.due,
  };
}

/** The points that are held for tasks whose end is free. Their price becomes 0, so that it is what was charged. */
async function heldForFree(
  tx: Transaction,
  ends: ReadonlyMap<string, TaskEnd<RunResult>>,
): Promise<ReadonlyMap<string, number>> {
  const free = [...ends.values()].filter((end) => resultOf(end)?.free === true);
  if (free.length === 0) return new Map();
  const { least, greatest } = idRange(free.map((end) => end.taskId));
  // Index: the primary key. The price of an accepted task changes only with its end.
  const { rows } = await tx.query<{ id: string; price_points: number }>(
    `select t.id, t.price_points from ${taskKeys.after(2)}
       join tasks t on t.account_id = k.account_id and t.id = k.id and t.id between $1 and $2`,
    [least, greatest, ...taskKeys.values(free)],
  );
  return new Map(rows.map((row) => [row.id, row.price_points]));
}

const endedRows = rowsAs<TaskEnd<RunResult>>("e", {
  task_id: ["uuid", (end) => end.taskId],
  account_id: ["uuid", (end) => end.accountId],
  state: ["text", (end) => end.state],
  failure: ["json", failureOf],
  free: ["boolean", (end) => resultOf(end)?.free === true],
  started_at: ["timestamptz", (end) => end.startedAt],
  last_attempt_at: ["timestamptz", lastAttemptAt],
  input_tokens: ["int", (end) => consumptionOf(end)?.inputTokens ?? null],
  cached_tokens: ["int", (end) => consumptionOf(end)?.cachedTokens ?? null],
  output_tokens: ["int", (end) => consumptionOf(end)?.outputTokens ?? null],
  searches: ["int", (end) => consumptionOf(end)?.searches ?? null],
  stated_usd: ["numeric", (end) => consumptionOf(end)?.statedUsd ?? null],
});

// Locks: the tasks' rows, in the order of their ids. The range selects the partitions. `state = 'pending'` is a second fence, in addition to the engine's.
// `greatest`: a cancellation's transaction may have begun before the task was claimed, and after a failover the clock may be behind.
const endStatement = `update tasks t set
       state = e.state,
       failure = e.failure,
       price_points = case when e.free then 0 else t.price_points end,
       charged_points = case when e.state = 'completed' and not e.free then t.price_points else 0 end,
       revision = 1,
       started_at = e.started_at,
       completed_at = date_trunc('milliseconds', greatest(now(), e.started_at)),
       canceled_at = case when e.state = 'canceled' then date_trunc('milliseconds', greatest(now(), e.started_at)) end,
       expires_at = date_trunc('milliseconds', now()) + $1 * interval '1 millisecond',
       result_day = case when e.state = 'completed' then (now() at time zone 'UTC')::date end,
       input_tokens = e.input_tokens, output_tokens = e.output_tokens, searches = e.searches,
       cached_tokens = e.cached_tokens, stated_usd = e.stated_usd,
       last_attempt_at = e.last_attempt_at
     from ${endedRows.after(3)}
     where t.account_id = e.account_id and t.id = e.task_id and t.id between $2 and $3 and t.state = 'pending'
     returning ${taskColumns}`;

async function updateRecords(
  tx: Transaction,
  ends: readonly TaskEnd<RunResult>[],
  retentionMs: number,
): Promise<TaskRow[]> {
  const { least, greatest } = idRange(ends.map((end) => end.taskId));
  const { rows } = await tx.query<TaskRow>({
    name: "end tasks",
    text: endStatement,
    values: [retentionMs, least, greatest, ...endedRows.values(ends)],
  });
  return rows;
}

const unansweredRows = rowsAs<TaskRow>("e", {
  account_id: ["uuid", (row) => row.account_id],
  state: ["text", (row) => row.state],
  task_id: ["uuid", (row) => row.id],
});

/** Tasks without an answer are listed by a table of their own: see the schema. */
async function insertUnanswered(tx: Transaction, rows: readonly TaskRow[]): Promise<void> {
  const unanswered = rows.filter(({ state }) => state !== "completed");
  if (unanswered.length === 0) return;
  // Locks: only the new rows.
  await tx.query(
    `insert into unanswered_tasks (${unansweredRows.columns}) select * from ${unansweredRows.after(0)}`,
    unansweredRows.values(unanswered),
  );
}

const batchKeys = rowsAs<readonly [batchId: string, accountId: string]>("k", {
  account_id: ["uuid", ([, accountId]) => accountId],
  id: ["uuid", ([batchId]) => batchId],
});

interface BatchOrigins {
  readonly tokenId: string | null;
  readonly projectId: string | null;
}

/** The tokens that batches were submitted with, and the projects whose panels did. Read before the accounts are locked, each batch by its key. */
async function originsOf(tx: Transaction, tasks: readonly TaskRow[]): Promise<ReadonlyMap<string, BatchOrigins>> {
  const batches = new Map(tasks.map((task) => [task.batch_id, task.account_id]));
  const { rows } = await tx.query<{ id: string; token_id: string | null; project_id: string | null }>({
    name: "origins of batches",
    // A join could read the whole table: PostgreSQL 15 did, for 100 of 10,000 batches.
    text: `select k.id, b.token_id, b.project_id from ${batchKeys.after(0)}
             left join lateral (select token_id, project_id from batches where account_id = k.account_id and id = k.id offset 0) b on true`,
    values: batchKeys.values([...batches]),
  });
  return new Map(rows.map((row) => [row.id, { tokenId: row.token_id, projectId: row.project_id }]));
}

const resultRows = rowsAs<{ readonly row: TaskRow; readonly result: RunResult }>("e", {
  day: ["date", ({ row }) => row.result_day],
  task_id: ["uuid", ({ row }) => row.id],
  expires_at: ["timestamptz", ({ row }) => row.expires_at],
  result: ["json", ({ result }) => jsonOf(result)],
  raw_type: ["text", ({ result }) => result.raw?.raw_type ?? null],
  raw_body: ["text", ({ result }) => result.raw?.raw_body ?? null],
  raw_compressed: ["bytea", ({ result }) => result.raw?.raw_compressed ?? null],
  raw_bytes: ["int", ({ result }) => result.raw?.raw_bytes ?? null],
  account_id: ["uuid", ({ row }) => row.account_id],
});

async function insertResults(
  tx: Transaction,
  rows: readonly TaskRow[],
  ends: ReadonlyMap<string, TaskEnd<RunResult>>,
): Promise<void> {
  const stored = rows.flatMap((row) => {
    const result = resultOf(ends.get(row.id));
    return result === null || row.result_day === null ? [] : [{ row, result }];
  });
  if (stored.length === 0) return;
  const inserted = tx.query({
    name: "insert results",
    text: `insert into task_results (${resultRows.columns}) select * from ${resultRows.after(0)}`,
    values: resultRows.values(stored),
  });
  const tied = insertArtifacts(
    tx,
    stored.flatMap(({ row, result }) =>
      row.result_day === null || row.expires_at === null
        ? []
        : [
            {
              day: row.result_day,
              accountId: row.account_id,
              taskId: row.id,
              expiresAt: row.expires_at,
              artifacts: result.artifacts ?? [],
            },
          ],
    ),
  );
  await Promise.all([inserted, tied]);
}

function answeredAmong(
  tasks: readonly { readonly accountId: string; readonly taskId: string; readonly record: TaskRecord }[],
  ends: ReadonlyMap<string, TaskEnd<RunResult>>,
): AnsweredTask[] {
  return tasks.flatMap(({ accountId, taskId, record }) => {
    const observed = resultOf(ends.get(taskId))?.observed;
    return observed === undefined ? [] : [{ accountId, record, observed }];
  });
}

function jsonOf({ json, stored }: RunResult): Buffer | string {
  return json ?? JSON.stringify(stored);
}

const consumptionOf = (end: TaskEnd<RunResult>): Consumption | null => resultOf(end)?.consumption ?? null;

function resultOf(end: TaskEnd<RunResult> | undefined): RunResult | null {
  return end?.state === "completed" ? end.result : null;
}

/** When the last attempt began; null for the task's first attempt. */
function lastAttemptAt({ attempts, last }: TaskEnd<RunResult>): Date | null {
  return attempts > 1 ? (last?.startedAt ?? null) : null;
}

const codeOf = (end: TaskEnd<RunResult> | undefined) => (end?.state === "failed" ? end.fault.code : null);

/** The failure object, as JSON. */
function failureOf(end: TaskEnd<RunResult>): string | null {
  if (end.state !== "failed") return null;
  const { code, message, stage, platformStatus } = end.fault;
  const failure: Failure = { code, message, stage, retryable: end.retryable, attempts: end.attempts, platformStatus };
  return JSON.stringify(failure);
}

/** What the attempts consumed that gave no result. */
function spentInVain(end: TaskEnd<RunResult> | undefined): Consumption[] {
  return [...(end?.earlier ?? []), ...(end === undefined ? [] : [end])].flatMap(({ consumption }) => consumption ?? []);
}

/** The columns of an ended task that its attempts need. */
type EndedRow = Pick<TaskRow, "id" | "account_id" | "completed_at" | "created_at" | "expires_at">;

/**
 * Stores the attempts of tasks that end, except those that completed at their first attempt: their record contains everything.
 */
async function insertAttempts(
  tx: Transaction,
  rows: readonly EndedRow[],
  ends: ReadonlyMap<string, TaskEnd<unknown>>,
): Promise<void> {
  const kept = rows.flatMap((row) => {
    const end = ends.get(row.id);
    const entries = end === undefined ? [] : entriesOf(end, row.completed_at ?? row.created_at);
    return entries.length === 0 ? [] : [{ row, entries }];
  });
  if (kept.length === 0) return;
  // Locks: only the new rows.
  await tx.query(
    `insert into task_attempts (${attemptRows.columns}) select * from ${attemptRows.after(0)}`,
    attemptRows.values(kept),
  );
}

const attemptRows = rowsAs<{ readonly row: EndedRow; readonly entries: readonly LoggedAttempt[] }>("e", {
  account_id: ["uuid", ({ row }) => row.account_id],
  task_id: ["uuid", ({ row }) => row.id],
  expires_at: ["timestamptz", ({ row }) => row.expires_at],
  entries: ["jsonb", ({ entries }) => JSON.stringify(entries)],
});

function entriesOf(end: TaskEnd<unknown>, endedAt: Date): LoggedAttempt[] {
  const earlier = end.earlier ?? [];
  const { last = null } = end;
  if (last === null || (end.state === "completed" && earlier.length === 0)) return [...earlier];
  const fault = end.state === "failed" ? end.fault : null;
  const entry: LoggedAttempt = {
    attempt: end.attempts,
    startedAt: last.startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    nodeId: last.nodeId,
    outcome: end.state,
    code: fault?.code ?? null,
    message: fault === null ? null : keptMessage(fault.message),
    platformStatus: fault?.platformStatus ?? null,
    probe: last.probe,
    wait: null,
    ...(end.consumption ? { consumption: end.consumption } : {}),
  };
  return [...earlier, entry].slice(-attemptsKept);
}

/** Counts tasks that failed or were canceled. Under the lock of the accounts' rows, as everything else that takes the lock of what they store. */
async function countUncharged(tx: Transaction, rows: readonly TaskRow[]): Promise<void> {
  const unanswered = rows.filter(({ state }) => state !== "completed");
  const accounts = [...Map.groupBy(unanswered, (row) => row.account_id)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await Promise.all(
    accounts.map(([accountId, ofAccount]) =>
      countStored(
        tx,
        { accountId, kind: "uncharged_tasks" },
        ofAccount.map(({ id }) => id),
      ),
    ),
  );
}

/** Ends in this process are noticed immediately, those in others by polling at this interval while somebody waits. */
const pollMs = 500;

/** Lets requests wait for the end of a task, wherever it runs. One query serves all waiting requests. */
export class EndWatch {
  readonly #database: Database;
  readonly #waiting = new Map<string, Set<() => void>>();
  /** The accounts of the tasks that are waited for. */
  readonly #accounts = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Wakes the requests that wait for these tasks, which have ended. */
  ended(taskIds: readonly string[]): void {
    for (const taskId of taskIds) {
      for (const wake of this.#waiting.get(taskId) ?? []) wake();
    }
  }

  /** Resolves when the task ends, when `signal` aborts, or after `atMostMs`, whichever comes first. */
  async wait(accountId: string, taskId: string, atMostMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(taskId) ?? new Set();
    waiters.add(resolve);
    this.#waiting.set(taskId, waiters);
    this.#accounts.set(taskId, accountId);
    const timer = setTimeout(resolve, atMostMs);
    signal.addEventListener("abort", () => resolve(), { once: true });
    this.#arm();
    await promise;
    clearTimeout(timer);
    waiters.delete(resolve);
    if (waiters.size > 0) return;
    this.#waiting.delete(taskId);
    this.#accounts.delete(taskId);
  }

  #arm(): void {
    if (this.#timer !== null || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), pollMs);
  }

  async #look(): Promise<void> {
    try {
      const tasks = Array.from(this.#accounts, ([taskId, accountId]) => ({ accountId, taskId }));
      const { least, greatest } = idRange(tasks.map(({ taskId }) => taskId));
      // Index: the primary key.
      const { rows } = await this.#database.query<{ id: string }>(
        `select t.id from ${taskKeys.after(2)}
           join tasks t on t.account_id = k.account_id and t.id = k.id and t.id between $1 and $2 and t.state <> 'pending'`,
        [least, greatest, ...taskKeys.values(tasks)],
      );
      this.ended(rows.map((row) => row.id));
    } catch {
      // The database is unavailable: requests wait until their own time limit.
    }
    this.#timer = null;
    this.#arm();
  }
}
