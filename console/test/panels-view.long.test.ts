import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ImportRecord, PanelRecord } from "@querent/contract";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("panels", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account({ points: 100 });

  test("the empty list says what to do, and a panel is created, priced and run with the keyboard", async () => {
    const { page, expectAccessible, close } = await visit("/panels", { token: account.token });
    await page.getByRole("heading", { name: "No panels yet" }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "New panel" }).first().press("Enter");
    await page.getByLabel("Name").fill("Grinders");
    await page.getByLabel("Prompts, one per line").fill("Which grinder?\nWhich kettle?");
    await page.getByLabel("Platforms").fill("simulator, sample");
    await page.getByLabel("Repeats per cell").fill("2");
    await page.getByLabel("Schedule").fill("0 6 * * MON");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await page.getByText("4 cells, 8 tasks: 12 points per run").waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByRole("heading", { name: "Grinders" }).waitFor();
    await page.getByText("It has not run yet").waitFor();
    assert.equal(await page.locator("ol time").count(), 8);
    await page.getByRole("button", { name: "Run now" }).press("Enter");
    await page.getByRole("button", { name: "Ask 8 questions for 12 points" }).press("Enter");
    await page.locator("[data-run]").waitFor();
    await until("the run to complete", async () => (await page.getByText("8 / 8").count()) === 1);
    await expectAccessible();
    await close();
  });

  test("topics, locales and personas are edited, and a prompt whose text stays keeps its id", async () => {
    const { body } = await account.get<{ panels: PanelRecord[] }>("/v1/panels");
    const read = async () => (await account.get<PanelRecord>(`/v1/panels/${body.panels[0]?.panelId}`)).body;
    const before = await read();
    const { page, close } = await visit(`/panels/${before.panelId}?part=runs`, { token: account.token });
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Prompts, one per line").fill("Which grinder? | grinders\nWhich kettle?");
    await page.getByLabel("Locales, one per line").fill("DE/de\n/fr");
    await page.getByLabel("Personas, one per line").fill("Student: I study in Berlin.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    const after = await read();
    assert.deepEqual(
      after.prompts.map(({ promptId, topic }) => [promptId, topic]),
      [
        [before.prompts[0]?.promptId, "grinders"],
        [before.prompts[1]?.promptId, null],
      ],
    );
    assert.deepEqual(
      after.locales.map(({ country, language }) => [country ?? null, language ?? null]),
      [
        ["DE", "de"],
        [null, "fr"],
      ],
    );
    assert.deepEqual(after.personas, [{ name: "Student", text: "I study in Berlin." }]);
    await page.getByRole("button", { name: "Edit" }).click();
    assert.equal(await page.getByLabel("Locales, one per line").inputValue(), "DE/de\n/fr");
    await page.getByLabel("Locales, one per line").fill("");
    await page.getByLabel("Personas, one per line").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    await page.getByText("4 cells, 8 tasks: 12 points per run").waitFor();
    assert.deepEqual((await read()).locales, []);
    await close();
  });

  test("a part of a platform is asked for beside its code, and stays when the panel is edited again", async () => {
    const created = await account.call<PanelRecord>("POST", "/v1/panels", {
      body: { name: "Part", prompts: [{ text: "a" }, { text: "b" }, { text: "c" }], platforms: ["sample"] },
    });
    const read = async () => (await account.get<PanelRecord>(`/v1/panels/${created.body.panelId}`)).body;
    const { page, close } = await visit(`/panels/${created.body.panelId}?part=runs`, { token: account.token });
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Platforms").fill("sample, simulator:34%");
    await page.getByText("5 cells, 5 tasks").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    assert.deepEqual((await read()).platformShare, { simulator: 0.34 });
    await page.getByRole("button", { name: "Edit" }).click();
    assert.equal(await page.getByLabel("Platforms").inputValue(), "sample, simulator:34%");
    await page.getByLabel("Name").fill("A part");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "A part" }).waitFor();
    assert.deepEqual((await read()).platformShare, { simulator: 0.34 });
    await close();
    await account.call("DELETE", `/v1/panels/${created.body.panelId}`);
  });

  test("brands are added by their names, and one that the account does not have is told", async () => {
    for (const [name, relation] of [
      ["Acme Mills", "own"],
      ["Globex Corp", "competitor"],
    ])
      await account.call("POST", "/v1/entities", { body: { name, relation } });
    const created = await account.call<PanelRecord>("POST", "/v1/panels", {
      body: { name: "Brands", prompts: [{ text: "a" }], platforms: ["sample"], brands: { own: ["Acme Mills"] } },
    });
    const read = async () => (await account.get<PanelRecord>(`/v1/panels/${created.body.panelId}`)).body;
    const { page, close } = await visit(`/panels/${created.body.panelId}?part=runs`, { token: account.token });
    await page.getByRole("button", { name: "Edit" }).click();
    assert.equal(await page.getByLabel("Your brands, one per line").inputValue(), "Acme Mills");
    const competitors = page.getByLabel("Brands of competitors, one per line");
    await competitors.fill("Nobody");
    await page.getByText("The account has no entity with this id or name").waitFor();
    await competitors.fill("Globex Corp");
    await page.getByText("1 cell, 1 task").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    const { brands, revision } = await read();
    assert.deepEqual(
      [brands?.own.map(({ name }) => name), brands?.competitors.map(({ name }) => name), revision],
      [["Acme Mills"], ["Globex Corp"], 2],
    );
    await close();
    await account.call("DELETE", `/v1/panels/${created.body.panelId}`);
    for (const { entityId } of [...(brands?.own ?? []), ...(brands?.competitors ?? [])])
      await account.call("DELETE", `/v1/entities/${entityId}`);
  });

  test("the panel of an import is shown as one that is never asked, and can be edited without a platform", async () => {
    const line = {
      question: "Which shoe?",
      platformCode: "elsewhere",
      observedAt: "2026-03-01T10:00:00Z",
      content: "A.",
    };
    const { body } = await account.call<ImportRecord>("POST", "/v1/imports?name=shoes&panel=Shoes", {
      body: JSON.stringify(line),
      headers: { "content-type": "application/x-ndjson" },
    });
    const { page, expectAccessible, close } = await visit(`/panels/${body.panelId}?part=runs`, {
      token: account.token,
    });
    await page.getByText("This panel is never asked: its answers are imported.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Run now" }).isDisabled(), true);
    await expectAccessible();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByText("This panel is never asked: its answers are imported.").waitFor();
    await page.getByLabel("Prompts, one per line").fill("Which shoe? | shoes");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    const { body: panel } = await account.get<PanelRecord>(`/v1/panels/${body.panelId}`);
    assert.deepEqual([panel.platforms, panel.prompts[0]?.topic], [[], "shoes"]);
    await close();
    await account.call("DELETE", `/v1/panels/${body.panelId}`);
  });

  test("a price that cannot be read says why, with every position, and is read again once that is mended", async () => {
    const { page, expectAccessible, close } = await visit("/panels/new", {
      token: account.token,
      refusals: true,
    });
    await page.getByLabel("Name").fill("Typos");
    await page.getByLabel("Prompts, one per line").fill("Which grinder?");
    await page.getByLabel("Platforms").fill("simulator, no-such-platform");
    const preview = page.getByRole("region", { name: "A run of this panel" });
    await preview
      .getByText(/^\/platforms/)
      .first()
      .waitFor();
    await page.getByLabel("Platforms").fill("simulator");
    await preview.getByText("1 cell, 1 task: 1 point per run").waitFor();
    await page.getByLabel("Repeats per cell").fill("1000");
    await preview.getByText("/repeats").waitFor();
    await expectAccessible();
    await page.getByLabel("Repeats per cell").fill("2");
    await preview.getByText("1 cell, 2 tasks: 2 points per run").waitFor();
    await page.route("**/v1/panels/quote", (route) => route.abort());
    await page.getByLabel("Repeats per cell").fill("3");
    await preview.getByText("Can’t reach the service.").waitFor();
    await page.unroute("**/v1/panels/quote");
    await preview.getByRole("button", { name: "Retry" }).press("Enter");
    await preview.getByText("1 cell, 3 tasks: 3 points per run").waitFor();
    await close();
  });

  for (const view of views)
    test(`a panel is shown, free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { body } = await account.get<{ panels: PanelRecord[] }>("/v1/panels");
      const { page, expectAccessible, picture, close } = await visit(`/panels/${body.panels[0]?.panelId}?part=runs`, {
        token: account.token,
        ...view,
      });
      await page.getByText("4 cells, 8 tasks: 12 points per run").waitFor();
      await expectAccessible();
      await picture(`panel-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      await close();
    });
});
