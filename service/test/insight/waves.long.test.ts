/** Whole runs in waves: until the width is reached, and through kills of the processes that ask. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventPage, PanelQuote, PanelRecord, PanelRun } from "@querent/contract";
import { startCluster } from "../harness/cluster.ts";
import { emptyDatabase } from "../harness/database.ts";
import { refused, startTestService, type TestAccount, type TestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const answers = (rates: readonly number[]) =>
  rates.map((rate, index) => ({ text: `Question ${index}? brands=Acme_Mills:${rate}`, promptId: `p${index}` }));
const brand = { name: "Acme Mills", relation: "own" };

async function pointsOf(service: TestService, { accountId }: TestAccount) {
  const { rows } = await service.database.query<{ available: number; held: number; captured: number }>(
    `select points_available as available, points_held as held, points_captured as captured from accounts where id = $1`,
    [accountId],
  );
  const [row] = rows;
  assert.ok(row);
  return row;
}

test("a run asks until its figure is known as well as wanted, and holds points for no more", async () => {
  const service = await startTestService();
  const account = await service.account();
  assert.equal((await account.call("POST", "/v1/entities", { body: brand })).status, 201);
  const events = ["task.finished", "panel.run.finished"];
  assert.equal((await account.call("PUT", "/v1/webhook", { body: { url: null, events } })).status, 200);
  const { panelId, askUntil, taskCount } = await createPanel(account, {
    prompts: answers([1, 1, 1, 0, 0, 0, 0.5, 0.5]),
    askUntil: { width: 0.5, repeatsMax: 20 },
  });
  assert.deepEqual(askUntil, { width: 0.5, measure: "presence", entityId: null, repeatsMax: 20, pointsMax: null });
  assert.equal(taskCount, 8);
  const { body: quote } = await account.call<PanelQuote>("POST", `/v1/panels/${panelId}/quote`);
  assert.deepEqual(quote.waves, { max: 20, leastPoints: 30, mostPoints: 160, expectedPoints: null });
  assert.deepEqual([quote.taskCount, quote.estimatedPoints], [160, 160]);
  const before = await pointsOf(service, account);
  refused(await runPanel(account, panelId, { "x-max-points": "159" }), "max_points_exceeded");

  const { body: started } = await runPanel(account, panelId, { "x-max-points": "160" });
  assert.equal(started.waves?.stopped, null);
  const run = await until("the run to end", async () => {
    const { body } = await account.get<PanelRun>(`/v1/panels/${panelId}/runs/${started.runId}`);
    return body.endedAt === null ? null : body;
  });
  assert.ok(run.waves);
  const { waves } = run;
  assert.deepEqual([waves.stopped, waves.asked, waves.max, waves.problem], ["width_reached", 15, 20, null]);
  const [platform] = waves.platforms;
  assert.ok(platform?.width !== undefined && platform.width !== null && platform.width <= 0.5);
  assert.deepEqual([platform.waves, platform.stopped], [15, "width_reached"]);
  assert.ok(Math.abs((platform.value ?? 0) - 0.5) < 0.2);
  assert.ok(run.taskCount < 15 * 8, "cells whose rate is clear are asked less often");
  assert.deepEqual(
    [run.tasks?.completed, run.points, waves.pointsSaved],
    [run.taskCount, run.taskCount, 160 - run.points],
  );
  const after = await pointsOf(service, account);
  assert.deepEqual([after.held, before.available - after.available, after.captured], [0, run.taskCount, run.taskCount]);
  const announced = await until("the end to be in the feed", async () => {
    const { body: feed } = await account.get<EventPage<"panel.run.finished">>("/v1/events?types=panel.run.finished");
    return feed.events.length === 0 ? null : feed.events;
  });
  assert.deepEqual(
    announced.map(({ notification }) => notification.data.waves),
    [waves],
  );
  const again = await account.call<PanelQuote>("POST", `/v1/panels/${panelId}/quote`);
  assert.equal(again.body.waves?.expectedPoints, run.points);
  const { rows } = await service.database.query<{ cells: number; drawn: number }>(
    `select count(distinct prompt_id)::int as cells, count(*) filter (where probability < 1)::int as drawn
       from observations where account_id = $1 and run_id = $2`,
    [account.accountId, run.runId],
  );
  assert.equal(rows[0]?.cells, 8);
  assert.ok((rows[0]?.drawn ?? 0) > 0);
});

test("processes that are killed while they ask lose no wave, and ask none twice", async (t) => {
  const { url } = await emptyDatabase();
  const cluster = await startCluster(t, url);
  const api = await cluster.start("api,notifier");
  const post = async <Body>(path: string, body: object): Promise<Body> => {
    const response = await fetch(`${api.address}${path}`, {
      method: "POST",
      headers: {
        authorization: "Bearer token-of-the-chaos-tests",
        "content-type": "application/json",
        "idempotency-key": "one",
      },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as Body;
  };
  await post("/v1/entities", brand);
  const { panelId } = await post<PanelRecord>("/v1/panels", {
    name: "In waves",
    prompts: answers([1, 1, 0, 0, 0.5, 0.5]),
    platforms: ["simulator"],
    askUntil: { width: 0.01, repeatsMax: 20 },
  });
  // Each wave takes a while inside its transaction, so that kills find it there.
  await cluster.query(
    `create function sleep_a_moment() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return null; end $$`,
  );
  await cluster.query(
    `create trigger slow_wave before insert on panel_tasks for each statement execute function sleep_a_moment()`,
  );
  const workers = await Promise.all([1, 2].map(() => cluster.start("worker")));
  await post<PanelRun>(`/v1/panels/${panelId}/runs`, {});
  const run = async () => {
    const [row] = await cluster.query<{ asked: number; ended: boolean }>(
      "select (waves->>'asked')::int as asked, ended_at is not null as ended from panel_runs",
    );
    assert.ok(row !== undefined);
    return row;
  };
  const isAsking = async () =>
    (await cluster.query("select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"))
      .length > 0;
  let killed = 0;
  for (const waves of [3, 7, 11]) {
    await until(`wave ${waves}`, async () => (await run()).asked >= waves);
    await until("a wave to be in the middle", async () => (await isAsking()) || (await run()).ended);
    killed += Number(await isAsking());
    await workers.shift()?.end("SIGKILL");
    workers.push(await cluster.start("worker"));
  }
  await until("the run to end", async () => (await run()).ended);
  t.diagnostic(`${killed} processes were killed while a wave was open, of either`);
  const [found] = await cluster.query<Record<string, number>>(
    `select (r.waves->>'asked')::int as asked, r.task_count as counted, r.points::int as points,
            (select count(*)::int from panel_tasks) as tied, (select count(*)::int from tasks) as tasks,
            (select count(*)::int from (select distinct prompt_id, repeat from panel_tasks) t) as different,
            (select count(distinct repeat)::int from panel_tasks) as waves, (select max(repeat) from panel_tasks) as last,
            (select coalesce(sum(points), 0)::int from ledger where kind = 'hold') as held,
            (select count(*)::int from tasks where state = 'completed') as completed,
            (select points_captured::int from accounts a where a.id = r.account_id) as captured,
            (select points_held::int from accounts a where a.id = r.account_id) as still_held
       from panel_runs r`,
  );
  assert.ok(found !== undefined);
  const { counted, completed } = found;
  assert.deepEqual(found, {
    asked: 20,
    waves: 20,
    last: 20,
    counted,
    points: counted,
    tied: counted,
    tasks: counted,
    different: counted,
    held: counted,
    completed,
    captured: completed,
    still_held: 0,
  });
});
