/** A server that has no connection left (SQLSTATE 53300) is a server that is away for a while: nothing accepted is lost. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { applicationNameOf, Database, describeBudget, readConnectionBudget } from "../../src/db/index.ts";
import { databaseUrl, testDatabase } from "../harness/database.ts";
import { item, refused, startTestService } from "../harness/service.ts";
import { newId } from "../../src/kernel/ids.ts";
import { until } from "../harness/wait.ts";

/** As many processes as these declare. */
const openAs = async (url: string, names: readonly string[]) => {
  const databases = names.map(
    (applicationName) => new Database({ connection: { connectionString: url }, connectionsMax: 2, applicationName }),
  );
  await Promise.all(databases.map((database) => database.query("select 1")));
  return databases;
};

const role = `limited_${process.pid}`;
const service = await startTestService({
  faultsExpected: true,
  through: async (url) => {
    const database = new Database({ connection: { connectionString: url }, connectionsMax: 1 });
    // Only users without superuser rights are limited. As a member it has the rights of the tables' owner.
    await database.query(`create role ${role} login in role current_user`);
    await database.close();
    const limited = new URL(url);
    limited.username = role;
    return limited.href;
  },
});

// After the service's own: hooks run in the order in which they were set.
after(async () => {
  const admin = new Database({ connection: { connectionString: databaseUrl("postgres") }, connectionsMax: 1 });
  await admin.query(`drop role ${role}`);
  await admin.close();
});

test("while the server has no connection left, submissions are refused with 503; what was accepted ends, once", async () => {
  const { database } = service;
  const account = await service.account();
  const before = await account.submit([item("delay=300ms"), item("delay=300ms"), item("delay=300ms")]);
  await database.query(`alter role ${role} connection limit 0`);
  await database.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [role]);
  const key = newId();
  const post = () => account.post([item()], { "idempotency-key": key });
  await until("a submission to be refused", async () => {
    const answer = await post();
    if (answer.status === 202) return false;
    assert.equal(refused(answer, "unavailable").status, 503);
    return true;
  });
  assert.equal((await account.call("GET", "/readyz")).status, 503);
  await database.query(`alter role ${role} connection limit -1`);
  const accepted = await until("the same submission to be accepted", async () => {
    const answer = await post();
    return answer.status === 202 ? answer.body : null;
  });
  for (const { taskId } of [...before.tasks, ...accepted.tasks])
    assert.equal((await account.ended(taskId)).state, "completed");
  const { rows } = await database.query<{ count: number }>(
    "select count(*) as count from ledger where account_id = $1 and kind = 'capture'",
    [account.accountId],
  );
  assert.equal(rows[0]?.count, 4);
});

test("the sum of what the connected processes may open is compared with what the server accepts", async () => {
  const { database, url } = await testDatabase();
  const before = await readConnectionBudget(database);
  const names = [applicationNameOf("a", 22), applicationNameOf("b", 22), applicationNameOf("b", 22), "psql"];
  const open = await openAs(url, names);
  const budget = await readConnectionBudget(database);
  assert.deepEqual([budget.processes - before.processes, budget.declared - before.declared], [2, 44]);
  assert.ok(budget.others >= 1);
  await Promise.all(open.map((one) => one.close()));
  const full = { max: 100, reserved: 3, processes: 4, declared: 88, others: 9 };
  assert.equal(describeBudget(full).fits, true);
  const { fits, detail } = describeBudget({ ...full, processes: 6, declared: 132 });
  assert.equal(fits, false);
  assert.match(
    detail,
    /may open 132 connections, and others have 9: 141 of 97 .* Set max_connections of PostgreSQL to at least 144/,
  );
});
