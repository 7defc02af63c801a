import { rowsAs, type Transaction } from "../db/index.ts";
import { isReported, isStated, sumOfConsumption, type Consumption } from "../kernel/consumption.ts";
import { bucketOf } from "../kernel/histogram.ts";

/** Upper bounds of the time from acceptance to the end, in seconds: from a cached answer to a night in the queue. */
export const answerSeconds = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1800, 7200] as const;

/** The columns of `usage_hours` that count them, in order; the last one counts everything above the last bound. */
export const answerTimeColumns: readonly string[] = Array.from(
  { length: answerSeconds.length + 1 },
  (_, bucket) => `seconds_${bucket + 1}`,
);

/** The index (from 0) of the column that counts a task of this duration. */
const answerTimeBucket = (seconds: number): number => bucketOf(answerSeconds, seconds);

/** A task that has ended, as far as its points are concerned. */
export interface Settlement {
  readonly accountId: string;
  readonly batchId: string;
  readonly taskId: string;
  /** The token it was submitted with; null if none was recorded. */
  readonly tokenId: string | null;
  /** The project whose panel asked it; null if no panel did. */
  readonly projectId: string | null;
  readonly platform: string;
  readonly state: "completed" | "failed" | "canceled";
  /** The points held for it. */
  readonly points: number;
  /** Whether nothing is charged although the task completed. */
  readonly free: boolean;
  /** The time from acceptance to the end. */
  readonly seconds: number;
  /** What the platform reported that the answer consumed of the operator's account there. */
  readonly consumption: Consumption | null;
  /** What the platform reported of each attempt that gave no answer. */
  readonly spentInVain: readonly Consumption[];
}

/**
 * Captures the points of completed tasks that are not free and releases those of the others, in the transaction that ends them. Everybody waits
 * for an account's row, so the ledger entries, one per task, are written before it is locked. The ledger's unique index on the
 * task rejects a second capture or release, regardless of concurrent code.
 */
export async function settlePoints(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return;
  const moves = [...Map.groupBy(settlements, (task) => task.accountId)].map(([accountId, tasks]) => ({
    accountId,
    tasks: tasks.length,
    captured: pointsOf(tasks.filter(isCharged)),
    released: pointsOf(tasks.filter((task) => !isCharged(task))),
  }));
  const uses = [
    ...Map.groupBy(settlements, (task) => `${task.accountId} ${task.platform} ${task.tokenId ?? ""}`).values(),
  ].map(usageOf);
  const lines = tx.query({
    name: "insert ends into ledger",
    text: `insert into ledger (account_id, batch_id, task_id, cause_id, kind, points)
           select account_id, batch_id, task_id, task_id, kind, points
             from ${endRows.after(0)}`,
    values: endRows.values(settlements),
  });
  const balances = tx.query({
    name: "settle points",
    text: settle,
    values: [JSON.stringify(uses), ...moveRows.values(moves)],
  });
  await Promise.all([lines, balances, addProjectUsage(tx, settlements), addSpending(tx, settlements)]);
}

const endRows = rowsAs<Settlement>("e", {
  account_id: ["uuid", (task) => task.accountId],
  batch_id: ["uuid", (task) => task.batchId],
  task_id: ["uuid", (task) => task.taskId],
  kind: ["text", (task) => (isCharged(task) ? "capture" : "release")],
  points: ["bigint", (task) => task.points],
});

/** What the ended tasks of an account move. */
interface Move {
  readonly accountId: string;
  readonly tasks: number;
  readonly captured: number;
  readonly released: number;
}

const moveRows = rowsAs<Move>("m", {
  account_id: ["uuid", (move) => move.accountId],
  tasks: ["int", (move) => move.tasks],
  captured: ["bigint", (move) => move.captured],
  released: ["bigint", (move) => move.released],
});

const isCompleted = (task: Settlement): boolean => task.state === "completed";
const isCharged = (task: Settlement): boolean => isCompleted(task) && !task.free;
const pointsOf = (tasks: readonly Settlement[]): number => tasks.reduce((sum, task) => sum + task.points, 0);

const countOf = (tasks: readonly Settlement[], state: Settlement["state"]): number =>
  tasks.filter((task) => task.state === state).length;

/** What the tasks of one account, platform and token add to the hour, by the columns of `usage_hours`. */
function usageOf(tasks: readonly Settlement[]): Record<string, string | number | null> {
  const completed = tasks.filter(isCompleted);
  const seconds = new Map(answerTimeColumns.map((column) => [column, 0]));
  for (const task of completed) {
    const column = answerTimeColumns[answerTimeBucket(task.seconds)];
    if (column !== undefined) seconds.set(column, (seconds.get(column) ?? 0) + 1);
  }
  const [first] = tasks;
  return {
    account_id: first?.accountId ?? null,
    platform: first?.platform ?? null,
    token_id: first?.tokenId ?? null,
    completed: completed.length,
    failed: countOf(tasks, "failed"),
    canceled: countOf(tasks, "canceled"),
    charged_points: pointsOf(completed.filter(isCharged)),
    metered: tasks.filter(({ consumption }) => isReported(consumption)).length,
    input_tokens: sumOf(tasks, "inputTokens"),
    output_tokens: sumOf(tasks, "outputTokens"),
    searches: sumOf(tasks, "searches"),
    ...Object.fromEntries(seconds),
  };
}

/** What the tasks consumed of one kind; null if no platform reported it. */
function sumOf(tasks: readonly Settlement[], member: "inputTokens" | "outputTokens" | "searches"): number | null {
  const told = tasks.flatMap(({ consumption }) => consumption?.[member] ?? []);
  return told.length === 0 ? null : told.reduce((sum, value) => sum + value, 0);
}

// Locks: accounts, in the order of their ids (an update alone would lock them in any order), then their hours; one update each,
// regardless of the number of tasks. The update sees each account as it was when the lock was acquired, not as in the snapshot.
const settle = `
  with locked as materialized (
    select id from accounts where id = any(${moveRows.array("account_id", 1)}) order by id for no key update
  ), moved as (
    select * from ${moveRows.after(1)}
  ), balance as (
    update accounts a
    set points_held = a.points_held - (m.captured + m.released), points_captured = a.points_captured + m.captured,
        points_available = a.points_available + m.released, unfinished_tasks = a.unfinished_tasks - m.tasks
    from locked l join moved m on m.account_id = l.id
    where a.id = l.id
    returning a.id
  )
  insert into usage_hours as u (account_id, hour, platform, token_id, completed, failed, canceled, charged_points,
                                metered, input_tokens, output_tokens, searches, ${answerTimeColumns.join(", ")})
  select e.account_id, date_trunc('hour', now(), 'UTC'), e.platform, e.token_id, e.completed, e.failed, e.canceled, e.charged_points,
         e.metered, e.input_tokens, e.output_tokens, e.searches, ${answerTimeColumns.map((column) => `e.${column}`).join(", ")}
  -- The join makes the accounts come before their hours, which is the order of locks.
  from json_populate_recordset(null::usage_hours, $1::json) e join balance b on b.id = e.account_id
  order by e.account_id, e.platform, e.token_id
  on conflict (account_id, hour, platform, token_id) do update set
    completed = u.completed + excluded.completed, failed = u.failed + excluded.failed,
    canceled = u.canceled + excluded.canceled, charged_points = u.charged_points + excluded.charged_points,
    metered = u.metered + excluded.metered,
    input_tokens = coalesce(u.input_tokens + excluded.input_tokens, u.input_tokens, excluded.input_tokens),
    output_tokens = coalesce(u.output_tokens + excluded.output_tokens, u.output_tokens, excluded.output_tokens),
    searches = coalesce(u.searches + excluded.searches, u.searches, excluded.searches),
    ${answerTimeColumns.map((column) => `${column} = u.${column} + excluded.${column}`).join(", ")}`;

const projectRows = rowsAs<readonly [first: Settlement & { readonly projectId: string }, tasks: readonly Settlement[]]>(
  "e",
  {
    account_id: ["uuid", ([{ accountId }]) => accountId],
    project_id: ["uuid", ([{ projectId }]) => projectId],
    platform: ["text", ([{ platform }]) => platform],
    completed: ["int", ([, tasks]) => countOf(tasks, "completed")],
    failed: ["int", ([, tasks]) => countOf(tasks, "failed")],
    canceled: ["int", ([, tasks]) => countOf(tasks, "canceled")],
    charged_points: ["bigint", ([, tasks]) => pointsOf(tasks.filter(isCharged))],
  },
);

/** Adds to the hour what the panels of projects have asked. The accounts' rows are locked before: see `addSpending`. */
async function addProjectUsage(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  const groups = Map.groupBy(settlements, (task) => `${task.accountId} ${task.projectId ?? ""} ${task.platform}`);
  const uses = [...groups.values()].flatMap((tasks) => {
    const [first] = tasks;
    if (first === undefined || first.projectId === null) return [];
    return [[{ ...first, projectId: first.projectId }, tasks] as const];
  });
  if (uses.length === 0) return;
  // Locks: the hours of accounts that are locked already, in the order of their keys.
  await tx.query({
    name: "add project usage",
    text: `insert into project_usage_hours as u (hour, ${projectRows.columns})
           select date_trunc('hour', now(), 'UTC'), e.* from ${projectRows.after(0)}
            order by account_id, project_id, platform
           on conflict (account_id, hour, project_id, platform) do update set
             completed = u.completed + excluded.completed, failed = u.failed + excluded.failed,
             canceled = u.canceled + excluded.canceled, charged_points = u.charged_points + excluded.charged_points`,
    values: projectRows.values(uses),
  });
}

/** A task that has ended, and what was consumed for it. */
interface Spending {
  readonly accountId: string;
  readonly platform: string;
  /** What the answer consumed; null if nothing was reported. */
  readonly consumption: Consumption | null;
  /** What each attempt consumed that gave no answer. */
  readonly spentInVain: readonly Consumption[];
}

/**
 * Adds to the hour what was consumed at the platforms. The accounts' rows are locked before, so that two transactions cannot
 * lock the same hours in different orders.
 */
async function addSpending(tx: Transaction, tasks: readonly Spending[]): Promise<void> {
  const attempts = tasks.flatMap(({ accountId, platform, consumption, spentInVain }) => [
    ...(!isReported(consumption) ? [] : [{ accountId, platform, answered: true, consumption }]),
    ...spentInVain.map((each) => ({ accountId, platform, answered: false, consumption: each })),
  ]);
  if (attempts.length === 0) return;
  const rows = [
    ...Map.groupBy(attempts, ({ accountId, platform, answered, consumption }) =>
      [accountId, platform, answered, isStated(consumption)].join(" "),
    ).values(),
  ].map((group) => {
    const [first] = group;
    const sums = sumOfConsumption(group.map(({ consumption }) => consumption));
    return {
      account_id: first?.accountId,
      platform: first?.platform,
      answered: first?.answered,
      stated: (sums?.statedUsd ?? null) !== null,
      attempts: group.length,
      input_tokens: sums?.inputTokens,
      cached_tokens: sums?.cachedTokens,
      output_tokens: sums?.outputTokens,
      searches: sums?.searches,
      usd: sums?.statedUsd,
    };
  });
  // Locks: the hours of accounts that are locked already.
  await tx.query({ name: "add spending", text: add, values: [JSON.stringify(rows)] });
}

const figures = ["input_tokens", "cached_tokens", "output_tokens", "searches", "usd"];
const add = `
  insert into spending_hours as s (account_id, hour, platform, answered, stated, attempts, ${figures.join(", ")})
  select account_id, date_trunc('hour', now(), 'UTC'), platform, answered, stated, attempts, ${figures.join(", ")}
  from json_populate_recordset(null::spending_hours, $1::json)
  order by account_id, platform, answered, stated
  on conflict (account_id, hour, platform, answered, stated) do update set attempts = s.attempts + excluded.attempts,
    ${figures.map((each) => `${each} = coalesce(s.${each} + excluded.${each}, s.${each}, excluded.${each})`).join(", ")}`;
