import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import type { TaskRecord } from "@querent/contract";
import { pageArchive, picturedPlatform } from "../../service/test/harness/pictured-platform.ts";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("one task", { skip: noBrowser }, async () => {
  const receiver = await startReceiver();
  const pictured = picturedPlatform();
  const { service, visit } = await startTestConsole({
    environment: {
      QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
      QUERENT_EGRESS_CA: receiver.caFile,
      QUERENT_CONFIG: pictured.config,
    },
  });
  test.after(() => receiver.close());
  test.after(() => pictured[Symbol.dispose]());
  const account = await service.account();
  const { tasks } = await account.submit([
    {
      question: "How fine should I grind for espresso?",
      platformCode: "sample",
      options: { deepAnalysis: true },
      tags: ["coffee"],
    },
    {
      question: "cards=product,video,image,product deeplink=1 sources=12",
      platformCode: "simulator",
      options: { deepAnalysis: true },
      clientReference: "shop-7",
    },
    { question: "Refused fail=platform_refused", platformCode: "simulator", options: {} },
    { question: "Takes its time delay=30m", platformCode: "simulator", options: {}, runTimeoutSeconds: 1800 },
    { question: "With its page html=1", platformCode: "simulator", options: { resultFormat: "all" } },
    { question: "Told of", platformCode: "simulator", options: {}, webhookUrl: receiver.url() },
    { question: "Pictured, without archive", platformCode: "pictured", options: {} },
    { question: "Which grinder? sources=1 ads=1 advertisers=acme.example:1", platformCode: "simulator", options: {} },
  ]);
  const [answered = "", cards = "", failed = "", pending = "", page = "", told = "", kept = "", advertised = ""] =
    tasks.map(({ taskId }) => taskId);
  for (const taskId of [answered, cards, failed, page, told, kept, advertised]) await account.ended(taskId);
  const { token } = account;

  const looks = [
    ["an answer", answered, ""],
    ["cards", cards, ""],
    ["advertisements", advertised, ""],
    ["a failure", failed, ""],
    ["a pending task", pending, ""],
    ["steps", answered, "?part=steps"],
    ["a page", page, "?part=page"],
    ["a picture of the page", kept, "?part=page"],
    ["a timeline", answered, "?part=timeline"],
    ["deliveries", told, "?part=deliveries"],
    ["JSON", cards, "?part=json"],
  ] as const;
  for (const [what, taskId, part] of looks) {
    test(`${what}: free of axe violations, no wider than the window, no request to anybody else`, async () => {
      for (const view of views) {
        const { page, expectAccessible, picture, foreign, close } = await visit(`/tasks/${taskId}${part}`, {
          token,
          ...view,
        });
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.locator("main nav ~ *").first().waitFor();
        await expectAccessible();
        await picture(`task-${what.replaceAll(" ", "-")}-${view.width}-${view.theme}`);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
        assert.deepEqual(foreign, []);
        await close();
      }
    });
  }

  test("cards stand in the text in the order of their positions, and open as their fields say", async () => {
    const record = await account.task(cards);
    const { page, close } = await visit(`/tasks/${cards}`, { token });
    const shown = page.locator("[data-answer] > article");
    await shown.first().waitFor();
    assert.deepEqual(await shown.locator("[data-position]").allTextContents(), ["1", "2", "3", "4"]);
    // Each in its place: the text that follows it in `content` follows it here.
    assert.deepEqual(
      await page.locator("[data-answer] > article + p").allTextContents(),
      [1, 2, 3, 4].map((n) => `Text after card ${n}.`),
    );
    const [product] = record.products;
    assert.equal(product?.urlType, "app_deep_link");
    const links = shown.first().getByRole("link");
    assert.equal(await links.first().getAttribute("href"), product.url, "url is what is clicked first");
    assert.equal(await links.nth(1).getAttribute("href"), product.fallbackUrl);
    const video = shown.nth(1).getByRole("link");
    assert.equal(await video.getAttribute("href"), record.videos[0]?.url);
    assert.equal(await video.getAttribute("target"), "_blank");
    assert.match((await video.getAttribute("rel")) ?? "", /noopener.*noreferrer/);
    await close();
  });

  test("advertisements stand apart from the answer, with links that count no click, and nothing of them is loaded", async () => {
    const { page, foreign, close } = await visit(`/tasks/${advertised}`, { token });
    const shown = page.getByRole("region", { name: "Advertisements 2" }).locator("[data-ad]");
    await shown.first().waitFor();
    const links = shown.getByRole("link");
    assert.deepEqual(await links.allTextContents(), [
      "Simulated advertisement of acme.example",
      "Simulated advertisement 1",
    ]);
    assert.equal(await links.first().getAttribute("href"), "https://acme.example/offer");
    assert.match((await links.first().getAttribute("rel")) ?? "", /noopener.*noreferrer/);
    assert.match(await shown.first().innerText(), /Sponsored[^]*below the answer[^]*Removed from the link: gclid/);
    assert.doesNotMatch(await page.locator("[data-answer]").innerText(), /advertisement/i);
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual(foreign, []);
    await close();
  });

  test("no app comes to the front for a deep link: the fallback address is opened", async () => {
    const record = await account.task(cards);
    const { page, close } = await visit(`/tasks/${cards}`, { token, foreign: ["shop.example"] });
    const opened = page.waitForEvent("popup");
    await page.locator("[data-answer] > article").first().getByRole("link").first().click();
    const popup = await opened;
    await popup.waitForURL(/shop\.example|chrome-error/);
    assert.ok(record.products[0]?.fallbackUrl?.startsWith("https://shop.example/"));
    await close();
  });

  test("pictures are loaded when the reader asks for them, and one that can't be had leaves its place", async () => {
    const { page, foreign, close } = await visit(`/tasks/${cards}`, {
      token,
      foreign: ["shop.example", "video.example", "media.example"],
    });
    await page.getByRole("button", { name: "Load images from 3 sites" }).waitFor();
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual(foreign, []);
    await page.getByRole("button", { name: "Load images" }).click();
    await page.locator("article [data-broken=true]").nth(3).waitFor();
    assert.equal(foreign.length, 4);
    await close();
  });

  test("the picture of the page is shown, its archive is saved, and a missing one says why, in both languages", async () => {
    const { taskId } = await account.answerTo("Pictured?", { platformCode: "pictured" });
    for (const [language, alt, saves, why] of [
      ["en", "The platform’s page with the question and the answer", "Save archive", /^Missing: /],
      ["zh-CN", "平台的网页，包含问题和答案", "保存归档", /^缺失：/],
    ] as const) {
      const { page, foreign, close } = await visit(`/tasks/${taskId}?part=page`, { token, language });
      const image = page.getByRole("img", { name: alt });
      await image.waitFor();
      await page.waitForFunction(`document.querySelector("[data-evidence=picture] img").naturalWidth === 1`);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: saves }).click();
      const saved = await download;
      assert.equal(saved.suggestedFilename(), `page-${taskId}.wacz`);
      assert.deepEqual(readFileSync(await saved.path()), pageArchive);
      await page.goto(page.url().replace(taskId, kept));
      const missing = page.locator("[data-evidence=archive] .note");
      await missing.waitFor();
      assert.match((await missing.textContent()) ?? "", why);
      assert.equal(await page.getByRole("button", { name: saves }).count(), 0);
      assert.deepEqual(foreign, []);
      await close();
    }
  });

  test("a citation is one mark, with the number of its source, and its brackets are nowhere", async () => {
    const taskId = await account.ask("Cited? sources=2");
    const { sources } = await account.ended(taskId);
    const [first, second] = sources.map(({ url }) => url);
    const content = `One.[\\[7\\]](${first}) Two.[[1]](${second}) Three ([a site](${second})). Four.[\\[9\\]]()`;
    await service.database.query(
      "update task_results set result = (result::jsonb || $2::jsonb)::json where task_id = $1",
      [taskId, JSON.stringify({ content })],
    );
    const { page, close } = await visit(`/tasks/${taskId}`, { token });
    await page.getByRole("link", { name: /^a site ?2$/ }).waitFor();
    assert.equal(await page.locator("[data-answer]").textContent(), "One.1 Two.2 Three (a site2). Four.9");
    assert.deepEqual(await page.locator("[data-answer] sup").allTextContents(), ["1", "2", "2", "9"]);
    await close();
  });

  test("a pending task ends before the reader's eyes, and one that is canceled says so", async () => {
    // It waits until the page shows it, however long that takes.
    const limits = "/v1/admin/platforms/simulator/limits";
    await account.call("PUT", limits, { body: { runningMax: 0, rate: null } });
    const taskId = await account.ask("Shortly");
    const { page, close } = await visit(`/tasks/${taskId}`, { token });
    await page.getByText("The operator has paused the platform").first().waitFor();
    await account.call("DELETE", limits);
    await page.getByText("This answer is simulated").waitFor();
    await close();

    const other = await visit(`/tasks/${await account.ask("Never mind delay=30m", { runTimeoutSeconds: 1800 })}`, {
      token,
    });
    await other.page.getByText("Running: waiting for the platform’s answer").waitFor();
    await other.page.getByRole("button", { name: "Cancel task" }).click();
    await other.page.getByText("canceled before it finished").waitFor();
    await other.close();
  });

  test("the timeline has every attempt with what became of it, and every wait with its reason", async () => {
    const taskId = await account.ask("Again fail=platform_unavailable@1");
    await account.ended(taskId);
    const { page, expectAccessible, close } = await visit(`/tasks/${taskId}?part=timeline`, { token });
    const entry = (text: RegExp) => page.locator("[data-timeline] li").filter({ hasText: text });
    await entry(/^Attempt 1.*Failed · .* · platform_unavailable · HTTP 503 · /).waitFor();
    await entry(/^Waited.*Waiting to retry after a failed attempt · /).waitFor();
    await entry(/^Attempt 2.*Completed · /).waitFor();
    await expectAccessible();
    await close();
  });

  test("asking again makes one new task of the same question, options, reference and tags, and opens it", async () => {
    const { page, close } = await visit(`/tasks/${cards}`, { token });
    const before = await service.counts(account.accountId);
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(cards));
    await page.getByRole("heading", { level: 1 }).waitFor();
    const made = await account.task(page.url().split("/").at(-1) ?? "");
    const first = await account.task(cards);
    for (const member of ["question", "platformCode", "options", "clientReference", "tags"] as const)
      assert.deepEqual(made[member], first[member]);
    assert.equal((await service.counts(account.accountId))["tasks"], (before["tasks"] ?? 0) + 1);
    await close();
  });

  test("the command that is copied submits the question from a shell, and holds no token", async () => {
    const { page, close } = await visit(`/tasks/${answered}`, { token });
    await page.getByRole("button", { name: "Copy as curl" }).click();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.ok(command.includes("How fine should I grind for espresso?"));
    assert.ok(!command.includes(token));
    await close();
  });

  test("JSON is the answer of the API, character for character but for white space", async () => {
    const raw = await account.get<TaskRecord>(`/v1/tasks/${cards}`);
    const { page, close } = await visit(`/tasks/${cards}?part=json`, { token });
    const shown = (await page.locator("pre").textContent()) ?? "";
    const strings = (text: string) => text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"]/g);
    assert.deepEqual(strings(shown), strings(raw.text));
    await close();
  });

  test("deliveries show each attempt and what the receiver said; sending again makes the next one", async () => {
    await receiver.received(1);
    receiver.answer = (_received, response) => response.writeHead(202).end("thank you");
    const { page, close } = await visit(`/tasks/${told}?part=deliveries`, { token });
    await page.getByText("Delivery 1").waitFor();
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("Delivery 2").click();
    await page.getByText("thank you").waitFor();
    assert.equal(receiver.requests.length, 2);
    await close();
  });

  test("an address of no task says so, to a stranger too", async () => {
    const stranger = await service.account();
    const { page, close } = await visit(`/tasks/${answered}`, { token: stranger.token });
    await page.getByRole("heading", { level: 1, name: "Task not found" }).waitFor();
    await close();
  });
});

suite("a task that waits for its platform", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const { token } = account;
  const { tasks, batchId } = await account.submit([
    { question: "Later throttle=30m", platformCode: "simulator", options: {} },
  ]);
  const [taskId = ""] = tasks.map((task) => task.taskId);

  const languages = [
    ["en", /^The platform is rate limiting requests · next attempt in .+ · platform_rate_limited: /, "rate limited"],
    ["zh-CN", /^平台正在限制请求速率 · 下次尝试：.+ · platform_rate_limited: /, "平台限速"],
  ] as const;
  for (const [language, line, short] of languages) {
    test(`says in one line what it waits for and when it is tried next (${language})`, async () => {
      for (const view of views) {
        const { page, expectAccessible, picture, close } = await visit(`/tasks/${taskId}?part=timeline`, {
          token,
          language,
          ...view,
        });
        await page.locator("[data-waits]").filter({ hasText: line }).waitFor();
        await page
          .locator("[data-timeline] li")
          .filter({ hasText: /platform_rate_limited · HTTP 429/ })
          .waitFor();
        await page
          .locator("[data-timeline] li[data-kind=wait]")
          .filter({ hasText: /rate limiting|限制请求速率/ })
          .waitFor();
        await expectAccessible();
        await picture(`task-waits-${language}-${view.width}-${view.theme}`);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
        await close();
      }
    });

    test(`its batch says why its tasks are not tried (${language})`, async () => {
      const { page, expectAccessible, close } = await visit(`/batches/${batchId}`, { token, language });
      await page.locator("[data-count=retry]").filter({ hasText: short }).waitFor();
      await expectAccessible();
      await close();
    });
  }
});
