/** A worker that is killed while it stores what it found: another one announces it, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntityRecord, EventPage, EventType, PanelChanges } from "@querent/contract";
import { markDue } from "../../src/reports/changes/evaluations.ts";
import { startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel } from "./fixture.ts";
import { runWeeks, weeksPanel } from "./weeks.ts";

test("a worker that is killed between what it found and its announcement loses nothing, and nothing is announced twice", async () => {
  using folder = temporaryFolder();
  const service = await startTestService({ roles: ["api"] });
  const { database } = service;
  const startWorker = () =>
    startServiceProcess({ ...service.commandEnvironment, QUERENT_DATA_DIR: folder.path }, [
      "serve",
      "--roles",
      "worker",
    ]);
  const worker = await startWorker();
  const account = await service.account({ points: 100_000 });
  const { accountId } = account;
  const entity = { name: "Acme Mills", relation: "own" };
  await account.call<EntityRecord>("POST", "/v1/entities", { body: entity });
  const events = ["task.finished", "panel.change.detected"];
  assert.equal((await account.call("PUT", "/v1/webhook", { body: { url: null, events } })).status, 200);
  const { panelId } = await createPanel(account, weeksPanel("brands=Acme_Mills:1"));
  await runWeeks(service, account, panelId, [
    { days: 10, directives: "brands=Acme_Mills:1" },
    { days: 8, directives: "brands=Acme_Mills:0" },
  ]);
  const changes = async () => (await account.get<PanelChanges>(`/v1/panels/${panelId}/changes`)).body.changes;
  const announced = async () =>
    (await account.get<EventPage<EventType>>("/v1/events?types=panel.change.detected")).body.events.map(
      ({ notification }) => "data" in notification && (notification.data as { changeId: string }).changeId,
    );
  assert.deepEqual(await changes(), []);

  // An announcement is numbered under the lock of the account's row, which this transaction has until the worker is dead.
  await database.transaction(async (tx) => {
    await tx.query("select 1 from accounts where id = $1 for update", [accountId]);
    await markDue(database, { accountId, panelId });
    await until("the worker has stored what it found, and waits to announce it", async () => {
      const { rows } = await database.query<{ waiting: boolean }>(
        `select exists (select from pg_stat_activity a where a.datname = current_database() and a.wait_event_type = 'Lock'
                           and exists (select from pg_locks l where l.pid = a.pid and l.granted and l.relation = 'panel_changes'::regclass
                                          and l.mode = 'RowExclusiveLock')) as waiting`,
      );
      return rows[0]?.waiting === true;
    });
    await worker.end("SIGKILL");
  });
  await until("the server has noticed the death of the worker", async () => {
    const { rows } = await database.query<{ open: boolean }>(
      `select exists (select from pg_locks where relation = 'panel_changes'::regclass and mode = 'RowExclusiveLock'
                         and database = (select oid from pg_database where datname = current_database())) as open`,
    );
    return rows[0]?.open === false;
  });
  assert.deepEqual([await changes(), await announced()], [[], []]);

  const other = await startWorker();
  // As if the five minutes had passed for which the dead worker had taken the panel.
  await database.query("update panel_evaluations set due_at = now() where account_id = $1 and panel_id = $2", [
    accountId,
    panelId,
  ]);
  const found = await until("the other worker has judged the panel", async () => {
    const all = await changes();
    return all.length > 0 && all;
  });
  assert.deepEqual(new Set(await announced()), new Set(found.map(({ changeId }) => changeId)));
  await markDue(database, { accountId, panelId });
  await until("it has judged it again", async () => {
    const { rows } = await database.query("select 1 from panel_evaluations where panel_id = $1 and due_at is null", [
      panelId,
    ]);
    return rows.length === 1;
  });
  assert.equal((await announced()).length, found.length);
  assert.equal(await other.end("SIGTERM"), 0);
});
