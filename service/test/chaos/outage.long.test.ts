/** Real processes, real durations: the database is away for longer than a lease, and workers are killed. */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { simulatorItems, startCluster, type Cluster } from "../harness/cluster.ts";
import { startOwnPostgres, type OwnPostgres } from "../harness/postgres.ts";
import type { ServiceProcess } from "../harness/process.ts";
import { until, waiting } from "../harness/wait.ts";

const outageMs = 60_000;

type Run = { readonly task_id: string; readonly node_id: string; readonly fence: number; readonly claimed_at: Date };

/** Workers with 20 slots each, which know each other, and 40 runs that have just begun; beside a process for the rest. */
async function running(t: TestContext, { count, seconds }: { readonly count: number; readonly seconds: number }) {
  const postgres = await startOwnPostgres(t);
  const cluster = await startCluster(t, postgres.url);
  await cluster.start("api,notifier");
  await cluster.setWebhook();
  const environment = { QUERENT_WORKER_SLOTS: "20", QUERENT_ACCOUNT_SLOTS: "20", QUERENT_LOG_LEVEL: "debug" };
  const workers = await Promise.all(Array.from({ length: count }, () => cluster.start("worker", environment)));
  // Each renews its lease every 5 s, and learns of the others with it.
  const known = "select from nodes having count(*) = $1 and min(lease_until) > max(started_at) + interval '20 s'";
  await until("the workers to know each other", async () => (await cluster.query(known, [count])).length === 1);
  await cluster.submit(simulatorItems(40, `delay=${seconds}s`));
  // Not only in the database: a worker that has claimed tasks still reads their questions from it.
  const begun = () => workers.flatMap((worker) => worker.output().match(/"task\.claimed"/g) ?? []).length;
  await until("all to run", async () => begun() === 40 && (await runs(cluster)).length === 40);
  return { postgres, cluster, workers };
}

/** The worker with the most runs, and these. */
async function busiest({ cluster, workers }: Awaited<ReturnType<typeof running>>) {
  const names = await cluster.query<{ id: string; name: string }>("select id, name from nodes");
  const all = await runs(cluster);
  const [first] = workers
    .map((worker) => {
      const nodeId = names.find(({ name }) => name === `${worker.child.pid}`)?.id;
      return { worker, lost: all.filter((run) => run.node_id === nodeId) };
    })
    .toSorted((a, b) => b.lost.length - a.lost.length);
  assert.ok(first !== undefined && first.lost.length > 0);
  return first;
}

/** The runs of tasks that have started again. */
async function startedAgain(cluster: Cluster, lost: readonly Run[]) {
  const fences = new Map(lost.map((run) => [run.task_id, run.fence]));
  return until("the tasks to start elsewhere", async () => {
    const started = (await runs(cluster)).filter((run) => run.fence > (fences.get(run.task_id) ?? Infinity));
    return started.length === lost.length && started;
  });
}

const runs = (cluster: Cluster) =>
  cluster.query<Run>("select task_id, node_id, fence, claimed_at from dispatch where state = 'running'");

/** Every task was asked once: a task that completes at its first attempt leaves no other. */
async function assertAskedOnce({ cluster, workers }: Awaited<ReturnType<typeof running>>) {
  await cluster.assertKept();
  assert.deepEqual(await cluster.query("select task_id from task_attempts"), []);
  for (const worker of workers) {
    assert.equal(worker.child.exitCode, null, worker.output());
    assertKeptLease(worker);
  }
}

/** Its output has some hundred kilobytes: a failure shows what it said of its lease. */
function assertKeptLease(worker: ServiceProcess, lost = /"node\.(lease_lost|reaped)"/) {
  const said = worker.output().split("\n");
  const ofLease = said.filter((line) => /"node\.|"doing":"(renew|reap)"/.test(line));
  assert.ok(!ofLease.some((line) => lost.test(line)), ofLease.join("\n"));
}

suite("an outage of a minute, in which the runs end", { concurrency: 3 }, () => {
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
    test(`every question is asked once, and its end is written when the server is back (${name})`, async (t) => {
      const all = await running(t, { count: 2, seconds: 40 });
      await outage(all.postgres, all.cluster);
      await assertAskedOnce(all);
    });
  }
});

suite("a killed worker", { concurrency: 2 }, () => {
  test("the tasks of a killed worker start elsewhere within 20 seconds", async (t) => {
    const all = await running(t, { count: 3, seconds: 60 });
    const { worker, lost } = await busiest(all);
    const killedAt = Date.now();
    await worker.end("SIGKILL");
    const again = await startedAgain(all.cluster, lost);
    const seconds = Math.max(...again.map((run) => run.claimed_at.getTime() - killedAt)) / 1000;
    t.diagnostic(`${again.length} after ${seconds} s`);
    assert.ok(seconds < 20 * waiting(), `${seconds} s`);
    await all.cluster.assertKept();
  });

  test("the tasks of a worker that is killed during an outage start elsewhere when the server is back, and those of the others go on", async (t) => {
    const all = await running(t, { count: 3, seconds: 60 });
    const { postgres, cluster } = all;
    const { worker, lost } = await busiest(all);
    postgres.freeze();
    await worker.end("SIGKILL");
    await sleep(25_000);
    postgres.thaw();
    const backAt = Date.now();
    const again = await startedAgain(cluster, lost);
    const seconds = Math.max(...again.map((run) => run.claimed_at.getTime() - backAt)) / 1000;
    t.diagnostic(`${again.length} after ${seconds} s with the server back`);
    await cluster.assertKept();
    // Only these: a run that ended without an answer is recorded as an attempt.
    const attempts = await cluster.query<{ task_id: string }>("select task_id from task_attempts");
    assert.deepEqual(new Set(attempts.map(({ task_id }) => task_id)), new Set(lost.map(({ task_id }) => task_id)));
    for (const other of all.workers.filter((each) => each !== worker)) assertKeptLease(other, /"node\.lease_lost"/);
  });
});
