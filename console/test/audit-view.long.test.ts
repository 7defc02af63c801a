/** The audit log in the console: its filters, what an entry tells, its files, and who sees it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { suite, test } from "node:test";
import { joinAs } from "../../service/test/people/browser.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole, type ConsolePage } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("the audit log", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const { accountId } = account;
  const admin = await joinAs(service, accountId, "admin");
  await admin.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints: 11 }] } });
  await admin.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints: 22 }] } });
  const hostile = `<img src=x onerror="document.title='broken'">`;
  await account.call("POST", "/v1/entities", { body: { name: hostile } });
  await account.get("/v1/webhook");

  const signIn = async ({ page }: ConsolePage, { email, password }: { email: string; password: string }) => {
    // Nothing here takes so long: the test fails instead of waiting.
    page.setDefaultTimeout(60_000);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).last().fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Console" }).waitFor();
  };

  test("an admin sees who changed what, from where, and what was there before", async () => {
    const visited = await visit("/audit");
    const { page, close, foreign } = visited;
    await signIn(visited, admin);
    const row = page.getByRole("row").filter({ hasText: "putCaps" }).first();
    await row.getByText(admin.email).waitFor();
    await row.getByText("putCaps").click();
    const facts = await until("the details", async () => {
      const text = await row.locator("dl").innerText();
      return text.includes("dayPoints") ? text : null;
    });
    assert.match(facts, /Before\ncaps: .*"dayPoints":11/);
    assert.match(facts, /After\ncaps: .*"dayPoints":22/);
    assert.match(facts, /Address\n(::ffff:)?127\.0\.0\.1/);
    const brand = page.getByRole("row").filter({ hasText: "createEntity" });
    await brand.getByText("createEntity").click();
    await brand.getByText(hostile).waitFor();
    assert.notEqual(await page.title(), "broken");
    assert.deepEqual(foreign, []);
    await close();
  });

  test("filters stand in the address, and are taken back", async () => {
    const visited = await visit("/audit");
    const { page, close } = visited;
    await signIn(visited, admin);
    await page.getByRole("radio", { name: "Secrets" }).check({ force: true });
    await page.getByText("getWebhook", { exact: true }).waitFor();
    await page.getByText("putCaps", { exact: true }).first().waitFor({ state: "detached" });
    assert.match(page.url(), /\?kind=secret$/);
    await page.getByRole("link", { name: "Show everything again" }).click();
    await page.getByText("putCaps", { exact: true }).first().waitFor();
    await page.getByLabel("Operation", { exact: true }).fill("putCaps");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("getWebhook", { exact: true }).waitFor({ state: "detached" });
    await until("both changes", async () => (await page.getByText("putCaps", { exact: true }).count()) === 2);
    await page.getByLabel("Until").fill("2026-01-01");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("No entries match.").waitFor();
    await page.getByRole("link", { name: "Show everything again" }).click();
    await page.getByRole("link", { name: admin.email }).first().click();
    await until("the address to have the person", async () => page.url().includes(admin.state.person.personId));
    assert.equal(
      await page.getByRole("radiogroup", { name: "Log" }).count(),
      0,
      "an admin has the account's log alone",
    );
    await close();
  });

  test("the log is saved as a file, which is an entry itself", async () => {
    await until("the entries to be sealed", async () => {
      const { rows } = await service.database.query<{ open: boolean }>(
        "select exists (select from audit_entries where sequence is null) as open",
      );
      return rows[0]?.open === false;
    });
    const visited = await visit("/audit");
    const { page, close } = visited;
    await signIn(visited, admin);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as JSONL" }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), "audit.jsonl");
    const lines = (await readFile(await download.path(), "utf8")).split("\n").slice(0, -1);
    assert.ok(lines.some((line) => (JSON.parse(line) as { operation: string }).operation === "putCaps"));
    const { rowCount } = await service.database.query(
      "select from audit_entries where account_id = $1 and kind = 'export' and operation = 'listAudit'",
      [accountId],
    );
    assert.equal(rowCount, 1);
    await close();
  });

  test("an editor is shown neither the place nor the log", async () => {
    const editor = await joinAs(service, accountId, "editor");
    const visited = await visit("/audit");
    const { page, close } = visited;
    await signIn(visited, editor);
    await page.getByText("Your role or token can’t read the audit log.").waitFor();
    const places = await page.getByRole("navigation", { name: "Console" }).getByRole("link").allTextContents();
    assert.ok(!places.includes("Audit log"));
    await close();
  });

  test("an operator chooses between the account's log and that of the installation, in Chinese, too", async () => {
    await account.call("PUT", "/v1/admin/platforms/simulator/limits", { body: { runningMax: 30, rate: null } });
    const { page, close } = await visit("/audit", { token: account.token, language: "zh-CN" });
    await page.getByRole("heading", { level: 1, name: "审计日志" }).waitFor();
    await page.getByRole("radio", { name: "整个服务" }).check({ force: true });
    await page.getByText("setPlatformLimits").waitFor();
    await close();
  });

  for (const view of views) {
    test(`it is free of axe violations, no wider than the window: ${view.width} wide, ${view.theme}`, async () => {
      const visited = await visit("/audit", { ...view, token: account.token });
      const { page } = visited;
      await page.getByText("createEntity").click();
      await page.getByText("putCaps").first().click();
      await visited.expectAccessible();
      await visited.picture(`audit-${view.width}-${view.theme}`);
      const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      assert.ok(Number(wide) <= 0, String(wide));
      await visited.close();
    });
  }
});
