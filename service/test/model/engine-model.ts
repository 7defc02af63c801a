/**
 * The engine as a model in memory, and commands that do the same to it and to the real one. Time does not pass by itself:
 * a command lets it. What is claimed is checked as a number and against what might be claimed; which tasks it were is learnt.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { lostAttempt } from "../../src/dispatch/queue/attempt-log.ts";
import { claim, type Claimed } from "../../src/dispatch/queue/claim.ts";
import { throttledFault } from "../../src/dispatch/run/decide-retry.ts";
import { releaseSlot, completeFenced } from "../../src/dispatch/queue/fence.ts";
import { throttlePlatform } from "../../src/dispatch/queue/limiter.ts";
import { registerNode, removeNode, renewLease } from "../../src/dispatch/node/nodes.ts";
import { reap } from "../../src/dispatch/node/node-upkeep.ts";
import { promoteDue, requeue, type Return } from "../../src/dispatch/queue/queue.ts";
import { ProblemError } from "../../src/api/problem-error.ts";
import { cancelTasks, endLateTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { endTasks } from "../../src/tasks/finish/end-tasks.ts";
import { forgetKeys } from "../../src/tasks/index.ts";
import { submitBatch } from "../../src/tasks/submit/submit-batch.ts";
import { acceptableItem, answered, type TestEngine } from "../harness/engine.ts";

interface ModelTask {
  readonly account: number;
  readonly batch: number;
  readonly price: number;
  state: "pending" | "completed" | "failed" | "canceled";
  /** Where it is in the engine; null: out of it. */
  queueState: "waiting" | "queued" | "running" | "aborting" | null;
  node: number | null;
  fence: number;
  attempt: number;
  deadline: boolean;
}

interface ModelRun {
  readonly node: number;
  readonly claimed: Claimed;
}

export interface Model {
  readonly tasks: Map<string, ModelTask>;
  readonly accounts: { available: number; queueMax: number }[];
  readonly nodes: { leased: boolean; gone: boolean }[];
  /** Every run that was ever claimed: those that lost their task are zombies. */
  readonly runs: ModelRun[];
  readonly keys: Map<string, { batchIds: string[]; forgotten: boolean }>;
  limit: number;
  /** Starts that the rate allows; null: any number. */
  tokens: number | null;
  held: boolean;
  price: number;
}

export interface Real {
  readonly engine: TestEngine;
  readonly accountIds: string[];
  readonly nodeIds: string[];
}

export const accountsCount = 3;
const firstPoints = 60;

export const newModel = (): Model => ({
  tasks: new Map(),
  accounts: Array.from({ length: accountsCount }, () => ({ available: firstPoints, queueMax: Infinity })),
  nodes: [],
  runs: [],
  keys: new Map(),
  limit: 5,
  tokens: null,
  held: false,
  price: 1,
});

/** An empty engine again, on the same database. */
export async function newReal(engine: TestEngine): Promise<Real> {
  // Not truncate: new files for thirty relations take longer than a whole history.
  await engine.database.query(
    [
      "deliveries",
      "ledger",
      "spending_hours",
      "usage_hours",
      "task_results",
      "tasks",
      "batches",
      "idempotency_keys",
      "dispatch",
      "account_lanes",
      "nodes",
      "platforms",
      "accounts",
      "test_starts",
      "test_over_limit",
    ]
      .map((table) => `delete from ${table}`)
      .join(";"),
  );
  await engine.limiter({ runningMax: 5 });
  const accountIds: string[] = [];
  for (let n = 0; n < accountsCount; n++) accountIds.push(await engine.account(`a${n}`, firstPoints));
  return { engine, accountIds, nodeIds: [] };
}

type Command = fc.AsyncCommand<Model, Real>;

const command = (
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command => ({ check, run, toString: () => name });

const countOf = (model: Model, test: (task: ModelTask) => boolean) => [...model.tasks.values()].filter(test).length;
const inHand = (task: ModelTask) => task.queueState === "running" || task.queueState === "aborting";

function end(model: Model, task: ModelTask, state: "completed" | "failed" | "canceled"): void {
  const account = model.accounts[task.account];
  assert.ok(account);
  if (state !== "completed") account.available += task.price;
  task.state = state;
}

function takeBack(model: Model, node: number): void {
  for (const task of model.tasks.values()) {
    if (task.node !== node) continue;
    if (task.queueState === "aborting") task.queueState = null;
    else if (task.queueState === "running") {
      task.queueState = "queued";
      task.attempt--;
    }
    task.node = null;
  }
}

const submit = (
  account: number,
  count: number,
  key: string | null,
  kind: "now" | "later" | "deadline",
  priority: number,
) =>
  command(`submit(${account}, ${count}, ${key}, ${kind}, ${priority})`, async (model, real) => {
    const owner = model.accounts[account];
    assert.ok(owner);
    const { price } = model;
    const name = `${account} ${key ?? Math.random()}`;
    const known = model.keys.get(name);
    const batch = [...model.keys.values()].reduce((sum, one) => sum + one.batchIds.length, 0);
    const submitting = submitBatch(
      real.engine.database,
      { accountId: real.accountIds[account] ?? "", route: "r", key: name, fingerprint: Buffer.alloc(32) },
      () =>
        Array.from({ length: count }, () => ({
          ...acceptableItem,
          pricePoints: price,
          priority,
          notBefore: kind === "later" ? new Date(Date.now() + 3_600_000).toISOString() : null,
          startBefore: kind === "deadline" ? new Date(Date.now() + 3_600_000).toISOString() : null,
        })),
    );
    if (known !== undefined && !known.forgotten) {
      const { replayed, accepted } = await submitting;
      assert.deepEqual({ replayed, id: accepted.batchId }, { replayed: true, id: known.batchIds.at(-1) });
      return;
    }
    if (owner.available < count * price) {
      await assert.rejects(submitting, (error) => error instanceof ProblemError && error.code === "points_short");
      return;
    }
    const { replayed, accepted } = await submitting;
    assert.equal(replayed, false);
    owner.available -= count * price;
    model.keys.set(name, { batchIds: [...(known?.batchIds ?? []), accepted.batchId], forgotten: false });
    for (const { taskId } of accepted.tasks) {
      model.tasks.set(taskId, {
        account,
        batch,
        price,
        state: "pending",
        queueState: kind === "later" ? "waiting" : "queued",
        node: null,
        fence: 0,
        attempt: 0,
        deadline: kind === "deadline",
      });
    }
  });

const startNode = command("start a node", async (model, real) => {
  real.nodeIds.push(await registerNode(real.engine.database, { name: "n", version: "0", leaseTtlMs: 3_600_000 }));
  model.nodes.push({ leased: true, gone: false });
});

const ofNode = (
  name: string,
  pick: number,
  run: (model: Model, real: Real, node: number, nodeId: string) => Promise<void>,
) =>
  command(
    `${name}(${pick})`,
    (model, real) => {
      const node = pick % model.nodes.length;
      return run(model, real, node, real.nodeIds[node] ?? "");
    },
    (model) => model.nodes.length > 0,
  );

const claimSome = (pick: number, slots: number) =>
  ofNode(`claim ${slots}`, pick, async (model, { engine }, node, nodeId) => {
    const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots });
    const ready = model.accounts.map(({ queueMax }, account) =>
      Math.max(
        0,
        Math.min(
          countOf(model, (task) => task.account === account && task.queueState === "queued"),
          queueMax - countOf(model, (task) => task.account === account && inHand(task)),
        ),
      ),
    );
    const open = model.nodes[node]?.leased === true && !model.held;
    const most = Math.min(
      slots,
      Math.max(0, model.limit - countOf(model, inHand)),
      model.tokens ?? Infinity,
      ready.reduce((sum, n) => sum + n, 0),
    );
    assert.equal(claimed.length, open ? most : 0, "claims all there is room for, and no more");
    for (const one of claimed) {
      const task = model.tasks.get(one.taskId);
      assert.ok(task?.queueState === "queued", "only what was queued");
      task.queueState = "running";
      task.node = node;
      task.fence++;
      task.attempt++;
      task.deadline = false;
      assert.deepEqual([one.fence, one.attempt], [task.fence, task.attempt]);
      model.runs.push({ node, claimed: one });
    }
    if (model.tokens !== null) model.tokens -= claimed.length;
  });

const ofRun = (
  name: string,
  pick: number,
  run: (model: Model, real: Real, run: ModelRun, task: ModelTask, mine: boolean) => Promise<void>,
) =>
  command(
    `${name}(${pick})`,
    (model, real) => {
      const one = model.runs[pick % model.runs.length];
      const task = one && model.tasks.get(one.claimed.taskId);
      assert.ok(one && task);
      const mine = task.queueState === "running" && task.fence === one.claimed.fence && task.node === one.node;
      return run(model, real, one, task, mine);
    },
    (model) => model.runs.length > 0,
  );

const finish = (pick: number, state: "completed" | "failed") =>
  ofRun(`finish ${state}`, pick, async (model, { engine, nodeIds }, run, task, mine) => {
    const nodeId = nodeIds[run.node] ?? "";
    const { taskId, accountId } = run.claimed;
    const ended = await engine.database.transaction(async (tx) => {
      const taken = await completeFenced(tx, nodeId, [run.claimed]);
      const held = taken.get(taskId);
      if (held === undefined) {
        await releaseSlot(tx, nodeId, [taskId]);
        return false;
      }
      assert.ok(answered.kind === "completed");
      const { startedAt, claimedAt, earlier } = held;
      const last = { startedAt: claimedAt, nodeId, probe: false };
      const base = { taskId, accountId, startedAt, attempts: run.claimed.fence, earlier, last };
      const fault = { code: "internal", stage: "platform", message: "", platformStatus: null } as const;
      await endTasks(
        tx,
        [
          state === "completed"
            ? { ...base, state, result: answered.result }
            : { ...base, state, fault, retryable: false },
        ],
        engine.ends,
      );
      return true;
    });
    assert.equal(ended, mine, mine ? "whoever holds a task can end it" : "a zombie writes nothing");
    if (mine) {
      end(model, task, state);
      task.queueState = null;
      task.node = null;
    } else if (task.queueState === "aborting" && task.node === run.node) {
      task.queueState = null;
      task.node = null;
    }
  });

const giveBack = (pick: number, kind: Return["kind"]) =>
  ofRun(`give back ${kind}`, pick, async (_model, { engine, nodeIds }, run, task, mine) => {
    const back: Return = kind === "retry" ? { kind, delayMs: 3_600_000 } : { kind };
    await requeue(engine.database, nodeIds[run.node] ?? "", [{ ...run.claimed, back, ended: lostAttempt(false) }]);
    if (!mine) return;
    // What is lost a second time waits.
    const { rows } = await engine.database.query<{ state: "waiting" | "queued" }>(
      "select state from dispatch where task_id = $1",
      [run.claimed.taskId],
    );
    task.queueState = rows[0]?.state ?? null;
    if (kind === "retry") assert.equal(task.queueState, "waiting");
    else if (kind !== "lost") assert.equal(task.queueState, "queued");
    task.node = null;
    if (kind !== "retry") task.attempt--;
  });

const throttle = (pick: number) =>
  ofNode("throttle", pick, async (model, { engine }, node, nodeId) => {
    await throttlePlatform(engine.database, nodeId, "p", 3_600_000, throttledFault(429));
    if (model.nodes[node]?.leased === true) model.held = true;
  });

const kill = (pick: number) =>
  ofNode("lease runs out", pick, async (model, { engine }, node, nodeId) => {
    await engine.database.query("update nodes set lease_until = now() - interval '1 second' where id = $1", [nodeId]);
    const it = model.nodes[node];
    if (it) it.leased = false;
  });

const renew = (pick: number) =>
  ofNode("renew", pick, async (model, { engine }, node, nodeId) => {
    // Also after it has run out: nobody has taken the node's work.
    const it = model.nodes[node];
    assert.equal(await renewLease(engine.database, nodeId, 3_600_000), it?.gone === false);
    if (it?.gone === false) it.leased = true;
  });

const reapAll = command("reap", async (model, { engine }) => {
  const dead = model.nodes.flatMap((node, n) => (!node.leased && !node.gone ? [n] : []));
  const requeued = countOf(model, (task) => task.queueState === "running" && dead.includes(task.node ?? -1));
  const reaped = await reap(engine.database, { nodeId: null }, async () => assert.fail("none was lost so often"));
  assert.deepEqual(reaped, { nodes: dead.length, requeued });
  for (const node of dead) {
    takeBack(model, node);
    const it = model.nodes[node];
    if (it) it.gone = true;
  }
});

const stop = (pick: number) =>
  ofNode("stop", pick, async (model, { engine }, node, nodeId) => {
    await removeNode(engine.database, nodeId);
    takeBack(model, node);
    model.nodes[node] = { leased: false, gone: true };
  });

const cancel = (picks: readonly number[]) =>
  command(
    `cancel(${picks.join()})`,
    async (model, { engine }) => {
      const ids = [...model.tasks.keys()];
      await cancelThese(model, engine, [...new Set(picks.map((pick) => ids[pick % ids.length] ?? ""))]);
    },
    (model) => model.tasks.size > 0,
  );

const cancelBatch = (pick: number) =>
  command(
    `cancel batch(${pick})`,
    async (model, { engine }) => {
      const batches = [...new Set([...model.tasks.values()].map((task) => task.batch))];
      const batch = batches[pick % batches.length];
      const ids = [...model.tasks].filter(([, task]) => task.batch === batch).map(([id]) => id);
      await cancelThese(model, engine, ids);
    },
    (model) => model.tasks.size > 0,
  );

async function cancelThese(model: Model, engine: TestEngine, ids: readonly string[]): Promise<void> {
  const canceled = await cancelTasks(engine.database, ids, engine.ends);
  const pending = ids.filter((id) => model.tasks.get(id)?.state === "pending");
  assert.deepEqual(canceled.taskIds.toSorted(), pending.toSorted());
  for (const id of pending) {
    const task = model.tasks.get(id);
    assert.ok(task);
    end(model, task, "canceled");
    task.queueState = task.queueState === "running" ? "aborting" : null;
  }
}

const setLimit = (limit: number) =>
  command(`limit ${limit}`, async (model, { engine }) => {
    await engine.database.query("update platforms set running_max = $1", [limit]);
    model.limit = limit;
  });

const setRate = (burst: number | null) =>
  command(`rate ${burst}`, async (model, { engine }) => {
    const rate = burst === null ? null : { perSecond: 1 / 36_000, burst };
    await engine.limiter({ runningMax: model.limit, rate });
    await engine.database.query("update platforms set rate_tat = '-infinity'");
    model.tokens = burst;
  });

const setQueueMax = (account: number, max: number) =>
  command(`account queue of ${account}: ${max}`, async (model, { engine, accountIds }) => {
    await engine.database.query(
      `insert into account_lanes (platform, account_id, running_max) values ('p', $1, $2)
       on conflict (platform, account_id) do update set running_max = excluded.running_max`,
      [accountIds[account], max],
    );
    const it = model.accounts[account];
    if (it) it.queueMax = max;
  });

const setPrice = (price: number) => command(`price ${price}`, async (model) => void (model.price = price));

const throttleOver = command("the throttle is over", async (model, { engine }) => {
  await engine.database.query("update platforms set held_until = null");
  model.held = false;
});

const timePasses = command("waiting is over", async (model, { engine }) => {
  await engine.database.query("update dispatch set run_at = now() where state = 'waiting'");
  await promoteDue(engine.database);
  for (const task of model.tasks.values()) if (task.queueState === "waiting") task.queueState = "queued";
});

const deadlinesPass = command("deadlines pass", async (model, { engine }) => {
  await engine.database.query(
    "update dispatch set start_before = now() - interval '1 second' where start_before is not null",
  );
  const late = [...model.tasks].filter(([, task]) => task.deadline && task.state === "pending");
  const { taskIds } = await endLateTasks(engine.database, engine.ends);
  assert.deepEqual(taskIds.toSorted(), late.map(([id]) => id).toSorted());
  for (const [, task] of late) {
    end(model, task, "failed");
    task.queueState = null;
  }
});

const keysExpire = command("keys expire", async (model, { engine }) => {
  await engine.database.query("update idempotency_keys set created_at = now() - interval '8 days'");
  await forgetKeys(engine.database);
  for (const key of model.keys.values()) key.forgotten = true;
});

const small = fc.nat({ max: 30 });
const account = fc.nat({ max: accountsCount - 1 });

export const commands: fc.Arbitrary<Command>[] = [
  fc
    .tuple(
      account,
      fc.integer({ min: 1, max: 8 }),
      fc.option(fc.constantFrom("x", "y"), { freq: 4 }),
      fc.constantFrom("now" as const, "now" as const, "later" as const, "deadline" as const),
      fc.nat({ max: 9 }),
    )
    .map((words) => submit(...words)),
  fc.constant(startNode),
  fc.tuple(small, fc.integer({ min: 1, max: 6 })).map((words) => claimSome(...words)),
  fc.tuple(small, fc.integer({ min: 1, max: 6 })).map((words) => claimSome(...words)),
  fc
    .tuple(small, fc.constantFrom("completed" as const, "completed" as const, "failed" as const))
    .map((words) => finish(...words)),
  fc.tuple(small, fc.constantFrom("completed" as const, "failed" as const)).map((words) => finish(...words)),
  fc
    .tuple(small, fc.constantFrom("retry" as const, "throttled" as const, "handed_back" as const, "lost" as const))
    .map((words) => giveBack(...words)),
  small.map(throttle),
  small.map(kill),
  small.map(renew),
  fc.constant(reapAll),
  small.map(stop),
  fc.array(small, { minLength: 1, maxLength: 4 }).map(cancel),
  small.map(cancelBatch),
  fc.nat({ max: 8 }).map(setLimit),
  fc.option(fc.integer({ min: 1, max: 10 })).map(setRate),
  fc.tuple(account, fc.nat({ max: 4 })).map((words) => setQueueMax(...words)),
  fc.nat({ max: 5 }).map(setPrice),
  fc.constant(throttleOver),
  fc.constant(timePasses),
  fc.constant(deadlinesPass),
  fc.constant(keysExpire),
];

/** What the model says and what the database says are the same. */
export async function assertSame(model: Model, { engine, accountIds }: Real): Promise<void> {
  const { rows: tasks } = await engine.database.query<{
    id: string;
    state: string;
    queueState: string | null;
    attempt: number | null;
  }>(
    'select t.id, t.state, d.state as "queueState", d.attempt from tasks t left join dispatch d on d.task_id = t.id order by t.id',
  );
  assert.deepEqual(
    tasks,
    [...model.tasks]
      .map(([id, { state, queueState, attempt }]) => ({
        id,
        state,
        queueState,
        attempt: queueState === null ? null : attempt,
      }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const { rows: accounts } = await engine.database.query<{ id: string; available: number }>(
    "select id, points_available as available from accounts",
  );
  assert.deepEqual(
    new Map(accounts.map((row) => [row.id, row.available])),
    new Map(accountIds.map((id, n) => [id, model.accounts[n]?.available])),
  );
  await engine.assertSound();
}
