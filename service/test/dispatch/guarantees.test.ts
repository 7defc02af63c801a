/** The guarantees of the engine, over several nodes on one database: ends, limits, shares, throttles and breakers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { completeFenced } from "../../src/dispatch/queue/fence.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { cancelTasks, endLateTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { answered, loseLeases, testEngine, type TestEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

const states = async ({ database }: TestEngine) => {
  const { rows } = await database.query<{ state: string; n: number }>(
    "select state, count(*) as n from tasks group by state",
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.n])) as Record<string, number>;
};

const allEnded = (engine: TestEngine) =>
  until("all tasks to end", async () => ((await states(engine))["pending"] ?? 0) === 0);

test("every task ends once, and the points of every end are captured once", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.node(async () => answered);
  await Promise.all(Array.from({ length: 10 }, () => engine.submit(account, 50)));
  await allEnded(engine);
  assert.deepEqual(await states(engine), { completed: 500 });
  await engine.assertSound();
});

test("a platform's limit holds at every instant over all nodes", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 3 });
  const account = await engine.account("a");
  let running = 0;
  let most = 0;
  const run = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 3));
    running--;
    return answered;
  };
  await Promise.all([engine.node(run), engine.node(run), engine.node(run), engine.node(run)]);
  await Promise.all(Array.from({ length: 6 }, () => engine.submit(account, 20)));
  await allEnded(engine);
  assert.equal(most, 3);
  await engine.assertSound();
});

test("starts in any window stay within the rate and the burst, over all nodes", async () => {
  const engine = await testEngine();
  await engine.limiter({ rate: { perSecond: 40, burst: 5 } });
  const account = await engine.account("a");
  await Promise.all([engine.node(async () => answered), engine.node(async () => answered)]);
  await engine.submit(account, 60);
  await allEnded(engine);
  // The database's own clock: the start as it was claimed.
  const { rows } = await engine.database.query<{ at: number }>(
    "select extract(epoch from started_at)::float8 as at from tasks order by started_at",
  );
  const starts = rows.map((row) => row.at);
  for (const [i, from] of starts.entries()) {
    for (let j = i; j < starts.length; j++) {
      const span = (starts[j] ?? from) - from;
      assert.ok(j - i + 1 <= 40 * span + 5 + 1e-3, `${j - i + 1} starts within ${span} s`);
    }
  }
});

test("a small account beside a busy one is served by its share", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 2 });
  const [busy, small] = [await engine.account("busy"), await engine.account("small")];
  await engine.submit(busy, 200);
  await engine.submit(small, 10);
  const order: string[] = [];
  await engine.node(async (claimed) => {
    order.push(claimed.accountId);
    return answered;
  });
  await allEnded(engine);
  const rank = order.lastIndexOf(small) + 1;
  assert.ok(rank <= 2 * 10 * 2, `the last of the small account's 10 started as number ${rank}`);
});

test("an account that was away gets no credit for it", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 1 });
  const [early, late] = [await engine.account("early"), await engine.account("late")];
  const order: string[] = [];
  await engine.node(async (claimed) => {
    order.push(claimed.accountId);
    return answered;
  });
  await engine.submit(early, 40);
  await allEnded(engine);
  order.length = 0;
  await engine.limiter({ runningMax: 1 });
  await Promise.all([engine.submit(late, 30), engine.submit(early, 30)]);
  await allEnded(engine);
  const firstHalf = order.slice(0, 30).filter((account) => account === late).length;
  assert.ok(firstHalf <= 20, `the late account had ${firstHalf} of the first 30 starts`);
});

test("priority orders an account's own tasks", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 1 });
  const account = await engine.account("a");
  const low = await engine.submit(account, 1, { priority: 0 });
  const normal = await engine.submit(account, 1);
  const high = await engine.submit(account, 1, { priority: 9 });
  const order: string[] = [];
  await engine.node(async (claimed) => {
    order.push(claimed.taskId);
    return answered;
  });
  await allEnded(engine);
  assert.deepEqual(order, [...high, ...normal, ...low]);
});

test("a zombie's result is refused after its lease was taken", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const [taskId] = await engine.submit(account, 1);
  assert.ok(taskId);
  const zombie = await registerNode(engine.database, { name: "z", version: "0", leaseTtlMs: 60_000 });
  const { claimed } = await claim(engine.database, { platform: "p", nodeId: zombie, slots: 5 });
  assert.equal(claimed.length, 1);
  // Its lease runs out, and another node takes its work.
  await engine.database.query("update nodes set lease_until = now() - interval '1 second' where id = $1", [zombie]);
  const { held } = await engine.node();
  const run = await until("the task to run again", () => held[0]);
  const taken = await engine.database.transaction((tx) => completeFenced(tx, zombie, claimed));
  assert.equal(taken.size, 0);
  const more = await claim(engine.database, { platform: "p", nodeId: zombie, slots: 5 });
  assert.equal(more.claimed.length, 0, "a node without a lease claims nothing");
  assert.equal(run.claimed.attempt, 1, "the lost run burned no attempt");
  run.end(answered);
  await allEnded(engine);
  await engine.assertSound();
});

test("work of a dead node starts elsewhere once its lease has run out", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const dead = await registerNode(engine.database, { name: "dead", version: "0", leaseTtlMs: 60_000 });
  await engine.submit(account, 20);
  const { claimed } = await claim(engine.database, { platform: "p", nodeId: dead, slots: 20 });
  assert.equal(claimed.length, 20);
  await engine.database.query("update nodes set lease_until = now() + interval '600 milliseconds'");
  await engine.node(async () => answered, { times: { leaseTtlMs: 5000, renewEveryMs: 200 } });
  await allEnded(engine);
  await engine.assertSound();
});

test("a node whose work was taken over aborts it, and goes on under a new lease", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { held } = await engine.node(undefined, { times: { leaseTtlMs: 5000, renewEveryMs: 100 } });
  await engine.submit(account, 1);
  const run = await until("the task to run", () => held[0]);
  await loseLeases(engine);
  await until("the run to be aborted", () => run.signal.aborted);
  const again = await until("the task to run again under a new lease", () => held[1]);
  again.end(answered);
  await allEnded(engine);
  await engine.assertSound();
});

test("a graceful stop hands work back at once and uses up no attempt", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const first = await engine.node();
  await engine.submit(account, 5);
  await until("all to run", () => first.held.length === 5);
  await first.dispatcher.stop(0);
  const second = await engine.node();
  await until("all to run elsewhere", () => second.held.length === 5);
  assert.deepEqual(
    second.held.map((run) => run.claimed.attempt),
    [1, 1, 1, 1, 1],
  );
  for (const run of second.held) run.end(answered);
  await allEnded(engine);
  await engine.assertSound();
});

test("a stop lets runs end that end in time", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { dispatcher, held } = await engine.node();
  await engine.submit(account, 1);
  const run = await until("the task to run", () => held[0]);
  const stopped = dispatcher.stop(10_000);
  run.end(answered);
  await stopped;
  assert.deepEqual(await states(engine), { completed: 1 });
});

test("a canceled task that waits never starts, one that runs is aborted, and each is released once", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 1 });
  const account = await engine.account("a");
  const { held } = await engine.node();
  const taskIds = await engine.submit(account, 3);
  const run = await until("one to run", () => held[0]);
  const canceled = await cancelTasks(engine.database, taskIds, engine.ends);
  assert.equal(canceled.taskIds.length, 3);
  await until("the run to be aborted", () => run.signal.aborted);
  const again = await cancelTasks(engine.database, taskIds, engine.ends);
  assert.deepEqual(again.taskIds, [], "a second cancellation finds nothing");
  assert.deepEqual(await states(engine), { canceled: 3 });
  const next = await engine.submit(account, 1);
  const second = await until("the slot to be free again", () => held[1]);
  assert.equal(second.claimed.taskId, next[0]);
  second.end(answered);
  await allEnded(engine);
  await engine.assertSound();
});

test("a cancellation and an end that race make one end", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.node(async () => answered);
  for (let round = 0; round < 20; round++) {
    const taskIds = await engine.submit(account, 5);
    await cancelTasks(engine.database, taskIds, engine.ends);
  }
  await allEnded(engine);
  await engine.assertSound();
});

test("a transient failure is tried again, up to the platform's attempts, and costs nothing", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const attempts: number[] = [];
  await engine.node(
    async ({ attempt }) => {
      attempts.push(attempt);
      return {
        kind: "failed",
        retryable: true,
        fault: { code: "platform_unavailable", stage: "platform", message: "", platformStatus: 503 },
      };
    },
    { random: () => 0.02 },
  );
  await engine.submit(account, 1);
  await allEnded(engine);
  assert.deepEqual(attempts, [1, 2, 3]);
  const { rows } = await engine.database.query<{ failure: object; charged_points: number }>(
    "select failure, charged_points from tasks",
  );
  assert.deepEqual(rows, [
    {
      failure: {
        code: "platform_unavailable",
        message: "",
        stage: "platform",
        retryable: true,
        attempts: 3,
        platformStatus: 503,
      },
      charged_points: 0,
    },
  ]);
  await engine.assertSound();
});

test("a throttle costs no attempt and keeps every task of the platform waiting for as long", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const starts: { attempt: number; at: number }[] = [];
  await engine.node(async ({ attempt }) => {
    starts.push({ attempt, at: performance.now() });
    return starts.length === 1 ? { kind: "throttled", retryAfterMs: 300, platformStatus: 429 } : answered;
  });
  await engine.submit(account, 1);
  await until("the first start", () => starts[0]);
  await engine.submit(account, 1);
  await allEnded(engine);
  assert.deepEqual(
    starts.map((start) => start.attempt),
    [1, 1, 1],
  );
  const [first, second] = starts;
  assert.ok(first && second && second.at - first.at >= 290, "nothing started before the time was over");
  await engine.assertSound();
});

test("a run that takes too long is aborted and fails as run_timeout, uncharged", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { held } = await engine.node();
  await engine.submit(account, 1, { runTimeoutSeconds: 1 });
  await until("the run", () => held[0]);
  await allEnded(engine);
  assert.equal(held[0]?.signal.aborted, true);
  const { rows } = await engine.database.query<{ code: string }>("select failure ->> 'code' as code from tasks");
  assert.deepEqual(rows, [{ code: "run_timeout" }]);
  await engine.assertSound();
});

test("a task does not start before its notBefore, and starts soon after", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { rows } = await engine.database.query<{ at: Date }>("select now() + interval '700 milliseconds' as at");
  await engine.node(async () => answered);
  await engine.submit(account, 1, { notBefore: rows[0]?.at.toISOString() ?? "" });
  await allEnded(engine);
  const { rows: starts } = await engine.database.query<{ early: boolean }>(
    "select started_at < $1 as early from tasks",
    [rows[0]?.at],
  );
  assert.deepEqual(starts, [{ early: false }]);
});

test("a task that has not started by its startBefore ends as start_deadline_passed, and never starts", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 2, { startBefore: new Date(Date.now() - 1000).toISOString() });
  const { held } = await engine.node();
  await endLateTasks(engine.database, engine.ends);
  await allEnded(engine);
  assert.equal(held.length, 0);
  const { rows } = await engine.database.query<{ code: string }>(
    "select distinct failure ->> 'code' as code from tasks",
  );
  assert.deepEqual(rows, [{ code: "start_deadline_passed" }]);
  await engine.assertSound();
});

test("one result that can't be stored takes no other down", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const taskIds = await engine.submit(account, 20);
  // PostgreSQL's text takes no U+0000.
  const raw = { raw_type: "text/plain", raw_body: "\0", raw_compressed: null, raw_bytes: null };
  await engine.node(async ({ taskId }) =>
    taskId === taskIds[7] && answered.kind === "completed"
      ? { ...answered, result: { ...answered.result, raw } }
      : answered,
  );
  await allEnded(engine);
  assert.deepEqual(await states(engine), { completed: 19, failed: 1 });
  await engine.assertSound();
});

test("the breaker leaves a failing platform alone, lets one probe through, and closes with its success", async () => {
  const engine = await testEngine();
  await engine.limiter({ breakerAfter: 3, attemptsMax: 1 });
  const account = await engine.account("a");
  let healthy = false;
  let asked = 0;
  await engine.node(async () => {
    asked++;
    return healthy
      ? answered
      : {
          kind: "failed",
          retryable: true,
          fault: { code: "platform_unavailable", stage: "platform", message: "", platformStatus: null },
        };
  });
  await engine.submit(account, 3);
  await allEnded(engine);
  const open = async () =>
    (
      await engine.database.query<{ open: boolean }>(
        "select coalesce(breaker_open_until > now(), false) as open from platforms",
      )
    ).rows[0]?.open;
  await until("the breaker to open", open);
  await engine.submit(account, 5);
  healthy = true;
  assert.equal(asked, 3, "nobody asks while it is open");
  await engine.database.query("update platforms set breaker_open_until = now()");
  await allEnded(engine);
  assert.deepEqual(await states(engine), { failed: 3, completed: 5 });
  await until("the breaker to close", async () => {
    const { rows } = await engine.database.query<{ n: number }>(
      "select failures_in_row + breaker_openings as n from platforms",
    );
    return rows[0]?.n === 0;
  });
  await engine.assertSound();
});

test("two nodes that start on the same work at once share it without doing any twice", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 300);
  const ran: string[] = [];
  const run = async ({ taskId }: { taskId: string }) => {
    ran.push(taskId);
    return answered;
  };
  await Promise.all([engine.node(run), engine.node(run), engine.node(run)]);
  await allEnded(engine);
  assert.equal(ran.length, 300);
  assert.equal(new Set(ran).size, 300);
  await engine.assertSound();
});
