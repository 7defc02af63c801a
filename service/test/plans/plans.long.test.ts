/**
 * What the hot statements read, as PostgreSQL counts it: with a thousand tasks queued and with a million. Waiting costs
 * nothing that time can break, so the second may read hardly more than the first, and never a big table from end to end.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Database, Queryable, Transaction } from "../../src/db/index.ts";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { platformsWithWork, promoteDue } from "../../src/dispatch/queue/queue.ts";
import { configureLimiters } from "../../src/dispatch/index.ts";
import { getBatch } from "../../src/tasks/read/batches.ts";
import { cancelTasks, endLateTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { getTask } from "../../src/tasks/read/get-task.ts";
import { maintainResults } from "../../src/tasks/index.ts";
import { listTasks } from "../../src/tasks/read/list-tasks.ts";
import { submitBatch } from "../../src/tasks/submit/submit-batch.ts";
import { testDatabase } from "../harness/database.ts";
import { acceptableItem } from "../harness/engine.ts";

const accounts = 1000;
const uuid = (kind: number, n: string) => `('0000000${kind}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const uuidOf = (kind: number, n: number) => `0000000${kind}-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

/** The batch of the task `n`, of the same account. */
const batchOf = `n % ${accounts} + ${accounts} * (n / ${accounts} / 100)`;

/** The tables that grow without bound. */
const big = ["dispatch", "tasks_first", "batches", "ledger_first", "idempotency_keys", "deliveries_first"];

/** So many tasks are queued, 100 a batch, of accounts that have as many each. */
async function filled(tasks: number): Promise<Database> {
  const { database, url } = await testDatabase();
  // Filling takes longer than a statement may.
  await database.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
  await maintainResults(database);
  await configureLimiters(database, [
    { code: "p", runningMax: 1000, rate: null, attemptsMax: 3, breakerAfter: null },
    { code: "q", runningMax: 1000, rate: null, attemptsMax: 3, breakerAfter: null },
  ]);
  const client = await database.connect();
  await client.query("set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'");
  // Indexes are made again after the rows: half the time.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('tasks'::regclass, 'tasks_first'::regclass, 'dispatch'::regclass) and not i.indisprimary and not c.relispartition`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(`
    alter table tasks_first set unlogged; alter table dispatch set unlogged; alter table batches set unlogged;
    alter table tasks_first set (autovacuum_enabled = off); alter table dispatch set (autovacuum_enabled = off);
    insert into accounts (id, name, points_available, points_held, points_granted, unfinished_tasks)
      select ${uuid(1, "n")}, 'a' || n, 1000000 - ${tasks / accounts}, ${tasks / accounts}, 1000000, ${tasks / accounts}
      from generate_series(0, ${accounts - 1}) n;
    insert into account_lanes (platform, account_id) select 'p', ${uuid(1, "n")} from generate_series(0, ${accounts - 1}) n;
    insert into batches (id, account_id, task_count, estimated_points, created_at)
      select ${uuid(2, "n")}, ${uuid(1, `n % ${accounts}`)}, 100, 100, now()
        from generate_series(0, ${Math.max(accounts, tasks / 100) - 1}) n;
    insert into tasks (id, account_id, batch_id, item_index, question, platform, deep_analysis, output, result_format, priority,
                       price_points, created_at)
      select ${uuid(3, "n")}, ${uuid(1, `n % ${accounts}`)}, ${uuid(2, batchOf)}, n / ${accounts} % 100, 'How fine?', 'p', false, 'answer',
             'json', 5, 1, now()
      from generate_series(0, ${tasks - 1}) n;
    insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
      select ${uuid(3, "n")}, ${uuid(1, `n % ${accounts}`)}, 'p', case when n % 100 = 99 then 'waiting' else 'queued' end, 4,
             now() + interval '1 hour', 60
      from generate_series(0, ${tasks - 1}) n`);
  await client.query(`
    insert into idempotency_keys (account_id, route, key, fingerprint, batch_id, created_at)
      select account_id, 'r', id::text, decode(repeat('00', 32), 'hex'), id, created_at from batches`);
  for (const { definition } of indexes) await client.query(definition.replace(" ON ONLY ", " ON "));
  await client.query("vacuum analyze dispatch");
  await client.query("analyze");
  await client.end();
  return database;
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

interface Cost {
  /** Pages read, over all statements. */
  readonly buffers: number;
  readonly indexes: ReadonlySet<string>;
  /** Big tables read from end to end. */
  readonly scanned: readonly string[];
}

/** Runs `work` on a database on which every statement is explained as it is run, in a transaction that is rolled back. */
async function costOf(database: Database, work: (explained: Database) => Promise<unknown>): Promise<Cost> {
  const plans: PlanNode[] = [];
  const client = await database.connect();
  const explained = async (query: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
    const text = typeof query === "string" ? query : query.text;
    const given = typeof query === "string" ? values : query.values;
    if (!/^\s*(select|with|insert|update|delete)/i.test(text) || /pg_try_advisory/.test(text))
      return client.query(text, given);
    // Its rows come from a first run, its plan from a second one on the same state.
    await client.query("savepoint before");
    const result = await client.query(text, given);
    await client.query("savepoint after");
    await client.query("rollback to before");
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      given,
    );
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    if (plan) plans.push(plan);
    return result;
  };
  const tx = { query: explained, commit: () => undefined } as unknown as Transaction;
  const fake = {
    query: explained,
    transaction: (inner: (tx: Transaction) => Promise<unknown>) => inner(tx),
    announce: () => undefined,
  } as unknown as Database;
  try {
    await client.query("begin");
    await work(fake);
    await client.query("rollback");
  } finally {
    await client.end();
  }
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode) => {
    nodes.push(node);
    for (const child of node.Plans ?? []) visit(child);
  };
  for (const plan of plans) visit(plan);
  return {
    buffers: plans.reduce((sum, plan) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0),
    indexes: new Set(nodes.flatMap((node) => node["Index Name"] ?? [])),
    scanned: nodes.flatMap((node) =>
      node["Node Type"].includes("Seq Scan") && big.includes(node["Relation Name"] ?? "")
        ? [node["Relation Name"] ?? ""]
        : [],
    ),
  };
}

const few = await filled(1000);
const many = await filled(1_000_000);

suite("plans", () => {
  /** One statement, or one way through the house, with few tasks and with many. */
  const guard = (
    what: string,
    limits: { indexes: readonly string[]; ratio: number; buffersMax: number },
    work: (database: Database, tasks: number) => Promise<unknown>,
  ): void => {
    void test(what, async (t) => {
      const small = await costOf(few, (database) => work(database, 1000));
      const large = await costOf(many, (database) => work(database, 1_000_000));
      t.diagnostic(`${small.buffers} pages with 1,000 queued, ${large.buffers} with 1,000,000`);
      assert.deepEqual(large.scanned, [], "no big table is read from end to end");
      for (const index of limits.indexes)
        assert.ok(large.indexes.has(index), `${index} is used; used are ${[...large.indexes].join()}`);
      assert.ok(large.buffers <= limits.buffersMax, `${large.buffers} pages, at most ${limits.buffersMax}`);
      assert.ok(
        large.buffers <= limits.ratio * small.buffers + 20,
        `${large.buffers} pages with a million, ${small.buffers} with a thousand`,
      );
    });
  };

  const node = (db: Queryable) => registerNode(db, { name: "n", version: "0", leaseTtlMs: 60_000 });

  guard(
    "a claim of 100 reads the queue's index, of the accounts whose turn is next",
    { indexes: ["dispatch_queue"], ratio: 5, buffersMax: 20_000 },
    async (database) => {
      const { claimed } = await claim(database, { platform: "p", nodeId: await node(database), slots: 100 });
      assert.equal(claimed.length, 100);
    },
  );

  guard(
    "a claim of a node without a browser, which leaves screenshots to others, reads the first tasks of each account",
    { indexes: ["dispatch_queue"], ratio: 250, buffersMax: 250_000 },
    async (database) => {
      await database.query(
        `update dispatch set needs_browser = true where task_id in
           (select task_id from dispatch where platform = 'p' and state = 'queued' order by account_id, rank, task_id limit 50)`,
      );
      const { claimed } = await claim(database, {
        platform: "p",
        nodeId: await node(database),
        slots: 100,
        leaveBrowserTasks: true,
      });
      assert.ok(claimed.length >= 50, `${claimed.length}`);
    },
  );

  test("a claim of the largest size over a thousand accounts stays bounded", async (t) => {
    const { buffers } = await costOf(many, async (database) =>
      claim(database, { platform: "p", nodeId: await node(database), slots: 500 }),
    );
    t.diagnostic(`${buffers} pages`);
    assert.ok(buffers <= 30_000);
  });

  guard(
    "a claim of one account's work does not read the others' rows",
    { indexes: ["dispatch_queue"], ratio: 2, buffersMax: 500 },
    async (database) => {
      const accountId = uuidOf(1, 0);
      await database.query(
        `insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
         select gen_random_uuid(), $1, 'q', 'queued', 4, now(), 60 from generate_series(1, 10)`,
        [accountId],
      );
      await database.query("insert into account_lanes (platform, account_id) values ('q', $1)", [accountId]);
      const { claimed } = await claim(database, { platform: "q", nodeId: await node(database), slots: 5 });
      assert.equal(claimed.length, 5);
    },
  );

  guard(
    "a look for due work reads the waiting ones' index",
    { indexes: ["dispatch_waiting"], ratio: 2, buffersMax: 50 },
    promoteDue,
  );

  guard(
    "a look for passed deadlines reads their index",
    { indexes: ["dispatch_start_before"], ratio: 2, buffersMax: 50 },
    (database) => endLateTasks(database, { retentionMs: 1, bodyBytesMax: 1_000 }),
  );

  guard(
    "a submission of 10 reads nothing that grows with the queue",
    { indexes: [], ratio: 2, buffersMax: 500 },
    (database) =>
      submitBatch(database, { accountId: uuidOf(1, 7), route: "r", key: "k", fingerprint: Buffer.alloc(32) }, () =>
        Array.from({ length: 10 }, () => acceptableItem),
      ),
  );

  guard("a task is found by its key", { indexes: ["dispatch_pkey"], ratio: 3, buffersMax: 20 }, (database, tasks) =>
    getTask(database, uuidOf(1, (tasks - 1) % accounts), uuidOf(3, tasks - 1)),
  );

  guard(
    "a page of an account's tasks is read from its index",
    { indexes: ["tasks_first_pkey"], ratio: 300, buffersMax: 700 },
    (database) => listTasks(database, uuidOf(1, 5), {}, { beforeId: null, limit: 50 }),
  );

  guard(
    "a page of one state of an account's tasks is read from its index",
    { indexes: ["tasks_first_pkey"], ratio: 300, buffersMax: 700 },
    (database) => listTasks(database, uuidOf(1, 5), { state: "pending" }, { beforeId: null, limit: 50 }),
  );

  guard(
    "a batch is counted by its own tasks",
    { indexes: ["tasks_first_batch", "dispatch_pkey"], ratio: 100, buffersMax: 900 },
    (database) => getBatch(database, uuidOf(1, 3), uuidOf(2, 3)),
  );

  guard(
    "a batch's cancellation reads its own tasks",
    { indexes: ["dispatch_pkey", "tasks_first_pkey"], ratio: 3, buffersMax: 6000 },
    (database) =>
      cancelTasks(
        database,
        Array.from({ length: 100 }, (_, n) => uuidOf(3, 300 + n)),
        { retentionMs: 1, bodyBytesMax: 1_000 },
      ),
  );

  guard(
    "a node's own rows are found without reading the others'",
    { indexes: [], ratio: 2, buffersMax: 50 },
    (database) =>
      database.query("select task_id from dispatch where node_id = $1 and state = 'aborting'", [uuidOf(9, 1)]),
  );

  guard(
    "the look for queued work of a platform stops at the first",
    { indexes: ["dispatch_queue"], ratio: 3, buffersMax: 60 },
    (database) => platformsWithWork(database, ["p", "q"]),
  );
});
