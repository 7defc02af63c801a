import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { dropHistory, extendHistory, historyTables } from "../../src/app/history.ts";
import { dropLeftovers, exportTable, listPartitions, type Database } from "../../src/db/index.ts";
import { firstIdAt, newIdsAt } from "../../src/kernel/ids.ts";
import { runChecks } from "../../src/operator/check-consistency.ts";
import { locateReader } from "../../src/webhooks/feed/event-routes.ts";
import { testEngine } from "../harness/engine.ts";

const dayMs = 86_400_000;
const then = new Date(Math.floor(Date.now() / dayMs - 200) * dayMs);
const since = new Date(then.getTime() + 30 * dayMs);
const before = new Date(Date.now() - 100 * dayMs);

/** A service whose first partitions ended 170 days ago, with a batch of two tasks from before that: one ended then. */
async function place() {
  const engine = await testEngine();
  const { database } = engine;
  for (const { table } of historyTables) {
    const [, last] = await listPartitions(database, { table });
    await database.query(`
      alter table ${table} detach partition ${table}_first;
      alter table ${table} detach partition ${last?.name ?? ""};
      alter table ${table} attach partition ${table}_first for values from (minvalue) to ('${firstIdAt(since)}');
      alter table ${last?.name ?? ""} rename to ${table}_last;
      alter table ${table} attach partition ${table}_last for values from ('${firstIdAt(since)}') to (maxvalue)`);
  }
  const account = await engine.account("a");
  const [batchId = "", ...taskIds] = newIdsAt(then, 3);
  await database.query(
    "insert into batches (id, account_id, task_count, estimated_points, created_at) values ($1, $2, 2, 2, $3)",
    [batchId, account, then],
  );
  await database.query(
    `insert into tasks (id, account_id, batch_id, item_index, question, platform, deep_analysis, output, result_format, priority,
                        price_points, state, charged_points, revision, created_at, completed_at, tags)
     select id, $2, $3, n, 'q', 'p', false, 'answer', 'json', 5, 1, 'completed', 1, 1, $4, $4, '{old}'
       from unnest($1::uuid[]) with ordinality as t(id, n)`,
    [taskIds, account, batchId, then],
  );
  await database.query("insert into task_tags select account_id, 'old', id from tasks");
  await database.query(
    `insert into ledger (account_id, kind, points, batch_id, task_id, cause_id)
     select account_id, 'capture', 1, batch_id, id, id from tasks`,
  );
  await database.query(
    `insert into deliveries (id, account_id, task_id, delivery_revision, event_number, state, created_at, finished_at)
     select id, account_id, id, 1, nextval('event_numbers'), 'skipped', created_at, created_at from tasks`,
  );
  await database.query("insert into webhooks (account_id) values ($1)", [account]);
  return { engine, database, account, taskIds };
}

async function countOf(database: Database, table: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]?.count ?? -1;
}

test("old tasks go with their ledger entries, deliveries, tags and batches; what is newer stays, and works", async () => {
  const { engine, database, account } = await place();
  const [fresh = ""] = await engine.submit(account, 1);
  const { dropped, kept } = await dropHistory(database, before);
  assert.deepEqual([dropped, kept], [["tasks_first", "ledger_first", "deliveries_first"], []]);
  for (const table of ["tasks", "ledger", "batches"])
    assert.equal(await countOf(database, table), table === "ledger" ? 2 : 1, table);
  for (const table of ["task_tags", "deliveries"]) assert.equal(await countOf(database, table), 0, table);
  await engine.node();
  const { rows } = await database.query<{ id: string }>("select id from tasks");
  assert.deepEqual(rows, [{ id: fresh }]);
  assert.deepEqual(await dropHistory(database, before), { dropped: [], kept: [] });
});

test("the event feed begins after the events that were dropped", async () => {
  const { database, account } = await place();
  assert.equal((await locateReader(database, account, undefined)).number, 0);
  await dropHistory(database, before);
  const { rows } = await database.query<{ last: number }>("select last_value as last from event_numbers");
  assert.equal((await locateReader(database, account, undefined)).number, rows[0]?.last);
});

test("a check of the database tells what it cannot check once history was dropped, and finds nothing wrong", async () => {
  const { database } = await place();
  const unchecked = async () => (await runChecks(database)).filter((check) => check.unchecked !== null);
  assert.deepEqual(await unchecked(), []);
  await dropHistory(database, before);
  assert.deepEqual(
    (await unchecked()).map(({ holds }) => holds),
    ["the ledger of each account adds up to its balance", "each batch is whole, and its points were held once"],
  );
  assert.deepEqual(
    (await runChecks(database)).flatMap(({ violations }) => violations),
    [],
  );
});

test("a task that has not ended, or ended lately, keeps the tasks and the ledger of its time; a pending delivery keeps the deliveries", async () => {
  const { database, taskIds } = await place();
  const tasks = (set: string) => database.query(`update tasks set ${set} where id = $1`, [taskIds[0]]);
  await tasks("state = 'pending', completed_at = null, charged_points = 0, revision = 0");
  await database.query(
    "update deliveries set state = 'pending', finished_at = null, url = 'u', origin = 'o', body = ''",
  );
  const all = ["tasks_first", "ledger_first", "deliveries_first"];
  assert.deepEqual(await dropHistory(database, before), { dropped: [], kept: all });
  await tasks("state = 'completed', completed_at = now(), charged_points = 1, revision = 1");
  assert.deepEqual(await dropHistory(database, before), { dropped: [], kept: all });
  await database.query("update deliveries set state = 'skipped', finished_at = now()");
  assert.deepEqual(await dropHistory(database, before), { dropped: ["deliveries_first"], kept: all.slice(0, 2) });
  await tasks("completed_at = created_at");
  assert.deepEqual(await dropHistory(database, before), { dropped: all.slice(0, 2), kept: [] });
});

test("an export has every row of the partition, and the digest of its bytes", async () => {
  const { database } = await place();
  const folder = mkdtempSync(join(tmpdir(), "querent-history-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "tasks.ndjson");
  const { rows, sha256 } = await exportTable(database, "tasks_first", path);
  const bytes = readFileSync(path);
  assert.equal(rows, 2);
  assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256);
  const exported = bytes
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { tags: string[] });
  assert.deepEqual(
    exported.map(({ tags }) => tags),
    [["old"], ["old"]],
  );
});

test("a partition whose removal was interrupted after it was detached is removed by the next one, and no other table is", async () => {
  const { database } = await place();
  await database.query(`
    alter table tasks detach partition tasks_first; comment on table tasks_first is 'Being dropped by the service.';
    create table tasks_mine (id int)`);
  await dropLeftovers(database, { table: "tasks" });
  const { rows } = await database.query<{ name: string }>(
    "select relname as name from pg_class where relname in ('tasks_first', 'tasks_mine')",
  );
  assert.deepEqual(rows, [{ name: "tasks_mine" }]);
});

test("the coming two months have partitions, and a second hold, capture or release is refused in a new one", async () => {
  const { engine, database } = await place();
  const { created } = await extendHistory(database, "month");
  assert.ok(created.length >= 6, created.join());
  const [accountId = "", taskId = ""] = newIdsAt(new Date(), 2);
  const entry = (kind: string) =>
    database.query(
      "insert into ledger (account_id, kind, points, batch_id, task_id, cause_id) values ($1, $2, 1, $3, case when $2 <> 'hold' then $3::uuid end, $3)",
      [accountId, kind, taskId],
    );
  await entry("capture");
  await assert.rejects(entry("release"), /duplicate key/);
  await entry("hold");
  await assert.rejects(entry("hold"), /duplicate key/);
  await assert.rejects(
    database.query(
      "insert into ledger (account_id, kind, points, task_id, cause_id) values ($1, 'capture', 1, $2, $1)",
      [accountId, taskId],
    ),
    /cause_is_what_moved/,
  );
  await engine.submit(await engine.account("b"), 2);
});
