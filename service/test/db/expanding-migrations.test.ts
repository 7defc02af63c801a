/** Migrations beside old code: their steps, their locks, and what an interruption leaves. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BootError, Database, migrate, planMigration, type MigrationEvent } from "../../src/db/index.ts";
import { testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

const migrations = join(import.meta.dirname, "../../src/db/migrations");
const newest = Math.max(...readdirSync(migrations).map((name) => Number.parseInt(name, 10) || 0));
const digits = (version: number) => String(version).padStart(4, "0");

/** The migrations of this version, and these after them. */
function nextVersion(...next: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "querent-migrations-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(migrations)) copyFileSync(join(migrations, name), join(folder, name));
  for (const [index, sql] of next.entries()) writeFileSync(join(folder, `${digits(newest + 1 + index)}_next.sql`), sql);
  return folder;
}

const name = `${digits(newest + 1)}_next.sql`;
const beside = `-- Old code beside it: from ${digits(newest)}.\n`;
const expanding = `${beside}
-- step: transaction
alter table orders add column doubled integer;
-- step: concurrently
create index concurrently orders_doubled on orders (doubled) where doubled is not null;
-- step: backfill
with part as (select id from orders where id > coalesce($1::integer, 0) order by id limit $2),
  changed as (update orders o set doubled = coalesce(o.doubled, 0) + 2 * o.amount from part where o.id = part.id)
select id::text as position from part order by id desc limit 1;
-- step: transaction
alter table orders add constraint doubled_is_positive check (doubled >= 0) not valid;
-- step: validate
alter table orders validate constraint doubled_is_positive;
`;

async function withOrders(rows = 2_000) {
  const { database, url } = await testDatabase();
  await database.query("create table orders (id integer primary key, amount integer not null)");
  await database.query("insert into orders select n, n % 7 from generate_series(1, $1) n", [rows]);
  return { database, url };
}

async function assertMigrated(database: Database): Promise<void> {
  const { rows } = await database.query(
    `select (select count(*)::int from orders where doubled is distinct from 2 * amount) as wrong,
            (select indisvalid from pg_index where indexrelid = 'orders_doubled'::regclass) as valid,
            (select convalidated from pg_constraint where conname = 'doubled_is_positive') as validated,
            (select min_compatible from migrations where name = $1) as beside,
            (select count(*)::int from migration_progress) as begun`,
    [name],
  );
  assert.deepEqual(rows[0], { wrong: 0, valid: true, validated: true, beside: newest, begun: 0 });
}

test("an expanding migration adds a column, builds an index, fills the rows in batches and validates a constraint", async () => {
  const { database } = await withOrders();
  const folder = nextVersion(expanding);
  const events: MigrationEvent[] = [];
  assert.deepEqual(await migrate(database, { folder, onEvent: (event) => events.push(event) }), { applied: [name] });
  await assertMigrated(database);
  assert.deepEqual(
    events.map((event) => (event.event === "schema.step_done" ? event.step : event.event)),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual(await migrate(database, { folder }), { applied: [] });
});

test("processes that start at once migrate once, also while an index is built concurrently", async () => {
  const { database } = await withOrders();
  const folder = nextVersion(expanding);
  const runs = await Promise.all(Array.from({ length: 3 }, () => migrate(database, { folder })));
  assert.deepEqual(
    runs.flatMap(({ applied }) => applied),
    [name],
  );
  await assertMigrated(database);
});

/** Runs the migrations in a process, and kills it once the condition holds. */
async function killWhen(url: string, folder: string, what: string, condition: () => Promise<boolean>): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "migrating-process.ts"), url, folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = once(child, "exit");
  await until(what, async () => (child.exitCode === null ? condition() : assert.fail("it ended before it was killed")));
  child.kill("SIGKILL");
  await gone;
}

const finds = async (database: Database, sql: string) => (await database.query(sql)).rows.length > 0;

/** Runs the first steps of the migrations. */
async function stoppedAfter(database: Database, folder: string, step: number): Promise<void> {
  const stopping = new AbortController();
  const onEvent = (event: MigrationEvent) =>
    event.event === "schema.step_done" && event.step === step && stopping.abort();
  await assert.rejects(migrate(database, { folder, signal: stopping.signal, onEvent }), { name: "AbortError" });
  const { rows } = await database.query("select steps_done from migration_progress");
  assert.deepEqual(rows, [{ steps_done: step }]);
}

test("a process that is killed while it waits for a lock has changed nothing, and the next one migrates", async () => {
  const { database, url } = await withOrders();
  const folder = nextVersion(expanding);
  const holder = await database.connect();
  await holder.query("begin; lock table orders in access share mode");
  await holder.query("set idle_in_transaction_session_timeout = 0");
  await killWhen(url, folder, "it to wait for the table", () =>
    finds(database, "select from pg_locks where relation = 'orders'::regclass and not granted"),
  );
  await holder.end();
  await migrate(database, { folder });
  await assertMigrated(database);
});

test("an index whose build was interrupted by a kill is dropped and built again", async () => {
  const { database, url } = await withOrders();
  const folder = nextVersion(expanding);
  const holder = await database.connect();
  // The build waits for every transaction that may still see the table as it was.
  await holder.query("set idle_in_transaction_session_timeout = 0");
  await holder.query("begin isolation level repeatable read; select from accounts");
  await killWhen(url, folder, "the index to be built", () =>
    finds(
      database,
      "select from pg_stat_activity, pg_class where application_name = 'migrating' and wait_event = 'virtualxid' and relname = 'orders_doubled'",
    ),
  );
  const { rows } = await database.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = 'orders_doubled'::regclass",
  );
  await holder.end();
  await migrate(database, { folder });
  await assertMigrated(database);
  assert.equal(rows[0]?.valid, false, "the kill left an invalid index");
});

test("a backfill that was interrupted by a kill goes on where it stood, and changes no row twice", async () => {
  const { database, url } = await withOrders(5_000);
  const folder = nextVersion(expanding);
  await stoppedAfter(database, folder, 2);
  const holder = await database.connect();
  await holder.query("begin; select from orders where id = 2500 for update");
  await holder.query("set idle_in_transaction_session_timeout = 0");
  await killWhen(url, folder, "the backfill to wait for the row", () =>
    finds(
      database,
      "select from pg_stat_activity, migration_progress where application_name = 'migrating' and wait_event_type = 'Lock' and position is not null",
    ),
  );
  await holder.end();
  await migrate(database, { folder });
  await assertMigrated(database);
});

test("a step that finds its table locked lets those behind it pass, and is tried again", async () => {
  const { database } = await withOrders();
  const folder = nextVersion(expanding);
  const holder = await database.connect();
  await holder.query("begin; lock table orders in access share mode");
  await holder.query("set idle_in_transaction_session_timeout = 0");
  let delayed = 0;
  const migrated = migrate(database, { folder, onEvent: ({ event }) => event === "schema.step_delayed" && delayed++ });
  await until("two tries", () => delayed >= 2);
  // Behind a step that waited for as long as the table is locked, this would never end.
  await database.query("select count(*) from orders");
  await holder.end();
  await migrated;
  await assertMigrated(database);
});

test("a statement that would hold its locks for longer than a second is given up, and the message says which step", async () => {
  const { database } = await withOrders(1);
  const folder = nextVersion(
    `${beside}\n-- step: transaction\ncreate table kept (id integer);\n-- step: transaction\nlock table orders; select pg_sleep(60);\n`,
  );
  await assert.rejects(migrate(database, { folder }), (error) => {
    assert.ok(error instanceof BootError);
    assert.match(
      error.message,
      /^Step 2 of 2 of migration \d{4}_next\.sql failed: .*statement timeout.*steps before it stay/,
    );
    return true;
  });
  // The service of before goes on, and may be started again.
  assert.deepEqual(await migrate(database), { applied: [] });
  const repaired = nextVersion(`${beside}\n-- step: transaction\ncreate table kept (id integer);\n`);
  await assert.rejects(migrate(database, { folder: repaired }), /is not the one that this version has/);
});

test("an index on a partitioned table is built partition by partition, also on one that is made meanwhile", async () => {
  const { database } = await testDatabase();
  await database.query("create table events (day date not null, n integer) partition by range (day)");
  for (const day of [1, 2, 3])
    await database.query(
      `create table events_2026010${day} partition of events for values from ('2026-01-0${day}') to ('2026-01-0${day + 1}')`,
    );
  const folder = nextVersion(`${beside}\n-- step: concurrently\ncreate index concurrently events_n on events (n);\n`);
  await migrate(database, { folder });
  await database.query(
    "create table events_later partition of events for values from ('2026-02-01') to ('2026-02-02')",
  );
  const { rows } = await database.query<{ parent: boolean; children: number }>(
    `select (select indisvalid from pg_index where indexrelid = 'events_n'::regclass) as parent,
            (select count(*)::int from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid and x.indisvalid
              where i.inhparent = 'events_n'::regclass) as children`,
  );
  assert.deepEqual(rows, [{ parent: true, children: 4 }]);
});

test("older code starts on a database that newer code has expanded, at every step of it", async () => {
  const { database } = await withOrders();
  const folder = nextVersion(expanding);
  for (const step of [1, 2, 3, 4]) {
    await stoppedAfter(database, folder, step);
    assert.deepEqual(await migrate(database), { applied: [] });
  }
  await migrate(database, { folder });
  assert.deepEqual(await migrate(database), { applied: [] });
});

test("older code refuses a database beyond what it can run beside, also while that migration is under way", async () => {
  const stops =
    "-- Old code beside it: no.\n-- step: transaction\ncreate table one ();\n-- step: transaction\ncreate table two ();\n";
  const later = `-- Old code beside it: from ${digits(newest + 1)}, which does not use orders.\ndrop table orders;\n`;
  for (const next of [[stops], [expanding, later]]) {
    const { database } = await withOrders();
    await migrate(database, { folder: nextVersion(...next) });
    await assert.rejects(migrate(database), (error) => {
      assert.ok(error instanceof BootError);
      assert.match(error.message, /by a newer version of Querent: it has the migration \d{4}_next\.sql/);
      return true;
    });
  }
  const { database } = await withOrders();
  await stoppedAfter(database, nextVersion(stops), 1);
  await assert.rejects(migrate(database), /by a newer version of Querent/);
});

test("a process that may not migrate refuses to start, or waits until another one has migrated", async () => {
  const { database } = await withOrders();
  const folder = nextVersion(expanding);
  await assert.rejects(migrate(database, { folder, pending: "refuse" }), (error) => {
    assert.ok(error instanceof BootError);
    assert.match(error.message, /lacks what this version needs: \d{4}_next\.sql\..*`querentd migrate`/);
    return true;
  });
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  const waiting = migrate(database, {
    folder,
    pending: "wait",
    onEvent: ({ event }) => event === "schema.behind" && resolve(),
  });
  await waits;
  assert.ok(
    !(await finds(database, "select from pg_attribute where attrelid = 'orders'::regclass and attname = 'doubled'")),
  );
  await migrate(database, { folder });
  assert.deepEqual(await waiting, { applied: [] });
  assert.deepEqual(await migrate(database, { folder, pending: "refuse" }), { applied: [] });
});

test("the plan names each step, its locks and about how long it takes, and changes nothing", async () => {
  const { database } = await withOrders();
  const folder = nextVersion(expanding);
  const [planned, ...more] = await planMigration(database, folder);
  assert.deepEqual(more, []);
  assert.equal(planned?.besideFrom, newest);
  assert.deepEqual(
    planned?.steps.map(({ kind, state, duration }) => [kind, state, duration]),
    [
      ["transaction", "pending", "instant"],
      ["concurrently", "pending", "seconds"],
      ["backfill", "pending", "seconds"],
      ["transaction", "pending", "instant"],
      ["validate", "pending", "seconds"],
    ],
  );
  assert.match(planned?.steps[0]?.locks[0] ?? "", /^ACCESS EXCLUSIVE on orders/);
  assert.match(planned?.steps[1]?.locks[0] ?? "", /reads and writes go on/);
  assert.deepEqual(await planMigration(database, folder), [planned, ...more]);
  await migrate(database, { folder });
  assert.deepEqual(await planMigration(database, folder), []);
});
