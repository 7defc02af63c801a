/** A panel's page of figures, on the answers of the demonstration. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { runCommand } from "../../service/test/harness/process.ts";
import { until } from "../../service/test/harness/wait.ts";
import { createPanel, runPanel } from "../../service/test/insight/fixture.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("figures of a panel", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const { code, stdout, stderr } = await runCommand(service.commandEnvironment, ["demo", "--json"]);
  assert.equal(code, 0, stderr);
  const { panelId, token } = JSON.parse(stdout) as { panelId: string; token: string };

  for (const view of views)
    test(`the figures are shown, free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, foreign, close } = await visit(`/panels/${panelId}`, { token, ...view });
      await page.locator("[data-prompt]").first().waitFor();
      await page.getByText("Simulated data").waitFor();
      await picture(`figures-${view.width}-${view.theme}`);
      await expectAccessible();
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.deepEqual(foreign, []);
      await close();
    });

  for (const width of [1440, 390])
    test(`the page says in sentences what the figures come to, above the fold: ${width} wide`, async () => {
      const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token, width });
      const verdict = page.locator("[data-verdict]");
      await verdict
        .getByText(
          /^Ardenzo \(simulated\) is named in \d[\d.]*% of answers on simulated-api \(.+\)\. That is \d[\d.]* points more than before, /,
        )
        .waitFor();
      await verdict.getByText(/^grinder-tests\.example is cited \d[\d.]* points less, since /).waitFor();
      await verdict.getByText("Prompts against Molturra (simulated)").waitFor();
      const [won, lost, open] = await until("the prompts", async () => {
        const told = /(\d+) won, (\d+) lost, (\d+) undecided/.exec((await verdict.textContent()) ?? "");
        return told?.slice(1).map(Number);
      });
      assert.equal((won ?? 0) + (lost ?? 0) + (open ?? 0), 54);
      const next = verdict.getByRole("link", { name: "Look at how coffee-forum.example presents you" });
      const { y, height } = (await next.boundingBox()) ?? { y: 1e9, height: 0 };
      assert.ok(y + height < (width < 600 ? 844 : 860), "the next step is above the fold");
      assert.ok(
        ((await page.getByRole("list", { name: "Window" }).boundingBox())?.y ?? 0) > y,
        "the filters come after it",
      );
      await picture(`figures-verdict-${width}`, { whole: false });
      await expectAccessible();
      await close();
    });

  test("the report is downloaded as a PDF, with the client's name and on the paper that was chosen", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token, width: 390 });
    const part = page.getByRole("region", { name: "Report" });
    await part.getByText("Letter", { exact: true }).click();
    await part.getByLabel("Client’s name, at the top of each page").fill("Müller & Söhne");
    await expectAccessible();
    await picture("figures-pdf");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      part.getByRole("button", { name: "Download as PDF" }).click(),
    ]);
    assert.equal(file.suggestedFilename(), `report-${panelId}.pdf`);
    const text = readFileSync(await file.path(), "latin1");
    assert.match(text, /^%PDF-/);
    assert.match(text, /\/MediaBox \[0 0 612 792\]/);
    await close();
  });

  test("a link to the report is made, opens without a token, and is revoked", async () => {
    const account = await service.account({ points: 100 });
    const { panelId: shared } = await createPanel(account);
    const { page, close } = await visit(`/panels/${shared}`, { token: account.token });
    await page.getByRole("button", { name: "Share a link" }).click();
    const share = page.locator("[data-share]");
    const url = await share.getByRole("link", { name: "Open" }).getAttribute("href");
    assert.equal((await fetch(url ?? "")).status, 200);
    await share.getByRole("button", { name: "Revoke" }).click();
    await share.waitFor({ state: "detached" });
    assert.notEqual((await fetch(url ?? "")).status, 200);
    await close();
  });

  test("the overview says the same of each panel, and what changed, above the operations", async () => {
    const { page, expectAccessible, picture, close } = await visit("/", { token });
    const card = page.locator(`[data-panel="${panelId}"]`);
    await card.getByText(/^Ardenzo \(simulated\) is named in \d[\d.]*% of answers on simulated-api/).waitFor();
    await card.getByText(/Molturra \(simulated\) \(53\.9%\).*Most cited: coffee-forum\.example/).waitFor();
    const changes = page.getByRole("region", { name: "What has changed" });
    await changes.getByText(/^grinder-tests\.example is cited \d[\d.]* points less, since /).waitFor();
    await expectAccessible();
    await picture("overview-brands");
    await card.getByRole("link", { name: "Coffee grinders (simulated demo)" }).click();
    await page.locator("[data-verdict]").waitFor();
    await close();
  });

  test("the palette finds panels and brands by their names", async () => {
    const { page, close } = await visit("/", { token });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    const field = page.getByRole("dialog").getByRole("combobox");
    await field.fill("ardenzo");
    await page.getByRole("option", { name: "Brand: Ardenzo (simulated)" }).waitFor();
    await field.fill("coffee grinders");
    await page.getByRole("option", { name: "Panel: Coffee grinders (simulated demo)" }).click();
    await page.locator("[data-verdict]").waitFor();
    await close();
  });

  test("one surface is shown at a time; window, surface and scope are chosen by keyboard, and stand in the address", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token });
    const named = page.locator('[data-brand="Ardenzo (simulated)"] td').first();
    const api = await named.textContent();
    assert.match(api ?? "", /43\.5%.*–/);
    await page
      .locator('[data-brand="Ardenzo (simulated)"]')
      .getByText(/points more/)
      .waitFor();
    await page.locator('[data-brand="Molturra (simulated)"]').getByText("Not distinguishable from chance").waitFor();
    await page.getByRole("link", { name: /simulated-web/ }).press("Enter");
    await page.locator("[data-series]").getByText("Instrument changed").first().waitFor();
    await page.getByText("simulated-model-2 instead of simulated-model-1").waitFor();
    await page.locator("[data-instruments]").getByText("Figures are of answers of simulated-model-2").waitFor();
    assert.match((await named.textContent()) ?? "", /59\.6%/);
    assert.match((await page.locator("[data-instrument=simulated-model-1]").first().textContent()) ?? "", /39\.2%/);
    await page.locator("[data-definition=first_place]").press("Enter");
    await page.getByText("answers that name it first / answers that name it").waitFor();
    await expectAccessible();
    await page.keyboard.press("Escape");
    assert.notEqual(await named.textContent(), api);
    assert.match(page.url(), /surface=simulated-web/);
    await page.getByText("Prompts like these").click();
    await page.getByText("The band is the 95 % interval").waitFor();
    await picture("figures-like-these");
    await page.locator("[data-series] [role=img]").press("ArrowLeft");
    await page
      .locator("[data-series] li")
      .first()
      .getByText(/20\d\d/)
      .waitFor();
    await page.getByText("Show as a table").press("Enter");
    assert.equal(await page.locator("[data-series] tbody tr").count(), 28);
    await expectAccessible();
    await page.getByRole("link", { name: "7 days" }).press("Enter");
    await page.getByText("Runs", { exact: true }).waitFor();
    assert.match(page.url(), /days=7/);
    assert.match(page.url(), /scope=prompts_like_these/);
    await close();
  });

  test("what has changed on any platform is listed, newest first, and both sides open their answers", async () => {
    const { page, expectAccessible, close } = await visit(`/panels/${panelId}`, { token });
    const rows = page.locator("[data-change]");
    await rows.first().waitFor();
    const days = await rows.locator("time").evaluateAll((all) => all.map((one) => one.getAttribute("datetime") ?? ""));
    assert.deepEqual(days, days.toSorted().toReversed());
    const instrument = rows.filter({ hasText: "simulated-model-1 → simulated-model-2" });
    await instrument.getByText("A difference on this day is the instrument’s, not the brand’s.").waitFor();
    const brand = rows.filter({ hasText: "Ardenzo (simulated)" }).filter({ hasText: "Named in" }).first();
    await brand.getByText(/points more/).waitFor();
    const site = rows.filter({ hasText: "grinder-tests.example" }).filter({ hasText: "Site cited" });
    assert.equal(await site.count(), 1);
    await site.getByText(/points less/).waitFor();
    await expectAccessible();
    await brand.getByRole("link", { name: /Answers before/ }).press("Enter");
    await page.locator("[data-observation]").first().waitFor();
    await close();
  });

  test("sources show which came or went: by how much, and when each was first and last cited", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token });
    const gone = page.locator('[data-domain="grinder-tests.example"]');
    await gone.getByText(/points less/).waitFor();
    const days = (row: typeof gone) =>
      row.locator("td > span > time").evaluateAll((all) => all.map((one) => one.getAttribute("datetime") ?? ""));
    const [first = "", last = ""] = await days(gone);
    assert.equal((Date.parse(last) - Date.parse(first)) / 86_400_000, 17);
    const stays = page.locator('[data-domain="coffee-forum.example"]');
    await stays.getByText("Not distinguishable from chance").waitFor();
    assert.equal((Date.parse((await days(stays))[1] ?? "") - Date.parse(first)) / 86_400_000, 27);
    await page.locator('[data-domain="ardenzo.example"]').getByText("Judged with its brand").waitFor();
    await picture("sources");
    await expectAccessible();
    // On the web platform, it went before the model changed: figures of the new model have none of it, but its last day is told.
    await page.getByRole("link", { name: /simulated-web/ }).press("Enter");
    await page.getByText("All 5 sites").press("Enter");
    const site = page.locator('[data-site="grinder-tests.example"]');
    assert.equal((await site.getByRole("link").textContent()) ?? "", "0");
    assert.deepEqual(await days(site), [first, last]);
    await close();
  });

  test("two platforms are compared over the same prompts, and the choice stands in the address", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token });
    const part = page.locator("[data-compare]");
    await part.getByLabel("Compare with").selectOption("simulated-web · web page");
    const rises = part.locator('[data-difference="presence Ardenzo (simulated)"]');
    await rises
      .getByText(/\+\d[\d.]* points/)
      .first()
      .waitFor();
    // On the API, the brand rises all the time, so its rate in the window says little of how the platforms differ.
    assert.match((await rises.textContent()) ?? "", /43\.5%59\.6%\+16\.2 points −1 to \+33\.30\.159/);
    const gone = part.locator('[data-difference="citation_rate grinder-tests.example"]');
    assert.match((await gone.textContent()) ?? "", /31\.6%0%−31\.6 points/);
    await part.getByText("54 prompts in both.").waitFor();
    await picture("compared");
    await expectAccessible();
    assert.match(page.url(), /with=simulated-web/);
    await page.reload();
    await rises.waitFor();
    await part.getByLabel("Compare with").selectOption("Nothing");
    await rises.waitFor({ state: "detached" });
    await close();
  });

  test("how often another brand is first is a figure, with the pairs of answers of which it is made", async () => {
    const { page, expectAccessible, close } = await visit(`/panels/${panelId}`, { token });
    const part = page.locator("[data-first-place]");
    await part.getByText("From one run to the next").press("Enter");
    const pairs = part.locator("[data-pair]");
    await pairs.first().waitFor();
    const figure = await part.locator("[data-changes=first_place_changes_between_runs] dd").textContent();
    assert.match(figure ?? "", /answers [\d.]+%[\d.]+–[\d.]+%$/);
    for (const row of (await pairs.allTextContents()).slice(0, 5)) assert.match(row, /\(simulated\).*\(simulated\)$/);
    await expectAccessible();
    await pairs.first().getByRole("link").press("Enter");
    await page.locator("[data-observation]").first().waitFor();
    await close();
  });

  test("all sites are filtered by name, type and owner, in the address, and open the answers that cite them", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token });
    await page.getByText("All 5 sites").press("Enter");
    const sites = page.locator("[data-site]");
    assert.equal(await sites.count(), 5);
    await page.getByLabel("Whose").selectOption("Own");
    await page.getByText("1 of 5 sites").waitFor();
    assert.deepEqual(await sites.evaluateAll((all) => all.map((one) => one.dataset["site"])), ["ardenzo.example"]);
    await picture("sites");
    await page.getByLabel("Whose").selectOption("Any");
    await page.getByLabel("Site contains").pressSequentially("MOL");
    await page.getByText("1 of 5 sites").waitFor();
    await page.reload();
    await page.locator('[data-site="molturra.example"]').getByText("Competitor’s").waitFor();
    await page.getByLabel("Site contains").fill("nowhere");
    await page.getByText("No site matches.").waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Show all" }).press("Enter");
    const site = page.locator('[data-site="grinder-tests.example"]');
    const cited = (await site.getByRole("link").textContent()) ?? "";
    assert.match(cited, /^\d+$/);
    await site.getByRole("link").press("Enter");
    await page.locator("[data-observation]").first().waitFor();
    assert.match(page.url(), /domain=grinder-tests\.example/);
    await close();
  });

  test("a figure opens its answers, and mentions open what was written", async () => {
    const { page, expectAccessible, picture, close } = await visit(`/panels/${panelId}`, { token });
    await page.locator('[data-brand="Ardenzo (simulated)"] td a').first().press("Enter");
    await page.locator("[data-observation]").first().waitFor();
    assert.equal(await page.locator("[data-observation]").count(), 50);
    await page.getByText("Coffee grinders (simulated demo)").waitFor();
    await expectAccessible();
    await picture("answers");
    await page.getByRole("link", { name: "Only answers that name Ardenzo" }).press("Enter");
    await page.getByRole("link", { name: "All answers that were considered" }).waitFor();
    await page.locator("[data-observation] mark").nth(49).waitFor();
    await page.getByRole("link", { name: "Older" }).press("Enter");
    await page.getByRole("link", { name: "Newest" }).waitFor();
    await page.getByRole("link", { name: "Back to the figures" }).press("Enter");
    await page.locator('[data-brand="Ardenzo (simulated)"]').getByRole("link", { name: "Mentions" }).press("Enter");
    await page.locator("mark").first().waitFor();
    assert.deepEqual(new Set(await page.locator("mark").allTextContents()), new Set(["Ardenzo"]));
    await expectAccessible();
    await picture("mentions");
    await close();
  });

  test("answers that are found further back are shown, although the service has replied without them first", async () => {
    const { page, close } = await visit("/panels", { token });
    let requests = 0;
    await page.route("**/v1/observations?*", async (route) => {
      if (++requests > 2) return route.continue();
      const response = await route.fetch();
      const { nextCursor } = (await response.json()) as { nextCursor: string };
      return route.fulfill({ response, json: { observations: [], nextCursor } });
    });
    await page.goto(`${service.address}/console/observations?panelId=${panelId}`);
    await page.locator("[data-observation]").first().waitFor();
    assert.equal(requests, 3);
    await page.getByRole("link", { name: "Older" }).waitFor();
    await close();
  });

  test("too few answers are said in words with what is missing, without a number; an empty window says what to do", async () => {
    const days = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    const { page, close } = await visit(`/panels/${panelId}?from=${days}&to=${days}`, { token });
    const named = page.locator('[data-brand="Ardenzo (simulated)"] td').first();
    await named.getByText("Too few: 4 more runs needed").waitFor();
    assert.doesNotMatch((await named.textContent()) ?? "", /%/);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
    await page.goto(`${service.address}/console/panels/${panelId}?from=2020-01-01&to=2020-01-28`);
    await page.getByRole("heading", { name: "No answers in this window" }).waitFor();
    await page.getByRole("link", { name: "Show 90 days" }).press("Enter");
    await page.locator("[data-prompt]").first().waitFor();
    await close();
  });

  test("many failed tasks are a warning, above the figures and where nothing was answered", async () => {
    const account = await service.account();
    const prompts = [{ text: "Which grinder?" }, { text: "Which kettle? fail=platform_refused" }];
    for (const [asked, words] of [
      [prompts, /On simulator \(sample\), 50% of all tasks \(2\) failed; the platform refused 50%/],
      [prompts.slice(1), /100% of all tasks \(1\) failed/],
    ] as const) {
      const { panelId: failing } = await createPanel(account, { prompts: asked });
      await runPanel(account, failing);
      await until("the run to end", async () => {
        const { rows } = await service.database.query(
          "select from panel_runs where panel_id = $1 and ended_at is null",
          [failing],
        );
        return rows.length === 0;
      });
      const { page, expectAccessible, picture, close } = await visit(`/panels/${failing}`, { token: account.token });
      const warning = page.locator("[data-failures]");
      await warning.getByText(words).waitFor();
      await warning.getByText("The figures are of the answers alone.").waitFor();
      await picture(`figures-failures-${asked.length}`);
      await expectAccessible();
      await warning.getByRole("link", { name: "Runs and prompts" }).press("Enter");
      await page.waitForURL(/part=runs/);
      await close();
    }
  });

  test("whose products are shown and who advertises stand in parts of their own, and so does why that is not known", async () => {
    const account = await service.account({ points: 1000 });
    for (const body of [
      { name: "Meadow Mills", relation: "own", domains: ["meadow.example"] },
      { name: "Brook", relation: "competitor", domains: ["stream.example"] },
    ])
      await account.call("POST", "/v1/entities", { body });
    const { panelId: advertised } = await createPanel(account, {
      prompts: [
        {
          text: "Which grinder? advertisers=meadow.example:0.5 products=Other_Mill:1,Meadow_Mills:1@shop.meadow.example",
          promptId: "open",
        },
        { text: "Is Meadow Mills good? advertisers=stream.example:1,other.example:0.5", promptId: "named" },
      ],
    });
    const { panelId: hidden } = await createPanel(account, { prompts: [{ text: "Which kettle? ads=not_exposed" }] });
    for (let run = 0; run < 6; run++) for (const each of [advertised, hidden]) await runPanel(account, each);
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1",
        [account.accountId],
      );
      return rows[0]?.count === 18;
    });
    for (const view of views) {
      const { page, expectAccessible, picture, foreign, close } = await visit(`/panels/${advertised}`, {
        token: account.token,
        ...view,
      });
      const part = page.locator("[data-ads]");
      await part.locator("[data-share-of]").first().waitFor();
      assert.deepEqual((await part.locator("[data-share-of] th").allTextContents()).toSorted(), [
        "meadow.example",
        "other.example",
        "stream.example",
      ]);
      assert.match(await part.locator("[data-share-of='meadow.example']").innerText(), /Own/);
      assert.match(await part.locator("[data-brand-shares='Meadow Mills'] td").last().innerText(), /100/);
      assert.match(await part.locator("[data-brand-shares='Brook'] td").last().innerText(), /no prompt names it/);
      assert.match(await part.locator("[data-ad-rate]").innerText(), /%/);
      const products = page.locator("[data-products]");
      const shown = await products.locator("[data-brand-shares='Meadow Mills'] td").allInnerTexts();
      assert.deepEqual(
        shown.map((text) => text.split("\n")[1]),
        ["100%", "2", "50%"],
      );
      assert.match(await products.locator("[data-share-of='meadow.example']").innerText(), /Own[^]*50%/);
      await expectAccessible();
      await part.scrollIntoViewIfNeeded();
      await picture(`figures-ads-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.deepEqual(foreign, []);
      await close();
    }
    const { page, close } = await visit(`/panels/${hidden}`, { token: account.token });
    await page.locator("[data-ads]").getByText("is not known: the platform does not expose them").waitFor();
    await close();
  });

  test("the searches behind answers, and prices by product, shop and day, are read when they are opened", async () => {
    const account = await service.account();
    for (const [name, relation] of [
      ["Acme Mills", "own"],
      ["Globex", "competitor"],
    ])
      // prettier-ignore
      await account.call("POST", "/v1/entities", { body: { name, relation } });
    const lines = Array.from({ length: 24 }, (_each, n) => ({
      ...{ id: `a-${n}`, question: "Which grinder?", platformCode: "chatgpt", locale: "US/en", content: "Acme Mills." },
      observedAt: new Date(Date.now() - (24 - n) * 43_200_000).toISOString(),
      searches: ["best grinder for espresso at home", n < 12 ? "acme mills review" : "globex review"],
      relatedQuestions: ["Is Globex any good?"],
      products: [
        { title: "Acme Mill Two", url: "https://shop.example/two", price: `$${199 + (n % 5)}.50` },
        { title: "Acme Mill Two", url: "https://other.example/two", price: `${n % 3 === 0 ? "from " : ""}€ 189` },
      ],
    }));
    const { body, status, text } = await account.call<{ panelId: string }>("POST", "/v1/imports?name=p&panel=Parts", {
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
      headers: { "content-type": "application/x-ndjson" },
    });
    assert.equal(status, 200, text);
    for (const view of views) {
      const { page, expectAccessible, picture, foreign, close } = await visit(`/panels/${body.panelId}`, {
        token: account.token,
        ...view,
      });
      const part = page.locator("[data-answer-parts]");
      for (const summary of ["Searches that it made", "Related questions that it showed", "Prices over time"])
        await part.getByText(summary, { exact: true }).click();
      const made = part.locator("[data-search]");
      await made.first().waitFor();
      await part.locator("[data-price]").nth(1).waitFor();
      await until("all are read", async () => (await made.count()) === 4);
      assert.match(await part.locator("[data-search=new]").innerText(), /globex review[^]*12[^]*Globex[^]*new/);
      assert.match(await part.locator("[data-search=gone]").innerText(), /acme mills review[^]*Acme Mills[^]*gone/);
      await part.getByText("Acme Mills: named in searches of 12 of 24 answers").waitFor();
      assert.match(await part.locator("[data-price=USD]").innerText(), /shop\.example[^]*201\.5 USD[^]*24/);
      assert.match(await part.locator("[data-price=EUR]").innerText(), /other\.example[^]*189 EUR[^]*16/);
      await part.getByText("Left out: 8 with a range or several prices.").waitFor();
      await expectAccessible();
      await part.scrollIntoViewIfNeeded();
      await picture(`figures-parts-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.deepEqual(foreign, []);
      await close();
    }
  });

  test("a first run of which every task failed says so, with its cause, where figures would stand", async () => {
    const account = await service.account({ points: 100 });
    const { panelId: failing } = await createPanel(account, { prompts: [{ text: "fail=platform_auth" }] });
    await runPanel(account, failing);
    const { page, expectAccessible, picture, close } = await visit(`/panels/${failing}`, { token: account.token });
    const note = page.locator("[data-run-failure]");
    await note.getByText("The last run brought no answer: its task failed.").waitFor();
    await note.getByText("platform_auth", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "No answers yet" }).waitFor();
    await expectAccessible();
    await picture("figures-all-failed");
    await page.getByRole("link", { name: "Runs and prompts" }).last().click();
    const run = page.locator("[data-run]");
    await run.getByText("All failed").waitFor();
    await until("no points", async () => (await run.getByRole("cell").nth(3).textContent()) === "0");
    await page.goto(page.url().replace(/\/panels.*/, ""));
    await page.locator(`[data-panel="${failing}"]`).getByText("platform_auth", { exact: true }).waitFor();
    await close();
  });

  test("a refusal that may pass is shown, and the figures are read again without a click", async () => {
    const { page, close } = await visit("/panels", { token, refusals: true });
    // Two times the one of the summary, and then some of those of the details.
    const refused = [1, 2, 4, 5, 7];
    let requests = 0;
    await page.route("**/figures?*", (route) => {
      if (!refused.includes(++requests)) return route.continue();
      const body = { title: "Too many requests", status: 429, code: "rate_limited", detail: "Nothing was done." };
      return route.fulfill({ status: 429, contentType: "application/problem+json", body: JSON.stringify(body) });
    });
    await page.getByRole("link", { name: /Coffee grinders/ }).press("Enter");
    await page.getByText("Nothing was done.").waitFor();
    await page.locator("[data-prompt]").first().waitFor();
    assert.equal(await page.getByText("Nothing was done.").count(), 0);
    await close();
  });

  test("the page speaks Chinese", async () => {
    const { page, picture, close } = await visit(`/panels/${panelId}`, { token, language: "zh-CN" });
    await page.getByRole("heading", { name: "我们被提及了吗？与谁竞争？" }).waitFor();
    await page.locator("[data-prompt]").first().waitFor();
    await picture("figures-chinese");
    await close();
  });
});
