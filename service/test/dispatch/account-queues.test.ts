/** Claims look only at accounts that are marked as having work: none with work is ever without its mark. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../src/kernel/ids.ts";
import { clearQueues, learnPositions, markForgotten, raisePositions } from "../../src/dispatch/queue/account-queues.ts";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { registerNode, removeNode } from "../../src/dispatch/node/nodes.ts";
import { promoteDue } from "../../src/dispatch/queue/queue.ts";
import { atRacePoints } from "../../src/runtime/race-points.ts";
import { cancelTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { answered, testEngine, type TestEngine } from "../harness/engine.ts";
import { holdAt } from "../harness/race.ts";
import { until } from "../harness/wait.ts";

const newNode = ({ database }: TestEngine) =>
  registerNode(database, { name: "n", version: "0", leaseTtlMs: 3_600_000 });

async function marked({ database }: TestEngine): Promise<string[]> {
  const { rows } = await database.query<{ account_id: string }>(
    "select account_id from account_lanes where has_work order by account_id",
  );
  return rows.map((row) => row.account_id);
}

/** An account whose queue is empty, and still marked. */
async function emptied(engine: TestEngine): Promise<string> {
  const account = await engine.account("a");
  await cancelTasks(engine.database, await engine.submit(account, 1), engine.ends);
  return account;
}

const waitsForLock = ({ database }: TestEngine) =>
  until("someone to wait for a lock", async () => {
    const { rowCount } = await database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return (rowCount ?? 0) > 0;
  });

/** The submission has been stopped, but its statements may still be on their way. */
const holdsQueue = ({ database }: TestEngine, accountId: string) =>
  until("the submission to lock its account's queue", async () => {
    const { rowCount } = await database.query(
      "select from account_lanes where account_id = $1 for update skip locked",
      [accountId],
    );
    return rowCount === 0;
  });

test("a mark is cleared only if nothing is queued, and set by the next task", async () => {
  const engine = await testEngine();
  const account = await emptied(engine);
  const other = await engine.account("b");
  await engine.submit(other, 1);
  assert.equal(await clearQueues(engine.database, "p", [account, other]), 1);
  assert.deepEqual(await marked(engine), [other]);
  await engine.submit(account, 1);
  assert.deepEqual(await marked(engine), [account, other].toSorted());
  await engine.assertSound();
});

test("a submission that comes while its account's mark is being cleared waits, and sets it again", async () => {
  const engine = await testEngine();
  const account = await emptied(engine);
  using hold = holdAt("account_queues.cleared");
  const clearing = clearQueues(engine.database, "p", [account]);
  await hold.reached;
  const submitting = engine.submit(account, 1);
  await waitsForLock(engine);
  hold.release();
  await Promise.all([clearing, submitting]);
  assert.deepEqual(await marked(engine), [account]);
  await engine.assertSound();
});

test("a mark is not cleared while a submission is under way, nor one whose submission was committed before the lock", async () => {
  const engine = await testEngine();
  const account = await emptied(engine);
  {
    using hold = holdAt("submit.before_hold", account);
    const submitting = engine.submit(account, 1);
    await hold.reached;
    await holdsQueue(engine, account);
    assert.equal(await clearQueues(engine.database, "p", [account]), 0);
    hold.release();
    await submitting;
  }
  assert.equal(await clearQueues(engine.database, "p", [account]), 0);
  assert.deepEqual(await marked(engine), [account]);
  await engine.assertSound();
});

test("claims go on beside a submission that is under way", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 2);
  const nodeId = await newNode(engine);
  using hold = holdAt("submit.before_hold", account);
  const submitting = engine.submit(account, 1);
  await hold.reached;
  await holdsQueue(engine, account);
  assert.equal((await claim(engine.database, { platform: "p", nodeId, slots: 5 })).claimed.length, 2);
  hold.release();
  await submitting;
  assert.equal((await claim(engine.database, { platform: "p", nodeId, slots: 5 })).claimed.length, 1);
});

test("what becomes due, and what returns to the queue, is marked again", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { dispatcher, held } = await engine.node();
  await engine.submit(account, 1);
  await until("it to run", () => held[0]);
  await clearQueues(engine.database, "p", [account]);
  assert.deepEqual(await marked(engine), []);
  await dispatcher.stop(0);
  assert.deepEqual(await marked(engine), [account], "a node that stops");
  await engine.assertSound();

  await clearQueues(engine.database, "p", [account]);
  await engine.database.query("update dispatch set state = 'waiting', run_at = now()");
  assert.equal(await clearQueues(engine.database, "p", [account]), 1);
  assert.deepEqual((await promoteDue(engine.database)).platforms, ["p"]);
  assert.deepEqual(await marked(engine), [account], "a task that is due");
  await engine.assertSound();
  await engine.node(async () => answered);
  await engine.allEnded();
});

/** By rank: where claims begin to read an account's queue. */
async function positions({ database }: TestEngine, accountId: string): Promise<(string | null)[]> {
  const { rows } = await database.query<{ positions: (string | null)[] }>(
    "select positions from account_lanes where account_id = $1",
    [accountId],
  );
  return rows[0]?.positions ?? [];
}

/** Tasks of the default priority. */
const rank = 4;

test("a position is raised to the first task that is queued, and a task that returns before it lowers it", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const tasks = (await engine.submit(account, 3)).toSorted();
  assert.equal((await positions(engine, account))[rank], tasks[0]);
  const nodeId = await newNode(engine);
  const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots: 2 });
  assert.deepEqual(claimed.map(({ taskId }) => taskId).toSorted(), tasks.slice(0, 2));
  const raise = () => raisePositions(engine.database, "p", [{ accountId: account, rank, taskId: tasks[1] ?? "" }]);
  await raise();
  assert.equal((await positions(engine, account))[rank], tasks[2]);

  await removeNode(engine.database, nodeId);
  assert.equal((await positions(engine, account))[rank], tasks[0], "the tasks of a node that is gone are queued again");
  await engine.assertSound();
  await engine.node(async () => answered);
  await engine.allEnded();
  await raise();
  assert.equal((await positions(engine, account))[rank], tasks[1], "nothing is queued: what was claimed last");
  await engine.submit(account, 1);
  await engine.assertSound();
  await engine.allEnded();
});

test("a position is not raised beside a submission that is under way, whose task may have a lower id", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const nodeId = await newNode(engine);
  const [first = ""] = await engine.submit(account, 1);
  using hold = holdAt("submit.before_hold", account);
  const submitting = engine.submit(account, 1);
  await hold.reached;
  await holdsQueue(engine, account);
  assert.equal((await claim(engine.database, { platform: "p", nodeId, slots: 5 })).claimed.length, 1);
  await raisePositions(engine.database, "p", [{ accountId: account, rank, taskId: newId() }]);
  assert.equal((await positions(engine, account))[rank], first);
  hold.release();
  const [late = ""] = await submitting;
  assert.deepEqual(
    (await claim(engine.database, { platform: "p", nodeId, slots: 5 })).claimed.map(({ taskId }) => taskId),
    [late],
  );
  await engine.assertSound();
});

test("a task below the position, queued after it was raised, is found at once", async () => {
  const engine = await testEngine();
  const account = await emptied(engine);
  await raisePositions(engine.database, "p", [
    { accountId: account, rank, taskId: "ffffffff-ffff-7fff-bfff-ffffffffffff" },
  ]);
  assert.equal((await positions(engine, account))[rank], "ffffffff-ffff-7fff-bfff-ffffffffffff");
  const [task] = await engine.submit(account, 1);
  assert.equal((await positions(engine, account))[rank], task);
  await engine.assertSound();
  await engine.node(async () => answered);
  await engine.allEnded();
});

test("positions that are not known, as after an upgrade, are learned", async () => {
  const engine = await testEngine();
  const account = await engine.account("b");
  const [first] = (await engine.submit(account, 2)).toSorted();
  const empty = await emptied(engine);
  await engine.database.query("update account_lanes set positions = default");
  await learnPositions(engine.database);
  const others = Array.from({ length: 10 }, (_, at) => (at === rank ? first : null));
  assert.deepEqual(await positions(engine, account), others);
  assert.deepEqual(
    await positions(engine, empty),
    Array.from({ length: 10 }, () => null),
  );
  await engine.submit(empty, 1);
  await engine.assertSound();
  await engine.node(async () => answered);
  await engine.allEnded();
});

test("more accounts without work than a claim looks at do not hide the ones behind them, and are not read again", async () => {
  const engine = await testEngine();
  const idle = await Promise.all(Array.from({ length: 60 }, (_, n) => engine.account(`idle${n}`)));
  for (const account of idle) await cancelTasks(engine.database, await engine.submit(account, 1), engine.ends);
  const account = await engine.account("a");
  await engine.submit(account, 3);
  // Last in line.
  await engine.database.query("update account_lanes set pass = 1 where account_id = $1", [account]);
  const nodeId = await newNode(engine);
  let claimed = 0;
  for (let more = true; more && claimed === 0;) {
    const result = await claim(engine.database, { platform: "p", nodeId, slots: 1 });
    claimed += result.claimed.length;
    more = result.more;
  }
  assert.equal(claimed, 1);
  assert.ok((await marked(engine)).length < 30);
});

test("an error while marks are cleared does not lose what was claimed", async () => {
  const engine = await testEngine();
  const idle = await Promise.all(Array.from({ length: 12 }, (_, n) => engine.account(`idle${n}`)));
  for (const account of idle) await cancelTasks(engine.database, await engine.submit(account, 1), engine.ends);
  await engine.submit(await engine.account("a"), 3);
  const nodeId = await newNode(engine);
  let failed = 0;
  atRacePoints((point) => {
    if (point !== "account_queues.locked") return;
    failed++;
    throw new Error("the database is away");
  });
  const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots: 3 });
  atRacePoints(null);
  assert.deepEqual([failed, claimed.length], [1, 3]);
});

test("accounts at their limit, however many, do not hide the ones behind them", async () => {
  const engine = await testEngine();
  const full = await Promise.all(Array.from({ length: 40 }, (_, n) => engine.account(`full${n}`)));
  for (const account of full) await engine.submit(account, 2);
  await engine.database.query("update account_lanes set running_max = 1");
  const nodeId = await newNode(engine);
  assert.equal((await claim(engine.database, { platform: "p", nodeId, slots: 100 })).claimed.length, 40);
  const free = await engine.account("free");
  await engine.submit(free, 3);
  await engine.database.query("update account_lanes set pass = 5 where account_id = $1", [free]);
  const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots: 2 });
  assert.deepEqual(
    claimed.map(({ accountId }) => accountId),
    [free, free],
  );
  await engine.assertSound();
});

test("work that a process of the version before has queued is found", async () => {
  const engine = await testEngine();
  const account = await emptied(engine);
  await clearQueues(engine.database, "p", [account]);
  await engine.submit(account, 1);
  await engine.database.query("update account_lanes set has_work = false");
  const [first, second] = [await newNode(engine), await newNode(engine)].toSorted();
  assert.deepEqual(await markForgotten(engine.database, second ?? ""), [], "one node looks, the first");
  assert.deepEqual(await markForgotten(engine.database, first ?? ""), ["p"]);
  assert.deepEqual(await marked(engine), [account]);
});

test("a claim from an empty queue waits for nobody who holds the platform's row", async () => {
  const engine = await testEngine();
  const nodeId = await newNode(engine);
  await engine.database.transaction(async (tx) => {
    await tx.query("select from platforms where code = 'p' for update");
    const { claimed, backlog } = await claim(engine.database, { platform: "p", nodeId, slots: 10 });
    assert.deepEqual({ claimed, backlog }, { claimed: [], backlog: false });
  });
});
