/** The engine on a real database with work that the test controls: what runs, and how it ends. */
import assert from "node:assert/strict";
import { after } from "node:test";
import { insertAccount } from "../../src/accounts/index.ts";
import { FileStore } from "../../src/artifacts/index.ts";
import type { Database, Queryable } from "../../src/db/index.ts";
import {
  configureLimiters,
  Dispatcher,
  type Claimed,
  type DispatchEvent,
  type StartLimits,
  type WorkEnd,
} from "../../src/dispatch/index.ts";
import type { DispatcherOptions } from "../../src/dispatch/node/dispatcher.ts";
import { reap } from "../../src/dispatch/node/node-upkeep.ts";
import type { Work } from "../../src/dispatch/run/work.ts";
import { grantPoints } from "../../src/points/index.ts";
import {
  endTasks,
  maintainResults,
  type ArtifactMaking,
  type EndTasksDeps,
  type Finish,
  type RunResult,
} from "../../src/tasks/index.ts";
import { submitBatch } from "../../src/tasks/submit/submit-batch.ts";
import type { AcceptableItem } from "../../src/tasks/submit/read-items.ts";
import { testDatabase } from "./database.ts";
import { emptyResult } from "./task-record.ts";
import { until } from "./wait.ts";

/** An item that can be accepted, for a submission. */
export const acceptableItem: AcceptableItem = {
  question: "?",
  platform: "p",
  options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
  webhookUrl: null,
  clientReference: null,
  tags: [],
  notBefore: null,
  startBefore: null,
  runTimeoutSeconds: 60,
  priority: 5,
  pricePoints: 1,
};

/** For tests that make no files of an answer. */
export const makingNothing: ArtifactMaking = {
  database: { query: () => Promise.reject(new Error("nothing is kept here")) },
  store: new FileStore("/nowhere"),
  drawPage: () => Promise.reject(new Error("nothing is drawn here")),
  screenshot: () => Promise.reject(new Error("no screenshots here")),
  browser: { ready: async () => false, isUsable: () => false, isExpected: async () => false },
  publicAddresses: () => null,
  seal: () => Promise.reject(new Error("nothing is sealed here")),
  onFault: () => undefined,
};

export const answered: WorkEnd<RunResult> = {
  kind: "completed",
  result: { stored: emptyResult, raw: null, consumption: null, artifacts: [] },
};

/** A run controlled by the test: it continues until the test, or an abort, ends it. */
type RunInput = Parameters<Work<string, RunResult>["run"]> extends [unknown, ...infer Rest] ? Rest : never;

export interface HeldRun {
  readonly claimed: Claimed;
  readonly signal: AbortSignal;
  end(end: WorkEnd<RunResult>): void;
}

export interface TestEngine {
  readonly database: Database;
  readonly url: string;
  readonly ends: EndTasksDeps;
  account(name: string, points?: number): Promise<string>;
  submit(accountId: string, count: number, change?: Partial<AcceptableItem>): Promise<string[]>;
  limiter(limits?: Partial<StartLimits>): Promise<void>;
  /** A node; `run` returns the outcome of each run, or leaves it to `held`. Stopped when the test file ends. */
  node(
    run?: (...input: RunInput) => Promise<WorkEnd<RunResult>>,
    options?: Partial<DispatcherOptions> & { database?: Database; load?: Work<string, RunResult>["load"] },
  ): Promise<Node>;
  /** Every start so far, by the database's clock, oldest first. */
  starts(): Promise<{ taskId: string; accountId: string; at: number }[]>;
  /** Tasks by state. */
  states(): Promise<Record<string, number>>;
  /** Waits until no task is pending. */
  allEnded(atMostMs?: number): Promise<void>;
  /** The invariants of the engine, whatever has happened. */
  assertSound(): Promise<void>;
}

export interface Node {
  readonly dispatcher: Dispatcher<string, RunResult>;
  /** What it logged. */
  readonly events: DispatchEvent[];
  readonly held: HeldRun[];
  /** The ends that were committed. */
  readonly finished: Finish[];
}

export async function testEngine(): Promise<TestEngine> {
  const { database, url } = await testDatabase();
  await maintainResults(database);
  await database.query(watchStarts);
  const nodes: Dispatcher<string, RunResult>[] = [];
  const ends: EndTasksDeps = {
    retentionMs: 86_400_000,
    bodyBytesMax: 256 * 1024,
  };
  after(() => Promise.all(nodes.map((node) => node.stop(0))));

  const engine: TestEngine = {
    database,
    url,
    ends,
    account: (name, points = 100_000) =>
      database.transaction(async (tx) => {
        const accountId = await insertAccount(tx, name);
        if (points > 0) await grantPoints(tx, { accountId, points, note: null });
        return accountId;
      }),
    async submit(accountId, count, change = {}) {
      const item = { ...acceptableItem, ...change };
      const key = { accountId, route: "test", key: `${Math.random()}`, fingerprint: Buffer.alloc(32) };
      const { accepted } = await submitBatch(database, key, () => Array.from({ length: count }, () => item));
      for (const node of nodes) node.wake(["p"]);
      return accepted.tasks.map((task) => task.taskId);
    },
    limiter: (limits = {}) =>
      configureLimiters(database, [
        { code: "p", runningMax: 1000, rate: null, attemptsMax: 3, breakerAfter: null, ...limits },
      ]),
    async node(run, options = {}) {
      const held: HeldRun[] = [];
      const events: DispatchEvent[] = [];
      const finished: Finish[] = [];
      const hold = (claimed: Claimed, signal: AbortSignal) =>
        new Promise<WorkEnd<RunResult>>((resolve) => {
          const heldRun = { claimed, signal, end: resolve };
          held.push(heldRun);
          signal.addEventListener("abort", () => resolve({ kind: "aborted" }), { once: true });
        });
      const dispatcher = new Dispatcher<string, RunResult, Finish>(
        {
          database: options.database ?? database,
          log: (event) => void events.push(event),
          work: {
            load: options.load ?? (async (claimed) => new Map(claimed.map((task) => [task.taskId, task.taskId]))),
            run: (_job, ...rest) => (run ?? hold)(...rest),
            end: (tx, taskEnds) => endTasks(tx, taskEnds, ends),
            announce: (finish) => void finished.push(finish),
          },
        },
        { platforms: ["p"], slotsMax: 1000, name: "test", version: "0", alone: false, ...options },
      );
      nodes.push(dispatcher);
      await dispatcher.start();
      return { dispatcher, held, events, finished };
    },
    async starts() {
      const { rows } = await database.query<{ taskId: string; accountId: string; at: number }>(
        `select task_id as "taskId", account_id as "accountId", extract(epoch from at)::float8 as at
         from test_starts order by at, n`,
      );
      return rows;
    },
    async states() {
      const { rows } = await database.query<{ state: string; n: number }>(
        "select state, count(*) as n from tasks group by state",
      );
      return Object.fromEntries(rows.map((row) => [row.state, row.n]));
    },
    async allEnded(atMostMs) {
      await until("all tasks to end", async () => ((await engine.states())["pending"] ?? 0) === 0, atMostMs);
    },
    assertSound: () => assertSound(database),
  };
  await engine.limiter();
  return engine;
}

/**
 * Records every start, and every start beyond a limit: in the claim's own transaction, under the lock of the platform's row.
 */
const watchStarts = `
  create table test_starts (n bigserial, platform text, task_id uuid, account_id uuid, at timestamptz);
  create table test_over_limit (what text, running bigint, most bigint);
  create function test_watch() returns trigger language plpgsql as $$
  begin
    -- Of what this claim started, and no more: a limit may be lowered below what runs already.
    with started as (
      insert into test_starts (platform, task_id, account_id, at)
      select n.platform, n.task_id, n.account_id, now() from new_rows n join old_rows o using (task_id)
      where n.state = 'running' and o.state = 'queued'
      returning platform, account_id
    )
    insert into test_over_limit
      select d.platform, count(*), p.running_max
      from dispatch d join platforms p on p.code = d.platform
      where d.state in ('running', 'aborting') and d.platform in (select platform from started)
      group by d.platform, p.running_max having count(*) > p.running_max
      union all
      select d.account_id::text, count(*), l.running_max
      from dispatch d join account_lanes l using (platform, account_id)
      where d.state in ('running', 'aborting') and (d.platform, d.account_id) in (select platform, account_id from started)
      group by d.account_id, l.running_max having count(*) > l.running_max;
    return null;
  end $$;
  create trigger test_watch after update on dispatch
    referencing old table as old_rows new table as new_rows for each statement execute function test_watch()`;

/** Another node takes over the work of every node that there is. */
export async function loseLeases({ database }: TestEngine): Promise<void> {
  const none = async () => assert.fail("none was lost so often");
  await until("the nodes' work to be taken over", async () => {
    await database.query("update nodes set lease_until = now() - interval '1 second'");
    return (await reap(database, { nodeId: null }, none)).nodes > 0;
  });
}

/** The invariants of the database of any service at any time: each query finds violations. */
export async function assertSound(database: Queryable): Promise<void> {
  const { rows: watched } = await database.query("select from pg_class where relname = 'test_over_limit'");
  const violations = {
    ...(watched.length === 0 ? {} : { "a start over a limit": "select * from test_over_limit" }),
    "a task in the hands of a node that is gone":
      "select d.task_id from dispatch d where d.node_id is not null and not exists (select from nodes n where n.id = d.node_id)",
    "an end that is not announced by exactly one outbox row, or one without an end":
      "select t.id from tasks t left join deliveries v on v.task_id = t.id and v.delivery_revision = 1 group by t.account_id, t.id having count(v.id) <> case when t.state = 'pending' then 0 else 1 end",
    "queued work of an account that claims do not look at":
      "select d.task_id from dispatch d left join account_lanes l using (platform, account_id) where d.state = 'queued' and l.has_work is distinct from true",
    "queued work before the position from which claims look":
      "select d.task_id from dispatch d join account_lanes l using (platform, account_id) where d.state = 'queued' and coalesce(d.task_id < l.positions[d.rank + 1], true)",
    "a running task that was claimed before the time from which claims count":
      "select d.task_id from dispatch d join platforms p on p.code = d.platform where d.node_id is not null and coalesce(d.claimed_at < p.running_since, true)",
    "a queued delivery of an account that is not in the notifiers' line":
      "select q.id from delivery_queue q left join delivery_turns t using (account_id) where q.state = 'queued' and t.has_due is distinct from true",
    "an attempt that was given up and is not in its task's log":
      "select task_id from dispatch where least(20, fence - (node_id is not null)::int) <> coalesce(jsonb_array_length(attempt_log), 0)",
    "a failure that tells of another number of attempts than were made":
      "select t.id from tasks t left join task_attempts a on a.task_id = t.id where t.state = 'failed' and (t.failure->>'attempts')::int <> coalesce((a.entries->-1->>'attempt')::int, 0)",
    "a balance below nothing":
      "select id from accounts where least(points_available, points_held, points_captured) < 0",
    "a batch that is not whole":
      "select b.id from batches b left join tasks t on t.batch_id = b.id group by b.account_id, b.id having count(t.id) <> b.task_count or sum(t.price_points) <> b.estimated_points",
    "a batch whose points were not held once":
      "select b.id from batches b left join ledger l on l.batch_id = b.id and l.kind = 'hold' group by b.account_id, b.id having count(l.id) <> 1 or sum(l.points) <> b.estimated_points",
    "an ended task still in the engine, or a pending one that is not":
      "select t.id from tasks t left join dispatch d on d.task_id = t.id and d.state <> 'aborting' where (t.state = 'pending') <> (d.task_id is not null)",
    "an ended task without exactly one capture or release":
      "select t.id from tasks t left join ledger l on l.task_id = t.id where t.state <> 'pending' group by t.account_id, t.id having count(l.id) <> 1",
    "a capture that is not what the task was charged":
      "select t.id from tasks t join ledger l on l.task_id = t.id where (l.kind = 'capture') <> (t.state = 'completed') or (l.kind = 'capture' and l.points <> t.charged_points)",
    "a completed task without its result":
      "select t.id from tasks t left join task_results r on r.day = t.result_day and r.task_id = t.id where (t.state = 'completed') <> (r.task_id is not null)",
    "an account whose points do not add up to its ledger": `
      select a.id from accounts a cross join lateral (
        select coalesce(sum(points) filter (where kind = 'grant'), 0) as granted, coalesce(sum(points) filter (where kind = 'hold'), 0) as held,
               coalesce(sum(points) filter (where kind = 'capture'), 0) as captured, coalesce(sum(points) filter (where kind = 'release'), 0) as released
        from ledger l where l.account_id = a.id) l
      where a.points_granted <> l.granted or a.points_captured <> l.captured or a.points_held <> l.held - l.captured - l.released
         or a.unfinished_tasks <> (select count(*) from tasks t where t.account_id = a.id and t.state = 'pending')`,
    "hours that do not add up to what platforms reported of the tasks": `
      select a.id from accounts a
      where (select row(coalesce(sum(input_tokens), 0)::bigint, coalesce(sum(output_tokens), 0)::bigint, coalesce(sum(searches), 0)::bigint) from usage_hours u where u.account_id = a.id)
         <> (select row(coalesce(sum(input_tokens), 0)::bigint, coalesce(sum(output_tokens), 0)::bigint, coalesce(sum(searches), 0)::bigint) from tasks t where t.account_id = a.id)`,
    "hours that do not add up to the ledger": `
      select a.id from accounts a
      where a.points_captured <> (select coalesce(sum(charged_points), 0) from usage_hours u where u.account_id = a.id)
         or (select count(*) from tasks t where t.account_id = a.id and t.state <> 'pending')
            <> (select coalesce(sum(completed + failed + canceled), 0) from usage_hours u where u.account_id = a.id)`,
  };
  for (const [what, sql] of Object.entries(violations)) {
    const { rows } = await database.query(sql);
    assert.deepEqual(rows, [], what);
  }
}
