/** Reports by mail in the console: from the page of a panel to a PDF in a mailbox, and what recipients and operators see. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createPanel, runPanel } from "../../service/test/insight/fixture.ts";
import { startMailServer } from "../../service/test/harness/mail-server.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

suite("reports by mail in the console", { skip: noBrowser }, async () => {
  const server = await startMailServer();
  test.after(() => server[Symbol.asyncDispose]());
  const { service, visit } = await startTestConsole({
    environment: {
      QUERENT_SMTP_URL: `smtp://localhost:${server.port}`,
      QUERENT_MAIL_FROM: "Querent <reports@querent.example>",
      QUERENT_EGRESS_CA: server.caFile,
    },
  });
  const admin = await service.account();
  const { token } = admin;
  await admin.call("POST", "/v1/entities", { body: { name: "Acme Mills", relation: "own" } });
  const { panelId } = await createPanel(admin, { prompts: [{ text: "Which? brands=Acme_Mills:1@1 sources=2" }] });
  assert.equal((await runPanel(admin, panelId)).status, 202);
  await until("the answer is observed", async () => {
    const { rows } = await service.database.query("select from observations where panel_id = $1", [panelId]);
    return rows.length === 1;
  });
  const path = `/panels/${panelId}`;

  test("three clicks and an address lead from the panel to a PDF by mail each Monday", async () => {
    const { page, expectAccessible, picture, close } = await visit(path, { token });
    const section = page.locator("section", { has: page.locator("#report-sending") });
    await section.getByRole("button", { name: "Send reports by mail" }).click();
    await section.getByRole("textbox", { name: /^Recipients/ }).fill("ana(at)client.example\nana@client.example");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("ana(at)client.example: this is not a mail address.").waitFor();
    await expectAccessible();
    await picture("report-sending-form");
    await section.getByRole("textbox", { name: /^Recipients/ }).fill("ana@client.example");
    await section.getByRole("textbox", { name: /^Client/ }).fill("Example GmbH");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText(/^Every Monday at 08:00/).waitFor();
    await section.getByRole("button", { name: "Send now" }).click();
    const [mail = assert.fail()] = await server.received(1);
    assert.deepEqual(
      mail.parsed.attachments.map(({ contentType }) => contentType),
      ["application/pdf"],
    );
    await section.locator("[data-state=sent] summary").getByText("1 mail delivered").click();
    await section.getByText("ana@client.example: taken by the mail server").waitFor();
    await expectAccessible();
    await picture("report-sending");
    await section.getByRole("link", { name: "Attempts" }).click();
    await page.getByText("The mail server has taken it.").first().waitFor();
    await expectAccessible();
    await close();
  });

  test("a recipient unsubscribes on a page, which the console shows, and adds again only with consent", async () => {
    const link = /^Unsubscribe from these reports: (\S+)$/m.exec(server.mails[0]?.parsed.text ?? "")?.[1] ?? "";
    const recipient = await visit(path, { token, theme: "dark", width: 390 });
    await recipient.page.goto(link);
    await recipient.picture("unsubscribe-ask");
    await recipient.page.getByRole("button", { name: "Unsubscribe" }).click();
    await recipient.page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
    await recipient.picture("unsubscribe-done");
    await recipient.close();

    const { page, expectAccessible, close } = await visit(path, { token });
    const section = page.locator("section", { has: page.locator("#report-sending") });
    await section.getByText("ana@client.example (unsubscribed)").waitFor();
    await section.getByRole("button", { name: "Edit" }).click();
    await section.getByRole("checkbox", { name: /^ana@client\.example has unsubscribed/ }).check();
    await expectAccessible();
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("ana@client.example", { exact: true }).waitFor();
    await section.getByRole("button", { name: "Send now" }).click();
    await server.received(2);
    assert.match(server.mails[1]?.parsed.text ?? "", /has added you again/);
    await close();
  });

  test("an operator sends a test", async () => {
    const { page, expectAccessible, picture, close } = await visit("/operator/mail", { token });
    await page.getByText("STARTTLS required, certificate verified").waitFor();
    await page.getByRole("textbox", { name: "Send a test to" }).fill("me@client.example");
    await page.getByRole("button", { name: "Send test mail" }).click();
    await page.getByText("The test was sent.").waitFor();
    await expectAccessible();
    await picture("operator-mail");
    await close();
  });

  for (const [language, theme, width] of [
    ["en", "light", 390],
    ["zh-CN", "dark", 390],
    ["zh-CN", "light", 1440],
    ["en", "dark", 1440],
  ] as const)
    test(`is readable in ${language}, ${theme}, ${width} px wide`, async () => {
      const { page, expectAccessible, picture, close } = await visit(path, { token, language, theme, width });
      const section = page.locator("section", { has: page.locator("#report-sending") });
      await section.getByRole("button", { name: language === "en" ? "Edit" : "编辑" }).click();
      await section.getByRole("textbox").first().waitFor();
      await section.locator("summary").first().click();
      await expectAccessible();
      const [scrollWidth, clientWidth] = await section.evaluate(
        (part) => [part.scrollWidth, part.clientWidth] as const,
      );
      assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
      await section.scrollIntoViewIfNeeded();
      await picture(`report-sending-${language}-${theme}-${width}`);
      await close();
    });

  test("shows what is sent to somebody who may only read, and changes nothing", async () => {
    const reader = await admin.withToken({ scopes: ["panels:read", "tasks:read", "usage:read"] });
    const { page, close } = await visit(path, { token: reader.token });
    const section = page.locator("section", { has: page.locator("#report-sending") });
    await section.getByText(/^Every Monday at 08:00/).waitFor();
    await section.getByText("panels:write scope").waitFor();
    assert.equal(await section.getByRole("button").count(), 0);
    await close();
  });
});
