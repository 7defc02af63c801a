/**
 * An analyst without a terminal: from the link that the first start prints to a figure, and to a scheduled PDF in a mailbox. It finds
 * everything by the words on the page, and counts what a person would click and fill in.
 */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Locator } from "playwright-core";
import { invite } from "../../service/src/people/index.ts";
import { startMailServer } from "../../service/test/harness/mail-server.ts";
import { goodPassword } from "../../service/test/people/browser.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

/** What a person needs for a click that they have to find, and for a field that they have to fill in. */
const clickSeconds = 10;
const fieldSeconds = 20;

suite("from a brand to a report", { skip: noBrowser }, async () => {
  const mails = await startMailServer();
  after(() => mails[Symbol.asyncDispose]());
  const { service, visit } = await startTestConsole({
    environment: {
      QUERENT_SMTP_URL: `smtp://localhost:${mails.port}`,
      QUERENT_MAIL_FROM: "Querent <reports@querent.example>",
      QUERENT_EGRESS_CA: mails.caFile,
    },
  });

  for (const [width, theme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const)
    test(`a first figure within ten minutes and a scheduled PDF within twelve, ${width} px wide`, async (t) => {
      const { accountId } = await service.account();
      const { token } = await service.database.transaction((tx) =>
        invite(tx, { accountId, email: null, role: "owner", operator: true, days: 7 }),
      );
      const { page, close, picture } = await visit(`/join#${token}`, { width, theme });
      const counted = { clicks: 0, fields: 0 };
      const click = async (found: Locator) => {
        await found.click();
        counted.clicks++;
      };
      const fill = async (found: Locator, text: string) => {
        await found.fill(text);
        counted.fields++;
      };
      const button = (name: string | RegExp) => page.getByRole("button", { name });
      const minutes = () => (counted.clicks * clickSeconds + counted.fields * fieldSeconds) / 60;

      await fill(page.getByLabel("E-mail"), `ada-${width}@agency.example`);
      await fill(page.getByLabel("Your name"), "Ada Lovelace");
      await fill(page.getByLabel("Password"), goodPassword());
      await click(button("Join and sign in"));
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await picture(`analyst-${width}-overview`);

      await click(page.getByRole("link", { name: "Create a panel of prompts" }));
      await fill(page.getByLabel("Name", { exact: true }), "Grinders");
      await fill(page.getByLabel("Your brands, one per line"), "Acme Mills");
      await click(button("Create Acme Mills"));
      await fill(page.getByLabel("Brands of competitors, one per line"), "Bolt Grind");
      await click(button("Create Bolt Grind"));
      await fill(
        page.getByLabel("Prompts, one per line"),
        "Which grinder is quiet? brands=Acme_Mills:1@1\nWhich grinder lasts? brands=Bolt_Grind:1@1",
      );
      await click(page.locator("label", { hasText: "Simulator" }));
      await click(page.locator("label", { hasText: "On days of the week" }));
      await page.locator("[data-schedule-words]").getByText("Every Monday at 06:00").waitFor();
      await page.getByText(/First interval: with the run of /).waitFor();
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      await picture(`analyst-${width}-panel`);
      await click(button("Save"));
      await page.getByRole("heading", { name: "Grinders" }).waitFor();
      await click(button("Run now"));
      await click(button(/^Ask 2 questions/));
      await page.getByText("2 / 2").waitFor();

      await click(page.getByRole("link", { name: "Figures", exact: true }));
      await page.getByText("1 of 2 answers so far").first().waitFor();
      await picture(`analyst-${width}-figure`);
      const toFigure = { ...counted, minutes: minutes() };

      const section = page.locator("section", { has: page.locator("#report-sending") });
      await click(section.getByRole("button", { name: "Send reports by mail" }));
      await fill(section.getByRole("textbox", { name: /^Recipients/ }), "client@client.example");
      await click(section.getByRole("button", { name: "Save" }));
      await section.getByText(/^Every Monday at 08:00/).waitFor();
      const toSchedule = { ...counted, minutes: minutes() };
      await click(section.getByRole("button", { name: "Send now" }));
      const [mail = assert.fail()] = (await mails.received(width === 1440 ? 1 : 2)).slice(-1);
      const [pdf = assert.fail()] = mail.parsed.attachments;
      assert.equal(pdf.content.subarray(0, 5).toString("latin1"), "%PDF-");
      await picture(`analyst-${width}-report`);

      t.diagnostic(`to a figure: ${JSON.stringify(toFigure)}; to a scheduled PDF: ${JSON.stringify(toSchedule)}`);
      assert.ok(toFigure.minutes <= 10, `${toFigure.minutes} minutes to a figure`);
      assert.ok(toSchedule.minutes <= 12, `${toSchedule.minutes} minutes to a scheduled PDF`);
      assert.ok(toSchedule.clicks <= 14, `${toSchedule.clicks} clicks`);
      await close();
    });
});
