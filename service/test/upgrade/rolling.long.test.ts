/** The upgrade from this version to the next one while the service is in use: real processes of both, on one database. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { simulatorItems, startCluster, type Cluster } from "../harness/cluster.ts";
import { emptyDatabase } from "../harness/database.ts";
import { cleanEnvironment, type ServiceProcess } from "../harness/process.ts";
import { until } from "../harness/wait.ts";
import { violationsOf } from "./migration-policy.ts";
import { makeNextVersion } from "./next-version.ts";

/** The advisory lock that the session holds which migrates. */
const migrationLock = 0x71_75_65_72_65_6e;
const seededTasks = 300_000;
const roles = "api,worker,notifier";

const expansion = `-- step: transaction
alter table tasks add column upgraded integer;
-- step: backfill
with part as (
    select account_id, id from tasks
     where (account_id, id) > (coalesce(split_part($1, '/', 1), '00000000-0000-0000-0000-000000000000')::uuid,
                               coalesce(split_part($1, '/', 2), '00000000-0000-0000-0000-000000000000')::uuid)
     order by account_id, id limit $2),
  changed as (
    update tasks t set upgraded = coalesce(t.upgraded, 0) + 1 from part where t.account_id = part.account_id and t.id = part.id)
select account_id || '/' || id as position from part order by account_id desc, id desc limit 1;
-- step: concurrently
create index concurrently tasks_upgraded on tasks (account_id, upgraded) where upgraded is not null;
-- step: transaction
alter table tasks add constraint upgraded_once check (upgraded = 1) not valid;
-- step: validate
alter table tasks validate constraint upgraded_once;
`;

test("a rolling upgrade under load loses nothing, doubles nothing, and holds no lock for a second", async (t) => {
  using next = makeNextVersion(expansion);
  const folder = join(next.program, "../db/migrations");
  assert.deepEqual(violationsOf(next.migration, readFileSync(join(folder, next.migration), "utf8")), []);
  const { url } = await emptyDatabase();
  const cluster = await startCluster(t, url);
  let old: readonly ServiceProcess[] = await Promise.all([
    cluster.start(roles),
    cluster.start(roles),
    cluster.start("worker"),
  ]);
  await cluster.setWebhook();
  await cluster.submit(simulatorItems(1));
  await until(
    "an ended task",
    async () => (await cluster.query("select from tasks where state <> 'pending'")).length > 0,
  );
  await seed(cluster);

  const waits = await watchLocks(url);
  const load = cluster.load(simulatorItems(20, "delay=300ms"));
  const begun = async (condition: string) =>
    (await cluster.query(`select from migration_progress where ${condition}`).catch(() => [])).length > 0;

  // A report or a backup reads the table when the migration starts.
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query("set idle_in_transaction_session_timeout = 0");
  await reader.query("begin isolation level repeatable read; select from tasks limit 1");
  const first = migrating(url, next.program);
  await until("the migration to find the table in use", () => first.output().includes("will be tried again"));
  await reader.end();

  // Meanwhile a process of the version before is replaced by another one, as after a crash of its machine. Until the migration is killed, it
  // does not get past the last row, however long that takes.
  await until("rows to be changed", () => begun("position is not null"));
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query("set idle_in_transaction_session_timeout = 0");
  await holder.query("begin; select from tasks where question = 'seeded' order by id desc limit 1 for update");
  const replaced = old[1];
  old = [...old.filter((service) => service !== replaced), await cluster.start(roles)];
  assert.equal(await replaced?.end("SIGTERM"), 0, replaced?.output());
  assert.equal(first.child.exitCode, null, first.output());
  assert.ok(await begun("position is not null"), "the migration is in its middle");
  first.child.kill("SIGKILL");
  await first.ended;
  await holder.end();
  const second = migrating(url, next.program);
  assert.equal(await second.ended, 0, second.output());

  // The database is that of the next version, and a process of this one starts.
  old = [...old, await cluster.start(roles)];
  for (const service of old) {
    const newer = await cluster.start(service.address === "" ? "worker" : roles, {}, next.program);
    assert.doesNotMatch(newer.output(), /"level":"error"/);
    assert.equal(await service.end("SIGTERM"), 0, service.output());
    assert.doesNotMatch(service.output(), /"level":"error"/);
  }
  await load.stop();
  const longestMs = await waits.stop();
  t.diagnostic(`the longest wait behind the migration took ${longestMs} ms`);
  assert.ok(longestMs < 1000, `something waited ${longestMs} ms behind the migration`);

  const [upgraded] = await cluster.query(
    `select count(*) filter (where upgraded is distinct from 1)::int as wrong,
            (select indisvalid from pg_index where indexrelid = 'tasks_upgraded'::regclass) as index
       from tasks where question = 'seeded'`,
  );
  assert.deepEqual(upgraded, { wrong: 0, index: true });
  await cluster.query("delete from tasks where question = 'seeded'");
  await cluster.assertKept();
});

/** Ended tasks of long ago, as copies of one. */
async function seed({ query }: Cluster): Promise<void> {
  const columns = await query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = 'tasks'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  );
  const names = columns.map(({ name }) => name);
  const changed: Readonly<Record<string, string>> = {
    // The id has the same time, and so the same partition if there are any.
    id: "overlay(gen_random_uuid()::text placing left(id::text, 13) from 1 for 13)::uuid",
    batch_id: "'00000000-0000-7000-8000-000000000001'",
    item_index: "n",
    question: "'seeded'",
  };
  await query(
    `insert into tasks (${names.join(", ")}) select ${names.map((name) => changed[name] ?? name).join(", ")}
       from (select * from tasks where state <> 'pending' limit 1) one, generate_series(1, ${seededTasks}) n`,
  );
  await query("analyze tasks");
}

/** `querentd migrate` of another version. */
function migrating(url: string, program: string) {
  const child = spawn(process.execPath, [program, "migrate"], {
    env: cleanEnvironment({ DATABASE_URL: url }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, ended, output: () => output };
}

/** Measures how long anyone waits for a lock behind the session that migrates: PostgreSQL says since when. */
async function watchLocks(url: string): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let stopped = false;
  let samples = 0;
  let longestMs = 0;
  const watch = async () => {
    while (!stopped) {
      const { rows } = await client.query<{ migrators: number; ms: number | null }>(
        `with migrator as (select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
                             and (classid::bigint << 32) + objid::bigint = $1)
         select (select count(*)::int from migrator) as migrators,
                (select max(extract(epoch from clock_timestamp() - l.waitstart) * 1000)::int
                   from pg_locks l, migrator m
                  where not l.granted and l.pid <> m.pid and m.pid = any (pg_blocking_pids(l.pid))) as ms`,
        [migrationLock],
      );
      samples += rows[0]?.migrators ?? 0;
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0);
      await sleep(20);
    }
  };
  const watched = watch();
  // `stop` reports the error; a test that has failed before does not call it.
  watched.catch(() => {});
  return {
    async stop() {
      stopped = true;
      await watched;
      await client.end();
      assert.ok(samples > 10, `the session that migrates was seen ${samples} times`);
      return longestMs;
    },
  };
}
