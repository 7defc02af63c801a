/** docs/reference/metrics.md and docs/how-to/monitor.md#metrics. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { measureDuePanels } from "../../src/reports/index.ts";
import { Collector, metricDefinitions } from "../../src/telemetry/index.ts";
import { item, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { promtool } from "../harness/promtool.ts";

const service = await startTestService({ environment: { QUERENT_WORKER_SLOTS: "50" } });
const operator = await service.account();

// Prepared before the first scrape, which reads all of it: later ones share its figures for some seconds.
await pause(true);
const other = await service.account();
const { tasks } = await operator.submit([item("1"), item("2"), item("3", { notBefore: "2999-01-01T00:00:00Z" })]);
const { tasks: others } = await other.submit([item("4")]);
const queued = [...tasks.slice(0, 2), ...others].map(({ taskId }) => taskId);
await service.database.query("update dispatch set run_at = now() - interval '1 hour' where task_id = $1", [queued[0]]);
await service.database.query(
  `with rows (origin, state, due, ids) as (values
     ('https://healthy', 'waiting', -3600, 2), ('https://failing', 'waiting', -3600, 1), ('https://paused', 'queued', 600, 3),
     ('https://paused', 'waiting', -1, 1), ('https://suspended', 'held', 6000, 4))
   insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
   select gen_random_uuid(), array(select gen_random_uuid() from generate_series(1, ids)), $1, origin, false, state,
          now() - due * interval '1 s'
   from rows`,
  [operator.accountId],
);
await service.database.query(
  `insert into delivery_breakers (account_id, origin, failures_in_row, open_until)
   values ($1, 'https://failing', 2, null), ($1, 'https://paused', 7, now() + interval '1 h')`,
  [operator.accountId],
);
const first = await until("every collector to have read", async () => {
  const text = await scrape();
  // A scrape has nothing yet of a read that takes longer than a second.
  return !/^querent_collector_seconds\{.*\} 0$/m.test(text) && text;
});
await service.database.query("delete from delivery_queue");
await pause(false);

suite("a scrape", () => {
  test("has every documented metric", () => {
    const described = [...first.matchAll(/^# TYPE (querent_\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]);
    assert.deepEqual(
      Object.entries(metricDefinitions).filter(
        ([name, { type }]) => !described.some(([found, foundType]) => found === name && foundType === type),
      ),
      [],
    );
  });

  test("has names and texts by Prometheus' practices", { skip: promtool.missing }, () => {
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: first, encoding: "utf8" });
    // Findings about metrics of the Node process, which `prom-client` names.
    const findings = `${stdout}${stderr}`
      .split("\n")
      .filter((line) => line !== "" && !/^querent_(nodejs|process)_/.test(line));
    assert.deepEqual(findings, []);
    assert.ok(status === 0 || status === 3, `promtool could not read it: ${stderr}`);
  });

  test("shows why tasks wait, how long the first in line has waited, and who waits", () => {
    const waits = (reason: string) => valueIn(first, `querent_queue_tasks{platform="simulator",reason="${reason}"}`);
    assert.equal(waits("paused"), 3);
    assert.equal(waits("later"), 1);
    assert.equal(waits("turn"), 0);
    assert.equal(valueIn(first, 'querent_queue_accounts{platform="simulator"}'), 2);
    const oldest = valueIn(first, 'querent_queue_oldest_seconds{platform="simulator"}');
    assert.ok(oldest >= 3600 && oldest < 7200, `${oldest} s`);
    assert.equal(valueIn(first, 'querent_platform_blocked{platform="simulator",reason="paused"}'), 1);
    assert.equal(valueIn(first, 'querent_platform_blocked{platform="simulator",reason="limit"}'), 0);
  });

  test("shows deliveries that have not ended by the state of their destinations", () => {
    const backlog = (state: string) => valueIn(first, `querent_delivery_backlog{destinations="${state}"}`);
    assert.deepEqual(["healthy", "failing", "paused", "suspended"].map(backlog), [2, 1, 4, 4]);
    assert.equal(valueIn(first, 'querent_delivery_destinations{destinations="paused"}'), 1);
    const oldest = valueIn(first, 'querent_delivery_oldest_seconds{destinations="paused"}');
    assert.ok(oldest >= 600 && oldest < 3000, `${oldest} s`);
    assert.equal(valueIn(first, 'querent_delivery_oldest_seconds{destinations="failing"}'), 0);
  });

  test("shows how long panels wait that nothing judges", async () => {
    assert.equal(valueIn(first, "querent_panel_judging_oldest_seconds"), 0);
    // Within a transaction, because the service would judge the panels.
    const { oldestSeconds } = await service.database.transaction(async (tx) => {
      for (const seconds of [400, 500, -60])
        await tx.query(
          "insert into panel_evaluations (account_id, panel_id, due_at) values ($1, gen_random_uuid(), now() - $2 * interval '1 s')",
          [operator.accountId, seconds],
        );
      const measured = await measureDuePanels(tx);
      await tx.query("delete from panel_evaluations where account_id = $1", [operator.accountId]);
      return measured;
    });
    assert.equal(oldestSeconds, 500);
  });

  test("counts ended tasks by platform, state and code of the failure, however they end", async () => {
    await Promise.all([operator.answerTo("Why?"), ...queued.map(ended)]);
    await operator.answerTo("fail=platform_auth");
    const taskId = await operator.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" });
    await operator.call("POST", `/v1/tasks/${taskId}/cancellation`);
    await operator.answerTo("Too late?", { notBefore: "2999-01-01T00:00:00Z", startBefore: soon() });
    const counted = (state: string, code: string) =>
      value(`querent_tasks_ended_total{platform="simulator",state="${state}",code="${code}"}`);
    await until("all ends to be counted", async () => {
      const counts = [
        await counted("completed", ""),
        await counted("failed", "platform_auth"),
        await counted("canceled", ""),
        await counted("failed", "start_deadline_passed"),
      ];
      return counts.every((count, index) => count === (index === 0 ? 4 : 1));
    });
  });

  test("shows the worker's lease, the database and the partitions", async () => {
    // A process that the machine did not let run for a while renews it late.
    const lease = await until("a lease", async () => {
      const seconds = await value("querent_node_lease_remaining_seconds");
      return seconds > 0 && seconds;
    });
    assert.ok(lease <= 15, `${lease} s`);
    assert.equal(await value("querent_node_lease_held"), 1);
    assert.equal(await value('querent_nodes{state="live"}'), 1);
    assert.equal(await value("querent_database_up"), 1);
    assert.equal(await value("querent_database_writable"), 1);
    assert.equal(await value("querent_database_pool_connections_max"), 10);
    assert.ok((await value("querent_database_connections")) > 0);
    assert.ok((await value("querent_database_size_bytes")) > 1_000_000);
    assert.ok((await value("querent_database_pool_wait_seconds_count")) > 10);
    const days = (await value('querent_partition_remaining_seconds{table="task_results"}')) / 86_400;
    assert.ok(days > 7 && days <= 8, `${days} days`);
    assert.equal(await value('querent_collector_success{collector="storage"}'), 1);
  });
});

suite("a collector", () => {
  test("scrapers that come together share one read of the database, and a pause follows it", async () => {
    let reads = 0;
    const collector = new Collector(async () => ({ reads: ++reads }), 60_000);
    const both = await Promise.all([collector.figures(), collector.figures()]);
    const third = await collector.figures();
    assert.deepEqual(
      [...both, third].map((figures) => figures?.reads),
      [1, 1, 1],
    );
  });

  test("a scrape shows the last figures while a read takes long", async () => {
    const slow = Promise.withResolvers<void>();
    let reads = 0;
    const collector = new Collector(async () => {
      if (++reads === 2) await slow.promise;
      return { reads };
    }, 0);
    assert.equal((await collector.figures())?.reads, 1);
    await until("the second read to start", async () => {
      const figures = await collector.figures();
      assert.equal(figures?.reads, 1);
      return reads === 2;
    });
    slow.resolve();
    await until("the second read to end", async () => (await collector.figures())?.reads === 2);
  });

  test("reports a failed read, and has no figures without one that succeeded", async () => {
    const collector = new Collector(() => Promise.reject(new Error("no database")), 60_000);
    assert.equal(await collector.figures(), null);
    assert.equal(collector.health.succeeded, false);
  });
});

async function scrape(): Promise<string> {
  const { status, text } = await operator.get("/metrics");
  assert.equal(status, 200);
  return text;
}

/** The value of a series; 0 if it is missing. */
const value = async (series: string) => valueIn(await scrape(), series);

function valueIn(text: string, series: string): number {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

const soon = () => new Date(Date.now() + 1500).toISOString();

async function ended(taskId: string): Promise<void> {
  await until(`the end of ${taskId}`, async () => {
    const { rows } = await service.database.query("select from tasks where id = $1 and state <> 'pending'", [taskId]);
    return rows.length === 1;
  });
}

async function pause(paused: boolean): Promise<void> {
  const answer = await operator.call("PUT", "/v1/admin/platforms/simulator/limits", {
    body: { runningMax: paused ? 0 : 100, rate: null },
  });
  assert.equal(answer.status, 200, answer.text);
}
