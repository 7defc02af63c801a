/** Three real processes start the runs of panels, and are killed in the middle of it: each time runs once, and is charged once. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { PanelRecord } from "@querent/contract";
import { startCluster } from "../harness/cluster.ts";
import { emptyDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

const panels = 4;
const slotsOfEach = 50;
const cells = 10;
const repeats = 2;

suite("schedules over three processes", () => {
  test("200 times that passed run once each, through kills in the middle of a run", async (t) => {
    const { url } = await emptyDatabase();
    const cluster = await startCluster(t, url);
    const api = await cluster.start("api,notifier");
    const ids: string[] = [];
    for (let number = 0; number < panels; number++) ids.push(await createPanel(api.address, number));
    // Each run takes a while inside its transaction, so that kills find it there.
    await cluster.query(
      `create function sleep_a_moment() returns trigger language plpgsql as $$ begin perform pg_sleep(0.05); return null; end $$`,
    );
    await cluster.query(
      `create trigger slow_run before insert on panel_tasks for each statement execute function sleep_a_moment()`,
    );
    // The same for all: a minute may have passed while they were made.
    await cluster.query(
      `update panels set next_slot = latest.slot - $1 * interval '1 minute', due_at = latest.due - $1 * interval '1 minute'
         from (select max(next_slot) as slot, max(due_at) as due from panels) latest`,
      [slotsOfEach],
    );
    const [{ first } = { first: new Date(0) }] = await cluster.query<{ first: Date }>(
      "select max(next_slot) as first from panels",
    );
    const last = new Date(first.getTime() + (slotsOfEach - 1) * 60_000);

    const workers = await Promise.all([1, 2, 3].map(() => cluster.start("worker")));
    const started = async () => {
      const [row] = await cluster.query<{ n: number }>("select count(*)::int as n from panel_runs where slot <= $1", [
        last,
      ]);
      return row?.n ?? 0;
    };
    const inTheMiddle = async () => {
      const rows = await cluster.query(
        "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
      );
      return rows.length;
    };
    let killedInTheMiddle = 0;
    for (const runs of [20, 60, 100, 140]) {
      await until(`${runs} runs`, async () => (await started()) >= runs);
      if ((await started()) < panels * slotsOfEach)
        await until("runs to be in the middle", async () => (await inTheMiddle()) >= 2 || (await started()) >= 190);
      killedInTheMiddle += await inTheMiddle();
      await workers.shift()?.end("SIGKILL");
      workers.push(await cluster.start("worker"));
    }
    t.diagnostic(`${killedInTheMiddle} transactions of runs were open when a process was killed`);
    await until("every time to have run", async () => (await started()) >= panels * slotsOfEach);

    const runs = await cluster.query<{ panel_id: string; n: number; slots: number; tasks: number }>(
      `select r.panel_id, count(*)::int as n, count(distinct slot)::int as slots,
              (select count(*)::int from panel_tasks c join tasks k on k.account_id = c.account_id and k.id = c.task_id
                where c.panel_id = r.panel_id and c.run_id in (select id from panel_runs where slot <= $1)) as tasks
         from panel_runs r where state = 'started' and slot <= $1 group by 1`,
      [last],
    );
    assert.equal(runs.length, panels);
    for (const { n, slots, tasks } of runs)
      assert.deepEqual([n, slots, tasks], [slotsOfEach, slotsOfEach, slotsOfEach * cells * repeats]);
    const cellsOfRuns = await cluster.query<{ n: number }>(
      `select count(*)::int as n from (select from panel_tasks group by run_id, prompt_id, platform, locale, persona
                                       having count(*) <> $1 or count(distinct repeat) <> $1) t`,
      [repeats],
    );
    assert.deepEqual(cellsOfRuns, [{ n: 0 }], "cells that were not asked exactly as often as they should be");
    // No time is charged twice, and nothing is charged without a run.
    const [held] = await cluster.query<{ held: number; priced: number; tasks: number; tied: number }>(
      `select (select sum(points)::int from ledger where kind = 'hold') as held,
              (select sum(points)::int from panel_runs) as priced,
              (select count(*)::int from tasks) as tasks, (select count(*)::int from panel_tasks) as tied`,
    );
    assert.ok(held !== undefined);
    assert.deepEqual([held.held, held.tasks], [held.priced, held.tied]);
    await until("all tasks to end", async () => {
      const [row] = await cluster.query<{ n: number }>("select count(*)::int as n from tasks where state = 'pending'");
      return row?.n === 0;
    });
  });
});

async function createPanel(address: string, number: number): Promise<string> {
  const response = await fetch(`${address}/v1/panels`, {
    method: "POST",
    headers: { authorization: "Bearer token-of-the-chaos-tests", "content-type": "application/json" },
    body: JSON.stringify({
      name: `Panel ${number}`,
      prompts: Array.from({ length: cells }, (_, index) => ({ text: `Question ${index} of panel ${number}?` })),
      platforms: ["simulator"],
      repeats,
      // Every minute: the panel goes on with the times of the present once it has caught up.
      schedule: { cron: "* * * * *", catchUp: "all" },
    }),
  });
  assert.equal(response.status, 201, await response.clone().text());
  return ((await response.json()) as PanelRecord).panelId;
}
