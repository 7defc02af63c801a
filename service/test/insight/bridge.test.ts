/** A platform that is asked a part of the cells only, and its figures with the help of another. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, PanelBridge, PanelQuote, PanelRecord, Problem } from "@querent/contract";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, panel, runPanel } from "./fixture.ts";

suite("the bridge", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const account = await service.account();
  const { body: entity } = await account.call<EntityRecord>("POST", "/v1/entities", {
    body: { name: "Acme Mills", relation: "own" },
  });
  const prompts = Array.from({ length: 22 }, (_, index) => ({
    text: `Which ${index}? brands=Acme_Mills:${index % 3 === 0 ? 0.9 : 0.2}@1`,
    promptId: `p${index}`,
    topic: `t${index}`,
  }));
  const shared = { prompts, platforms: ["sample", "simulator"], platformShare: { simulator: 0.3 } };
  const { panelId, cellCount, taskCount, digest } = await createPanel(account, { ...shared, repeats: 2 });

  test("a share is counted, priced and drawn anew for each run, and belongs to the digest", async () => {
    assert.deepEqual([cellCount, taskCount], [22 + 7, 2 * (22 + 7)]);
    const quote = await account.call<PanelQuote>("POST", `/v1/panels/${panelId}/quote`, {});
    assert.deepEqual([quote.body.cellCount, quote.body.taskCount], [29, 58]);
    const listed = await account.get<{ panels: PanelRecord[] }>("/v1/panels");
    assert.equal(listed.body.panels[0]?.cellCount, 29);
    const drawn: string[] = [];
    for (let run = 0; run < 6; run++) {
      const { body } = await runPanel(account, panelId);
      assert.deepEqual([body.cellCount, body.taskCount, body.points], [29, 58, quote.body.estimatedPoints]);
      const { rows } = await service.database.query<{ prompts: string; tasks: number }>(
        `select string_agg(distinct prompt_id, ' ' order by prompt_id) as prompts, count(*)::int as tasks from panel_tasks
          where account_id = $1 and run_id = $2 and platform = 'simulator'`,
        [account.accountId, body.runId],
      );
      assert.equal(rows[0]?.tasks, 14);
      drawn.push(rows[0].prompts);
    }
    assert.ok(new Set(drawn).size > 1, "not the same prompts in each run");
    const whole = await createPanel(account, { ...shared, repeats: 2, platformShare: { simulator: 1 } });
    const without = await createPanel(account, { ...shared, repeats: 2, platformShare: null });
    assert.equal(whole.digest, without.digest);
    assert.equal(whole.cellCount, 44);
    assert.notEqual(whole.digest, digest);
  });

  test("says what the other platform is worth, with the pairs that it used", async () => {
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1 and panel_id = $2",
        [account.accountId, panelId],
      );
      return rows[0]?.count === 6 * 58;
    });
    const query = `measure=presence&entityId=${entity.entityId}&fromPlatform=sample&toPlatform=simulator`;
    const { status, body, text } = await account.get<PanelBridge>(`/v1/panels/${panelId}/bridge?${query}`);
    assert.equal(status, 200, text);
    assert.deepEqual([body.pairCount, body.unpairedCount, body.pairs.length], [42, 6 * 15, 42]);
    const { thesePrompts } = body;
    assert.ok(thesePrompts.interval !== null && thesePrompts.value !== null, JSON.stringify(thesePrompts.reason));
    assert.ok(thesePrompts.value > 0.2 && thesePrompts.value < 0.7);
    // The sample platform names no brand.
    assert.deepEqual([thesePrompts.verdict, thesePrompts.lambda], ["tells_nothing", 0]);
    assert.deepEqual(thesePrompts.interval, thesePrompts.observedOnly.interval);
  });

  test("what cannot be bridged is refused", async () => {
    const refused = async (query: string) => {
      const { status, body } = await account.get<Problem>(`/v1/panels/${panelId}/bridge?${query}`);
      return [status, body.errors?.[0]?.pointer];
    };
    const of = `entityId=${entity.entityId}`;
    assert.deepEqual(await refused(`measure=presence&${of}&fromPlatform=sample&toPlatform=sample`), [
      422,
      "?toPlatform",
    ]);
    assert.deepEqual(await refused(`measure=presence&${of}&fromPlatform=x&toPlatform=sample`), [422, "?fromPlatform"]);
    assert.deepEqual(await refused("measure=presence&fromPlatform=sample&toPlatform=simulator"), [422, "?entityId"]);
    assert.equal((await refused(`measure=presence&${of}`))[0], 422);
    const unknown = await account.call<Problem>("POST", "/v1/panels", {
      body: panel({ platformShare: { "a/b": 0.5 } }),
    });
    assert.deepEqual([unknown.status, unknown.body.errors?.[0]?.pointer], [422, "/platformShare/a~1b"]);
    const nothing = await account.call<Problem>("POST", "/v1/panels", {
      body: panel({ platformShare: { simulator: 0 } }),
    });
    assert.equal(nothing.status, 422);
  });
});
