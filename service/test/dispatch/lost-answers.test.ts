/** The way to the database breaks at the worst instant: a commit is done and its answer never comes, or nothing comes at all. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Database } from "../../src/db/index.ts";
import { submitBatch } from "../../src/tasks/submit/submit-batch.ts";
import { cancelTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { startDatabaseProxy } from "../harness/database-proxy.ts";
import { acceptableItem, answered, testEngine, type TestEngine } from "../harness/engine.ts";
import { leasesAfter, timesOfAborts } from "../harness/leases.ts";
import { until } from "../harness/wait.ts";

const times = { leaseTtlMs: 1500, renewEveryMs: 250 };

/** The engine's database by a way that the test can break. Silence is noticed after `statementTimeoutMs` and 5 s. */
async function brokenWay(engine: TestEngine, statementTimeoutMs = 30_000) {
  const proxy = await startDatabaseProxy(engine.url);
  const database = new Database({
    connection: { connectionString: proxy.url },
    connectionsMax: 10,
    statementTimeoutMs,
    onIdleError: () => {},
  });
  after(async () => {
    proxy.restore();
    await database.close();
    await proxy[Symbol.asyncDispose]();
  });
  return { proxy, database };
}

const has = (statements: readonly string[], words: string) => statements.some((sql) => sql.includes(words));

test("a submission whose commit is done and whose connection is cut is accepted once, and answered", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { proxy, database } = await brokenWay(engine);
  let cuts = 0;
  proxy.cutAfterCommit = (statements) => has(statements, "insert into batches") && cuts++ < 3;
  const submitted = await Promise.all(
    Array.from({ length: 6 }, (_, n) => {
      const key = { accountId: account, route: "test", key: `k${n}`, fingerprint: Buffer.alloc(32) };
      return submitBatch(database, key, () => Array.from({ length: 5 }, () => acceptableItem));
    }),
  );
  assert.equal(proxy.cuts(), 3);
  assert.deepEqual(
    submitted.map(({ replayed, accepted }) => ({ replayed, count: accepted.acceptedCount })),
    Array.from({ length: 6 }, () => ({ replayed: false, count: 5 })),
  );
  const { rows } = await engine.database.query<{ id: string }>("select id from tasks order by id");
  assert.deepEqual(
    rows.map((row) => row.id),
    submitted.flatMap(({ accepted }) => accepted.tasks.map((task) => task.taskId)).toSorted(),
    "the ids that were answered are the ones there are",
  );
  await engine.assertSound();
});

test("ends whose commit is done and whose connection is cut are written once", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { proxy, database } = await brokenWay(engine);
  let ends = 0;
  proxy.cutAfterCommit = (statements) => has(statements, "delete from dispatch") && ends++ % 2 === 0;
  await engine.node(async () => answered, { database });
  for (let batch = 0; batch < 10; batch++) await engine.submit(account, 20);
  await engine.allEnded();
  assert.ok(proxy.cuts() > 0);
  assert.deepEqual(await engine.states(), { completed: 200 });
  await engine.assertSound();
});

test("tasks whose claim is committed and its answer lost are found orphaned and start again, at no cost", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { proxy, database } = await brokenWay(engine);
  let claims = 0;
  proxy.cutAfterCommit = (statements) => has(statements, "account_pass as") && claims++ < 1;
  const attempts: number[] = [];
  const node = await engine.node(
    async (claimed) => {
      attempts.push(claimed.attempt);
      return answered;
    },
    { database, times },
  );
  await engine.submit(account, 20);
  await engine.allEnded();
  assert.equal(proxy.cuts(), 1);
  assert.ok(node.events.some((event) => event.event === "node.orphaned_runs_returned"));
  assert.deepEqual(new Set(attempts), new Set([1]));
  await engine.assertSound();
});

test("tasks that were claimed and whose questions could not be read start again, at no cost, and say what happened", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const taskIds = await engine.submit(account, 20);
  let faults = 0;
  const attempts: number[] = [];
  await engine.node(
    async (claimed) => {
      attempts.push(claimed.attempt);
      return answered;
    },
    {
      load: async (claimed) => {
        if (faults++ === 0) throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
        return new Map(claimed.map(({ taskId }) => [taskId, taskId]));
      },
    },
  );
  await engine.allEnded();
  assert.deepEqual(attempts, Array(20).fill(1));
  const { rows } = await engine.database.query<{ outcome: string; message: string; n: number }>(
    `select e ->> 'outcome' as outcome, e ->> 'message' as message, count(*)::int as n
     from task_attempts, jsonb_array_elements(entries - -1) as e where task_id = any($1::uuid[]) group by 1, 2`,
    [taskIds],
  );
  const message =
    "The question could not be read from the database when this attempt began, before the platform was asked.";
  assert.deepEqual(rows, [{ outcome: "lost", message, n: 20 }]);
  await engine.assertSound();
});

test("returns and cancellations whose answer is lost are done once", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { proxy, database } = await brokenWay(engine);
  const taskIds = await engine.submit(account, 4);
  proxy.cutAfterCommit = (statements) => has(statements, "aborting");
  await assert.rejects(cancelTasks(database, taskIds.slice(0, 2), engine.ends), { name: "CommitUnknownError" });
  const again = await cancelTasks(engine.database, taskIds.slice(0, 2), engine.ends);
  assert.deepEqual(again.taskIds, [], "it was done");
  proxy.cutAfterCommit = () => false;
  const node = await engine.node(undefined, { database, times });
  await until("two to run", () => node.held.length === 2);
  proxy.cutAfterCommit = (statements) => has(statements, "delete from nodes");
  await node.dispatcher.stop(0);
  await engine.node(async ({ attempt }) => (attempt === 1 ? answered : { kind: "aborted" }));
  await engine.allEnded();
  assert.deepEqual(await engine.states(), { canceled: 2, completed: 2 });
  await engine.assertSound();
});

test("a node that hears nothing from the database aborts its work before its lease has run out", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { proxy, database } = await brokenWay(engine, 1000);
  // It gives up half of `renewEveryMs` before its lease ends, which is long enough for a busy machine to run it.
  const slower = { leaseTtlMs: 5000, renewEveryMs: 1500 };
  const { held, events } = await engine.node(undefined, { database, times: slower });
  await engine.submit(account, 2);
  await until("the runs", () => held.length === 2);
  const aborts = timesOfAborts(held);
  proxy.stall();
  assert.equal(await leasesAfter(engine, await aborts), 1, "the lease still ran at the database");
  assert.ok(events.some((event) => event.event === "node.lease_lost"));
  // Another node takes over; the deaf one comes back when it can hear again, and does no harm.
  const other = await engine.node(async () => answered, { times });
  await engine.allEnded();
  await other.dispatcher.stop(0);
  proxy.restore();
  await until("the node to be back", () => events.filter((event) => event.event === "node.started").length > 1);
  await engine.submit(account, 2);
  for (const run of await until("work for it again", () => held.length > 2 && held.slice(2))) run.end(answered);
  await engine.allEnded();
  await engine.assertSound();
});

test("a node that stops while the database is away leaves its work to be found", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { proxy, database } = await brokenWay(engine);
  const { dispatcher, held } = await engine.node(undefined, { database, times });
  await engine.submit(account, 3);
  await until("the runs", () => held.length === 3);
  proxy.refuse();
  const stopping = dispatcher.stop(0);
  await until("the runs to be aborted", () => held.every((run) => run.signal.aborted));
  await stopping;
  await engine.node(async ({ attempt }) => (attempt === 1 ? answered : { kind: "aborted" }), { times });
  await engine.allEnded();
  assert.deepEqual(await engine.states(), { completed: 3 });
  await engine.assertSound();
});
