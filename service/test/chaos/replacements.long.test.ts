/** Real processes that are replaced under load, and processes whose clocks are wrong. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { simulatorItems, startCluster } from "../harness/cluster.ts";
import { emptyDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

suite("replacements", () => {
  test("a rolling restart under load loses nothing, and every process leaves in good order", async (t) => {
    const { url } = await emptyDatabase();
    const cluster = await startCluster(t, url);
    const old = await Promise.all([cluster.start("api,worker,notifier"), cluster.start("api,worker,notifier")]);
    await cluster.setWebhook();
    const load = cluster.load(simulatorItems(20, "delay=300ms"));
    await until("work to go on", () => cluster.receiver.requests.length > 20);
    for (const service of old) {
      await cluster.start("api,worker,notifier");
      assert.equal(await service.end("SIGTERM"), 0, service.output());
    }
    await sleep(300);
    await load.stop();
    await cluster.assertKept();
    const attempts = await cluster.query("select from tasks where failure is not null");
    assert.equal(attempts.length, 0);
  });

  test("nodes whose clocks are days off follow the database's clock", async (t) => {
    const { url } = await emptyDatabase();
    const cluster = await startCluster(t, url);
    const clock = (offsetMs: number) => ({
      NODE_OPTIONS: `--import=${import.meta.dirname}/../harness/shifted-clock.ts`,
      CLOCK_OFFSET_MS: String(offsetMs),
    });
    const dayMs = 86_400_000;
    await Promise.all([
      cluster.start("api,worker,notifier", clock(3 * dayMs)),
      cluster.start("api,worker,notifier", clock(-3 * dayMs)),
    ]);
    await cluster.setWebhook();
    const at = (inMs: number) => new Date(Date.now() + inMs).toISOString();
    for (let batch = 0; batch < 6; batch++) {
      await cluster.submit([
        ...simulatorItems(10),
        ...simulatorItems(5).map((item) => ({ ...item, notBefore: at(1500) })),
        ...simulatorItems(5).map((item) => ({ ...item, startBefore: at(3_600_000) })),
      ]);
    }
    await cluster.assertKept();
    const [early] = await cluster.query<{ n: number }>(
      `select count(*)::int as n from tasks
     where created_at < now() - interval '1 hour' or completed_at > now() or expires_at not between now() + interval '6 days' and now() + interval '8 days'`,
    );
    assert.deepEqual(early, { n: 0 });
    const [waited] = await cluster.query<{ n: number }>(
      "select count(*)::int as n from tasks where item_index between 10 and 14 and started_at < not_before",
    );
    assert.deepEqual(waited, { n: 0 }, "none started before its time");
  });
});
