/** Imported answers in the cells of panels: what figures and reports make of them, and what is refused. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { ImportRecord, PanelReport } from "@querent/contract";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";
import { addOwnBrand, answer, figures, march, observations, send } from "./imported-answers.ts";

suite("imports in panels", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const prompts = [
    { text: "Which grinder?", promptId: "which", topic: "grinders" },
    { text: " Which kettle? ", promptId: "kettle" },
  ];

  test("imported answers to a panel's prompts are rows of its figures and of its report, of their own kind", async () => {
    const account = await service.account();
    await addOwnBrand(account);
    const { panelId } = await createPanel(account, { prompts, platforms: ["simulator"] });
    const answers = [2, 4, 6, 7, 8, 9, 10, 12].map((n) =>
      answer(n, { panelId, promptId: "which", question: "reworded" }),
    );
    const kettle = answer(11, { panelId, question: "Which kettle?\n", locale: "DE/de", persona: "buyer" });
    const { status, body, text } = await send(account, [...answers, kettle], "name=march");
    assert.equal(status, 200, text);
    assert.deepEqual([body.importedCount, body.panelId, body.warnings], [9, null, undefined]);
    const rows = await figures(account, panelId, `measure=presence&${march}`);
    assert.deepEqual(
      rows.map(({ group, thesePrompts: { value, answers: count } }) => [
        ...[group.platformCode, group.kind, group.locale, group.persona, value, count],
      ]),
      [
        ["chatgpt", "imported", "", "", 0.75, 8],
        ["chatgpt", "imported", "DE/de", "buyer", 0, 1],
      ],
    );
    assert.ok(rows[0]?.thesePrompts.interval !== null, "each day is a run");
    const [cell] = (await observations(account, `panelId=${panelId}&locale=DE/de`)).map((one) => one.cell);
    assert.deepEqual([cell?.panelId, cell?.panelRevision, cell?.promptId, cell?.runId], [panelId, 1, "kettle", null]);
    const report = (await account.get<PanelReport>(`/v1/panels/${panelId}/report?${march}`)).body;
    assert.deepEqual(
      report.surfaces.map(({ kind, answers: count }) => [kind, count]),
      [
        ["imported", 8],
        ["imported", 1],
      ],
    );
  });

  test("they stand beside the answers of the panel's own runs, also on the same platform and of the same run", async () => {
    const account = await service.account();
    await addOwnBrand(account);
    const { panelId } = await createPanel(account, {
      prompts: [{ text: "Which grinder? brands=Acme_Mills:1@1", promptId: "which" }],
    });
    const { runId } = (await runPanel(account, panelId)).body;
    await until("the run is observed", async () => (await observations(account, `panelId=${panelId}`)).length === 1);
    const observedAt = new Date().toISOString();
    const named = { panelId, promptId: "which", platformCode: "simulator", observedAt, run: runId };
    const { status, text } = await send(account, [answer(1, named)], "name=same");
    assert.equal(status, 200, text);
    const to = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    const rows = await figures(account, panelId, `measure=answer_length&by=run&to=${to}`);
    assert.deepEqual(
      rows.map(({ group, thesePrompts }) => [group.kind, group.runId, thesePrompts.answers]),
      [
        ["imported", runId, 1],
        ["sample", runId, 1],
      ],
    );
  });

  test("every line whose panel, prompt or run is unknown is named, with the lines that are not valid, and nothing is stored", async () => {
    const [account, other] = [await service.account(), await service.account()];
    const { panelId } = await createPanel(account, { prompts });
    const foreign = (await createPanel(other, { prompts })).panelId;
    const wrong = [
      answer(1, { panelId }),
      answer(2, { panelId: foreign }),
      answer(3, { panelId, promptId: "none" }),
      answer(4, { panelId, question: "Which kettles?" }),
      answer(5, { panelId, run: foreign }),
      answer(6, { run: "first" }),
      answer(7, { panelId, observedAt: "yesterday" }),
      answer(8, { unread: true }),
    ];
    const { status, body } = await send(account, wrong, "name=wrong&firstLine=101");
    assert.equal(status, 422);
    assert.deepEqual(
      body.errors?.map(({ pointer }) => pointer),
      [
        ...["/102/panelId", "/103/promptId", "/104/question", "/105/run", "/106/panelId"],
        ...["/107/observedAt", "/108/content"],
      ],
    );
    assert.deepEqual(await observations(account, ""), []);
    assert.deepEqual((await account.get<{ imports: ImportRecord[] }>("/v1/imports")).body.imports, []);
    const unknown = await send(account, [answer(1)], `name=x&panelId=${foreign}`);
    assert.deepEqual([unknown.status, unknown.body.errors?.[0]?.pointer], [422, "?panelId"]);
    const both = await send(account, [answer(1)], `name=x&panel=P&panelId=${panelId}`);
    assert.deepEqual([both.status, both.body.errors?.[0]?.pointer], [422, "?panel"]);
    // A panel that is asked does not get prompts from an import, whatever its name.
    const asked = await send(account, [answer(1, { question: "New?" })], "name=x&panel=Grinders");
    assert.deepEqual([asked.status, asked.body.errors?.[0]?.pointer], [422, "/1/question"]);
    await createPanel(account, { prompts });
    const two = await send(account, [answer(1)], "name=x&panel=Grinders");
    assert.deepEqual([two.status, two.body.errors?.[0]?.pointer], [422, "?panel"]);
  });

  test("an answer is in a panel once, also if it was imported before without one; a name is of one panel", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account, { prompts });
    const all = [answer(1), answer(2, { id: null })];
    assert.equal((await send(account, all, "name=plain")).body.importedCount, 2);
    const counts = async (name: string) => {
      const { body } = await send(account, all, `name=${name}&panelId=${panelId}`);
      return [body.importedCount, body.duplicateCount];
    };
    assert.deepEqual([await counts("in"), await counts("in"), await counts("other")], [[2, 0], [2, 2], [0, 2]]); // prettier-ignore
    assert.equal((await observations(account, `panelId=${panelId}`)).length, 2);
    const conflict = await send(account, all, `name=plain&panelId=${panelId}`);
    assert.deepEqual([conflict.status, conflict.body.code], [409, "state_conflict"]);
  });

  test("names of runs are runs of their own; without one, a day is a run", async () => {
    const account = await service.account();
    const answers = [1, 2, 3].flatMap((run) =>
      ["a", "b"].map((id) => answer(5, { id: `${id}${run}`, run: `run ${run}` })),
    );
    const { body } = await send(account, [...answers, answer(6), answer(7)], "name=r&panel=Runs");
    const rows = await figures(account, body.panelId ?? "", `measure=answer_length&by=run&${march}`);
    assert.deepEqual(
      rows.map(({ group: { runId, day: of }, thesePrompts }) => [runId !== null, of, thesePrompts.answers]),
      [
        [true, "2026-03-05", 2],
        [true, "2026-03-05", 2],
        [true, "2026-03-05", 2],
        [false, "2026-03-06", 1],
        [false, "2026-03-07", 1],
      ],
    );
  });
});
