/** The way of a task reads and writes the partitions of its time, and no others, however many there are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { extendHistory, historyTables } from "../../src/app/history.ts";
import type { Queryable } from "../../src/db/index.ts";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { completeFenced } from "../../src/dispatch/queue/fence.ts";
import { configureLimiters } from "../../src/dispatch/index.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { endTasks, getTask, getTasks, maintainResults } from "../../src/tasks/index.ts";
import { getBatch } from "../../src/tasks/read/batches.ts";
import { listTasks } from "../../src/tasks/read/list-tasks.ts";
import { submitBatch } from "../../src/tasks/submit/submit-batch.ts";
import { claimDeliveries } from "../../src/webhooks/send/claim-deliveries.ts";
import { ContentLoader } from "../../src/webhooks/send/deliver-batch.ts";
import { recordAttempts } from "../../src/webhooks/send/record-attempts.ts";
import { testDatabase } from "../harness/database.ts";
import { acceptableItem, answered } from "../harness/engine.ts";
import { countPages } from "../harness/pages.ts";
import { attempted, createAccount, everything } from "../webhooks/fixture.ts";
import { loadQuestions } from "../../src/tasks/run/run-task.ts";

/** How often each partition was looked into, or a row was written. */
async function usesByPartition(db: Queryable): Promise<Map<string, number>> {
  await db.query("select pg_stat_force_next_flush()");
  const { rows } = await db.query<{ name: string; uses: number }>(
    `select relname as name, seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd as uses
       from pg_stat_user_tables where relname like any($1)`,
    [historyTables.map(({ table }) => `${table}\\_%`)],
  );
  return new Map(rows.map(({ name, uses }) => [name, uses]));
}

test("a task is accepted, asked, ended, announced and read in the partitions of its time alone, with plans made for any values", async () => {
  const { database: setUp, url } = await testDatabase();
  // The plan that PostgreSQL makes of a statement that it has run often: it doesn't know the ids.
  await setUp.query(`alter database ${new URL(url).pathname.slice(1)} set plan_cache_mode = force_generic_plan`);
  await extendHistory(setUp, "day");
  await extendHistory(setUp, "month");
  await maintainResults(setUp);
  const { database, close } = await countPages(url);
  await configureLimiters(database, [{ code: "p", runningMax: 1000, rate: null, attemptsMax: 3, breakerAfter: null }]);
  const nodeId = await registerNode(database, { name: "n", version: "0", leaseTtlMs: 600_000 });
  const accountId = await createAccount(database, "https://r.example.com/");
  await database.query("update accounts set points_available = 1000, points_granted = 1000 where id = $1", [accountId]);
  const contents = new ContentLoader({ database, records: { read: getTasks }, bodyBytesMax: 262_144 });
  const before = await usesByPartition(database);

  const use = { accountId, route: "r", key: "k", fingerprint: Buffer.alloc(32) };
  const { accepted } = await submitBatch(database, use, () => Array.from({ length: 10 }, () => acceptableItem));
  await submitBatch(database, use, () => []);
  const { claimed } = await claim(database, { platform: "p", nodeId, slots: 10 });
  assert.equal((await loadQuestions(database, claimed)).size, 10);
  assert.ok(answered.kind === "completed");
  const { result } = answered;
  await database.transaction(async (tx) => {
    await completeFenced(tx, nodeId, claimed);
    const ends = claimed.map((run) => ({
      ...run,
      startedAt: new Date(),
      attempts: 1,
      state: "completed" as const,
      result,
    }));
    await endTasks(tx, ends, { retentionMs: 1_000_000, bodyBytesMax: 10_000 });
  });
  const { rows } = await claimDeliveries(database, everything);
  assert.equal((await contents.load(rows)).size, 10);
  await recordAttempts(
    database,
    rows.map((row) => attempted(row)),
  );
  const [first] = accepted.tasks;
  assert.equal((await getTask(database, accountId, first?.taskId ?? ""))?.state, "completed");
  assert.equal((await getBatch(database, accountId, accepted.batchId))?.counts.completed, 10);
  const page = await listTasks(database, accountId, { batchId: accepted.batchId }, { beforeId: null, limit: 50 });
  assert.equal(page.tasks.length, 10);

  const after = await usesByPartition(database);
  await close();
  // On the last day of a month, the partitions of the next day and of the next month are the same.
  assert.ok(after.size >= 2 * historyTables.length, `${after.size}`);
  const used = [...after].filter(([name, uses]) => uses > (before.get(name) ?? 0)).map(([name]) => name);
  assert.deepEqual(used.toSorted(), ["deliveries_first", "ledger_first", "tasks_first"]);
});
