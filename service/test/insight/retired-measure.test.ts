/** What an earlier version stored about `recommendation`, a measure that was taken out. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, suite, test } from "node:test";
import type { EntityRecord, ObservationPage, PanelChanges, PanelRecord, PanelRun, Problem } from "@querent/contract";
import { readFoundWithin } from "../../src/reports/changes/found-changes.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, panel, runPanel } from "./fixture.ts";

suite("a measure that was taken out", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const { database } = service;

  async function earlierPanel(account: TestAccount): Promise<{ panelId: string; entityId: string }> {
    const body = { name: "Acme Mills", relation: "own" };
    const { entityId } = (await account.call<EntityRecord>("POST", "/v1/entities", { body })).body;
    const prompts = [{ text: "Which? brands=Acme_Mills:0.5", promptId: "p1" }];
    const { panelId } = await createPanel(account, { prompts, askUntil: { width: 0.1, measure: "listed" } });
    await database.query(
      `update panel_revisions set content = replace(content::text, '"listed"', '"recommendation"')::json
        where account_id = $1 and panel_id = $2`,
      [account.accountId, panelId],
    );
    return { panelId, entityId };
  }

  test("a panel that asks until it is known asks one wave, and says why; a new one with it is refused", async () => {
    const account = await service.account();
    const { panelId } = await earlierPanel(account);
    const { body: kept } = await account.get<PanelRecord>(`/v1/panels/${panelId}`);
    assert.equal(kept.askUntil?.measure, "recommendation");
    const { body: started } = await runPanel(account, panelId);
    const run = await until("the run to end", async () => {
      const { body } = await account.get<PanelRun>(`/v1/panels/${panelId}/runs/${started.runId}`);
      return body.endedAt !== null && body;
    });
    const { stopped, problem, asked } = run.waves ?? {};
    assert.deepEqual([stopped, problem?.code, asked, run.taskCount], ["nothing_to_measure", "measure_retired", 1, 1]);
    const refused = await account.call<Problem>("PUT", `/v1/panels/${panelId}`, {
      body: panel({ askUntil: kept.askUntil }),
    });
    assert.deepEqual(
      [refused.status, refused.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)],
      [422, ["/askUntil/measure not_allowed"]],
    );
    const askUntil = { ...kept.askUntil, measure: "listed" };
    assert.equal((await account.call("PUT", `/v1/panels/${panelId}`, { body: panel({ askUntil }) })).status, 200);
  });

  test("its changes and verdicts are shown no more, neither by the API nor in reports, and stay in the database", async () => {
    const account = await service.account();
    const { panelId, entityId } = await earlierPanel(account);
    const surface = { platformCode: "simulator", kind: "api", locale: "", persona: "" };
    const about = { measure: "recommendation", definition: "recommendation/1", entityId, ...surface };
    const day = "2026-01-05";
    const side = {
      value: 0.5,
      interval: null,
      scope: "these_prompts",
      cells: 1,
      answers: 9,
      window: { from: null, to: null },
      instrument: [],
      definition: about.definition,
      reason: null,
      observations: "/v1/observations",
    };
    const change = {
      ...about,
      changeId: randomUUID(),
      panelId,
      direction: "up",
      difference: 0.5,
      since: day,
      sinceRunId: null,
      foundAt: `${day}T12:00:00.000Z`,
      evidence: 99,
      threshold: 40,
      before: side,
      after: side,
    };
    const verdict = {
      ...about,
      verdict: "not_distinguishable",
      from: day,
      to: day,
      prompts: 1,
      evidence: 1,
      threshold: 40,
      changeId: null,
      smallestChange: null,
      missingDays: null,
      paused: null,
    };
    for (const measure of ["recommendation", "presence"])
      await database.query(
        `insert into panel_changes (account_id, panel_id, id, kind, series, day, found_at, data)
         values ($1, $2, $3, 'change', $4, current_date, now(), $5)`,
        [account.accountId, panelId, randomUUID(), measure, JSON.stringify({ ...change, measure })],
      );
    await database.query(
      `insert into panel_evaluations (account_id, panel_id, evaluated_at, verdicts) values ($1, $2, now(), $3)
       on conflict (account_id, panel_id) do update set evaluated_at = now(), verdicts = excluded.verdicts, due_at = null`,
      [account.accountId, panelId, JSON.stringify([verdict, { ...verdict, measure: "presence" }])],
    );
    const { status, body } = await account.get<PanelChanges>(`/v1/panels/${panelId}/changes`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.changes.map(({ measure }) => measure),
      ["presence"],
    );
    assert.deepEqual(
      body.series.map(({ measure }) => measure),
      ["presence"],
    );
    const window = { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
    const found = await readFoundWithin(database, { accountId: account.accountId, panelId, window });
    assert.deepEqual(
      found.changes.map(({ measure }) => measure),
      ["presence"],
    );
    const { rows } = await database.query("select 1 from panel_changes where account_id = $1", [account.accountId]);
    assert.equal(rows.length, 2);
  });

  test("what observations have of it is neither in the API nor in the view, whose column stays for its readers", async () => {
    const account = await service.account();
    await account.call("POST", "/v1/entities", { body: { name: "Acme Mills", relation: "own" } });
    await account.answerTo("Which? brands=Acme_Mills:1");
    const listed = async () => (await account.get<ObservationPage>("/v1/observations")).body.observations;
    const before = await until("it is observed", async () => {
      const observations = await listed();
      return observations.length > 0 && observations;
    });
    assert.ok((before[0]?.mentions.length ?? 0) > 0);
    await database.query(
      `update observations set mentions = (select jsonb_agg(one || '{"recommended": true}') from jsonb_array_elements(mentions) as one)
        where account_id = $1`,
      [account.accountId],
    );
    assert.deepEqual(await listed(), before);
    const { rows } = await database.query("select distinct recommended from bi_mentions where account_id = $1", [
      account.accountId,
    ]);
    assert.deepEqual(rows, [{ recommended: null }]);
  });
});
