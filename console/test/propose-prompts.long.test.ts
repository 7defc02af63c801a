/** The step of the panel's form that proposes prompts, from its sources to the panel that keeps its frame. Imports `console/src` by way of the served page. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { PanelPage, PanelRecord } from "@querent/contract";
import type { Page } from "playwright-core";
import { send } from "../../service/test/insight/imported-answers.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

const csv = [
  "Top queries,Clicks,Impressions,CTR,Position",
  "best coffee grinder,90,1200,7.5%,3.1",
  "coffee grinder for espresso,40,800,5%,4",
  "acme mills review,12,90,13%,1",
  "electric kettle quiet,9,100,9%,6",
  "electric kettle for tea,8,90,9%,6",
].join("\n");

const openAll = (page: Page) =>
  page.locator("[data-propose] details").evaluateAll((all) => {
    for (const one of all) (one as HTMLDetailsElement).open = true;
  });

suite("proposing prompts", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const setUp = async () => {
    const account = await service.account({ points: 100 });
    for (const [name, relation] of [
      ["Acme Mills", "own"],
      ["Globex", "competitor"],
    ])
      // prettier-ignore
      await account.call("POST", "/v1/entities", { body: { name, relation } });
    const observedAt = new Date(Date.now() - 24 * 3600_000).toISOString();
    const { status, text } = await send(account, [{ id: "1", question: "Which mill?", platformCode: "alpha", observedAt, content: "x", searches: ["quiet burr grinder"] }], "name=s&panel=Earlier"); // prettier-ignore
    assert.equal(status, 200, text);
    return account;
  };

  test("with the keyboard: sources are chosen, proposals ticked and edited, and the panel keeps what they were drawn from", async () => {
    const account = await setUp();
    const { page, expectAccessible, picture, close } = await visit("/panels/new", {
      token: account.token,
      width: 1440,
    });
    await page.getByText("Propose prompts").press("Enter");
    await page.getByLabel("Search Console export").last().setInputFiles({ name: "Queries.csv", mimeType: "text/csv", buffer: Buffer.from(csv) }); // prettier-ignore
    await page.getByRole("button", { name: "Remove the file: Queries.csv" }).waitFor();
    await page.getByLabel("What you sell").fill("coffee grinder");
    await page.getByLabel("Questions that people ask").fill("Thanks! Is a burr grinder worth it?");
    await expectAccessible();
    // Enter in a field proposes, and does not save the panel.
    await page.getByLabel("What you sell").press("Enter");
    await page.getByText(/^\d+ proposals in \d+ topics$/).waitFor();
    await expectAccessible();
    // What names a brand is apart, closed, and not ticked with its topic.
    const all = page.getByRole("checkbox", { name: "All of “coffee grinder”" });
    await all.press("Space");
    assert.equal(await page.locator("[data-proposal='acme mills review'] input[type=checkbox]:checked").count(), 0);
    const best = page.locator("[data-proposal='best coffee grinder']");
    const edited = best.getByRole("textbox");
    assert.equal(await edited.inputValue(), "What is the best coffee grinder?");
    await best.getByRole("button", { name: /^As found/ }).press("Enter");
    assert.equal(await edited.inputValue(), "best coffee grinder");
    await edited.fill("What is the best coffee grinder for a small kitchen?");
    await expectAccessible();
    await picture("propose-1440-light");
    const button = page.getByRole("button", { name: /^Take \d+ prompts$/ });
    const count = Number(/\d+/.exec((await button.textContent()) ?? "")?.[0]);
    assert.ok(count >= 3);
    await button.press("Enter");
    await page.getByText(`${count} prompts added to the form.`).waitFor();
    const prompts = page.getByLabel("Prompts, one per line");
    assert.match(await prompts.inputValue(), /What is the best coffee grinder for a small kitchen\? \| coffee grinder/);
    await prompts.fill(`${await prompts.inputValue()}\nBy hand?`);
    await page.getByLabel("Name").fill("Proposed");
    await page.getByRole("checkbox", { name: /^Simulator/ }).press("Space");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByRole("heading", { name: "Proposed" }).waitFor();
    const { body: list } = await account.get<PanelPage>("/v1/panels");
    const { body: panel } = await account.get<PanelRecord>(`/v1/panels/${list.panels[0]?.panelId}`);
    assert.deepEqual([panel.frame?.chosen, panel.frame?.written], [count, 1]);
    assert.ok((panel.frame?.proposals ?? 0) > count);
    assert.ok((panel.frame?.chosenByOrigin.search_console ?? 0) >= 1);
    assert.deepEqual(panel.brandedPrompts, []);
    await close();
    // Another time, what is asked already is marked, and the draws add up.
    const again = await visit(`/panels/${panel.panelId}?part=runs`, { token: account.token });
    await again.page.getByRole("button", { name: "Edit" }).click();
    await again.page.getByText("Propose prompts").click();
    await again.page.getByLabel("Questions that people ask").fill("By hand? Is it heavy?");
    await again.page.getByRole("button", { name: "Propose", exact: true }).click();
    const heavy = again.page.locator("[data-proposal='Is it heavy?']");
    await again.page.locator("[data-propose] details").first().waitFor();
    await openAll(again.page);
    assert.equal(await again.page.locator("[data-proposal='By hand?'] input[type=checkbox]").isDisabled(), true);
    await heavy.getByRole("checkbox").check();
    await again.page.getByRole("button", { name: "Take 1 prompt" }).click();
    await again.page.getByRole("button", { name: "Save" }).click();
    await again.page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    const { body: changed } = await account.get<PanelRecord>(`/v1/panels/${panel.panelId}`);
    assert.deepEqual([changed.revision, changed.frame?.chosen, changed.frame?.written, changed.frame?.draws.length], [2, count + 1, 1, 2]); // prettier-ignore
    await again.close();
  });

  for (const [language, theme, width] of [
    ["zh-CN", "dark", 390],
    ["en", "light", 390],
    ["zh-CN", "light", 1440],
    ["en", "dark", 1440],
  ] as const)
    test(`in ${language}, ${theme}, ${width} px: it fits, and axe finds nothing`, async () => {
      const account = await setUp();
      const { page, expectAccessible, picture, close } = await visit("/panels/new", { token: account.token, language, theme, width }); // prettier-ignore
      const step = page.locator("[data-propose]");
      await step.locator("> summary").click();
      await step.locator("input[type=file]").setInputFiles({ name: "Queries.csv", mimeType: "text/csv", buffer: Buffer.from(csv) }); // prettier-ignore
      await page.locator("#propose-topics").fill("coffee grinder");
      await page.locator("#propose-questions").fill(`${"Averyverylongwordthatdoesnotbreak".repeat(6)}?`);
      await step.getByRole("button", { name: language === "en" ? "Propose" : "生成建议", exact: true }).click();
      await step.locator("[data-proposal]").first().waitFor();
      await openAll(page);
      await step.locator("[data-proposal] input[type=checkbox]").first().check();
      await expectAccessible();
      await picture(`propose-${width}-${theme}-${language}`);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        "nothing is wider than the page",
      );
      await close();
    });

  test("without a source, and with an address that can't be read, the form says what to do", async () => {
    const account = await setUp();
    const { page, expectAccessible, close } = await visit("/panels/new", { token: account.token });
    await page.getByText("Propose prompts").click();
    await page.getByRole("checkbox", { name: /^Searches that platforms made/ }).uncheck();
    await page.getByRole("button", { name: "Propose", exact: true }).click();
    await page.getByRole("alert").getByText("Choose a source first.").waitFor();
    await page.getByLabel("Your site").fill("https://10.0.0.1/");
    await page.getByRole("button", { name: "Propose", exact: true }).click();
    await page
      .getByText(/The address of the site can’t be read|can't be read/)
      .first()
      .waitFor();
    await expectAccessible();
    await close();
  });
});
