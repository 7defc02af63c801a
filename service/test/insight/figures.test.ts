/** Figures of a panel over HTTP: from answers of which everything is known. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import {
  measureIds as contractIds,
  type EntityRecord,
  type Measures,
  type PanelRecord,
  type PanelFigures,
  type PanelReport,
  type Problem,
} from "@querent/contract";
import { measureIds } from "@querent/figures";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

suite("figures", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const entity = async (account: TestAccount, name: string, relation: string) =>
    (await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).body.entityId;
  const figures = async (account: TestAccount, panelId: string, query = "") => {
    const { status, body, text } = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures${query}`);
    assert.equal(status, 200, text);
    return body;
  };
  const runAndObserve = async (account: TestAccount, panelId: string, runs: number) => {
    let expected = 0;
    for (let run = 0; run < runs; run++) expected += (await runPanel(account, panelId)).body.taskCount;
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1 and panel_id = $2",
        [account.accountId, panelId],
      );
      return rows[0]?.count === expected;
    });
  };

  test("the measures of the contract are those of the package, each with its definition", async () => {
    assert.deepEqual(contractIds, measureIds);
    const account = await service.account();
    const { body } = await account.get<Measures>("/v1/measures");
    assert.deepEqual(
      body.measures.map(({ id }) => id),
      [...measureIds],
    );
  });

  test("figures of sources are the same from the sites of an answer and from its addresses, as earlier versions wrote it", async () => {
    const account = await service.account();
    await entity(account, "Acme Mills", "own");
    const { panelId } = await createPanel(account, {
      prompts: [
        { text: "Which grinder? sources=5", promptId: "which" },
        { text: "Which kettle? sources=2 brands=Acme_Mills:1@1", promptId: "kettle" },
      ],
    });
    await runAndObserve(account, panelId, 3);
    const { rows } = await service.database.query<{ sites: number }>(
      "select min(jsonb_array_length(cited_sites::jsonb))::int as sites from observations where panel_id = $1",
      [panelId],
    );
    assert.ok((rows[0]?.sites ?? 0) > 0, "the answers have sites");
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const report = async () => (await account.get<PanelReport>(`/v1/panels/${panelId}/report?to=${to}`)).body;
    const before = await report();
    assert.ok((before.sources[0]?.citations ?? 0) > 0);
    await service.database.query("update observations set cited_sites = null where panel_id = $1", [panelId]);
    assert.deepEqual(await report(), before);
  });

  test("a figure is of the latest model with enough runs; others stand beside it, and are added only if asked for", async () => {
    const account = await service.account();
    await entity(account, "Acme Mills", "own");
    const { panelId } = await createPanel(account, {
      prompts: [{ text: "Which grinder? brands=Acme_Mills:1@1", promptId: "which" }],
    });
    await runAndObserve(account, panelId, 8);
    await service.database.query(
      `update observations set model_version = 'other', mentions = '[]'
         where id in (select id from observations where panel_id = $1 order by id limit 2)`,
      [panelId],
    );
    const path = `/v1/panels/${panelId}/figures?measure=presence`;
    const shown = async (query: string) => {
      const { body } = await account.get<PanelFigures>(`${path}${query}`);
      return body.rows.map(({ thesePrompts, otherInstruments, leftOut }) => ({
        value: thesePrompts.value,
        blend: thesePrompts.blend,
        others: otherInstruments.map((one) => [one.instrument.modelVersion, one.thesePrompts.value]),
        leftOut,
      }));
    };
    assert.deepEqual(await shown(""), [
      { value: 1, blend: false, others: [["other", 0]], leftOut: { other_instrument: 2 } },
    ]);
    assert.deepEqual(await shown("&blend=true"), [{ value: 6 / 8, blend: true, others: [], leftOut: {} }]);
    assert.deepEqual(await shown("&blend=false"), await shown(""));
    assert.equal((await account.get(`${path}&blend=maybe`)).status, 422);
    const { text } = await account.get<string>(`/v1/panels/${panelId}/report?format=html`);
    assert.match(text, /with other/);
  });

  test("a panel's figures have both scopes, their answers, their instruments, and leave branded prompts out", async () => {
    const account = await service.account();
    const own = await entity(account, "Acme Mills", "own");
    const rival = await entity(account, "Globex Corp", "competitor");
    const { panelId } = await createPanel(account, {
      prompts: [
        { text: "Which grinder? brands=Acme_Mills:1@1,Globex_Corp:1@2", promptId: "which", topic: "grinders" },
        { text: "Which kettle? brands=Globex_Corp:1@1", promptId: "kettle", topic: "kettles" },
        { text: "Is Acme Mills good? brands=Acme_Mills:1@1", promptId: "branded", topic: "grinders" },
      ],
    });
    assert.deepEqual((await account.get<PanelRecord>(`/v1/panels/${panelId}`)).body.brandedPrompts, [
      { promptId: "branded", entityIds: [own] },
    ]);
    await runAndObserve(account, panelId, 5);
    const { rows } = await figures(account, panelId);
    const of = (measure: string, entityId: string) =>
      rows.find((row) => row.measure === measure && row.group.entityId === entityId);
    const presence = of("presence", own);
    assert.ok(presence !== undefined);
    assert.equal(presence.thesePrompts.value, 0.5);
    assert.deepEqual([presence.thesePrompts.cells, presence.thesePrompts.answers], [2, 10]);
    assert.equal(presence.brandedPromptsLeftOut, 1);
    assert.deepEqual(presence.leftOut, { branded_prompt: 5 });
    assert.equal(presence.thesePrompts.definition, "presence/1");
    assert.equal(presence.thesePrompts.instrument.length, 1);
    const { interval } = presence.thesePrompts;
    assert.ok(interval !== null && interval.low < 0.5 && interval.high > 0.5);
    assert.deepEqual(
      [
        presence.promptsLikeThese.interval,
        presence.promptsLikeThese.reason?.code,
        presence.promptsLikeThese.reason?.missing,
      ],
      [null, "too_few_topics", 18],
    );
    assert.equal(of("presence", rival)?.thesePrompts.value, 2 / 3);
    assert.equal(of("mention_share", own)?.thesePrompts.value, 1 / 3);
    assert.equal(of("first_place", own)?.thesePrompts.value, 1);
    assert.equal(of("first_place", rival)?.thesePrompts.value, 0.5);
    const listed = await account.get<{ observations: unknown[] }>(presence.thesePrompts.observations);
    assert.equal(listed.body.observations.length, 15);

    const byRun = (await figures(account, panelId, `?measure=presence&entityId=${own}&by=run`)).rows;
    assert.equal(new Set(byRun.map(({ group }) => group.runId)).size, 5);
    assert.ok(byRun.every(({ seam, thesePrompts }) => !seam && thesePrompts.reason?.code === "too_few_runs"));
    const byPrompt = (await figures(account, panelId, `?measure=presence&entityId=${own}&by=prompt`)).rows;
    assert.deepEqual(
      byPrompt.map(({ group, thesePrompts }) => [group.promptId, thesePrompts.value]),
      [
        ["which", 1],
        ["kettle", 0],
        ["branded", null],
      ],
    );
  });

  test("answers from before an entity was created are not answers that do not name it", async () => {
    const account = await service.account();
    await entity(account, "Globex Corp", "competitor");
    const { panelId } = await createPanel(account, {
      prompts: [{ text: "Which kettle? brands=Initech_Ltd:1@1", promptId: "kettle" }],
    });
    await runAndObserve(account, panelId, 1);
    const later = await entity(account, "Initech Ltd", "own");
    const { rows } = await figures(account, panelId, `?measure=presence&entityId=${later}`);
    assert.deepEqual(
      rows.map(({ leftOut, thesePrompts }) => [leftOut, thesePrompts.value, thesePrompts.reason?.code]),
      [[{ not_searched: 1 }, null, "too_few_answers"]],
    );
    const unnamed = await entity(account, "Hooli Inc", "own");
    assert.equal((await account.call("POST", "/v1/observations/recount")).status, 200);
    const after = async (entityId: string) =>
      (await figures(account, panelId, `?measure=presence,listed,position&entityId=${entityId}`)).rows.map(
        ({ thesePrompts }) => thesePrompts.value,
      );
    assert.deepEqual(await after(later), [1, 1, 1]);
    assert.deepEqual(await after(unnamed), [0, null, 0]);
  });

  test("windows, entities and panels that are not there are refused", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account);
    const refused = async (query: string) => {
      const { status, body } = await account.get<Problem>(`/v1/panels/${panelId}/figures${query}`);
      return [status, body.errors?.[0]?.pointer];
    };
    assert.deepEqual((await figures(account, panelId)).rows, []);
    assert.deepEqual(await refused("?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"), [422, "?to"]);
    assert.deepEqual(await refused("?from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z"), [422, "?from"]);
    assert.deepEqual(await refused(`?entityId=${panelId}`), [422, "?entityId"]);
    assert.deepEqual(await refused("?measure=presence,nonsense"), [422, "?measure"]);
    assert.equal((await account.get(`/v1/panels/${account.accountId}/figures`)).status, 404);
  });
});
