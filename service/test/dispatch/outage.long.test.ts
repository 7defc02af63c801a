/** The database is away, for all nodes or for one: what runs goes on where that is safe, and is asked again only where it must. */
import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, test } from "node:test";
import { Database } from "../../src/db/index.ts";
import { startDatabaseProxy } from "../harness/database-proxy.ts";
import { answered, testEngine, type TestEngine, type Node } from "../harness/engine.ts";
import { leasesAfter, timesOfAborts } from "../harness/leases.ts";
import { until } from "../harness/wait.ts";

const times = { leaseTtlMs: 5000, renewEveryMs: 500 };
const peerPort = { host: "127.0.0.1" };

/** The engine's database by a way that the test can break. */
async function brokenWay(engine: TestEngine, { connectTimeoutMs = 1000 } = {}) {
  const proxy = await startDatabaseProxy(engine.url);
  const database = new Database({
    connection: { connectionString: proxy.url },
    connectionsMax: 10,
    connectTimeoutMs,
    statementTimeoutMs: 5000,
    onIdleError: () => {},
  });
  after(async () => {
    proxy.restore();
    await database.close();
    await proxy[Symbol.asyncDispose]();
  });
  return { proxy, database };
}

const count = ({ events }: Node, name: string) => events.filter(({ event }) => event === name).length;

/**
 * Waits until each of these nodes knows the others: it reads them after it has renewed its lease, and renews it again after that. So what it
 * read after the first renewal from now on, it knows at the second one.
 */
async function acquainted({ database }: TestEngine, nodes: number) {
  const leases = async () => {
    const { rows } = await database.query<{ id: string; end: Date }>('select id, lease_until as "end" from nodes');
    return new Map(rows.map(({ id, end }) => [id, end.getTime()]));
  };
  for (let renewals = 0, before = await leases(); renewals < 2; renewals++) {
    assert.equal(before.size, nodes);
    before = await until("all leases to be renewed", async () => {
      const now = await leases();
      return [...before].every(([id, end]) => (now.get(id) ?? 0) > end) && now;
    });
  }
}

const outages = {
  stall: 1000,
  refuse: 1000,
  /** A connection that is begun while the server is frozen takes longer than a lease. */
  freeze: 60_000,
};
for (const [how, connectTimeoutMs] of Object.entries(outages) as [keyof typeof outages, number][]) {
  test(`during an outage of several leases for all nodes every run goes on, and its end is written once the server is back (${how})`, async (t) => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const engine = await testEngine();
    const account = await engine.account("a");
    const { proxy, database } = await brokenWay(engine, { connectTimeoutMs });
    const nodes = [
      await engine.node(undefined, { database, times, peerPort, slotsMax: 5 }),
      await engine.node(undefined, { database, times, peerPort, slotsMax: 5 }),
    ];
    const taskIds = await engine.submit(account, 10);
    await until("all to run", () => nodes.every(({ held }) => held.length === 5));
    await acquainted(engine, 2);

    proxy[how]();
    const leaseOver = "select from nodes where lease_until > now()";
    await until("the leases to run out", async () => (await engine.database.query(leaseOver)).rowCount === 0);
    const isLost = () => nodes.some((node) => count(node, "node.lease_lost") > 0);
    await until(
      "the nodes to spare each other for two leases",
      () => isLost() || nodes.every((node) => count(node, "node.spared") > 3),
    );
    // On a machine that stops this process for as long as a node waits for another's reply, the nodes rightly give up.
    if (isLost() && delay.max / 1e6 > times.leaseTtlMs / 10)
      return t.diagnostic(`the event loop was blocked for ${delay.max / 1e6} ms`);
    for (const { held } of nodes) for (const run of held.slice(0, 3)) run.end(answered);
    proxy.restore();
    await until("the ends to be written", async () => (await engine.states())["completed"] === 6);
    for (const { held } of nodes) {
      assert.deepEqual(
        held.map(({ signal }) => signal.aborted),
        held.map(() => false),
      );
      for (const run of held) run.end(answered);
    }
    await engine.allEnded();
    await acquainted(engine, 2);
    const asked = nodes.flatMap(({ held }) => held.map(({ claimed }) => claimed.taskId));
    assert.deepEqual(asked.toSorted(), taskIds.toSorted(), "nothing was asked again");
    for (const node of nodes) assert.equal(count(node, "node.lease_lost"), 0);
    await engine.assertSound();
  });
}

test("a node that alone is cut off goes on for a while, then aborts, and only then its tasks start elsewhere", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  await engine.limiter({ runningMax: 4 });
  const { proxy, database } = await brokenWay(engine);
  let running = 0;
  let most = 0;
  const signals: AbortSignal[] = [];
  const cutOff = await engine.node(
    (_claimed, signal) => {
      signals.push(signal);
      most = Math.max(most, ++running);
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          running--;
          resolve({ kind: "aborted" });
        }),
      );
    },
    { database, times, peerPort, slotsMax: 4 },
  );
  const taskIds = await engine.submit(account, 4);
  await until("all to run", () => signals.length === 4);
  let started = 0;
  const live = await engine.node(
    async () => {
      started++;
      most = Math.max(most, ++running);
      assert.ok(
        signals.every(({ aborted }) => aborted),
        "no task runs at both",
      );
      running--;
      return answered;
    },
    { times, peerPort },
  );
  await acquainted(engine, 2);
  proxy.stall();
  await until("it to be spared", () => count(cutOff, "node.spared") > 1);
  assert.equal(started, 0);
  await engine.allEnded();
  assert.equal(started, taskIds.length);
  assert.equal(count(cutOff, "node.lease_lost"), 1);
  assert.equal(count(live, "node.reaped"), 1);
  assert.equal(most, 4, "the limit held");
  await engine.assertSound();
});

test("a node that can reach neither the database nor a node that it knew aborts before its lease has run out", async () => {
  // It gives up half of `renewEveryMs` before its lease ends, which is long enough for a busy machine to run it.
  const slower = { leaseTtlMs: 8000, renewEveryMs: 3000 };
  const engine = await testEngine();
  const account = await engine.account("a");
  const { proxy, database } = await brokenWay(engine);
  const node = await engine.node(undefined, { database, times: slower, peerPort });
  await engine.submit(account, 2);
  await until("all to run", () => node.held.length === 2);
  // A process of an earlier version: it has no port.
  const old = await engine.node(undefined, { times, slotsMax: 1 });
  await acquainted(engine, 2);
  const aborts = timesOfAborts(node.held);
  // While it knew nobody yet, it may have been late with a renewal.
  const sparedBefore = count(node, "node.spared");
  proxy.stall();
  assert.equal(await leasesAfter(engine, await aborts), 2, "the lease still ran at the database");
  assert.equal(count(node, "node.spared"), sparedBefore);
  proxy.restore();
  await until("both tasks to run again", () => old.held.length + node.held.length > 3);
  for (const run of [...old.held, ...node.held]) run.end(answered);
  await until("all to end", async () => {
    for (const run of [...old.held, ...node.held]) run.end(answered);
    return (await engine.states())["pending"] === undefined;
  });
  await engine.assertSound();
});

test("a node whose lease has run out without anyone taking its work over keeps it", async () => {
  // The other waits an eighth of its lease for the reply of the first, which a busy machine delays.
  const patient = { leaseTtlMs: 60_000, renewEveryMs: 500 };
  const engine = await testEngine();
  const account = await engine.account("a");
  const nodes = [
    await engine.node(undefined, { times: { leaseTtlMs: 600_000, renewEveryMs: 300_000 }, peerPort, slotsMax: 3 }),
    await engine.node(async () => answered, { times: patient, peerPort, slotsMax: 0 }),
  ] as const;
  const [first, second] = nodes;
  await engine.submit(account, 3);
  await until("all to run", () => first.held.length === 3);
  // As after a failover to a server whose clock is ahead.
  await engine.database.query("update nodes set lease_until = now() - interval '1 minute' where id = $1", [
    first.dispatcher.nodeId,
  ]);
  const renewals = "select from nodes where id = $1 and lease_until > now() + $2 * interval '1 millisecond'";
  for (let n = 0; n < 3; n++) {
    await engine.database.query("update nodes set lease_until = now() where id = $1", [second.dispatcher.nodeId]);
    await until("the other to have looked for dead nodes", async () => {
      const values = [second.dispatcher.nodeId, patient.leaseTtlMs / 2];
      return (await engine.database.query(renewals, values)).rowCount === 1;
    });
  }
  assert.equal(count(second, "node.reaped"), 0);
  for (const run of first.held.slice(0, 2)) run.end(answered);
  await until("their ends to be written", async () => (await engine.states())["completed"] === 2);
  assert.equal((await engine.starts()).length, 3);

  // Without its reply it is dead, and can write nothing more.
  const nowhere = "update nodes set peer_url = 'http://127.0.0.1:9' where id = $1";
  await engine.database.query(nowhere, [first.dispatcher.nodeId]);
  await until("it to be reaped", () => count(second, "node.reaped") === 1);
  first.held[2]?.end(answered);
  const third = await engine.node(async () => answered, { times, peerPort });
  await engine.allEnded();
  assert.equal(count(third, "task.claimed"), 1);
  assert.equal(first.finished.flatMap(({ taskIds }) => taskIds).length, 2);
  await engine.assertSound();
});
