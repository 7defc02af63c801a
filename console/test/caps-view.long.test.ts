import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Caps, PanelRecord } from "@querent/contract";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("caps", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account({ points: 1000 });
  const panel = async (of: typeof account, name: string, tags: string[] = []) =>
    (
      await of.call<PanelRecord>("POST", "/v1/panels", {
        body: { name, prompts: [{ text: "Which grinder?" }], platforms: ["simulator"], repeats: 8, tags },
      })
    ).body;
  const capsOf = async (of: typeof account) => (await of.get<Caps>("/v1/caps")).body.caps;

  const grinders = await panel(account, "Grinders", ["coffee"]);
  const price = (await account.call<{ estimatedPoints: number }>("POST", `/v1/panels/${grinders.panelId}/quote`)).body
    .estimatedPoints;
  await account.call("PUT", "/v1/caps", {
    body: {
      caps: [
        // One run uses up all, 80 and 50 percent.
        { kind: "account", dayPoints: price, monthPoints: 100_000 },
        { kind: "panel", subject: grinders.panelId, runPoints: 500, dayPoints: price / 0.8, monthPoints: 2 * price },
        { kind: "tag", subject: "tea", monthPoints: 50 },
        { kind: "tag", subject: `<img src=x onerror="document.title='broken'">`, runPoints: 10 },
      ],
    },
  });
  const run = () =>
    account.call<{ state: string }>("POST", `/v1/panels/${grinders.panelId}/runs`, {
      headers: { "idempotency-key": crypto.randomUUID() },
    });
  assert.equal((await run()).status, 202);

  for (const view of views) {
    test(`caps are listed with what is used of them, free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, foreign, close } = await visit("/caps", {
        token: account.token,
        ...view,
      });
      const row = (key: string) => page.locator(`[data-cap="${key}"]`);
      await row("account").getByText(`${price} of ${price} points`).waitFor();
      await row("account").getByText("Used up").waitFor();
      const ofPanel = row(`panel ${grinders.panelId}`);
      assert.equal(await ofPanel.getByText("80 % used").count(), 1);
      assert.equal(await ofPanel.getByText("50 % used").count(), 1);
      assert.equal(await ofPanel.getByText("500 points").count(), 1);
      await row("tag tea").getByText("0 of 50 points").waitFor();
      await expectAccessible();
      await picture(`caps-${view.width}-${view.theme}`, { whole: true });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.match(await page.title(), /^Caps/);
      assert.deepEqual(foreign, []);
      await close();
    });
  }

  test("a panel that a cap stops says by how much, and links to the caps that apply to it", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${grinders.panelId}?part=runs`, {
      token: account.token,
    });
    const note = page.locator(".note-warn");
    await note.getByText(`The cap of the account is ${price} points a day (UTC)`).waitFor();
    assert.match((await note.textContent()) ?? "", new RegExp(`${price} over`));
    assert.equal(await page.getByRole("button", { name: "Run now" }).isDisabled(), true);
    await expectAccessible();
    await picture("panel-capped");
    await note.getByRole("link", { name: "Show the caps" }).press("Enter");
    await page.getByText("Caps that apply to the panel Grinders").waitFor();
    assert.deepEqual(
      await page.locator("[data-cap]").evaluateAll((rows) => rows.map((each) => each.getAttribute("data-cap"))),
      ["account", `panel ${grinders.panelId}`],
    );
    await page.getByRole("link", { name: "Show all caps" }).press("Enter");
    await page.locator('[data-cap="tag tea"]').waitFor();
    await close();
  });

  test("a scheduled run that a cap refused says by how much, and links to the caps that apply", async () => {
    const { body: scheduled } = await account.call<PanelRecord>("POST", "/v1/panels", {
      body: {
        name: "Refused",
        prompts: [{ text: "Which kettle?" }],
        platforms: ["simulator"],
        tags: ["tea"],
        schedule: { cron: "0 6 * * *", timeZone: "UTC" },
      },
    });
    await service.database.query("update panels set due_at = now() where account_id = $1 and id = $2", [
      account.accountId,
      scheduled.panelId,
    ]);
    const { page, expectAccessible, picture, close } = await visit(`/panels/${scheduled.panelId}?part=runs`, {
      token: account.token,
    });
    const run = page.locator("[data-run]").filter({ hasText: "Refused" });
    await run.getByText("this needs 1: 1 over").waitFor();
    await expectAccessible();
    await picture("run-refused");
    await run.getByRole("link", { name: "Show the caps" }).press("Enter");
    await page.getByText("Caps that apply to the panel Refused").waitFor();
    assert.deepEqual(
      await page.locator("[data-cap]").evaluateAll((rows) => rows.map((each) => each.getAttribute("data-cap"))),
      ["account", "tag tea"],
    );
    await close();
  });

  test("a batch that a cap refuses says by how much, and links to the caps", async () => {
    const { page, close } = await visit("/ask", { token: account.token });
    await page.getByRole("checkbox", { name: "Sample" }).waitFor();
    await page.getByRole("textbox", { name: "Questions" }).fill("Which grinder?");
    await page.getByRole("button", { name: /^Ask 1 / }).click();
    await page.getByText(/\d over\./).waitFor();
    await page.getByRole("link", { name: "Show the caps" }).press("Enter");
    await page.locator('[data-cap="account"]').waitFor();
    await close();
  });

  test("without caps the view says what to do, and one is set, refused twice, edited and removed by keyboard", async () => {
    const fresh = await service.account({ points: 100 });
    const own = await panel(fresh, "Kettles");
    const { page, expectAccessible, picture, close } = await visit("/caps", { token: fresh.token });
    await page.getByRole("heading", { name: "No caps yet" }).waitFor();
    await expectAccessible();
    await picture("caps-empty");
    await page.getByRole("button", { name: "New cap" }).press("Enter");
    await page.getByText("What it limits").waitFor();
    // The choice has the focus: next is the project, and then the panel.
    await page.locator("input[type=radio]:focus").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("combobox", { name: "Panel" }).selectOption({ label: "Kettles" });
    const save = page.getByRole("button", { name: "Save" });
    assert.equal(await save.getAttribute("aria-disabled"), "true");
    await page.getByLabel("Points per month (UTC)").fill("60");
    await expectAccessible();
    await picture("caps-form");
    await save.press("Enter");
    const row = page.locator(`[data-cap="panel ${own.panelId}"]`);
    await row.getByText("0 of 60 points").waitFor();
    await page.getByRole("button", { name: "New cap" }).press("Enter");
    await page.getByText("Panel", { exact: true }).first().click();
    await page.getByRole("combobox", { name: "Panel" }).selectOption({ label: "Kettles" });
    await page.getByLabel("Points per day (UTC)").fill("1");
    await page.getByText("There is a cap of this already").waitFor();
    assert.equal(await save.getAttribute("aria-disabled"), "true");
    await page.getByRole("button", { name: "Cancel" }).click();
    // Somebody else's cap, set meanwhile, stays.
    await fresh.call("PUT", "/v1/caps", {
      body: {
        caps: [
          { kind: "panel", subject: own.panelId, monthPoints: 60 },
          { kind: "tag", subject: "tea", dayPoints: 7 },
        ],
      },
    });
    await page.getByRole("button", { name: "Edit Panel Kettles" }).press("Enter");
    await page.getByLabel("Points per run or batch").fill("4");
    await save.press("Enter");
    await row.getByText("4 points", { exact: true }).waitFor();
    assert.deepEqual(
      (await capsOf(fresh)).map(({ kind, runPoints, dayPoints, monthPoints }) => [
        kind,
        runPoints,
        dayPoints,
        monthPoints,
      ]),
      [
        ["panel", 4, null, 60],
        ["tag", null, 7, null],
      ],
    );
    await page.getByRole("button", { name: "Remove Panel Kettles" }).press("Enter");
    await page.getByRole("button", { name: "Really remove" }).press("Enter");
    await until("the cap to be removed", async () => (await row.count()) === 0);
    assert.deepEqual(
      (await capsOf(fresh)).map(({ kind }) => kind),
      ["tag"],
    );
    await close();
  });

  test("the view is spoken in Chinese, and a token without the scope reads only", async () => {
    const reader = await account.withToken({ scopes: ["panels:read", "usage:read"] });
    const { page, expectAccessible, close } = await visit("/caps", { token: reader.token, language: "zh-CN" });
    await page.getByText("更改限额需要具有 panels:write 权限的令牌。").waitFor();
    await page.getByText("已用完").waitFor();
    assert.equal(await page.getByRole("button", { name: "新建限额" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /^编辑/ }).count(), 0);
    await expectAccessible();
    await close();
  });
});
