/** Plans over HTTP: from a panel's own answers, and from assumptions. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, PanelPlan, Problem } from "@querent/contract";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

suite("plans", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const account = await service.account();
  const { body: entity } = await account.call<EntityRecord>("POST", "/v1/entities", {
    body: { name: "Acme Mills", relation: "own" },
  });
  const prompts = Array.from({ length: 24 }, (_, index) => ({
    text: `Which ${index}? brands=Acme_Mills:${index % 2 === 0 ? 0.8 : 0.3}@1`,
    promptId: `p${index}`,
    topic: `t${index}`,
  }));
  const { panelId } = await createPanel(account, { prompts, repeats: 2 });
  const wanted = {
    measure: "presence",
    entityId: entity.entityId,
    platformCode: "simulator",
    scope: "these_prompts",
    width: 0.1,
  };
  const plan = async (more: object = {}, of: TestAccount = account) =>
    of.call<PanelPlan & Problem>("POST", `/v1/panels/${panelId}/plan`, { body: { ...wanted, ...more } });

  test("without enough answers nothing is planned from a pilot, and assumptions are taken instead", async () => {
    const { status, body, text } = await plan();
    assert.equal(status, 200, text);
    assert.deepEqual([body.samePrompts, body.pilot, body.reason?.code], [null, null, "pilot_too_small"]);
    const assume = { value: 0.5, betweenTopics: 0.25, betweenPrompts: 0, betweenRuns: 0 };
    const { samePrompts, reason } = (await plan({ assume })).body;
    assert.ok(samePrompts !== null && reason === null);
    assert.equal(samePrompts.answers, 24 * samePrompts.runs * samePrompts.repeats);
    assert.deepEqual([samePrompts.points, samePrompts.panelPoints], [samePrompts.answers, samePrompts.answers]);
    const like = (await plan({ assume, scope: "prompts_like_these" })).body;
    assert.equal(like.reason?.code, "width_not_reached");
    assert.match(like.reason.detail, /only more topics do/);
    assert.ok(like.moreTopics !== null && like.moreTopics.topics > 24 && like.moreTopics.width <= 0.1);
    assert.ok((like.least?.variance.topics ?? 0) > 0.5);
  });

  test("the panel's own answers are the pilot", async () => {
    let expected = 0;
    for (let run = 0; run < 4; run++) expected += (await runPanel(account, panelId)).body.taskCount;
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1 and panel_id = $2",
        [account.accountId, panelId],
      );
      return rows[0]?.count === expected;
    });
    const { body } = await plan();
    assert.deepEqual([body.pilot?.topics, body.pilot?.prompts, body.pilot?.runs], [24, 24, 4]);
    const value = body.deviations?.value ?? 0;
    assert.ok(value > 0.45 && value < 0.65, `${value}`);
    assert.ok((body.deviations?.betweenTopics ?? 0) > 0.15, JSON.stringify(body.deviations));
    assert.equal(body.deviations?.areRepeatsKnown, true);
    assert.ok(body.samePrompts !== null && body.samePrompts.width <= 0.1);
    assert.equal(body.samePrompts.days, body.samePrompts.runs);
    const { inWaves } = body;
    assert.ok(inWaves !== null && inWaves.waves >= 15 && inWaves.reached === 1, JSON.stringify(inWaves));
    assert.ok(inWaves.answers < 24 * inWaves.waves && inWaves.points === inWaves.answers);
    assert.equal((await plan({ scope: "prompts_like_these" })).body.inWaves, null);
    assert.equal((await plan({ runsPerDay: 0.5 })).body.samePrompts?.days, 2 * body.samePrompts.runs);
  });

  test("what cannot be planned is refused, and other accounts see nothing", async () => {
    const pointer = async (more: object) => {
      const { status, body } = await plan(more);
      return [status, body.errors?.[0]?.pointer];
    };
    assert.deepEqual(await pointer({ platformCode: "sample" }), [422, "/platformCode"]);
    assert.deepEqual(await pointer({ entityId: panelId }), [422, "/entityId"]);
    assert.deepEqual(await pointer({ measure: "platform_source_agreement" }), [422, "/measure"]);
    assert.deepEqual(await pointer({ width: 0 }), [422, "/width"]);
    const assume = { value: 0.5, betweenTopics: 0.6, betweenPrompts: 0, betweenRuns: 0 };
    assert.deepEqual(await pointer({ assume }), [422, "/assume"]);
    assert.deepEqual(await pointer({ assume: { ...assume, value: 1.5 } }), [422, "/assume/value"]);
    assert.equal((await plan({}, await service.account())).status, 404);
  });
});
