/** The database goes away under real processes: restarted, crashed, cut off after its commits, out of space. */
import assert from "node:assert/strict";
import { appendFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { simulatorItems, startCluster } from "../harness/cluster.ts";
import { startDatabaseProxy } from "../harness/database-proxy.ts";
import { emptyDatabase } from "../harness/database.ts";
import { startOwnPostgres } from "../harness/postgres.ts";
import { startServiceProcess, type ServiceProcess } from "../harness/process.ts";
import { smallDisk, whyNoSmallDisk } from "../harness/small-disk.ts";
import { until } from "../harness/wait.ts";

/** Leaves at most half a MiB of the disk, on which the service writes meanwhile. */
function fill(folder: string, filler: string): void {
  const pieceBytes = 1024 * 1024;
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder);
      const bytes = bavail * bsize - pieceBytes / 2;
      if (bytes <= 0) return;
      appendFileSync(filler, Buffer.alloc(Math.min(bytes, pieceBytes)));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

suite("the database", { concurrency: 2 }, () => {
  test("every accepted task ends once, and nothing else was accepted, although PostgreSQL is restarted and crashes under load", async (t) => {
    const postgres = await startOwnPostgres(t);
    const cluster = await startCluster(t, postgres.url);
    const services = await Promise.all([cluster.start("api,worker,notifier"), cluster.start("api,worker,notifier")]);
    await cluster.setWebhook();
    const load = [cluster.load(simulatorItems(20, "delay=200ms")), cluster.load(simulatorItems(5, "?"))];
    for (const how of ["fast", "immediate", "fast", "immediate"] as const) {
      const before = cluster.receiver.requests.length;
      await until("work to go on", () => cluster.receiver.requests.length > before + 40);
      await postgres.restart(how);
    }
    await sleep(500);
    await Promise.all(load.map((one) => one.stop()));
    await cluster.assertKept();
    for (const service of services) assert.equal(service.child.exitCode, null, service.output());
  });

  test("everything happens once although every fifth transaction is committed and its connection cut before the answer", async (t) => {
    const { url } = await emptyDatabase();
    await using proxy = await startDatabaseProxy(url);
    const cluster = await startCluster(t, url);
    await cluster.start("api,worker,notifier", { DATABASE_URL: proxy.url });
    await cluster.setWebhook();
    let commits = 0;
    const cut = { submissions: 0, claims: 0, ends: 0 };
    proxy.cutAfterCommit = (statements) => {
      const kind = statements.some((sql) => sql.includes("insert into batches"))
        ? "submissions"
        : statements.some((sql) => sql.includes("account_pass as"))
          ? "claims"
          : statements.some((sql) => sql.includes("delete from dispatch"))
            ? "ends"
            : null;
      if (kind === null || commits++ % 5 !== 0) return false;
      cut[kind]++;
      return true;
    };
    const load = cluster.load(simulatorItems(10, "delay=20ms"));
    await until("commits of every kind to be cut", () => Math.min(cut.submissions, cut.claims, cut.ends) > 2);
    await load.stop();
    proxy.cutAfterCommit = () => false;
    await cluster.assertKept();
    t.diagnostic(JSON.stringify(cut));
  });

  test("while PostgreSQL is read-only, submissions are refused with 503, no answer is lost, and no question is asked twice", async (t) => {
    const postgres = await startOwnPostgres(t);
    const cluster = await startCluster(t, postgres.url);
    const service = await cluster.start("api,worker,notifier");
    await cluster.setWebhook();
    const load = cluster.load(simulatorItems(20, "delay=1s"));
    await until("work to go on", () => cluster.receiver.requests.length > 20);
    const ready = async () => (await fetch(`${service.address}/readyz`)).status;
    assert.equal(await ready(), 200);

    const setReadOnly = async (value: "on" | "off") => {
      await cluster.query(`alter system set default_transaction_read_only = ${value}`);
      await cluster.query("select pg_reload_conf()");
    };
    await setReadOnly("on");
    await until("the probe to see it", async () => (await ready()) === 503);
    const refused = cluster.retries();
    await until("submissions to be refused, with answers waiting to be written", () => cluster.retries() > refused + 5);
    await setReadOnly("off");
    await until("the probe to see it", async () => (await ready()) === 200);
    const before = cluster.receiver.requests.length;
    await until("work to go on", () => cluster.receiver.requests.length > before + 40);
    await load.stop();
    await cluster.assertKept();
    // On a machine so busy that the outage outlasts the node's lease, its tasks start again elsewhere, as after any lost lease.
    if (service.output().includes("node.lease_lost")) return t.diagnostic("the lease was lost meanwhile");
    assert.deepEqual(await cluster.query("select task_id from task_attempts"), [], "nothing was asked twice");
  });

  test(
    "on a full disk, what cannot be stored is refused with the reason, and the service goes on once there is space",
    { skip: whyNoSmallDisk() },
    async (t) => {
      let service: ServiceProcess | null = null;
      t.after(() => service?.end("SIGTERM"));
      const folder = smallDisk(t, "220m");
      const token = "token-of-the-full-disk";
      const started = await startServiceProcess({
        QUERENT_DATA_DIR: join(folder, "data"),
        QUERENT_ACCESS_TOKEN: token,
      });
      service = started;
      let key = 0;
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const submit = async (size: number) => {
        const items = Array.from({ length: 20 }, () => ({
          question: `size=${size}`,
          platformCode: "simulator",
          options: {},
        }));
        const response = await fetch(`${started.address}/v1/tasks/batch`, {
          method: "POST",
          headers: { ...headers, "idempotency-key": `${key++}` },
          body: JSON.stringify(items),
        });
        return { status: response.status, body: (await response.json()) as { batchId?: string; code?: string } };
      };
      const first = await submit(1000);
      assert.equal(first.status, 202);

      const filler = join(folder, "filler");
      fill(folder, filler);
      // What the disk can't hold is refused, as a fault that passes; what was accepted before it was full waits.
      const accepted = [first];
      let refused: { code?: string } | null = null;
      for (let tries = 0; tries < 200 && refused === null; tries++) {
        const answer = await submit(200_000).catch(() => ({ status: 0, body: {} }));
        if (answer.status === 202) accepted.push(answer);
        else if (answer.status === 503) refused = answer.body;
        else assert.fail(`${answer.status} ${JSON.stringify(answer.body)}\n${started.output()}`);
        await sleep(50);
      }
      assert.equal(refused?.code, "unavailable");
      assert.match(started.output(), /No space left on device|could not extend file|53100/);
      assert.equal(started.child.exitCode, null, started.output());

      rmSync(filler);
      await until("submissions to be accepted again", async () => (await submit(1000)).status === 202);
      for (const { body } of accepted) {
        await until("what was accepted to end", async () => {
          const response = await fetch(`${started.address}/v1/batches/${body.batchId}`, { headers }).catch(() => null);
          if (response?.status !== 200) return false;
          const batch = (await response.json()) as { state: string; counts: { completed: number } };
          return batch.state === "finished" && batch.counts.completed === 20;
        });
      }
      assert.equal(await started.end("SIGTERM"), 0);
    },
  );
});
