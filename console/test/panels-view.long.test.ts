import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ImportRecord, PanelRecord } from "@querent/contract";
import type { Page } from "playwright-core";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

const platform = (page: Page, name: string) => page.getByRole("checkbox", { name: new RegExp(`^${name}`) });

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
    await platform(page, "Simulator").press("Space");
    await platform(page, "Sample documents").press("Space");
    await page.getByText("Personas, repeats and waves").press("Enter");
    await page.getByLabel("Repeats per cell").fill("2");
    await page.getByRole("radio", { name: "On days of the week" }).press("Space");
    await page.getByLabel("Time zone").selectOption("Europe/Berlin");
    await page.locator("[data-schedule-words]").getByText("Every Monday at 06:00 (Europe/Berlin)").waitFor();
    await page.getByRole("checkbox", { name: "Thu" }).press("Space");
    await page.locator("[data-schedule-words]").getByText("0 6 * * MON,THU").waitFor();
    await page.getByRole("checkbox", { name: "Thu" }).press("Space");
    await page.getByText("4 cells, 8 tasks: 12 points per run").waitFor();
    await page.getByText(/First interval: with the run of .* First verdict on a change: with the run of /).waitFor();
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
    for (const [index, country, language] of [
      [0, "Germany (DE)", "German (de)"],
      [1, "Any country", "French (fr)"],
    ] as const) {
      await page.getByRole("button", { name: "Add a country or language" }).click();
      await page.getByRole("combobox", { name: "Country", exact: true }).nth(index).selectOption(country);
      await page.getByRole("combobox", { name: "Language", exact: true }).nth(index).selectOption(language);
    }
    // They are shown, because the panel repeats its questions.
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
    assert.equal(await page.getByRole("combobox", { name: "Country", exact: true }).first().inputValue(), "DE");
    assert.equal(await page.getByRole("combobox", { name: "Language", exact: true }).nth(1).inputValue(), "fr");
    for (let rows = 2; rows > 0; rows--) await page.getByRole("button", { name: "Remove" }).first().click();
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
    await platform(page, "Simulator").press("Space");
    await page.getByText("Ask only a part of an expensive platform").click();
    await page.getByLabel("simulator: percent").fill("34");
    await page.getByLabel("simulator: percent").press("Tab");
    await page.getByText("5 cells, 5 tasks").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    assert.deepEqual((await read()).platformShare, { simulator: 0.34 });
    await page.getByRole("button", { name: "Edit" }).click();
    assert.equal(await page.getByLabel("simulator: percent").inputValue(), "34");
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
    await page
      .locator("[data-field=competitors]")
      .getByText("The account has no entity with this id or name")
      .waitFor();
    await page.getByRole("button", { name: "Create Nobody" }).click();
    await page.getByText("1 cell, 1 task").waitFor();
    await competitors.fill("");
    await page.getByRole("button", { name: "+ Globex Corp" }).click();
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

  test("what is missing or wrong is said at its field, and a price that cannot be read is read again", async () => {
    const { page, expectAccessible, close } = await visit("/panels/new", {
      token: account.token,
      refusals: true,
    });
    const at = (field: string) => page.locator(`[data-field=${field}]`);
    await page.getByRole("button", { name: "Save" }).click();
    await at("name").getByText("Enter a name.").waitFor();
    await at("prompts").getByText("Enter at least one prompt.").waitFor();
    await at("platforms").getByText("Choose at least one platform.").waitFor();
    assert.equal(await page.getByLabel("Name").evaluate((input) => input === document.activeElement), true);
    await page.getByLabel("Name").fill("Typos");
    await page.getByLabel("Prompts, one per line").fill("Which grinder?");
    await platform(page, "Simulator").press("Space");
    const preview = page.getByRole("region", { name: "A run of this panel" });
    await preview.getByText("1 cell, 1 task: 1 point per run").waitFor();
    await page.getByRole("radio", { name: "Cron expression" }).press("Space");
    await page.getByLabel("Schedule").fill("61 6 * * MON");
    await at("schedule").locator(".field-error").waitFor();
    await expectAccessible();
    await page.getByRole("radio", { name: "On request only" }).press("Space");
    await page.getByText("Personas, repeats and waves").click();
    await page.getByLabel("Repeats per cell").fill("1000");
    await at("repeats").locator(".field-error").waitFor();
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

  test("two columns that are pasted from a spreadsheet are prompts and their topics", async () => {
    const { page, close } = await visit("/panels/new", { token: account.token });
    await page.evaluate("navigator.clipboard.writeText('Which grinder?\\tgrinders\\nWhich kettle?\\tkettles')");
    await page.getByLabel("Prompts, one per line").press("ControlOrMeta+v");
    assert.equal(
      await page.getByLabel("Prompts, one per line").inputValue(),
      "Which grinder? | grinders\nWhich kettle? | kettles",
    );
    await page.getByText("2 prompts, 2 topics").waitFor();
    await close();
  });

  for (const view of views)
    test(`the form of a panel is free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, close } = await visit("/panels/new", { token: account.token, ...view });
      await page.getByRole("radio", { name: "On days of the week" }).press("Space");
      await page.getByRole("button", { name: "Add a country or language" }).click();
      await expectAccessible();
      await picture(`panel-form-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
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
