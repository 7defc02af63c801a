/** Real processes with roles of their own on one database, killed, stopped and replaced while work goes on. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { simulatorItems, startCluster } from "../harness/cluster.ts";
import { emptyDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

// Beside each other: most of the time they wait for leases to run out.
suite("processes", { concurrency: 2 }, () => {
  test("processes of every role start at once on an empty database, and a killed worker and notifier lose nothing", async (t) => {
    const { url } = await emptyDatabase();
    const cluster = await startCluster(t, url);
    const [, , worker, , notifier] = await Promise.all(
      ["api", "api", "worker", "worker", "notifier", "notifier"].map((roles) => cluster.start(roles)),
    );
    assert.ok(worker !== undefined && notifier !== undefined);
    assert.equal((await cluster.query("select from accounts")).length, 1, "one first account");
    await cluster.setWebhook();
    const load = cluster.load(simulatorItems(30, "delay=500ms"));
    await until("some to be announced", () => cluster.receiver.requests.length > 60);
    await worker.end("SIGKILL");
    await notifier.end("SIGKILL");
    const killedAt = performance.now();
    const { n: lost = 0 } =
      (
        await cluster.query<{ n: number }>(
          "select count(*)::int as n from dispatch d where state = 'running' and node_id in (select id from nodes where name = $1)",
          [`${worker.child.pid}`],
        )
      )[0] ?? {};
    await sleep(500);
    await load.stop();
    await until(
      "the killed worker's tasks to be taken over",
      async () => (await cluster.query("select from nodes where name = $1", [`${worker.child.pid}`])).length === 0,
    );
    const tookMs = performance.now() - killedAt;
    t.diagnostic(`${lost} tasks of the killed worker were taken over after ${Math.round(tookMs)} ms`);
    // Lease and look make 17 s; the rest is for machines that are busy with other tests.
    assert.ok(tookMs < 120_000, `${tookMs} ms`);
    await cluster.assertKept();
  });

  test("a worker that is stopped past its lease and goes on is a zombie that writes nothing", async (t) => {
    const { url } = await emptyDatabase();
    const cluster = await startCluster(t, url);
    const frozen = await cluster.start("worker");
    await cluster.start("api,notifier");
    await cluster.setWebhook();
    await cluster.submit(simulatorItems(40, "delay=10s"));
    const mine = async () =>
      (
        await cluster.query<{ n: number }>(
          "select count(*)::int as n from dispatch where state = 'running' and node_id in (select id from nodes where name = $1)",
          [`${frozen.child.pid}`],
        )
      )[0]?.n;
    await until("all to run in one process", async () => (await mine()) === 40);
    frozen.child.kill("SIGSTOP");
    await cluster.start("worker");
    await until(
      "the other to have ended everything",
      async () => (await cluster.query("select from tasks where state = 'pending'")).length === 0,
    );
    const before = await cluster.query("select id, revision, completed_at from tasks order by id");
    const ledger = await cluster.query("select id from ledger");
    frozen.child.kill("SIGCONT");
    // It ends its runs and tries to write them; then it notices, and is a new node.
    await until(
      "it to be back as a new node",
      async () => (await cluster.query("select from nodes where name = $1", [`${frozen.child.pid}`])).length === 1,
    );
    await sleep(1000);
    assert.deepEqual(await cluster.query("select id, revision, completed_at from tasks order by id"), before);
    assert.deepEqual(await cluster.query("select id from ledger"), ledger);
    await cluster.submit(simulatorItems(20));
    await cluster.assertKept();
  });
});
