import assert from "node:assert/strict";
import { test } from "node:test";
import { Database, isTransient } from "../../src/db/index.ts";
import { startDatabaseProxy } from "../harness/database-proxy.ts";
import { emptyDatabase, testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

test("of statements that go out together the first failure is the one that is told, however deep it was asked", async () => {
  const { database } = await testDatabase();
  // Each level adds turns of the event loop before the failure is heard of.
  const deep = async (work: () => Promise<unknown>, levels = 3): Promise<void> => {
    if (levels === 0) await work();
    else await deep(work, levels - 1);
  };
  await assert.rejects(
    database.transaction(async (tx) => {
      await Promise.all([deep(() => tx.query("select 1 / 0")), tx.query("select 2"), deep(() => tx.query("select 3"))]);
    }),
    { code: "22012" },
  );
});

test("a commit that was sent behind a statement that fails commits nothing, and nothing can be sent behind a commit", async () => {
  const { database } = await testDatabase();
  await database.query("create table marks (id int primary key)");
  await assert.rejects(
    database.transaction(async (tx) => {
      const statements = [tx.query("insert into marks values (1)"), tx.query("insert into marks values (2), (2)")];
      tx.commit();
      await Promise.all(statements);
    }),
    { code: "23505" },
  );
  await database.transaction(async (tx) => {
    const mark = tx.query("insert into marks values (3)");
    tx.commit();
    await assert.rejects(
      async () => tx.query("insert into marks values (4)"),
      /commit of this transaction has been sent/,
    );
    await mark;
  });
  assert.deepEqual((await database.query("select id from marks")).rows, [{ id: 3 }]);
});

test("a failure that was swallowed is told all the same: its transaction has not happened", async () => {
  const { database } = await testDatabase();
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.query("select 1 / 0").catch(() => undefined);
    }),
    { code: "22012" },
  );
});

test("times are read to the millisecond, and those that are no dates too", async () => {
  const { database } = await testDatabase();
  const { rows } = await database.query(
    `select '2026-11-01 09:30:01.234567+00'::timestamptz as fine, '2026-11-01 10:30:01+01'::timestamptz as whole,
            '1969-12-31 23:59:59.9+00'::timestamptz as early, 'infinity'::timestamptz as never, null::timestamptz as none`,
  );
  assert.deepEqual(rows[0], {
    fine: new Date("2026-11-01T09:30:01.234Z"),
    whole: new Date("2026-11-01T09:30:01Z"),
    early: new Date("1969-12-31T23:59:59.900Z"),
    never: Number.POSITIVE_INFINITY,
    none: null,
  });
});

test("a server that goes down just as a connection changes hands fails who has it next, and nobody else", async () => {
  const { url } = await emptyDatabase();
  await using proxy = await startDatabaseProxy(url);
  const database = new Database({ connection: { connectionString: proxy.url }, connectionsMax: 1 });
  for (const next of [
    () => database.transaction((tx) => tx.query("select 2")),
    () => database.transactionOf([{ text: "select 2" }]),
    () => database.query("select 2"),
  ]) {
    await database.query("select 0");
    proxy.goDownWithNextAnswer();
    const [first, second] = await Promise.allSettled([database.query("select 1"), next()]);
    assert.equal(first.status, "fulfilled");
    assert.ok(second.status === "rejected" && isTransient(second.reason));
    await database.query("select 3");
  }
  await database.close();
});

test("once a database is closed no connection of it is left, so that a server stopped then disturbs none", async () => {
  const { database: watching, url } = await testDatabase();
  const faults: Error[] = [];
  const database = new Database({
    connection: { connectionString: url },
    connectionsMax: 20,
    applicationName: "closing",
    onIdleError: (error) => faults.push(error),
  });
  await Promise.all(Array.from({ length: 20 }, () => database.query("select pg_sleep(0.05)")));
  await database.close();
  const { rows } = await watching.query("select pid from pg_stat_activity where application_name = 'closing'");
  assert.deepEqual(rows, []);
  assert.deepEqual(faults, []);
});

test("a connection that the server ends while it is idle is told of, as long as the database is open", async () => {
  const { database: watching, url } = await testDatabase();
  const faults: Error[] = [];
  const database = new Database({
    connection: { connectionString: url },
    connectionsMax: 1,
    applicationName: "idle",
    onIdleError: (error) => faults.push(error),
  });
  await database.query("select 1");
  await watching.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle'");
  await until("the error to be told", () => faults.length === 1);
  await database.close();
});

test("no statement of ours is compiled by a server that could (JIT), whatever its settings", async (t) => {
  const { url } = await emptyDatabase();
  const connection = { connectionString: url, options: "-c jit=on" };
  const database = new Database({ connection, connectionsMax: 1 });
  t.after(() => database.close());
  assert.deepEqual((await database.query("show jit")).rows, [{ jit: "off" }]);
});
