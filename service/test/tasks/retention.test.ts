import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../src/db/index.ts";
import { forgetKeys, maintainResults } from "../../src/tasks/index.ts";
import { testEngine } from "../harness/engine.ts";
import { emptyResult } from "../harness/task-record.ts";
import { testDatabase } from "../harness/database.ts";

const partitionsOf = async (database: Database) => {
  const { rows } = await database.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'task_results'::regclass order by 1`,
  );
  return rows.map((row) => row.name);
};

/** A partition of a day that is long over, with one result in it. */
async function oldPartition(database: Database, day: string, next: string, expiresAt: string): Promise<string> {
  const name = `task_results_${day.replaceAll("-", "")}`;
  await database.query(`create table ${name} partition of task_results for values from ('${day}') to ('${next}')`);
  await database.query(
    "insert into task_results (day, account_id, task_id, expires_at, result) values ($1, gen_random_uuid(), gen_random_uuid(), $2, $3)",
    [day, expiresAt, JSON.stringify(emptyResult)],
  );
  return name;
}

test("a day's results are dropped whole once every one of them has expired, and not before", async () => {
  const { database } = await testDatabase();
  await maintainResults(database);
  const gone = await oldPartition(database, "2020-01-01", "2020-01-02", "2020-01-08T00:00:00Z");
  const kept = await oldPartition(database, "2020-01-02", "2020-01-03", "2999-01-01T00:00:00Z");
  assert.deepEqual(await maintainResults(database), { dropped: [gone] });
  const partitions = await partitionsOf(database);
  assert.ok(partitions.includes(kept));
  assert.ok(!partitions.includes(gone));
});

test("there is a place for the results of the coming week, however many processes make it at once", async () => {
  const { database } = await testDatabase();
  await Promise.all([maintainResults(database), maintainResults(database), maintainResults(database)]);
  const { rows } = await database.query<{ name: string }>(
    `select 'task_results_' || to_char((now() at time zone 'UTC')::date + d, 'YYYYMMDD') as name
     from generate_series(0, 7) d order by 1`,
  );
  const partitions = await partitionsOf(database);
  for (const { name } of rows) assert.ok(partitions.includes(name), name);
});

test("an idempotency key is forgotten after 7 days, and not before", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 1);
  await engine.submit(account, 1);
  assert.equal(await forgetKeys(engine.database), 0);
  await engine.database.query(
    `update idempotency_keys set created_at = now() - interval '7 days 1 minute'
     where key = (select min(key) from idempotency_keys)`,
  );
  assert.equal(await forgetKeys(engine.database), 1);
});
