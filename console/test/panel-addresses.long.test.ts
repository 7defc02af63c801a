/** Making the address at which a spreadsheet reads the figures of a panel. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { figureColumns } from "@querent/client";
import { createPanel } from "../../service/test/insight/fixture.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("figures in a spreadsheet", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const { panelId } = await createPanel(account, { name: "Grinders", prompts: [{ text: "Which?", promptId: "p1" }] });
  const path = `/panels/${panelId}`;
  const section = "section:has(#panel-addresses)";

  for (const [n, view] of views.entries())
    test(`an address is made, copied and revoked: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, close } = await visit(path, { token: account.token, ...view });
      const part = page.locator(section);
      await part.getByText("Brand and run", { exact: true }).click();
      await part.getByText("90 days", { exact: true }).click();
      await part.getByRole("button", { name: "Make an address" }).click();
      const row = part.locator("[data-address]").first();
      await row.getByText("Brand and run · 90 days").waitFor();
      await page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
      await row.getByRole("button", { name: "Copy for Google Sheets" }).click();
      const formula = String(await page.evaluate("window.copied"));
      const [, url = ""] = /^=IMPORTDATA\("([^"]+)"\)$/.exec(formula) ?? [];
      const read = await fetch(url);
      assert.equal(read.status, 200);
      assert.ok((await read.text()).startsWith(figureColumns.join(",")));
      await part.getByText("Google Sheets and Looker Studio need one that the internet reaches").waitFor();
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"));
      await expectAccessible();
      await row.scrollIntoViewIfNeeded();
      await picture(`panel-addresses-${n}`);
      await row.getByRole("button", { name: "Revoke" }).click();
      await part.locator("[data-address]").waitFor({ state: "detached" });
      assert.equal((await fetch(url)).status, 410);
      await close();
    });
});
