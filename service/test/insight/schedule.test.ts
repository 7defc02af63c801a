/** The scheduler on a database: every time once, what is refused is recorded, and an error of one panel does not hold up others. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { PanelRecord, PanelRun, PanelRuns } from "@querent/contract";
import { refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, panel } from "./fixture.ts";

const service = await startTestService();

const hourly = { cron: "0 * * * *", timeZone: "Europe/Berlin", catchUp: "all" };

/** Moves the panel's next time back by whole hours, as if no worker had run. */
async function missed(panelId: string, hours: number): Promise<void> {
  await service.database.query(
    `update panels set next_slot = next_slot - $2 * interval '1 hour', due_at = due_at - $2 * interval '1 hour' where id = $1`,
    [panelId, hours],
  );
}

async function runsOf(account: TestAccount, panelId: string): Promise<PanelRun[]> {
  return (await account.get<PanelRuns>(`/v1/panels/${panelId}/runs?limit=200`)).body.runs;
}

const caughtUp = (account: TestAccount, panelId: string) =>
  until("the schedule to have caught up", async () => {
    const { body } = await account.get<PanelRecord>(`/v1/panels/${panelId}`);
    return body.nextRunAt !== null && Date.parse(body.nextRunAt) > Date.now();
  });

suite("the scheduler", () => {
  test("runs every time that passed, each once, and charges each once", async () => {
    const account = await service.account({ points: 1000 });
    const { panelId } = await createPanel(account, { schedule: hourly });
    await missed(panelId, 12);
    await caughtUp(account, panelId);
    const runs = await runsOf(account, panelId);
    assert.equal(runs.length, 12);
    assert.equal(new Set(runs.map(({ slot }) => slot)).size, 12);
    assert.ok(runs.every(({ state, taskCount, points }) => state === "started" && taskCount === 2 && points === 2));
    const { rows } = await service.database.query<{ held: number }>(
      "select sum(points)::int as held from ledger where account_id = $1 and kind = 'hold'",
      [account.accountId],
    );
    assert.equal(rows[0]?.held, 24);
  });

  test("`latest` runs the last time, and shows the others as missed", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account, { schedule: { ...hourly, catchUp: "latest" } });
    await missed(panelId, 5);
    await caughtUp(account, panelId);
    const runs = await runsOf(account, panelId);
    assert.deepEqual(
      runs.map(({ state }) => state),
      ["started", "missed", "missed", "missed", "missed"],
    );
    assert.equal(runs[1]?.problem?.code, "slot_missed");
    assert.equal(runs[1]?.points, 0);
  });

  test("over a cap a run is refused and recorded, nothing is held, and the schedule goes on", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account, { schedule: hourly });
    const caps = { caps: [{ kind: "panel", subject: panelId, runPoints: 1 }] };
    assert.equal((await account.call("PUT", "/v1/caps", { body: caps })).status, 200);
    await missed(panelId, 1);
    await caughtUp(account, panelId);
    const [run] = await runsOf(account, panelId);
    assert.deepEqual([run?.state, run?.problem?.code, run?.taskCount, run?.points], ["refused", "cap_exceeded", 0, 0]);
    assert.match(run?.problem?.detail ?? "", /1 over/);
    const { rows } = await service.database.query("select 1 from tasks where account_id = $1", [account.accountId]);
    assert.equal(rows.length, 0);
    assert.ok(service.events.some(({ event }) => event === "panel.run_refused"));
  });

  test("for lack of points a run is refused and recorded", async () => {
    const account = await service.account({ points: 1 });
    const { panelId } = await createPanel(account, { schedule: hourly });
    await missed(panelId, 1);
    await caughtUp(account, panelId);
    const [run] = await runsOf(account, panelId);
    assert.deepEqual([run?.state, run?.problem?.code], ["refused", "points_short"]);
  });

  test("an edit between two times runs the new revision, and a time that has run does not run again", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account, { schedule: hourly });
    await missed(panelId, 1);
    await caughtUp(account, panelId);
    const edited = await account.call("PUT", `/v1/panels/${panelId}`, {
      body: panel({ schedule: hourly, repeats: 2 }),
    });
    assert.equal(edited.status, 200);
    await missed(panelId, 2);
    await caughtUp(account, panelId);
    assert.deepEqual(
      (await runsOf(account, panelId)).map(({ revision, taskCount }) => [revision, taskCount]),
      [
        [2, 4],
        [1, 2],
      ],
    );
  });

  test("a paused panel does not run", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account, { schedule: { ...hourly, paused: true } });
    const { rows } = await service.database.query("select 1 from panels where id = $1 and due_at is null", [panelId]);
    assert.equal(rows.length, 1);
    refused(await account.call("POST", `/v1/panels/${panelId}/runs`, {}), "idempotency_key_missing");
  });
});
