/** Real processes, real durations: the database is away for longer than a lease, and workers are killed. */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { simulatorItems, startCluster, type Cluster } from "../harness/cluster.ts";
import { startOwnPostgres, type OwnPostgres } from "../harness/postgres.ts";
import { until, waiting } from "../harness/wait.ts";

const outageMs = 60_000;
const questions = simulatorItems(40, "delay=60s");

/** Two workers with 20 runs of a minute each, beside a process for the rest. */
async function running(t: TestContext) {
  const postgres = await startOwnPostgres(t);
  const cluster = await startCluster(t, postgres.url);
  await cluster.start("api,notifier");
  await cluster.setWebhook();
  const slots = { QUERENT_WORKER_SLOTS: "20", QUERENT_ACCOUNT_SLOTS: "20" };
  const workers = [await cluster.start("worker", slots), await cluster.start("worker", slots)] as const;
  await cluster.submit(questions);
  await until("all to run", async () => (await runs(cluster)).length === questions.length);
  // Each renews its lease every 5 s, and learns of the other with it.
  const known = "select from nodes having count(*) = 2 and min(lease_until) > max(started_at) + interval '20 s'";
  await until("the workers to know each other", async () => (await cluster.query(known)).length === 1);
  return { postgres, cluster, workers };
}

const runs = (cluster: Cluster) =>
  cluster.query<{ task_id: string; node_id: string; fence: number; claimed_at: Date }>(
    "select task_id, node_id, fence, claimed_at from dispatch where state = 'running'",
  );

/** Every task was asked once: a task that completes at its first attempt leaves no other. */
async function assertAskedOnce({ cluster, workers }: Awaited<ReturnType<typeof running>>) {
  await cluster.assertKept();
  assert.deepEqual(await cluster.query("select task_id from task_attempts"), []);
  for (const worker of workers) {
    assert.equal(worker.child.exitCode, null, worker.output());
    assert.doesNotMatch(worker.output(), /node\.lease_lost|node\.reaped/);
  }
}

suite("an outage of a minute under runs of a minute", { concurrency: 3 }, () => {
  const outages: Readonly<Record<string, (postgres: OwnPostgres, cluster: Cluster) => Promise<void>>> = {
    "the server is stopped": async (postgres) => {
      await postgres.stop();
      await sleep(outageMs);
      await postgres.start();
    },
    "the server is frozen": async (postgres) => {
      postgres.freeze();
      await sleep(outageMs);
      postgres.thaw();
    },
    "the primary is read-only": async (_postgres, cluster) => {
      const setReadOnly = async (value: "on" | "off") => {
        await cluster.query(`alter system set default_transaction_read_only = ${value}`);
        await cluster.query("select pg_reload_conf()");
      };
      await setReadOnly("on");
      await sleep(outageMs);
      await setReadOnly("off");
    },
  };
  for (const [name, outage] of Object.entries(outages)) {
    test(`${name}: every question is asked once, and its end is written when the server is back`, async (t) => {
      const all = await running(t);
      await outage(all.postgres, all.cluster);
      await assertAskedOnce(all);
    });
  }
});

suite("a killed worker", { concurrency: 2 }, () => {
  test("its tasks start elsewhere within 20 seconds", async (t) => {
    const { cluster, workers } = await running(t);
    // The other needs slots for them.
    await cluster.start("worker");
    const lost = new Map((await runs(cluster)).map((run) => [run.task_id, run.fence]));
    const killedAt = Date.now();
    await workers[0].end("SIGKILL");
    const again = await until("its tasks to start elsewhere", async () => {
      const started = (await runs(cluster)).filter((run) => run.fence > (lost.get(run.task_id) ?? 0));
      return started.length === 20 && started;
    });
    const seconds = Math.max(...again.map((run) => run.claimed_at.getTime() - killedAt)) / 1000;
    t.diagnostic(`after ${seconds} s`);
    assert.ok(seconds < 20 * waiting(), `${seconds} s`);
    await cluster.assertKept();
  });

  test("killed during an outage, its tasks start elsewhere when the server is back, and those of the others go on", async (t) => {
    const { postgres, cluster, workers } = await running(t);
    await cluster.start("worker");
    const before = await runs(cluster);
    const known = "select from nodes having count(*) = 3 and min(lease_until) > max(started_at) + interval '20 s'";
    await until("the workers to know each other", async () => (await cluster.query(known)).length === 1);
    postgres.freeze();
    await workers[0].end("SIGKILL");
    await sleep(25_000);
    postgres.thaw();
    const backAt = Date.now();
    const fences = new Map(before.map((run) => [run.task_id, run.fence]));
    const again = await until("its tasks to start elsewhere", async () => {
      const started = (await runs(cluster)).filter((run) => run.fence > (fences.get(run.task_id) ?? 0));
      return started.length >= 20 && started;
    });
    t.diagnostic(
      `after ${Math.max(...again.map((run) => run.claimed_at.getTime() - backAt)) / 1000} s with the server back`,
    );
    assert.equal(new Set(again.map((run) => run.task_id)).size, 20, "only the killed worker's");
    await cluster.assertKept();
    assert.doesNotMatch(workers[1].output(), /node\.lease_lost/);
  });
});
