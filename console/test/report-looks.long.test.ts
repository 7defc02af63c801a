/** Reports as documents in the console: their looks with a preview, links with a password, and what their readers see. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { EntityRecord, ReportShares } from "@querent/contract";
import { createPanel, runPanel } from "../../service/test/insight/fixture.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

suite("reports as documents in the console", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const { token } = account;
  for (const [name, relation] of [
    ["Acme Mills", "own"],
    ["Globex Corp", "competitor"],
  ])
    assert.equal((await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).status, 201);
  const { panelId } = await createPanel(account, {
    name: "Coffee grinders",
    prompts: [
      { text: "Which? brands=Acme_Mills:1@1,Globex_Corp:1@2 sources=2", promptId: "p1" },
      { text: "Which other? brands=Globex_Corp:1@1", promptId: "p2" },
    ],
  });
  for (let run = 0; run < 6; run++) assert.equal((await runPanel(account, panelId)).status, 202);
  await until("every answer is observed", async () => {
    const { rows } = await service.database.query("select from observations where panel_id = $1", [panelId]);
    return rows.length === 12;
  });
  const logo = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );

  for (const [theme, width] of [
    ["light", 1440],
    ["dark", 390],
  ] as const)
    test(`the looks of a project are shown as they will be, and saved, ${theme} at ${width}`, async () => {
      const { page, expectAccessible, picture, close } = await visit("/projects", { token, theme, width });
      await page.getByRole("button", { name: "Reports’ looks of default" }).click();
      await page.getByRole("textbox", { name: "Name of your client, or yours" }).fill("Northwind Traders");
      await page
        .getByLabel("Logo", { exact: true })
        .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: logo });
      await page.getByLabel("Colour", { exact: true }).fill("#ffe100");
      const preview = page.getByRole("group", { name: "Preview" });
      await preview.locator("[data-paper=dark] img").waitFor();
      assert.equal(await preview.getByText("Northwind Traders").count(), 2);
      await page.getByText(/made darker or lighter/).waitFor();
      await expectAccessible();
      await picture(`looks-form-${theme}-${width}`);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
      const { text } = await account.get<string>(`/v1/panels/${panelId}/report?format=html`);
      assert.match(text, /data:image\/png;base64.*Northwind Traders/s);
      await page.getByRole("button", { name: "Reports’ looks of default" }).click();
      await page
        .getByLabel("Logo", { exact: true })
        .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") });
      await page.getByRole("button", { name: "Save" }).click();
      await page
        .getByText(/not a PNG, JPEG or WebP picture/)
        .first()
        .waitFor();
      await close();
    });

  test("a link with a made-up password opens with it alone, in the language that was chosen, and without scripts", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token, width: 1440 });
    const section = page.locator("section", { has: page.locator("#panel-report") });
    await section.getByText("Deutsch").click();
    await section.getByRole("button", { name: "Make one up" }).click();
    const password = await section.getByRole("textbox", { name: "Password" }).inputValue();
    assert.match(password, /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    await section.getByRole("button", { name: "Share a link" }).click();
    await section
      .getByText(/with a password/)
      .first()
      .waitFor();
    await expectAccessible();
    await picture("share-with-password");
    const { shares } = (await account.get<ReportShares>(`/v1/panels/${panelId}/report/shares`)).body;
    const url = shares[0]?.url ?? assert.fail("no link");
    const browser = page.context().browser() ?? assert.fail("no browser");
    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      const context = await browser.newContext({
        ...{ javaScriptEnabled: false, viewport: { width, height: 900 }, colorScheme },
      });
      const reader = await context.newPage();
      await reader.goto(url);
      await reader.getByRole("heading", { name: "Dieser Link hat ein Passwort" }).waitFor();
      const keep = async (name: string) => {
        const folder = process.env["CONSOLE_PICTURES"];
        if (folder !== undefined)
          await reader.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      };
      await keep("password-page");
      await reader.getByLabel("Passwort").fill("falsch");
      await reader.getByRole("button", { name: "Öffnen" }).click();
      await reader.getByText("Das ist nicht das Passwort.").waitFor();
      await keep("password-wrong");
      await reader.getByLabel("Passwort").fill(password);
      await reader.getByRole("button", { name: "Öffnen" }).click();
      await reader.getByRole("heading", { name: "Coffee grinders" }).waitFor();
      assert.equal(reader.url(), url);
      await reader.reload();
      await reader.getByText("Northwind Traders").waitFor();
      await keep("report-de");
      const wide = await reader
        .locator("html")
        .evaluate((html) => html.scrollWidth > html.clientWidth)
        .catch(() => false);
      assert.equal(wide, false, "the page is wider than the screen");
      await context.close();
    }
    await section.getByRole("button", { name: "Change the password" }).click();
    await section.getByRole("button", { name: "Remove the password" }).click();
    await section.getByRole("button", { name: "Set a password" }).waitFor();
    assert.equal((await fetch(url)).status, 200);
    await close();
  });

  test("a report in the longest words and in Japanese fits narrow and wide screens", async () => {
    const { page, close } = await visit("/projects", { token });
    const browser = page.context().browser() ?? assert.fail("no browser");
    for (const language of ["en", "de", "fr", "es", "ja"])
      for (const width of [1440, 390]) {
        const made = await account.call<{ url: string }>("POST", `/v1/panels/${panelId}/report/shares`, {
          body: { language, days: 1 },
        });
        const context = await browser.newContext({ viewport: { width, height: 900 } });
        const reader = await context.newPage();
        await reader.goto(made.body.url);
        const [inner, outer] = (await reader.evaluate(
          "[document.documentElement.scrollWidth, innerWidth]",
        )) as number[];
        assert.ok((inner ?? 0) <= (outer ?? 0), `${language} at ${width}: ${inner}`);
        const folder = process.env["CONSOLE_PICTURES"];
        if (folder !== undefined)
          await reader.screenshot({ path: `${folder}/report-${language}-${width}.png`, fullPage: true });
        await context.close();
      }
    await close();
  });
});
