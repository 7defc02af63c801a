import type { Bench } from "../bench.ts";
import { install, type Installation, type QuerentOptions } from "../contenders/querent.ts";

/** One line of the table: a figure, and its ratio to a reference. */
export interface Line {
  readonly what: string;
  readonly figure: string;
  readonly ratio: string;
  /** The target of the ratio. Empty if there is none. */
  readonly target: string;
}

/** An installation of the service with its own database, which is deleted afterwards. */
export async function withInstallation<Result>(
  bench: Bench,
  name: string,
  options: Partial<QuerentOptions>,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const input = await bench.input(name);
  try {
    await using installation = await install({ ...input, accounts: 1, ...options });
    return await work(installation);
  } finally {
    await bench.postgres.drop(`bench_${name}`);
  }
}

/** Inserts tasks as if they had been accepted, with SQL: `count` of one account, each with its hold. */
export async function insertBacklog(
  { database }: Installation,
  accountId: string,
  count: number,
  question: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query("set local statement_timeout = 0");
    await tx.query(
      `with ids as (select uuidv7() as id, n from generate_series(1, $2::int) as n), batch as (select uuidv7() as id), made as (
         insert into batches (id, account_id, task_count, estimated_points, created_at) select id, $1, $2, $2, now() from batch
       ), task as (
         insert into tasks (id, account_id, batch_id, item_index, question, platform, deep_analysis, output, result_format,
                            priority, price_points, created_at)
         select ids.id, $1, batch.id, n, $3, 'simulator', false, 'answer', 'json', 5, 1, now() from ids, batch
       )
       insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
       select id, $1, 'simulator', 'queued', 4, now(), 300 from ids`,
      [accountId, count, question],
    );
    await tx.query("insert into account_lanes (platform, account_id) values ('simulator', $1) on conflict do nothing", [
      accountId,
    ]);
    await tx.query(
      `update accounts set points_available = points_available - $2, points_held = points_held + $2,
                           unfinished_tasks = unfinished_tasks + $2 where id = $1`,
      [accountId, count],
    );
  });
}

export async function countRows(installation: Installation, sql: string): Promise<number> {
  const { rows } = await installation.database.query<{ n: number }>(sql);
  return rows[0]?.n ?? 0;
}
