/** The brands of a panel over HTTP: what is in its figures, and what a change of them, or of its prompts, does to earlier answers. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type {
  EntityRecord,
  FigureRow,
  PanelFigures,
  PanelQuote,
  PanelRecord,
  PanelReport,
  Problem,
} from "@querent/contract";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, panel, runPanel } from "./fixture.ts";

suite("the brands of a panel", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const entity = async (account: TestAccount, name: string, relation: string, aliases: readonly string[] = []) => {
    const body = { name, relation, aliases: aliases.map((text) => ({ text })) };
    return (await account.call<EntityRecord>("POST", "/v1/entities", { body })).body.entityId;
  };
  const runs = async (account: TestAccount, panelId: string, count: number) => {
    for (let run = 0; run < count; run++) {
      const { runId, taskCount } = (await runPanel(account, panelId)).body;
      await until("every answer is observed", async () => {
        const { rows } = await service.database.query<{ count: number }>(
          "select count(*)::int as count from observations where account_id = $1 and run_id = $2",
          [account.accountId, runId],
        );
        return rows[0]?.count === taskCount;
      });
    }
  };
  const rowsOf = async (account: TestAccount, panelId: string, query: string) => {
    const { status, body, text } = await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?${query}`);
    assert.equal(status, 200, text);
    return body.rows;
  };
  const shares = async (account: TestAccount, panelId: string) =>
    Object.fromEntries(
      (await rowsOf(account, panelId, "measure=mention_share")).map(({ group, thesePrompts }) => [
        group.entityId,
        thesePrompts.value,
      ]),
    );
  const points = (rows: readonly FigureRow[]) => rows.map(({ seam, thesePrompts: { value } }) => [value, seam]);
  const recount = async (account: TestAccount) => {
    const { status } = await account.call("POST", "/v1/observations/recount");
    assert.equal(status, 200);
  };
  const put = async (account: TestAccount, panelId: string, more: object) => {
    const { status, body, text } = await account.call<PanelRecord>("PUT", `/v1/panels/${panelId}`, {
      body: panel(more),
    });
    assert.equal(status, 200, text);
    return body;
  };
  const prompts = [{ text: "Which? brands=Acme_Mills:1@1,Globex_Corp:1@2,Initech_Labs:1@3", promptId: "p" }];

  test("are those of the account when it is made: one that is made for another client is in none of its figures", async () => {
    const account = await service.account();
    const acme = await entity(account, "Acme Mills", "own");
    const globex = await entity(account, "Globex Corp", "competitor");
    const { panelId, brands, revision } = await createPanel(account, { prompts });
    assert.deepEqual(brands, {
      own: [{ entityId: acme, name: "Acme Mills" }],
      competitors: [{ entityId: globex, name: "Globex Corp" }],
    });
    await runs(account, panelId, 2);
    const before = await shares(account, panelId);
    assert.deepEqual(before, { [acme]: 0.5, [globex]: 0.5 });
    const foreign = await entity(account, "Initech Labs", "competitor");
    assert.deepEqual(await shares(account, panelId), before);
    await recount(account);
    await runs(account, panelId, 1);
    assert.deepEqual(await shares(account, panelId), before);
    const { body: report } = await account.get<PanelReport>(`/v1/panels/${panelId}/report`);
    assert.deepEqual(report.entities.map(({ name }) => name).toSorted(), ["Acme Mills", "Globex Corp"]);
    assert.ok(!JSON.stringify(report).includes(foreign));
    // A panel that is made now has all three, unless it names its own.
    assert.equal((await createPanel(account, { prompts })).brands?.competitors.length, 2);
    const named = await createPanel(account, { prompts, brands: { own: ["Initech Labs"], competitors: [globex] } });
    assert.deepEqual([named.brands?.own[0]?.entityId, named.brands?.competitors[0]?.name], [foreign, "Globex Corp"]);
    assert.equal(revision, 1);
  });

  test("may be added to: earlier shares stay those of the brands that were searched for, until a recount", async () => {
    const account = await service.account();
    const acme = await entity(account, "Acme Mills", "own");
    const globex = await entity(account, "Globex Corp", "competitor");
    const { panelId } = await createPanel(account, { prompts });
    await runs(account, panelId, 2);
    const initech = await entity(account, "Initech Labs", "competitor");
    const added = await put(account, panelId, {
      prompts,
      brands: { own: ["Acme Mills"], competitors: ["Globex Corp", "Initech Labs"] },
    });
    assert.deepEqual([added.revision, added.brands?.competitors.length], [2, 2]);
    assert.deepEqual(await shares(account, panelId), { [acme]: 0.5, [globex]: 0.5, [initech]: null });
    await runs(account, panelId, 1);
    const series = () => rowsOf(account, panelId, `measure=mention_share&entityId=${acme}&by=run`);
    assert.deepEqual(points(await series()), [
      [0.5, false],
      [0.5, false],
      [1 / 3, true],
    ]);
    await recount(account);
    assert.deepEqual(points(await series()), [
      [1 / 3, false],
      [1 / 3, false],
      [1 / 3, false],
    ]);
    assert.equal((await shares(account, panelId))[initech], 1 / 3);
    // What says nothing of brands, or says the same, changes nothing.
    assert.equal((await put(account, panelId, { prompts })).revision, 2);
    assert.equal(
      (await put(account, panelId, { prompts, brands: { own: [acme], competitors: [initech, globex] } })).revision,
      2,
    );
    const { body: first } = await account.get<PanelRecord>(`/v1/panels/${panelId}?revision=1`);
    assert.equal(first.brands?.competitors.length, 1);
    // A brand that was deleted is in no set.
    await account.call("DELETE", `/v1/entities/${initech}`);
    assert.equal((await account.get<PanelRecord>(`/v1/panels/${panelId}`)).body.brands?.competitors.length, 1);
  });

  test("stay the same revision if they are sent as they were shown, after one of them was deleted", async () => {
    const account = await service.account();
    const acme = await entity(account, "Acme Mills", "own");
    const globex = await entity(account, "Globex Corp", "competitor");
    const brands = { own: [acme], competitors: [globex] };
    const { panelId, revision } = await createPanel(account, { prompts, brands });
    assert.equal((await account.call("DELETE", `/v1/entities/${globex}`)).status, 200);
    const shown = await put(account, panelId, { prompts, brands: { own: [acme], competitors: [] } });
    assert.deepEqual([shown.revision, shown.brands?.competitors], [revision, []]);
    assert.equal((await put(account, panelId, { prompts })).revision, revision);
    const none = await put(account, panelId, { prompts, brands: { own: [], competitors: [] } });
    assert.deepEqual([none.revision, none.brands], [revision + 1, { own: [], competitors: [] }]);
  });

  test("are open while the account has none, and fixed by the first run after that", async () => {
    const account = await service.account();
    const { panelId, brands } = await createPanel(account, { prompts });
    assert.equal(brands, null);
    await runs(account, panelId, 1);
    const acme = await entity(account, "Acme Mills", "own");
    assert.equal((await account.get<PanelRecord>(`/v1/panels/${panelId}`)).body.brands, null);
    await recount(account);
    assert.deepEqual(await shares(account, panelId), { [acme]: 1 });
    await runs(account, panelId, 1);
    await entity(account, "Globex Corp", "competitor");
    const { body } = await account.get<PanelRecord>(`/v1/panels/${panelId}`);
    assert.deepEqual(
      [body.brands, body.revision],
      [{ own: [{ entityId: acme, name: "Acme Mills" }], competitors: [] }, 1],
    );
    assert.deepEqual(await shares(account, panelId), { [acme]: 1 });
  });

  test("that the account does not have, or that are named twice, are refused with their places", async () => {
    const account = await service.account();
    await entity(account, "Acme Mills", "own");
    const body = panel({ brands: { own: ["Acme Mills", "Nobody"], competitors: ["Acme Mills"] } });
    const refused = await account.call<Problem>("POST", "/v1/panels", { body });
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.body.errors?.map(({ pointer, code }) => [pointer, code]),
      [
        ["/brands/own/1", "not_allowed"],
        ["/brands/competitors/0", "not_allowed"],
      ],
    );
    const { body: quote } = await account.call<PanelQuote>("POST", "/v1/panels/quote", { body });
    assert.deepEqual([quote.valid, quote.errors.length], [false, 2]);
    const other = await service.account();
    const stranger = await entity(other, "Globex Corp", "own");
    const foreign = await account.call<Problem>("POST", "/v1/panels", { body: panel({ brands: { own: [stranger] } }) });
    assert.equal(foreign.body.errors?.[0]?.pointer, "/brands/own/0");
  });

  test("with a new name make a seam, which a recount closes for answers whose texts are still there", async () => {
    const account = await service.account();
    const acme = await entity(account, "Acme Mills Ltd of London", "own");
    const { panelId } = await createPanel(account, { prompts });
    await runs(account, panelId, 2);
    const body = { name: "Acme Mills Ltd of London", relation: "own", aliases: [{ text: "Acme Mills" }] };
    await account.call("PUT", `/v1/entities/${acme}`, { body });
    await runs(account, panelId, 2);
    const series = () => rowsOf(account, panelId, `measure=presence&entityId=${acme}&by=run`);
    assert.deepEqual(points(await series()), [
      [0, false],
      [0, false],
      [1, true],
      [1, false],
    ]);
    const { body: found } = await account.get<PanelReport>(`/v1/panels/${panelId}/report`);
    assert.deepEqual(
      found.series[0]?.points.map(({ seam }) => seam),
      [false, false, true, false],
    );
    await recount(account);
    assert.deepEqual(points(await series()), [
      [1, false],
      [1, false],
      [1, false],
      [1, false],
    ]);
    // Sites are no names.
    await account.call("PUT", `/v1/entities/${acme}`, { body: { ...body, domains: ["acme.example"] } });
    await runs(account, panelId, 1);
    assert.ok((await series()).every(({ seam }) => !seam));
  });

  test("prompts that are added or reworded make a seam; tags and repeats do not", async () => {
    const account = await service.account();
    const acme = await entity(account, "Acme Mills", "own");
    const { panelId } = await createPanel(account, { prompts: [{ text: "Which?", promptId: "p" }] });
    await runs(account, panelId, 2);
    await put(account, panelId, { prompts: [{ text: "Which?", promptId: "p" }], tags: ["a"], repeats: 2 });
    await runs(account, panelId, 1);
    await put(account, panelId, { prompts });
    await runs(account, panelId, 1);
    await put(account, panelId, { prompts: [...prompts, { text: "Which one?", promptId: "q" }] });
    await runs(account, panelId, 1);
    const rows = await rowsOf(account, panelId, `measure=presence&entityId=${acme}&by=run`);
    assert.deepEqual(points(rows), [
      [0, false],
      [0, false],
      [0, false],
      [1, true],
      [0.5, true],
    ]);
    assert.deepEqual(
      rows.map(({ thesePrompts }) => thesePrompts.instrument[0]?.panelRevision),
      [1, 1, 1, 3, 4],
    );
    const [row] = await rowsOf(account, panelId, `measure=presence&entityId=${acme}`);
    assert.deepEqual([row?.thesePrompts.cells, row?.otherInstruments.length], [2, 2]);
  });
});
