import type { Database } from "../../src/db/index.ts";

export interface LongList {
  readonly accountId: string;
  /** A batch in the middle. */
  readonly batchId: string;
  /** When the oldest task was accepted; one follows every 100 ms. */
  readonly from: Date;
}

/**
 * Tasks of one account as after years of use, inserted with SQL: 1,000 per batch, nearly all completed. A scan from the newest
 * finds the oldest last: the three oldest are the only pending ones, the only ones of the platform `rare`, and tagged `rare`;
 * the oldest contains `needle`. The older half is tagged `older`, every fiftieth failed, and every second of those is tagged
 * `odd`.
 */
export async function fillLongList(database: Database, count: number): Promise<LongList> {
  const accountId = "00000001-0000-7000-8000-000000000001";
  const from = new Date("2026-01-05T00:00:00.000Z");
  const id = (ms: string) =>
    `(left(lpad(to_hex(${ms}), 12, '0'), 8) || '-' || right(lpad(to_hex(${ms}), 12, '0'), 4) || '-7000-8000-000000000000')::uuid`;
  const ms = (n: string) => `(${from.getTime()}::bigint + ${n} * 100)`;
  const batch = (n: string) => id(ms(`(${n}) * 1000`));
  const client = await database.connect();
  try {
    await client.query("set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'");
    await client.query(`
      insert into platforms (code, running_max, attempts_max) values ('common', 10, 3), ('rare', 10, 3);
      insert into accounts (id, name, points_available, points_granted, unfinished_tasks, points_held)
        values ('${accountId}', 'long', 10, 13, 3, 3);
      insert into batches (id, account_id, task_count, estimated_points, created_at)
        select ${batch("n")}, '${accountId}', 1000, 1000, to_timestamp(${ms("n * 1000")} / 1000.0)
        from generate_series(0, ${Math.ceil(count / 1000) - 1}) n;
      insert into tasks (id, account_id, batch_id, item_index, client_reference, tags, question, platform, deep_analysis, output,
                         result_format, priority, price_points, charged_points, state, failure, revision, created_at, completed_at,
                         canceled_at, expires_at)
        select ${id(ms("n"))}, '${accountId}', ${batch("n / 1000")}, n % 1000, 'ref-' || n,
               array_remove(array[case when n < 3 then 'rare' end, case when n < ${count / 2} then 'older' end,
                                  case when n % 100 = 50 then 'odd' end], null),
               case when n = 0 then 'Where is the needle in all of this hay?'
                    else 'Which of the kettles of series ' || n || ' keeps its temperature best while one pours?' end,
               case when n < 3 then 'rare' else 'common' end, false, 'answer', 'json', 5, 1,
               case when s.state = 'completed' then 1 else 0 end, s.state,
               case when s.state = 'failed' then '{"code":"run_timeout","message":"","stage":"platform","retryable":true,"attempts":1,"platformStatus":null}'::json end,
               case when s.state = 'pending' then 0 else 1 end, to_timestamp(${ms("n")} / 1000.0),
               case when s.state <> 'pending' then to_timestamp(${ms("n")} / 1000.0) + interval '3 seconds' end,
               case when s.state = 'canceled' then to_timestamp(${ms("n")} / 1000.0) + interval '3 seconds' end,
               case when s.state <> 'pending' then now() + interval '7 days' end
        from generate_series(0, ${count - 1}) n cross join lateral (
          select case when n < 3 then 'pending' when n % 50 = 0 then 'failed' when n = 3 then 'canceled' else 'completed' end as state
        ) s;
      insert into task_tags (account_id, tag, task_id) select account_id, unnest(tags), id from tasks where account_id = '${accountId}';
      insert into unanswered_tasks (account_id, state, task_id)
        select account_id, state, id from tasks where account_id = '${accountId}' and state in ('failed', 'canceled');
      insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
        select id, account_id, platform, case item_index when 0 then 'queued' else 'waiting' end, 4, now() + interval '1 day', 60
        from tasks where account_id = '${accountId}' and state = 'pending';`);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
  const { rows } = await database.query<{ id: string }>(
    "select id from batches where account_id = $1 order by id offset $2 limit 1",
    [accountId, Math.floor(count / 2000)],
  );
  return { accountId, batchId: rows[0]?.id ?? "", from };
}
