/** Who gets what: weights, limits of one account, priorities, rates and their changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { answered, testEngine, type TestEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

const setQueue = ({ database }: TestEngine, accountId: string, change: { weight?: number; runningMax?: number }) =>
  database.query(
    `update account_lanes set weight = coalesce($2, weight), running_max = coalesce($3, running_max) where account_id = $1`,
    [accountId, change.weight ?? null, change.runningMax ?? null],
  );

const newNode = ({ database }: TestEngine) =>
  registerNode(database, { name: "n", version: "0", leaseTtlMs: 3_600_000 });

test("accounts start tasks in proportion to their weights, at every length of the line", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 100_000 });
  const weights = [1, 2, 5];
  const accounts: string[] = [];
  for (const [n, weight] of weights.entries()) {
    const account = await engine.account(`a${n}`);
    accounts.push(account);
    await engine.submit(account, 400);
    await setQueue(engine, account, { weight });
  }
  const nodeId = await newNode(engine);
  const started = accounts.map(() => 0);
  for (let size = 1, total = 0; total < 600; size = (size * 7 + 3) % 40) {
    const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots: Math.max(1, size) });
    for (const [n, accountId] of accounts.entries()) {
      started[n] = (started[n] ?? 0) + claimed.filter((task) => task.accountId === accountId).length;
    }
    total += claimed.length;
    for (const [n, weight] of weights.entries()) {
      const due = (total * weight) / 8;
      const had = started[n] ?? 0;
      assert.ok(Math.abs(had - due) <= 4, `after ${total} starts account ${n} had ${had} of ${due.toFixed(1)}`);
    }
  }
});

test("a small account's last task starts by rank 2 * k * accounts, beside busy ones", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 100_000 });
  const busy = await Promise.all(Array.from({ length: 4 }, (_, n) => engine.account(`busy${n}`)));
  for (const account of busy) await engine.submit(account, 500);
  const nodeId = await newNode(engine);
  for (let n = 0; n < 10; n++) await claim(engine.database, { platform: "p", nodeId, slots: 20 });
  const small = await engine.account("small");
  await engine.submit(small, 7);
  const order: string[] = [];
  while (order.filter((account) => account === small).length < 7) {
    const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots: 3 });
    assert.ok(claimed.length > 0);
    order.push(...claimed.map((task) => task.accountId));
  }
  assert.ok(order.lastIndexOf(small) + 1 <= 2 * 7 * 5, `its last was number ${order.lastIndexOf(small) + 1}`);
});

test("an account's own limit holds at every instant over all nodes, and leaves the room to others", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 10 });
  const [bounded, free] = [await engine.account("bounded"), await engine.account("free")];
  await engine.submit(bounded, 40);
  await engine.submit(free, 40);
  await setQueue(engine, bounded, { runningMax: 2 });
  const first = await engine.node();
  const all = await until("the room to be full", () => first.held.length === 10 && first.held);
  assert.equal(all.filter((run) => run.claimed.accountId === bounded).length, 2);
  const run = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return answered;
  };
  await Promise.all([engine.node(run), engine.node(run)]);
  for (const one of all) one.end(answered);
  const ender = setInterval(() => first.held.forEach((one) => one.end(answered)), 5);
  await engine.allEnded();
  clearInterval(ender);
  await engine.assertSound();
});

test("priorities order an account's own tasks and no other's", async () => {
  const engine = await testEngine();
  await engine.limiter({ runningMax: 100 });
  const [a, b] = [await engine.account("a"), await engine.account("b")];
  await engine.submit(a, 10, { priority: 0 });
  await engine.submit(b, 10, { priority: 9 });
  const top = await engine.submit(a, 5, { priority: 9 });
  const nodeId = await newNode(engine);
  const { claimed } = await claim(engine.database, { platform: "p", nodeId, slots: 10 });
  const ofA = claimed.filter((task) => task.accountId === a).map((task) => task.taskId);
  assert.deepEqual(ofA.toSorted(), top.toSorted(), "five of ten each, and of a's the five of high priority");
});

test("for any rate, burst and sizes of claims, starts in any window stay within rate * t + burst", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 3000);
  const nodeIds = [await newNode(engine), await newNode(engine)];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 400 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.tuple(fc.nat({ max: 25 }), fc.nat({ max: 1 }), fc.nat({ max: 30 })), { minLength: 4, maxLength: 12 }),
      async (perSecond, burst, claims) => {
        await engine.limiter({ runningMax: 100_000, rate: { perSecond, burst } });
        await engine.database.query("delete from test_starts");
        await Promise.all(
          claims.map(async ([pauseMs, node, slots]) => {
            await new Promise((resolve) => setTimeout(resolve, pauseMs * 4));
            await claim(engine.database, { platform: "p", nodeId: nodeIds[node] ?? "", slots: slots + 1 });
          }),
        );
        const starts = (await engine.starts()).map((start) => start.at);
        for (const [i, from] of starts.entries()) {
          for (let j = i; j < starts.length; j++) {
            const span = (starts[j] ?? from) - from;
            assert.ok(j - i + 1 <= perSecond * span + burst + 1e-2, `${j - i + 1} starts within ${span} s`);
          }
        }
      },
    ),
    { interruptAfterTimeLimit: 3000, numRuns: 1000 },
  );
});

test("a rate that is raised is not held back by what the slow one had used up", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.limiter({ rate: { perSecond: 0.01, burst: 5 } });
  await engine.submit(account, 20);
  const nodeId = await newNode(engine);
  const some = () => claim(engine.database, { platform: "p", nodeId, slots: 20 });
  assert.equal((await some()).claimed.length, 5);
  assert.ok(((await some()).limitedForMs ?? 0) > 60_000);
  await engine.limiter({ rate: { perSecond: 50, burst: 5 } });
  await until("the limiter to allow a start", async () => (await some()).claimed.length > 0);
});

test("the slowest rate and the largest burst that may be configured are counted, not overflowed", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.limiter({ rate: { perSecond: 0.0001, burst: 100_000 } });
  await engine.submit(account, 3);
  const nodeId = await newNode(engine);
  const claimed = await claim(engine.database, { platform: "p", nodeId, slots: 20 });
  assert.equal(claimed.claimed.length, 3);
  await engine.limiter({ rate: { perSecond: 0.0001, burst: 1 } });
  await engine.submit(account, 3);
  const { claimed: more, limitedForMs } = await claim(engine.database, { platform: "p", nodeId, slots: 20 });
  assert.ok(more.length <= 1 && (limitedForMs ?? 0) > 1_000_000, `${more.length} ${limitedForMs}`);
});

test("a breaker lets one probe through at a time, and failures that were under way don't open it further", async () => {
  const engine = await testEngine();
  await engine.limiter({ breakerAfter: 3, attemptsMax: 1 });
  const account = await engine.account("a");
  const { held } = await engine.node();
  await engine.submit(account, 30);
  await until("all to run", () => held.length === 30);
  const fault = { code: "platform_unavailable", stage: "platform", message: "", platformStatus: null } as const;
  for (const run of held) run.end({ kind: "failed", retryable: true, fault });
  await engine.allEnded();
  const breaker = async () =>
    (
      await engine.database.query<{ openings: number; forS: number }>(
        `select breaker_openings as openings, extract(epoch from breaker_open_until - now())::float8 as "forS" from platforms`,
      )
    ).rows[0];
  const opened = await until("it to open", breaker);
  assert.ok(opened.openings === 1 && opened.forS <= 5, JSON.stringify(opened));
  await engine.submit(account, 10);
  await engine.database.query("update platforms set breaker_open_until = now()");
  await until("a probe", () => held.length > 30);
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(held.length, 31, "one probe, although there is room for more");
  held[30]?.end({ kind: "failed", retryable: true, fault });
  await until("it to open again, for longer", async () => (await breaker())?.openings === 2);
  await engine.database.query("update platforms set breaker_open_until = now()");
  (await until("the next probe", () => held[31])).end(answered);
  await until("all to run", () => held.length === 40);
  for (const run of held) run.end(answered);
  await engine.allEnded();
  await engine.assertSound();
});

test("a platform that answers every other time is not failing in a row", async () => {
  const engine = await testEngine();
  await engine.limiter({ breakerAfter: 5, attemptsMax: 1 });
  const account = await engine.account("a");
  const { held } = await engine.node();
  await engine.submit(account, 20);
  await until("all to run", () => held.length === 20);
  const fault = { code: "platform_unavailable", stage: "platform", message: "", platformStatus: null } as const;
  for (const [n, run] of held.entries()) {
    run.end(n % 2 === 0 ? { kind: "failed", retryable: true, fault } : answered);
    await until("it to end", async () => 20 - ((await engine.states())["pending"] ?? 0) === n + 1);
  }
  const { rows } = await engine.database.query("select breaker_openings from platforms");
  assert.deepEqual(rows, [{ breaker_openings: 0 }]);
});
