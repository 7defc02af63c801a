/** Interleavings that a lucky timing would hide, forced by holding named race points. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { completeFenced } from "../../src/dispatch/queue/fence.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { reap } from "../../src/dispatch/node/node-upkeep.ts";
import { cancelTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { endTasks } from "../../src/tasks/finish/end-tasks.ts";
import { answered, loseLeases, testEngine, type TestEngine } from "../harness/engine.ts";
import { holdAt } from "../harness/race.ts";
import { until } from "../harness/wait.ts";

const completedEnd = (accountId: string, taskId: string) => {
  assert.ok(answered.kind === "completed");
  const { result } = answered;
  return { taskId, accountId, startedAt: new Date(), attempts: 1, state: "completed", result } as const;
};

const expireLease = ({ database }: TestEngine, nodeId: string) =>
  database.query("update nodes set lease_until = now() - interval '1 second' where id = $1", [nodeId]);

/** True when `work` is still under way after everything that could end it had time to. */
const isPending = async (work: Promise<unknown>) =>
  (await Promise.race([work.then(() => "done"), new Promise((resolve) => setTimeout(resolve, 150, "pending"))])) ===
  "pending";

test("a cancellation that comes while an end is being written waits for it, and finds nothing to cancel", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  using hold = holdAt("finish.fenced");
  await engine.node(async () => answered);
  const taskIds = await engine.submit(account, 1);
  await hold.reached;
  const canceling = cancelTasks(engine.database, taskIds, engine.ends);
  assert.ok(await isPending(canceling));
  hold.release();
  assert.deepEqual((await canceling).taskIds, []);
  assert.deepEqual(await engine.states(), { completed: 1 });
  await engine.assertSound();
});

test("an end that comes while a cancellation is being written is turned away, and the slot becomes free", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 1 });
  const account = await engine.account("a");
  const { held } = await engine.node();
  const taskIds = await engine.submit(account, 1);
  const run = await until("the run", () => held[0]);
  using hold = holdAt("cancel.dequeued");
  const canceling = cancelTasks(engine.database, taskIds, engine.ends);
  await hold.reached;
  run.end(answered);
  hold.release();
  assert.deepEqual((await canceling).taskIds, taskIds);
  assert.deepEqual(await engine.states(), { canceled: 1 });
  await engine.submit(account, 1);
  (await until("the next run", () => held[1])).end(answered);
  await engine.allEnded();
  await engine.assertSound();
});

test("a node whose work is reaped just before its end is written writes nothing", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const slow = await engine.node();
  await engine.submit(account, 3);
  const runs = await until("the runs", () => slow.held.length === 3 && slow.held);
  using hold = holdAt("finish.before_fence");
  for (const run of runs) run.end(answered);
  const zombie = await hold.reached;
  await expireLease(engine, zombie);
  // As below: a reaper passes over a node whose row is locked for an instant.
  await until(
    "a reaper to find the node",
    async () => (await reap(engine.database, { nodeId: null }, async () => {})).nodes === 1,
  );
  const { rows } = await engine.database.query<{ attempt: number }>(
    "select distinct attempt from dispatch where state = 'queued'",
  );
  assert.deepEqual(rows, [{ attempt: 0 }], "the work is back, at no cost");
  hold.release();
  await until("the node to start them again", () => slow.held.length === 6);
  for (const run of slow.held.slice(3)) run.end(answered);
  await engine.allEnded();
  await engine.assertSound();
});

test("a reaper that comes while an end is being written does not start the task again", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  using hold = holdAt("finish.fenced");
  await engine.node(async () => answered);
  await engine.submit(account, 1);
  const nodeId = await hold.reached;
  await expireLease(engine, nodeId);
  // A reaper passes over a node whose row is locked, as it is for an instant while the node itself claims.
  const reaping = await until("a reaper to wait for the task's row", async () => {
    const result = reap(engine.database, { nodeId: null }, async () => {});
    if (await isPending(result)) return { result };
    assert.equal((await result).requeued, 0);
    return null;
  });
  hold.release();
  assert.equal((await reaping.result).requeued, 0);
  await engine.allEnded();
  assert.equal((await engine.starts()).length, 1);
  await engine.assertSound();
});

test("a reaper that comes while a cancellation is being written waits for it, and leaves no slot taken", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const taskIds = await engine.submit(account, 1);
  const dead = await registerNode(engine.database, { name: "dead", version: "0", leaseTtlMs: 60_000 });
  assert.equal((await claim(engine.database, { platform: "p", nodeId: dead, slots: 1 })).claimed.length, 1);
  await expireLease(engine, dead);
  using hold = holdAt("cancel.dequeued");
  const canceling = cancelTasks(engine.database, taskIds, engine.ends);
  await hold.reached;
  const reaping = reap(engine.database, { nodeId: null }, async () => {});
  await until("the reaper to wait for the cancellation", async () => {
    const { rowCount } = await engine.database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  });
  hold.release();
  assert.deepEqual((await canceling).taskIds, taskIds);
  await reaping;
  assert.deepEqual((await engine.database.query("select from dispatch")).rowCount, 0);
  await engine.assertSound();
});

test("two ends of one run that are written at once make one end", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const [taskId = ""] = await engine.submit(account, 1);
  const nodeId = await registerNode(engine.database, { name: "n", version: "0", leaseTtlMs: 60_000 });
  const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots: 1 });
  const written = await Promise.all(
    Array.from({ length: 8 }, () =>
      engine.database.transaction(async (tx) => {
        const mine = await completeFenced(tx, nodeId, claimed);
        if (mine.size > 0) await endTasks(tx, [completedEnd(account, taskId)], engine.ends);
        return mine.size;
      }),
    ),
  );
  assert.equal(
    written.reduce((sum, n) => sum + n, 0),
    1,
  );
  await engine.assertSound();
});

test("the record refuses a second end even when the engine's fence has failed", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const [taskId = ""] = await engine.submit(account, 1);
  await engine.database.query("delete from dispatch");
  const end = () => engine.database.transaction((tx) => endTasks(tx, [completedEnd(account, taskId)], engine.ends));
  await Promise.all([end(), end(), end()]);
  await engine.assertSound();
});

test("a claim whose lease runs out in the middle is taken back, and nothing is lost or done twice", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 5);
  const nodeId = await registerNode(engine.database, { name: "n", version: "0", leaseTtlMs: 60_000 });
  using hold = holdAt("claim.limiter_locked", nodeId);
  const claiming = claim(engine.database, { platform: "p", nodeId, slots: 10 });
  await hold.reached;
  await expireLease(engine, nodeId);
  const early = await reap(engine.database, { nodeId: null }, async () => {});
  assert.equal(early.nodes, 0, "a node is not declared dead under its own claim");
  hold.release();
  const { claimed } = await claiming;
  assert.equal(claimed.length, 5);
  const late = await reap(engine.database, { nodeId: null }, async () => {});
  assert.deepEqual(late, { nodes: 1, requeued: 5 });
  const taken = await engine.database.transaction((tx) => completeFenced(tx, nodeId, claimed));
  assert.equal(taken.size, 0, "what the dead node claimed it can't end");
  await engine.node(async () => answered);
  await engine.allEnded();
  await engine.assertSound();
});

test("a task that is submitted while a claim waits starts after it was created, and not past its latest start", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 1);
  const nodeId = await registerNode(engine.database, { name: "n", version: "0", leaseTtlMs: 60_000 });
  using hold = holdAt("claim.limiter_locked", nodeId);
  const claiming = claim(engine.database, { platform: "p", nodeId, slots: 10 });
  await hold.reached;
  const [during] = await engine.submit(account, 1);
  const lastStart = Date.now() + 200;
  const [late] = await engine.submit(account, 1, { startBefore: new Date(lastStart).toISOString() });
  await until("the latest start to pass", () => Date.now() > lastStart);
  hold.release();
  const claimed = (await claiming).claimed.map(({ taskId }) => taskId);
  assert.ok(claimed.includes(during ?? ""));
  assert.ok(!claimed.includes(late ?? ""));
  const { rows } = await engine.database.query<{ wrong: boolean }>(
    `select d.started_at < t.created_at or d.claimed_at <> d.started_at as wrong from dispatch d join tasks t on t.id = d.task_id
     where d.node_id = $1`,
    [nodeId],
  );
  assert.deepEqual(rows, [{ wrong: false }, { wrong: false }]);
});

test("a limit that is lowered while a claim is under way takes effect after it, and holds for every later one", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 8 });
  const account = await engine.account("a");
  const first = await engine.node();
  await engine.submit(account, 40);
  await until("eight to run", () => first.held.length === 8);
  const changing = engine.limiter({ runningMax: 2 });
  await changing;
  for (const run of first.held.slice(0, 6)) run.end(answered);
  await until("six to end", async () => (await engine.states())["completed"] === 6);
  assert.equal(first.held.length, 8, "two still run: nothing more starts");
  for (let next = 6; next < 40; next++) {
    const run = await until("the next run", () => first.held[next]);
    assert.ok(first.held.length <= next + 2, "never more than two at once");
    run.end(answered);
  }
  await engine.allEnded();
  await engine.assertSound();
});

test("cancellations of batches with mixed priorities succeed beside claims of the same tasks", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 30 });
  const account = await engine.account("a");
  const run = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return answered;
  };
  await Promise.all([engine.node(run), engine.node(run)]);
  for (let round = 0; round < 8; round++) {
    const taskIds = (
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => engine.submit(account, 30, { priority: n % 10, tags: [`${round}`] })),
      )
    ).flat();
    // Both at once, in different orders.
    await Promise.all([
      cancelTasks(engine.database, taskIds, engine.ends),
      cancelTasks(engine.database, taskIds.toReversed(), engine.ends),
    ]);
  }
  await engine.allEnded();
  await engine.assertSound();
});

test("a run that outlives its node's lease does not touch the next run of its task on the same node", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const deaf = Promise.withResolvers<typeof answered>();
  const signals: AbortSignal[] = [];
  const node = await engine.node(
    async (_claimed, signal) => {
      signals.push(signal);
      // The first run does not heed its abort; the second ends only by its time limit.
      if (signals.length === 1) return deaf.promise;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ kind: "aborted" })));
    },
    { times: { leaseTtlMs: 5000, renewEveryMs: 200 } },
  );
  await engine.submit(account, 1, { runTimeoutSeconds: 2 });
  await until("the first run", () => signals.length === 1);
  await loseLeases(engine);
  await until("the second run", () => signals.length === 2);
  assert.equal(signals[0]?.aborted, true);
  deaf.resolve(answered);
  // Neither forgotten nor ended by the first: its own time limit ends it.
  await until("the second run's time limit", () => signals[1]?.aborted);
  await engine.allEnded();
  assert.deepEqual(await engine.states(), { failed: 1 });
  assert.equal(node.dispatcher.inFlight, 0);
  await engine.assertSound();
});
