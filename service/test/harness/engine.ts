/** The engine on a real database with work that the test holds in its hands: what runs, and how it ends. */
import assert from "node:assert/strict";
import { after } from "node:test";
import type { StoredResult } from "@querent/contract";
import { insertAccount } from "../../src/accounts/index.ts";
import type { Database } from "../../src/db/index.ts";
import {
  configureGates,
  Dispatcher,
  type Claimed,
  type PlatformLimits,
  type RunEnd,
} from "../../src/dispatch/index.ts";
import type { DispatcherOptions } from "../../src/dispatch/dispatcher.ts";
import { grantPoints } from "../../src/points/index.ts";
import { endTasks, maintainResults, type EndTasksDeps, type RunResult } from "../../src/tasks/index.ts";
import { submitBatch } from "../../src/tasks/submit-batch.ts";
import type { AcceptableItem } from "../../src/tasks/read-items.ts";
import { testDatabase } from "./database.ts";

export const emptyResult: StoredResult = {
  content: "An answer.",
  pageHtml: null,
  modelVersion: null,
  observedAt: null,
  sources: [],
  products: [],
  videos: [],
  media: [],
  reasoningProcess: null,
  searchProcess: null,
  screenshotUrl: null,
  shareUrl: null,
  availability: {
    content: "present",
    sources: "none_on_platform",
    products: "none_on_platform",
    videos: "none_on_platform",
    media: "none_on_platform",
    reasoningProcess: "not_exposed",
    searchProcess: "not_exposed",
    pageHtml: "not_exposed",
    screenshot: "not_requested",
    share: "not_requested",
  },
  provenance: { kind: "sample", platform: "p", endpoint: null, region: null },
};

export const answered: RunEnd<RunResult> = { kind: "completed", result: { stored: emptyResult, raw: null } };

/** A run that the test sees: it goes on until the test, or an abort, ends it. */
export interface HeldRun {
  readonly claimed: Claimed;
  readonly signal: AbortSignal;
  end(end: RunEnd<RunResult>): void;
}

export interface Engine {
  readonly database: Database;
  readonly ends: EndTasksDeps;
  account(name: string, points?: number): Promise<string>;
  submit(accountId: string, count: number, change?: Partial<AcceptableItem>): Promise<string[]>;
  gate(limits?: Partial<PlatformLimits>): Promise<void>;
  /** A node; `run` answers each run, or leaves it to `held`. Stopped when the test file ends. */
  node(
    run?: (claimed: Claimed, signal: AbortSignal) => Promise<RunEnd<RunResult>>,
    options?: Partial<DispatcherOptions>,
  ): Promise<Node>;
  /** The invariants of the engine, whatever has happened. */
  assertSound(): Promise<void>;
}

export interface Node {
  readonly dispatcher: Dispatcher<string, RunResult>;
  readonly held: HeldRun[];
}

export async function testEngine(): Promise<Engine> {
  const { database } = await testDatabase();
  await maintainResults(database);
  const nodes: Dispatcher<string, RunResult>[] = [];
  const ends: EndTasksDeps = { retentionMs: 86_400_000, announce: async () => {} };
  after(() => Promise.all(nodes.map((node) => node.stop(0))));

  const engine: Engine = {
    database,
    ends,
    account: (name, points = 100_000) =>
      database.transaction(async (tx) => {
        const accountId = await insertAccount(tx, name);
        if (points > 0) await grantPoints(tx, { accountId, points, note: null });
        return accountId;
      }),
    async submit(accountId, count, change = {}) {
      const item: AcceptableItem = {
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
        ...change,
      };
      const key = { accountId, route: "test", key: `${Math.random()}`, fingerprint: Buffer.alloc(32) };
      const { accepted } = await submitBatch(database, key, () => Array.from({ length: count }, () => item));
      for (const node of nodes) node.wake(["p"]);
      return accepted.tasks.map((task) => task.taskId);
    },
    gate: (limits = {}) =>
      configureGates(database, [
        { code: "p", runningMax: 1000, rate: null, attemptsMax: 3, breakerAfter: null, ...limits },
      ]),
    async node(run, options = {}) {
      const held: HeldRun[] = [];
      const hold = (claimed: Claimed, signal: AbortSignal) =>
        new Promise<RunEnd<RunResult>>((resolve) => {
          const heldRun = { claimed, signal, end: resolve };
          held.push(heldRun);
          signal.addEventListener("abort", () => resolve({ kind: "aborted" }), { once: true });
        });
      const dispatcher = new Dispatcher<string, RunResult>(
        {
          database,
          log: () => {},
          work: {
            load: async (claimed) => new Map(claimed.map((task) => [task.taskId, task.taskId])),
            run: (_job, claimed, signal) => (run ?? hold)(claimed, signal),
            end: (tx, taskEnds) => endTasks(tx, taskEnds, ends),
            ended: () => {},
          },
        },
        { platforms: ["p"], slotsMax: 1000, name: "test", version: "0", alone: false, ...options },
      );
      nodes.push(dispatcher);
      await dispatcher.start();
      return { dispatcher, held };
    },
    assertSound: () => assertSound(database),
  };
  await engine.gate();
  return engine;
}

async function assertSound(database: Database): Promise<void> {
  const violations = {
    "an ended task still in the engine, or a pending one that is not":
      "select t.id from tasks t left join dispatch d on d.task_id = t.id and d.state <> 'aborting' where (t.state = 'pending') <> (d.task_id is not null)",
    "an ended task without exactly one capture or release":
      "select t.id from tasks t left join ledger l on l.task_id = t.id where t.state <> 'pending' group by t.id having count(l.id) <> 1",
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
    "days that do not add up to the ledger": `
      select a.id from accounts a
      where a.points_captured <> (select coalesce(sum(charged_points), 0) from usage_days u where u.account_id = a.id)
         or (select count(*) from tasks t where t.account_id = a.id and t.state <> 'pending')
            <> (select coalesce(sum(completed + failed + canceled), 0) from usage_days u where u.account_id = a.id)`,
  };
  for (const [what, sql] of Object.entries(violations)) {
    const { rows } = await database.query(sql);
    assert.deepEqual(rows, [], what);
  }
}
