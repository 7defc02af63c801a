import type { Transaction } from "../db/index.ts";

/** A task that has ended, as its points see it. */
export interface Settlement {
  readonly accountId: string;
  readonly batchId: string;
  readonly taskId: string;
  readonly platform: string;
  readonly state: "completed" | "failed" | "canceled";
  /** What was held for it. */
  readonly points: number;
}

interface Sum {
  accountId: string;
  tasks: number;
  captured: number;
  released: number;
}

interface DaySum {
  accountId: string;
  platform: string;
  completed: number;
  failed: number;
  canceled: number;
  charged: number;
}

/**
 * Captures the points of completed tasks and releases those of the others, in the transaction that ends them.
 * The ledger's unique index on the task refuses a second capture or release, whatever code runs beside this.
 */
export async function settlePoints(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  await tx.query(
    `insert into ledger (account_id, kind, points, batch_id, task_id)
     select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::uuid[], $5::uuid[])`,
    [
      settlements.map((task) => task.accountId),
      settlements.map((task) => (task.state === "completed" ? "capture" : "release")),
      settlements.map((task) => task.points),
      settlements.map((task) => task.batchId),
      settlements.map((task) => task.taskId),
    ],
  );
  // Locks: accounts, in the order of their ids, then their days; one update each, whatever the number of tasks.
  for (const sum of sumByAccount(settlements)) {
    await tx.query(
      `update accounts
       set points_held = points_held - ($2::bigint + $3), points_captured = points_captured + $2,
           points_available = points_available + $3, unfinished_tasks = unfinished_tasks - $4
       where id = $1`,
      [sum.accountId, sum.captured, sum.released, sum.tasks],
    );
  }
  const days = sumByPlatform(settlements);
  await tx.query(
    `insert into usage_days as u (account_id, day, platform, completed, failed, canceled, charged_points)
     select a.account_id, (now() at time zone 'UTC')::date, a.platform, a.completed, a.failed, a.canceled, a.charged
     from unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::int[], $6::bigint[])
       as a(account_id, platform, completed, failed, canceled, charged)
     on conflict (account_id, day, platform) do update set
       completed = u.completed + excluded.completed, failed = u.failed + excluded.failed,
       canceled = u.canceled + excluded.canceled, charged_points = u.charged_points + excluded.charged_points`,
    [
      days.map((day) => day.accountId),
      days.map((day) => day.platform),
      days.map((day) => day.completed),
      days.map((day) => day.failed),
      days.map((day) => day.canceled),
      days.map((day) => day.charged),
    ],
  );
}

function sumByAccount(settlements: readonly Settlement[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { accountId, state, points } of settlements) {
    const sum = sums.get(accountId) ?? { accountId, tasks: 0, captured: 0, released: 0 };
    sum.tasks++;
    if (state === "completed") sum.captured += points;
    else sum.released += points;
    sums.set(accountId, sum);
  }
  return [...sums.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
}

function sumByPlatform(settlements: readonly Settlement[]): DaySum[] {
  const sums = new Map<string, DaySum>();
  for (const { accountId, platform, state, points } of settlements) {
    const key = `${accountId} ${platform}`;
    const sum = sums.get(key) ?? { accountId, platform, completed: 0, failed: 0, canceled: 0, charged: 0 };
    sum[state]++;
    if (state === "completed") sum.charged += points;
    sums.set(key, sum);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
