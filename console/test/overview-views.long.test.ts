/** The views overview, usage, tokens and platforms. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { createToken } from "../../service/src/accounts/index.ts";
import { createPanel, runPanel } from "../../service/test/insight/fixture.ts";
import { item } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

/** Names as people, and people who mean harm, give them. */
const hostileNames = [
  `<img src=x onerror="document.title='broken'">`,
  "\u202Egnp.exe\u202C مفتاح",
  "x".repeat(100),
] as const;

suite("overview, usage, tokens and platforms", { skip: noBrowser }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "querent-platforms-"));
  after(() => rmSync(folder, { recursive: true }));
  const config = join(folder, "platforms.json");
  const recipe = join(import.meta.dirname, "../../service/src/platforms/web/assistant-page/recipe.yaml");
  writeFileSync(config, JSON.stringify({ platforms: { "example-web": { recipe } } }));
  const { service, visit } = await startTestConsole({ environment: { QUERENT_CONFIG: config } });
  const account = await service.account({ points: 1_234_567 });
  await service.database.query("update accounts set name = 'Blue Harbour' where id = $1", [account.accountId]);
  for (const name of hostileNames) {
    const asker = await account.withToken({ name });
    await asker.answerTo("Why? delay=20ms");
  }
  await account.answerTo("How fine should I grind for espresso?", { platformCode: "sample" });
  await account.answerTo("fail=platform_refused");
  await account.ask("delay=30m", { runTimeoutSeconds: 1800 });
  await account.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" });
  // What earlier days left: tasks end when they end, so that a test's own are all of this hour.
  await service.database.query(
    `insert into usage_hours (account_id, hour, platform, completed, failed, canceled, charged_points, seconds_4, seconds_6, seconds_9)
     select $1, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', case when n % 3 = 0 then 'simulator' else 'sample' end,
            d + 6, d / 14, n % 5 / 4, 2 * (d + 6), d, 4, 2
     from (select n, (30 + 26 * sin(n / 4.0) + n % 7)::int as d from generate_series(1, 1700) n) x`,
    [account.accountId],
  );

  const fits = (page: Page) => page.evaluate("document.documentElement.scrollWidth <= window.innerWidth");
  const places = [
    { path: "/", name: "overview", shows: "Success rate" },
    { path: "/usage?by=token", name: "usage", shows: "Ledger" },
    { path: "/tokens", name: "tokens", shows: "New token" },
    { path: "/platforms", name: "platforms", shows: "Not available" },
  ] as const;
  for (const { path, name, shows } of places) {
    for (const view of views) {
      test(`${name}: free of axe violations, no wider than the window: ${view.width} wide, ${view.theme}`, async () => {
        const { page, expectAccessible, picture, foreign, close } = await visit(path, {
          token: account.token,
          ...view,
        });
        await page.getByText(shows).first().waitFor();
        await expectAccessible();
        await picture(`${name}-${view.width}-${view.theme}`);
        assert.equal(await fits(page), true);
        assert.notEqual(await page.title(), "broken");
        assert.deepEqual(foreign, []);
        await close();
      });
    }
    test(`${name} speaks Chinese`, async () => {
      const { page, expectAccessible, picture, close } = await visit(path, { token: account.token, language: "zh-CN" });
      const { overview, usage, tokens, platforms } = {
        overview: "概览",
        usage: "用量",
        tokens: "令牌",
        platforms: "平台",
      };
      const titles: Readonly<Record<string, string>> = { overview, usage, tokens, platforms };
      await page.getByRole("heading", { level: 1, name: titles[name] ?? "" }).waitFor();
      await expectAccessible();
      await picture(`${name}-chinese`);
      await close();
    });
  }

  test("the overview tells the service's own figures, and its period stands in the address", async () => {
    const { page, close } = await visit("/", { token: account.token });
    const { body } = await account.get<{ current: { completed: number } }>("/v1/overview?period=7d");
    await page.getByRole("link", { name: "7 days" }).click();
    await page
      .getByRole("region", { name: "Completed" })
      .getByText(new Intl.NumberFormat("en").format(body.current.completed), { exact: true })
      .waitFor();
    assert.equal(new URL(page.url()).searchParams.get("period"), "7d");
    const link = page.url();
    await page.goto(link);
    await page.getByRole("link", { name: "7 days" }).and(page.locator("[aria-current]")).waitFor();
    await close();
  });

  test("a chart is read by keyboard, bucket by bucket, and stands as a table for those who can't see it", async () => {
    const { page, close } = await visit("/", { token: account.token });
    const chart = page.getByRole("figure").filter({ hasText: "Finished tasks" });
    const plot = chart.getByRole("img");
    await plot.focus();
    await page.keyboard.press("ArrowLeft");
    await chart.locator("figcaption strong").waitFor();
    const last = await plot.getAttribute("aria-label");
    await page.keyboard.press("ArrowLeft");
    await until("the bucket before it", async () => (await plot.getAttribute("aria-label")) !== last);
    await page.keyboard.press("Escape");
    await until("the whole again", async () => (await chart.locator("figcaption strong").count()) === 0);
    assert.equal(await chart.getByRole("table").getByRole("row").count(), 25);
    await close();
  });

  test("nothing asked: the sample batch runs at a press, and its answers come in", async () => {
    const fresh = await service.account();
    const { page, expectAccessible, picture, close } = await visit("/", { token: fresh.token });
    await page.getByRole("heading", { name: "No tasks in this period" }).waitFor();
    await expectAccessible();
    await picture("overview-empty");
    await page.getByRole("button", { name: "Copy command" }).click();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.ok(command.includes(fresh.token) && command.startsWith("curl "));
    await page.getByRole("button", { name: "Run sample batch" }).click();
    await until("four answers", async () => (await page.locator("tr[data-state=completed]").count()) === 4);
    assert.equal((await service.counts(fresh.accountId))["tasks"], 4);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("region", { name: "Completed" }).getByText("4", { exact: true }).waitFor();
    await close();
  });

  test("the checklist ticks itself: a platform, a brand, a panel, a run and a shared report", async () => {
    const fresh = await service.account({ points: 100 });
    const { page, expectAccessible, close } = await visit("/", { token: fresh.token });
    const done = async () =>
      page
        .locator('[data-step][data-done="true"]')
        .evaluateAll<string[], HTMLElement>((steps) => steps.map((step) => step.dataset["step"] ?? ""));
    await page.locator('[data-step="brand"][data-done="false"]').waitFor();
    await expectAccessible();
    assert.equal((await fresh.call("POST", "/v1/entities", { body: { name: "Acme", relation: "own" } })).status, 201);
    const { panelId } = await createPanel(fresh);
    await page.reload();
    await until("two ticks", async () => (await done()).join() === "platform,brand,panel");
    await runPanel(fresh, panelId);
    await page.reload();
    await until("three ticks", async () => (await done()).join() === "platform,brand,panel,run");
    assert.equal((await fresh.call("POST", `/v1/panels/${panelId}/report/shares`, { body: {} })).status, 201);
    await page.reload();
    await until("four ticks", async () => (await done()).join() === "platform,brand,panel,run,report");
    await close();
  });

  test("a token that may only read tasks is told what it lacks, and is not offered to ask", async () => {
    const reader = await account.withToken({ scopes: ["tasks:read"] });
    const { page, close } = await visit("/", { token: reader.token });
    await page.getByText("needs the usage:read scope").waitFor();
    assert.equal(await page.getByRole("link", { name: "Operator" }).count(), 0);
    for (const path of ["/usage", "/tokens"]) {
      await page.goto(page.url().replace(/\/console.*/, `/console${path}`));
      await page.getByText("needs the usage:read scope").waitFor();
    }
    await close();
  });

  test("a platform that fails is called failing, on its card, in the overview and above every view", async () => {
    const other = await service.account({ points: 1000 });
    const { tasks } = await other.submit(
      Array.from({ length: 60 }, () => ({ question: "fail=platform_refused", platformCode: "simulator", options: {} })),
    );
    for (const { taskId } of tasks) await other.ended(taskId);
    // As after a breaker's pause, until an attempt succeeds. What the platform refused is no failure of its own.
    const setOpenings = (openings: number) =>
      service.database.query("update platforms set breaker_openings = $1 where code = 'simulator'", [openings]);
    await setOpenings(1);
    const { page, expectAccessible, picture, close } = await visit("/platforms", { token: other.token });
    const simulator = page.getByRole("listitem").filter({ hasText: "Simulator" }).first();
    await simulator.getByText("Failing").waitFor();
    await simulator.getByText("Your last failure").waitFor();
    await simulator.getByText("platform_refused", { exact: true }).waitFor();
    await page.getByText("A platform is failing:").waitFor();
    await expectAccessible();
    await picture("platforms-failing");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("region", { name: "Platforms" }).getByText("Simulator: Failing").waitFor();
    await page.getByText("A platform is failing:").waitFor();
    await setOpenings(0);
    await close();
  });

  test("low points are told above every view", async () => {
    const poor = await service.account({ points: 100 });
    await poor.submit(Array.from({ length: 95 }, () => item("delay=30m", { runTimeoutSeconds: 1800 })));
    const { page, expectAccessible, close } = await visit("/tokens", { token: poor.token });
    await page.getByText("5 of 100 granted points available.").waitFor();
    await expectAccessible();
    await close();
  });

  test("an address that leads nowhere says so, and leads back", async () => {
    const { page, expectAccessible, close } = await visit("/no/such/page", { token: account.token });
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Go to overview" }).click();
    await page.getByText("Success rate").first().waitFor();
    await close();
  });

  for (const view of views) {
    test(`the command palette goes to views and ids by keyboard: ${view.width} wide, ${view.theme}`, async () => {
      const taskId = await account.ask("Where is the palette?");
      const { page, expectAccessible, picture, close } = await visit("/tokens", { token: account.token, ...view });
      await page.getByText("New token").first().waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      const field = page.getByRole("dialog").getByRole("combobox");
      await field.waitFor();
      await page.getByRole("option", { name: "Batches" }).first().waitFor();
      await expectAccessible();
      await picture(`palette-${view.width}-${view.theme}`);
      await page.keyboard.type("platf");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Platforms" }).waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await field.fill(taskId.toUpperCase());
      await page.getByRole("option", { name: "Task: Where is the palette?" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Where is the palette?" }).waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await field.fill("01a1fe2b-2faa-7230-b56a-51692740303c");
      await page.getByText("No task, batch or delivery has this ID.").waitFor();
      await field.fill("status: it");
      await page.getByRole("option", { name: "Search tasks for “status: it”" }).click();
      await until("the search", () => new URL(page.url()).searchParams.get("q") === '"status: it"');
      await page.getByRole("heading", { name: "No tasks match this filter" }).waitFor();
      await close();
    });
  }

  test("on a phone one row stands above the view, and its menu leads everywhere", async () => {
    const { page, expectAccessible, picture, close } = await visit("/", { token: account.token, width: 390 });
    await page.getByText("Success rate").first().waitFor();
    const height = await page.evaluate<number>("document.querySelector('nav').getBoundingClientRect().height");
    assert.ok(height < 60, `${height} pixels`);
    await page.getByRole("button", { name: "Menu" }).click();
    await expectAccessible();
    await picture("menu-390");
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("heading", { level: 1, name: "Tokens" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Tokens" }).isVisible(), false);
    await close();
  });

  test("usage adds up by day, platform and token to one sum, and is downloaded as CSV", async () => {
    const { page, close } = await visit("/usage?days=7", { token: account.token });
    const sum = () => page.locator("tfoot").textContent();
    await page.locator("tfoot").waitFor();
    const byDay = await sum();
    assert.equal(await page.locator("main table").nth(1).locator("tbody tr").count(), 7);
    for (const by of ["Platform", "Token"]) {
      await page.getByRole("link", { name: by, exact: true }).click();
      await page.getByRole("columnheader", { name: by }).waitFor();
      assert.equal(await sum(), byDay);
    }
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^usage-\d{4}-\d{2}-\d{2}-\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = await page.request.get(`${service.address}/v1/usage/days`, {
      headers: { authorization: `Bearer ${account.token}`, accept: "text/csv" },
    });
    assert.ok((await lines.text()).startsWith("day,platformCode,tokenId,tokenName,"));
    await close();
  });

  test("the ledger is filtered by kind and leads to the tasks", async () => {
    const { page, close } = await visit("/usage", { token: account.token });
    await page.getByRole("radio", { name: "Grant" }).check({ force: true });
    await page.getByText("at the account's creation").waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    assert.equal(file.suggestedFilename(), "ledger-grant.csv");
    const [head, grant] = (await readFile(await file.path(), "utf8")).split("\r\n");
    assert.equal(head?.replace("\uFEFF", ""), "entryId,createdAt,kind,points,batchId,taskId,note");
    assert.match(grant ?? "", /^\d+,[\d-]{10}T[\d:.]+Z,grant,1234567,,,/);
    await page.getByRole("radio", { name: "Release" }).check({ force: true });
    await page.getByRole("main").getByRole("link", { name: /^Task/ }).first().click();
    await page.getByRole("heading", { level: 1, name: "fail=platform_refused" }).waitFor();
    await close();
  });

  test("a token is made, shown once, works, and is revoked after a second thought", async () => {
    const own = await service.account();
    const { page, expectAccessible, picture, close } = await visit("/tokens", { token: own.token });
    await page.getByText("In use").waitFor();
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Name").fill("nightly survey");
    await page.getByLabel("Manage webhooks and deliveries").uncheck();
    await page.getByRole("radio", { name: "30 days" }).check({ force: true });
    await expectAccessible();
    await picture("token-form");
    await page.getByRole("button", { name: "Create token" }).click();
    const text = (await page.locator("[data-token]").textContent()) ?? "";
    assert.match(text, /^qrt_[\w-]{43}$/);
    await expectAccessible();
    await picture("token-made");
    const asks = () => service.call("GET", "/v1/usage", { headers: { authorization: `Bearer ${text}` } });
    assert.equal((await asks()).status, 200);
    await page.getByRole("button", { name: "Done" }).click();
    assert.ok(!(await page.content()).includes(text), "it is nowhere any more");

    await page.getByRole("button", { name: "Revoke nightly survey" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal((await asks()).status, 200);
    await page.getByRole("button", { name: "Revoke nightly survey" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByText(/^Revoked /).waitFor();
    assert.equal((await asks()).status, 401);
    await close();
  });

  test("who may not make tokens sees them, and is told who may", async () => {
    const reader = await account.withToken({ scopes: ["usage:read"] });
    const { page, close } = await visit("/tokens", { token: reader.token });
    await page.getByText("requires the scope access:manage").waitFor();
    await page.getByRole("table").waitFor();
    assert.equal(await page.getByRole("button", { name: /Revoke/ }).count(), 0);
    await close();
  });

  test("platforms are shown with prices, what they return, and how they do", async () => {
    const { page, close } = await visit("/platforms", { token: account.token });
    const sample = page.getByRole("listitem").filter({ hasText: "sample" }).first();
    await sample.getByText("Healthy").waitFor();
    await sample.getByText("Points per question").waitFor();
    await page.getByRole("heading", { name: "Not available" }).waitFor();
    const openai = page.getByRole("listitem").filter({ hasText: "OpenAI openai" }).first();
    await openai.getByText("No key: add one in the console, or set the environment variable OPENAI_API_KEY").waitFor();
    await openai.getByRole("link", { name: "Add a key: OpenAI" }).waitFor();
    await close();
    const member = await account.withToken({ scopes: ["tasks:read", "tasks:write"] });
    const theirs = await visit("/platforms", { token: member.token });
    const same = theirs.page.getByRole("listitem").filter({ hasText: "OpenAI openai" }).first();
    await same.getByText("The operator sets it up with").waitFor();
    assert.equal(await same.getByRole("link").count(), 0);
    await theirs.close();
  });

  test("a page that is not as its recipe says any more is told where the platform is", async () => {
    await service.database.query(
      `insert into platform_drift (platform, node_id, hour, recipe, sign, what, asks, first_at, last_at)
       select 'example-web', gen_random_uuid(), date_trunc('hour', now()), 'r', sign, what, asks, now(), now()
         from (values ('asked', '', 8), ('fallback', 'composer.input', 8), ('check', 'checks.products', 2)) as d(sign, what, asks)`,
    );
    const { page, close, expectAccessible, picture } = await visit("/platforms", { token: account.token });
    const web = page.getByRole("listitem").filter({ hasText: "example-web" }).first();
    await web.getByText("The page no longer matches its recipe").waitFor();
    assert.deepEqual(await web.locator("[data-drift] code").allTextContents(), ["composer.input", "checks.products"]);
    await web.getByText("matched by a fallback selector · 100% of tasks in the last 24 hours").waitFor();
    await web.getByText("fewer items read than the page shows · 25% of tasks in the last 24 hours").waitFor();
    await expectAccessible();
    await picture("platforms-drift");
    await close();
  });
});

suite("the operator's view", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const operator = await service.account();
  await operator.ask("delay=30m", { runTimeoutSeconds: 1800 });
  await operator.submit(Array.from({ length: 3 }, () => item("delay=30m", { runTimeoutSeconds: 1800 })));
  const hostile = await service.account({ points: 5 });
  await service.database.query("update accounts set name = $2 where id = $1", [hostile.accountId, hostileNames[0]]);
  for (const name of hostileNames)
    await createToken(service.database, {
      accountId: hostile.accountId,
      scopes: ["tasks:read"],
      name,
      expiresAt: null,
    });

  for (const view of views) {
    test(`queues and nodes: free of axe violations, no wider than the window: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, close } = await visit("/operator", { token: operator.token, ...view });
      await page.getByRole("heading", { name: "Nodes" }).waitFor();
      await page.getByRole("heading", { name: "Busiest accounts" }).waitFor();
      await expectAccessible();
      await picture(`operator-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      await close();
    });

    test(`accounts: hostile names are text, free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, close } = await visit("/operator/accounts", {
        token: operator.token,
        ...view,
      });
      await page.getByRole("link", { name: hostileNames[0] }).waitFor();
      await expectAccessible();
      await picture(`operator-accounts-${view.width}-${view.theme}`);
      await page.getByRole("link", { name: hostileNames[0] }).click();
      await page.getByText("x".repeat(100)).waitFor();
      await expectAccessible();
      await picture(`operator-account-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.notEqual(await page.title(), "broken");
      await close();
    });
  }

  test("a token without the scope admin is not offered the view, and finds it closed", async () => {
    const user = await operator.withToken({ scopes: ["tasks:read", "usage:read"] });
    const { page, close } = await visit("/operator", { token: user.token });
    await page.getByText("requires a token with the admin scope").waitFor();
    assert.equal(await page.getByRole("link", { name: "Operator" }).count(), 0);
    await close();
  });

  test("limits are changed live by keyboard, shown as such, and taken back", async () => {
    const { page, expectAccessible, picture, close } = await visit("/operator", { token: operator.token });
    const limit = async () =>
      (await service.database.query<{ running_max: number }>("select running_max from platforms where code = 'sample'"))
        .rows[0]?.running_max;
    await page.getByRole("button", { name: /^Change limits: Sample/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Concurrent tasks").waitFor();
    await expectAccessible();
    await picture("operator-limits");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("0");
    await page.keyboard.press("Enter");
    await page.getByText("Paused (limit is 0)").waitFor();
    await page.getByText(/^overridden/).waitFor();
    assert.equal(await limit(), 0);
    await page.getByRole("button", { name: /^Change limits: Sample/ }).click();
    await page.getByRole("button", { name: /^Reset to configuration \(250/ }).click();
    await until("the limit to be the configured one", async () => (await limit()) === 250);
    await until("the mark to go", async () => (await page.getByText("Paused (limit is 0)").count()) === 0);
    await close();
  });

  test("an account is made, granted points, bounded, and given a token that works", async () => {
    const { page, close } = await visit("/operator/accounts", { token: operator.token });
    await page.getByRole("button", { name: "New account" }).click();
    const form = page.getByRole("form", { name: "New account" });
    await form.getByLabel("Name").fill("Blue Harbour");
    await form.getByLabel("Points").fill("100");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 2, name: "Blue Harbour" }).waitFor();
    await page.getByRole("form", { name: "Grant points" }).getByLabel("Points", { exact: true }).fill("23");
    await page.getByRole("button", { name: "Grant points" }).click();
    await page.getByText("123", { exact: true }).first().waitFor();
    await page.getByRole("spinbutton", { name: /^Unfinished task limit/ }).fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    const { rows } = await until("the bound to be kept", async () => {
      const found = await service.database.query<{ unfinished_max: number }>(
        "select unfinished_max from accounts where name = 'Blue Harbour'",
      );
      return found.rows[0]?.unfinished_max === 7 ? found : null;
    });
    assert.equal(rows.length, 1);
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("form", { name: "New token" }).getByLabel("Name").fill("first");
    await page.getByRole("button", { name: "Create token" }).click();
    const text = (await page.locator("[data-token]").textContent()) ?? "";
    const usage = await service.call<{ account: string }>("GET", "/v1/usage", {
      headers: { authorization: `Bearer ${text}` },
    });
    assert.equal(usage.body.account, "Blue Harbour");
    await close();
  });
});
