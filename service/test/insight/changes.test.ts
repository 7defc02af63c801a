/** Changes of a panel that is judged after its runs. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, EventPage, EventType, ObservationPage, PanelChanges } from "@querent/contract";
import { Computer } from "../../src/computing/computer.ts";
import { judgePanel, type ChangeWatcherDeps } from "../../src/reports/changes/evaluate-panel.ts";
import { markDue, type TakenPanel } from "../../src/reports/changes/evaluations.ts";
import { EntitySearch } from "../../src/observations/index.ts";
import { type Found } from "../../src/reports/index.ts";
import { readDrift } from "../../src/statistics/index.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel } from "./fixture.ts";
import { promptsMax, runWeeks, weeksPanel, type Phase } from "./weeks.ts";

suite("changes of a panel", async () => {
  const service = await startTestService({ roles: ["api", "worker"] });
  after(() => service.stop());
  const { database } = service;

  async function weeks(phases: readonly Phase[]): Promise<{ account: TestAccount; panelId: string; acme: string }> {
    const account = await service.account({ points: 100_000 });
    const body = { name: "Acme Mills", relation: "own" };
    const { entityId: acme } = (await account.call<EntityRecord>("POST", "/v1/entities", { body })).body;
    const events = ["task.finished", "panel.change.detected", "panel.instrument.changed"];
    await account.call("PUT", "/v1/webhook", { body: { url: null, events } });
    const { panelId } = await createPanel(account, weeksPanel(phases[0]?.directives ?? ""));
    await runWeeks(service, account, panelId, phases);
    return { account, panelId, acme };
  }
  const changesOf = async (account: TestAccount, panelId: string) =>
    (await account.get<PanelChanges>(`/v1/panels/${panelId}/changes`)).body;
  /** By the service's own watcher. */
  async function judged(account: TestAccount, panelId: string): Promise<PanelChanges> {
    const before = (await changesOf(account, panelId)).evaluatedAt;
    await markDue(database, { accountId: account.accountId, panelId });
    return until("it is judged", async () => {
      const changes = await changesOf(account, panelId);
      return changes.evaluatedAt !== before && changes;
    });
  }
  const announcedTo = async (account: TestAccount) =>
    (
      await account.get<EventPage<EventType>>("/v1/events?types=panel.change.detected,panel.instrument.changed")
    ).body.events.map(({ notification }) => notification);
  const presenceOf = ({ series }: PanelChanges, entityId: string) =>
    series.find((one) => one.measure === "presence" && one.entityId === entityId);

  test("a fall is found, with the evidence of both sides, and once", async () => {
    const { account, panelId, acme } = await weeks([
      { days: 12, directives: "brands=Acme_Mills:0.8" },
      { days: 9, directives: "brands=Acme_Mills:0.2" },
    ]);
    const unfound = await changesOf(account, panelId);
    assert.deepEqual([unfound.changes, presenceOf(unfound, acme)?.verdict], [[], "not_enough_data"]);
    const first = await judged(account, panelId);
    const change = first.changes.find(({ measure }) => measure === "presence");
    assert.ok(change !== undefined && change.entityId === acme);
    assert.equal(change.direction, "down");
    assert.ok(change.difference < -0.4 && change.evidence >= change.threshold);
    assert.ok((change.before.value ?? 0) > 0.65 && (change.after.value ?? 1) < 0.35);
    assert.ok(change.before.interval !== null && change.after.interval !== null);
    assert.ok(change.after.interval.high < change.before.interval.low);
    assert.equal(change.before.answers + change.after.answers, 21 * promptsMax);
    const listed = await account.get<ObservationPage>(`${change.after.observations}&limit=1`);
    assert.equal(listed.body.observations[0]?.cell.panelId, panelId);
    assert.equal(presenceOf(first, acme)?.verdict, "changed");
    assert.equal(presenceOf(first, acme)?.changeId, change.changeId);
    assert.deepEqual(first.instrumentChanges, []);
    const again = await judged(account, panelId);
    assert.deepEqual(again.changes, first.changes);
    const { text: metrics } = await account.get("/metrics");
    assert.match(metrics, /^querent_panel_changes_total\{kind="change"\} [1-9]/m);
    assert.match(metrics, /^querent_panel_judging_wait_seconds_count [1-9]/m);
    const events = await announcedTo(account);
    assert.deepEqual(
      events.map((one) => [one.event, "data" in one && one.data]),
      // The feed has the oldest first.
      first.changes.toReversed().map((one) => ["panel.change.detected", one]),
    );
    assert.equal(presenceOf(again, acme)?.changeId, change.changeId);
    assert.equal((await account.get(`/v1/panels/${account.accountId}/changes`)).status, 404);
    await account.call("DELETE", `/v1/panels/${panelId}`);
    const { rows } = await database.query("select 1 from panel_changes where account_id = $1", [account.accountId]);
    assert.deepEqual(rows, []);
  });

  test("a new model whose answers name the brand more often is a change of the instrument, and none of the brand", async () => {
    const { account, panelId, acme } = await weeks([
      { days: 12, directives: "brands=Acme_Mills:0 model=alpha" },
      { days: 3, directives: "brands=Acme_Mills:1 model=beta" },
    ]);
    const changes = await judged(account, panelId);
    assert.deepEqual(changes.changes, []);
    const [change] = changes.instrumentChanges;
    assert.ok(change !== undefined && changes.instrumentChanges.length === 1);
    assert.deepEqual(
      [change.before, change.after].map((side) => side.map(({ modelVersion }) => modelVersion)),
      [["alpha"], ["beta"]],
    );
    const [figure] = change.figures;
    assert.deepEqual([figure?.before?.value, figure?.after?.value], [0, 1]);
    const presence = presenceOf(changes, acme);
    assert.deepEqual(
      [presence?.verdict, presence?.missingDays, presence?.changeId],
      ["instrument_changed", 2, change.changeId],
    );
    assert.deepEqual((await judged(account, panelId)).instrumentChanges, changes.instrumentChanges);
    const events = await announcedTo(account);
    assert.deepEqual(
      events.map((one) => [one.event, "data" in one && one.data]),
      [["panel.instrument.changed", change]],
    );
  });

  test("what one process finds is announced once, also if it is killed before its commit, or another one judges too", async () => {
    const { account, panelId } = await weeks([
      { days: 10, directives: "brands=Acme_Mills:1" },
      { days: 8, directives: "brands=Acme_Mills:0" },
    ]);
    const { accountId } = account;
    const announced: Found[] = [];
    const deps: ChangeWatcherDeps = {
      database,
      entities: new EntitySearch(database),
      computer: new Computer({ database, memoryMiB: 512, timeMs: 60_000, waitMs: 10_000 }),
      readDrift: () => readDrift(database),
      announce: async (_tx, _account, found) => void announced.push(found),
      onTaken: () => undefined,
      onFound: () => undefined,
      onFault: (error) => assert.fail(String(error)),
    };
    /** As `takeDue` does, of this panel, before the service's own watcher. */
    const take = async (): Promise<TakenPanel> => {
      const { rows } = await database.query<{ evaluated_at: Date; taken_until: string }>(
        `update panel_evaluations set due_at = now() + interval '5 minutes' where account_id = $1 and panel_id = $2
         returning evaluated_at, due_at::text as taken_until`,
        [accountId, panelId],
      );
      const [row] = rows;
      assert.ok(row !== undefined);
      return {
        accountId,
        panelId,
        evaluatedAt: row.evaluated_at,
        driftDays: {},
        waitedSeconds: 0,
        takenUntil: row.taken_until,
      };
    };
    const killed = await take();
    await assert.rejects(
      judgePanel({ ...deps, announce: () => Promise.reject(new Error("killed")) }, killed),
      /killed/,
    );
    assert.deepEqual((await changesOf(account, panelId)).changes, []);
    const { rows } = await database.query("select 1 from panel_evaluations where account_id = $1 and due_at > now()", [
      accountId,
    ]);
    assert.equal(rows.length, 1, "it is due again later");
    const taken = await take();
    await Promise.all([judgePanel(deps, taken), judgePanel(deps, taken)]);
    const keys = announced.map(({ kind, series }) => `${kind} ${series}`);
    assert.ok(keys.length > 0);
    assert.equal(new Set(keys).size, keys.length);
    assert.equal((await changesOf(account, panelId)).changes.length, keys.length);
  });

  test("while a platform's pages do not match the recipe, its verdicts are paused and say so", async () => {
    const { account, panelId, acme } = await weeks([{ days: 9, directives: "brands=Acme_Mills:0.5" }]);
    await database.query(
      `insert into platform_drift (node_id, platform, hour, recipe, sign, what, asks, first_at, last_at)
       select $1, 'simulator', date_trunc('hour', now()), 'r1', sign, what, 20, now() - interval '3 minutes', now()
         from (values ('asked', ''), ('unmatched', 'extract.answer')) as signs(sign, what)`,
      [account.accountId],
    );
    const paused = presenceOf(await judged(account, panelId), acme);
    assert.deepEqual([paused?.verdict, paused?.paused?.reason], [null, "recipe_drift"]);
    assert.deepEqual(paused?.paused?.signs, [{ what: "extract.answer", sign: "unmatched" }]);
    await database.query("delete from platform_drift where node_id = $1", [account.accountId]);
    // The days with signs, at least today, stay left out: of nine days, at most eight remain.
    const later = presenceOf(await judged(account, panelId), acme);
    assert.equal(later?.paused, null);
    assert.ok((later?.to ?? "") < new Date().toISOString().slice(0, 10));
  });
});
