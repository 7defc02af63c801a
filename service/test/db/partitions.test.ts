import assert from "node:assert/strict";
import { test } from "node:test";
import { dropPartition, extendPartitions, listPartitions, type PartitionPeriod } from "../../src/db/index.ts";
import { nextBoundary } from "../../src/db/partitions.ts";
import { firstIdAt, newId } from "../../src/kernel/ids.ts";
import { testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

const dayMs = 86_400_000;

/** A partitioned table whose last partition began some days ago. */
async function place(daysAgo: number) {
  const { database } = await testDatabase();
  const began = new Date(Math.floor(Date.now() / dayMs - daysAgo) * dayMs);
  await database.query(`
    create table things (id uuid, name text, primary key (id)) partition by range (id);
    create table things_first (like things including all) with (fillfactor = 45);
    create unique index on things_first (name);
    create table things_last (like things_first including all) with (fillfactor = 45);
    alter table things attach partition things_first for values from (minvalue) to ('${firstIdAt(began)}');
    alter table things attach partition things_last for values from ('${firstIdAt(began)}') to (maxvalue)`);
  return { database, things: { table: "things", key: "id" } };
}

test("a period ends at the next midnight, Monday or first of a month", () => {
  const after = (time: string, period: PartitionPeriod) =>
    nextBoundary(new Date(time), period).toISOString().slice(0, 10);
  assert.equal(after("2026-12-31T23:59:59.999Z", "day"), "2027-01-01");
  assert.equal(after("2026-11-22T12:00:00Z", "week"), "2026-11-23");
  assert.equal(after("2026-11-23T00:00:00Z", "week"), "2026-11-30");
  assert.equal(after("2026-12-01T00:00:00Z", "month"), "2027-01-01");
});

test("the last partition begins more than a period ahead, however long nobody looked and however many processes look at once", async () => {
  const { database, things } = await place(100);
  await database.query("insert into things values ($1, 'now'), ($2, 'then')", [newId(), firstIdAt(new Date(0))]);
  for (const period of ["month", "week", "day"] as const) {
    await Promise.all([1, 2, 3].map(() => extendPartitions(database, things, period)));
    const partitions = await listPartitions(database, things);
    for (const [index, { to }] of partitions.entries()) assert.deepEqual(to, partitions[index + 1]?.from ?? null);
    const last = partitions.at(-1)?.from ?? new Date(0);
    assert.ok(last >= nextBoundary(nextBoundary(new Date(), period), period), last.toISOString());
    assert.deepEqual(await extendPartitions(database, things, period), { created: [] });
  }
  const { rows } = await database.query<{ name: string }>("select name from things order by name");
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["now", "then"],
  );
});

test("a new partition has the indexes and the storage parameters of the one before", async () => {
  const { database, things } = await place(0);
  const { created } = await extendPartitions(database, things, "day");
  assert.equal(created.length, 2);
  const { rows } = await database.query<{ name: string; options: string[]; keys: number; checks: number }>(
    `select relname as name, reloptions as options,
            (select count(*)::int from pg_index where indrelid = c.oid and indisunique) as keys,
            (select count(*)::int from pg_constraint where conrelid = c.oid and contype = 'c') as checks
       from pg_class c where relispartition and relname like 'things%' and relkind = 'r'`,
  );
  assert.equal(rows.length, 4);
  for (const { options, keys, checks } of rows) assert.deepEqual([options, keys, checks], [["fillfactor=45"], 2, 0]);
});

test("adding and dropping partitions waits for a transaction that goes on for long, and lets everybody else pass meanwhile", async () => {
  const { database, things } = await place(100);
  const old = (await listPartitions(database, things))[0];
  assert.ok(old !== undefined);
  const reader = await database.connect();
  await reader.query("begin; select * from things");
  const work = Promise.all([extendPartitions(database, things, "month"), dropPartition(database, things, old)]);
  const waits: number[] = [];
  const writing = (async () => {
    for (let n = 0; n < 40; n++) {
      const startedAt = performance.now();
      await database.query("insert into things values ($1, $2)", [newId(), `n${n}`]);
      waits.push(performance.now() - startedAt);
    }
  })();
  await until("one to wait for the reader", async () => {
    const { rows } = await database.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and query like 'alter table things%' and wait_event_type = 'Lock'`,
    );
    return (rows[0]?.waiting ?? 0) > 0;
  });
  await writing;
  await reader.query("commit");
  await reader.end();
  await work;
  const partitions = await listPartitions(database, things);
  assert.ok(!partitions.some(({ name }) => name === old.name));
  assert.ok(partitions.length > 1);
  const { rows } = await database.query<{ count: number }>("select count(*)::int as count from things");
  assert.equal(rows[0]?.count, 40);
  waits.sort((a, b) => a - b);
  // Behind a lock that is waited for, at most as long as it is waited for: half a second.
  assert.ok((waits[20] ?? Infinity) < 1_000, `${waits.at(-1)} ms`);
});

test("a removal that was interrupted is completed by the next one", async () => {
  const { database, things } = await place(1);
  const old = (await listPartitions(database, things))[0];
  assert.ok(old !== undefined);
  const reader = await database.connect();
  await reader.query("begin; select * from things");
  const dropping = dropPartition(database, things, old);
  dropping.catch(() => undefined);
  await until("the removal to be marked", async () => (await listPartitions(database, things))[0]?.detaching === true);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'alter table things detach%'`,
  );
  await assert.rejects(dropping);
  await reader.query("commit");
  await reader.end();
  const [half] = await listPartitions(database, things);
  assert.ok(half?.detaching);
  await dropPartition(database, things, half);
  assert.equal((await listPartitions(database, things)).length, 1);
});
