/** What one account's tasks may take from the others': slots, bytes of results, the main thread. */
import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, test } from "node:test";
import { Database } from "../../src/db/index.ts";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { reap } from "../../src/dispatch/node/node-upkeep.ts";
import { Slots } from "../../src/dispatch/run/slots.ts";
import { startTestService, item } from "../harness/service.ts";
import { testEngine } from "../harness/engine.ts";
import { emptyResult } from "../harness/task-record.ts";
import { until } from "../harness/wait.ts";
import { lossesMax } from "../../src/dispatch/queue/queue.ts";

const otherPlatform = { code: "q", runningMax: 1000, rate: null, attemptsMax: 3, breakerAfter: null };

test("an account that fills its share of a node's slots leaves the others to everybody else, on every platform", async () => {
  const engine = await testEngine();
  await engine.limiter();
  await engine.limiter(otherPlatform);
  const [busy, other] = [await engine.account("busy"), await engine.account("other")];
  await engine.submit(busy, 60);
  await engine.submit(busy, 60, { platform: "q" });
  const { held, dispatcher } = await engine.node(undefined, {
    platforms: ["p", "q"],
    slotsMax: 40,
    accountSlotsMax: 20,
  });
  const of = (account: string) => held.filter(({ claimed }) => claimed.accountId === account).length;
  await until("the share to be full", () => of(busy) === 20);
  await engine.submit(other, 5);
  dispatcher.wake(["p", "q"]);
  await until("the other account's tasks to run", () => of(other) === 5);
  assert.equal(of(busy), 20, "not one more than its share, however many platforms it asks");
  assert.equal(dispatcher.mostSlotsOfOneAccount, 20);
  // As its own end, its next ones start: also on the platform that none of those was of.
  const ended = held.filter(({ claimed }) => claimed.accountId === busy).slice(0, 10);
  for (const run of ended)
    run.end({ kind: "completed", result: { stored: emptyResult, raw: null, consumption: null } });
  await until("its next tasks to run", () => of(busy) === 30);
  await engine.assertSound();
});

test("the last slots go to accounts and platforms that run nothing here", async () => {
  const engine = await testEngine();
  await engine.limiter();
  await engine.limiter(otherPlatform);
  const [a, b, late] = [await engine.account("a"), await engine.account("b"), await engine.account("late")];
  for (const account of [a, b]) await engine.submit(account, 60);
  const { held, dispatcher } = await engine.node(undefined, {
    platforms: ["p", "q"],
    slotsMax: 40,
    accountSlotsMax: 20,
  });
  await until("all but the reserve to run", () => held.length === 36);
  await engine.submit(late, 1);
  await until("an account that ran nothing to run", () => held.length === 37);
  assert.equal(held.at(-1)?.claimed.accountId, late);
  await engine.submit(a, 1, { platform: "q" });
  dispatcher.wake(["q"]);
  await until("a platform that ran nothing to run", () => held.length === 38 && held.at(-1)?.claimed.platform === "q");
});

test("claims that are under way at once never take more slots than the node has, or one account may use", async () => {
  const slots = new Slots({ slotsMax: 10, accountSlotsMax: 6, shared: null });
  const holder = (platform: string) => ({ accountId: "a", platform });
  const first = await slots.grant("p", 500);
  assert.equal(first?.slots, 9, "one is the reserve");
  let isGranted = false;
  const granting = slots.grant("q", 500).finally(() => (isGranted = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isGranted, false, "the claim under way may take all");
  slots.settle(first, [holder("p"), holder("p")]);
  const second = await granting;
  assert.equal(second?.slots, 7);
  assert.equal(second?.accountSlots, 6);
  assert.deepEqual(second?.accountSlotsOf, { a: 4 });
});

test("where one account may have every slot, it gets every slot", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 30);
  const { held } = await engine.node(undefined, { slotsMax: 20, accountSlotsMax: 20 });
  await until("every slot to be taken", () => held.length === 20);
});

test("the end of a task that was lost with too many nodes wakes those who wait for it", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const [taskId = ""] = await engine.submit(account, 1);
  const nodeId = await registerNode(engine.database, { name: "n", version: "0", leaseTtlMs: 60_000 });
  await claim(engine.database, { platform: "p", nodeId, slots: 1 });
  await engine.database.query("update dispatch set losses = $1", [lossesMax]);
  await engine.database.query("update nodes set lease_until = now() - interval '1 second'");
  const { finished } = await engine.node(async () => ({ kind: "aborted" }));
  await until("the wake-up", () => finished.some((finish) => finish.taskIds.includes(taskId)));
  assert.deepEqual(await engine.states(), { failed: 1 });
});

test("a node's death is counted against what was new on it, and no other's long tasks fail of it", async () => {
  const engine = await testEngine();
  const [killer, quiet] = [await engine.account("killer"), await engine.account("quiet")];
  const [long = ""] = await engine.submit(quiet, 1);
  const [deadly = ""] = await engine.submit(killer, 1);
  const losses = async () => {
    const { rows } = await engine.database.query<{ task_id: string; losses: number }>(
      "select task_id, losses from dispatch",
    );
    return Object.fromEntries(rows.map((row) => [row.task_id, row.losses]));
  };
  let ended: string[] = [];
  for (let death = 0; death < lossesMax + 1; death++) {
    const nodeId = await registerNode(engine.database, { name: "n", version: "0", leaseTtlMs: 15_000 });
    await engine.database.query("update dispatch set state = 'queued', run_at = now() where state = 'waiting'");
    await claim(engine.database, { platform: "p", nodeId, slots: 10 });
    // The long one has run for ten minutes, the deadly one has just come; then nothing is heard of the node.
    await engine.database.query("update dispatch set claimed_at = now() - interval '10 minutes' where task_id = $1", [
      long,
    ]);
    await engine.database.query(
      `update dispatch set claimed_at = claimed_at - interval '15.1 seconds' where node_id is not null`,
    );
    await engine.database.query("update nodes set lease_until = now() - interval '0.1 second'");
    await reap(engine.database, { nodeId: null }, async (_tx, lost) => {
      ended = [...ended, ...lost.map(({ taskId }) => taskId)];
    });
  }
  assert.deepEqual(ended, [deadly], "what was new at every death is not started again");
  assert.deepEqual(await losses(), { [long]: 0 });
});

test("a node on which nothing was new blames all that it ran, so that no task kills nodes for ever", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.submit(account, 2);
  const nodeId = await registerNode(engine.database, { name: "n", version: "0", leaseTtlMs: 15_000 });
  await claim(engine.database, { platform: "p", nodeId, slots: 10 });
  await engine.database.query("update dispatch set claimed_at = now() - interval '10 minutes'");
  await engine.database.query("update nodes set lease_until = now() - interval '0.1 second'");
  await reap(engine.database, { nodeId: null }, async () => assert.fail("none is lost too often"));
  const { rows } = await engine.database.query("select state, losses from dispatch");
  assert.deepEqual(
    rows,
    Array.from({ length: 2 }, () => ({ state: "queued", losses: 1 })),
  );
});

test("a lease is renewed while every connection of the pool is at work", async () => {
  const engine = await testEngine();
  const database = new Database({ connection: { connectionString: engine.url }, connectionsMax: 3 });
  after(() => database.close());
  const { events } = await engine.node(undefined, { database, times: { leaseTtlMs: 6000, renewEveryMs: 100 } });
  const leaseEnd = async () => {
    const { rows } = await engine.database.query<{ lease_until: Date }>("select lease_until from nodes");
    return rows[0]?.lease_until.getTime() ?? 0;
  };
  const free = Promise.withResolvers<void>();
  const busy = Array.from({ length: 3 }, () =>
    database.transaction(async (tx) => {
      await tx.query("select 1");
      await free.promise;
    }),
  );
  const before = await leaseEnd();
  await until("it to be renewed again and again", async () => (await leaseEnd()) > before + 1000);
  free.resolve();
  await Promise.all(busy);
  assert.ok(!events.some(({ event }) => event === "node.lease_lost"));
});

test("long results are written one by one, and short ones together and without long ones", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { held, dispatcher } = await engine.node();
  await engine.submit(account, 40);
  await until("all to run", () => held.length === 40);
  const mebibyte = 1024 * 1024;
  const longResult = { ...emptyResult, content: "x".repeat(mebibyte) };
  for (const [n, run] of held.entries()) {
    const result = { stored: n < 20 ? longResult : emptyResult, raw: null, consumption: null };
    run.end({ kind: "completed", result, bytes: n < 20 ? mebibyte : 500 });
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(dispatcher.waitingBytes >= 20 * mebibyte);
  await engine.allEnded();
  assert.equal(dispatcher.waitingBytes, 0);
  const { rows } = await engine.database.query<{ n: number; longest: number }>(
    `select count(*)::int as n, max(octet_length(result::text)) as longest from task_results group by xmin::text`,
  );
  const long = rows.filter(({ longest }) => longest > mebibyte);
  assert.equal(long.length, 20);
  for (const { n } of long) assert.equal(n, 1, "a long one shares its transaction with no other");
  assert.ok(
    rows.some(({ n }) => n > 10),
    "short ones together",
  );
  await engine.assertSound();
});

test("short results do not wait for long ones that came before them", async () => {
  const engine = await testEngine();
  const [loud, quiet] = [await engine.account("loud"), await engine.account("quiet")];
  const { held } = await engine.node();
  await engine.submit(loud, 20);
  await engine.submit(quiet, 5);
  await until("all to run", () => held.length === 25);
  const result = { stored: emptyResult, raw: null, consumption: null };
  const of = (account: string) => held.filter(({ claimed }) => claimed.accountId === account);
  for (const run of of(loud)) run.end({ kind: "completed", result, bytes: 2 * 1024 * 1024 });
  for (const run of of(quiet)) run.end({ kind: "completed", result, bytes: 500 });
  await engine.allEnded();
  const { rows } = await engine.database.query<{ after: number }>(
    `select count(*)::int as after from tasks
     where account_id = $1 and completed_at > (select max(completed_at) from tasks where account_id = $2)`,
    [loud, quiet],
  );
  assert.ok((rows[0]?.after ?? 0) >= 14, `${rows[0]?.after} of 20 long ones came after the short ones`);
});

test("while too many bytes wait to be written nothing new starts, and it goes on when they are", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const { held, dispatcher } = await engine.node(undefined, { waitingBytesMax: 5000 });
  const taskIds = await engine.submit(account, 5);
  await until("all to run", () => held.length === 5);
  const ends = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  // Nothing can be written meanwhile.
  const holding = engine.database.transaction(async (tx) => {
    await tx.query("select from tasks where id = any($1::uuid[]) for update", [taskIds]);
    locked.resolve();
    await ends.promise;
  });
  await locked.promise;
  const result = { stored: emptyResult, raw: null, consumption: null };
  for (const run of held) run.end({ kind: "completed", bytes: 1000, result });
  await until("them to wait", () => dispatcher.waitingBytes === 5000);
  await engine.submit(account, 5);
  for (let look = 0; look < 5; look++) {
    dispatcher.wake(["p"]);
    await engine.database.query("select pg_sleep(0.02)");
  }
  assert.equal(held.length, 5, "none of the new ones has started");
  ends.resolve();
  await holding;
  await until("the new ones to run", () => held.length === 10);
  for (const run of held) run.end({ kind: "completed", bytes: 1000, result });
  await engine.allEnded();
  assert.equal(dispatcher.waitingBytes, 0);
  await engine.assertSound();
});

test("a batch of answers as long as they may be neither stalls the process nor costs it its lease", async () => {
  const service = await startTestService();
  const [loud, quiet] = [await service.account(), await service.account()];
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await loud.submit(Array.from({ length: 40 }, (_, n) => item(`${n} delay=500ms size=1048576 sources=1000`)));
  const neighbour = await quiet.answerTo("beside it delay=600ms");
  assert.equal(neighbour.state, "completed");
  await until("all to be written", async () => {
    const { rows } = await service.database.query<{ n: number }>(
      "select count(*) as n from tasks where state = 'pending'",
    );
    return rows[0]?.n === 0;
  });
  delay.disable();
  assert.ok(delay.max / 1e6 < 2000, `the main thread was silent for ${Math.round(delay.max / 1e6)} ms`);
  assert.ok(!service.events.some(({ event }) => event === "node.lease_lost"));
  assert.equal((await service.counts(loud.accountId))["unfinished"], 0);
  const { rows } = await service.database.query<{ n: number }>(
    `select max(n)::int as n from (select count(*) as n from task_results where octet_length(result::text) > 1000000 group by xmin::text) t`,
  );
  assert.ok((rows[0]?.n ?? 99) <= 4, `${rows[0]?.n} long results in one transaction`);
  await service.stop();
});
