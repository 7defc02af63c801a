/** The database goes away under real processes: restarted, crashed, cut off after its commits, out of space. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { simulatorItems, startCluster } from "../harness/cluster.ts";
import { startDatabaseProxy } from "../harness/database-proxy.ts";
import { emptyDatabase } from "../harness/database.ts";
import { startOwnPostgres } from "../harness/postgres.ts";
import { startServiceProcess, temporaryFolder, type ServiceProcess } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

suite("the database", { concurrency: 2 }, () => {
  test("PostgreSQL is restarted and crashes under load: every accepted task ends once, and nothing else was accepted", async (t) => {
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

  test("commits are done and connections cut before the answer, of every fifth transaction: everything happens once", async (t) => {
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
        : statements.some((sql) => sql.includes("with recursive limiter"))
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

  const tmpfs = canMount();
  test(
    "a full disk: what can't be kept is refused and said, and it goes on once there is space",
    { skip: tmpfs === null ? false : tmpfs },
    async (t) => {
      const folder = temporaryFolder();
      let service: ServiceProcess | null = null;
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=220m,mode=0755", "tmpfs", folder.path]);
      t.after(async () => {
        await service?.end("SIGTERM");
        execFileSync("umount", [folder.path]);
        folder[Symbol.dispose]();
      });
      const token = "token-of-the-full-disk";
      const started = await startServiceProcess({
        QUERENT_DATA_DIR: join(folder.path, "data"),
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

      const { bavail, bsize } = statfsSync(folder.path);
      const filler = join(folder.path, "filler");
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 512 * 1024));
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

/** Why a small file system can't be mounted here, or null. */
function canMount(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux, for a small file system";
  using folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path], { stdio: "ignore" });
    execFileSync("umount", [folder.path], { stdio: "ignore" });
    return null;
  } catch {
    return "no file system can be mounted here";
  }
}
