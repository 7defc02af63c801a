import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import type { TaskPage, TaskSummary } from "@querent/client";
import { fillLongList } from "../../service/test/harness/long-list.ts";
import { createToken } from "../../service/src/accounts/index.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("selected tasks, and all that match a filter", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const bar = (page: Page) => page.getByRole("region", { name: "Selected tasks" });
  const selectPage = async (page: Page) => {
    await page.getByRole("checkbox", { name: "Select all tasks on this page" }).check();
    await bar(page).waitFor();
  };
  const selectMatching = async (page: Page) => {
    await selectPage(page);
    await page.getByRole("button", { name: "Select all that match the filter" }).click();
    await bar(page).getByText("All tasks that match").waitFor();
  };
  const download = async (page: Page, name: string): Promise<string> => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return readFileSync(await file.path(), "utf8");
  };
  const later = { notBefore: "2999-01-01T00:00:00Z" };
  const items = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, n) => ({
      question: `Question ${n + 1}`,
      platformCode: "simulator",
      options: {},
      ...more,
    }));

  for (const view of views) {
    test(`the selection's actions are free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const account = await service.account();
      await account.submit(items(3, { tags: ["x"] }));
      const { page, expectAccessible, picture, foreign, close } = await visit("/tasks?q=tag%3Ax", {
        token: account.token,
        ...view,
      });
      await selectPage(page);
      await bar(page).getByText("3 tasks selected").waitFor();
      await page.getByRole("button", { name: "Ask again" }).click();
      await page.getByRole("button", { name: "Ask 3 again" }).waitFor();
      await expectAccessible();
      await picture(`matching-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.deepEqual(foreign, []);
      await close();
    });
  }

  test("every task that matches is exported, not the page alone, as CSV without formulas and as JSON lines", async () => {
    const account = await service.account();
    await account.submit([
      ...items(120, { tags: ["mine"], ...later }),
      { question: '=HYPERLINK("x")', platformCode: "simulator", options: {}, tags: ["mine"], ...later },
    ]);
    await account.submit(items(5, later));
    const { page, close } = await visit("/tasks?q=tag%3Amine", { token: account.token });
    await selectMatching(page);
    const csv = await download(page, "Export CSV");
    const rows = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
    assert.equal(rows.length, 121);
    assert.equal(rows[0]?.["question"], `'=HYPERLINK("x")`);
    assert.deepEqual(JSON.parse(rows[0]["tags"] ?? ""), ["mine"]);
    const lines = (await download(page, "Export JSONL")).trimEnd().split("\n");
    const { body } = await account.get<TaskPage>("/v1/tasks?tag=mine&limit=200");
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as TaskSummary).taskId),
      body.tasks.map(({ taskId }) => taskId),
    );
    await close();
  });

  test("what is pending among them is counted, and canceled when it was said once more; others stay", async () => {
    const account = await service.account();
    await account.submit(items(70, { tags: ["stop"], ...later }));
    await account.submit(items(2, { tags: ["go"], ...later }));
    await account.answerTo("Done", { tags: ["stop"] });
    const { page, close } = await visit("/tasks?q=tag%3Astop", { token: account.token });
    await selectMatching(page);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("70 tasks are pending.").waitFor();
    assert.equal((await service.counts(account.accountId))["unfinished"], 72);
    await page.getByRole("button", { name: "Cancel 70 tasks" }).click();
    await page.getByText("70 canceled.").waitFor();
    assert.equal((await service.counts(account.accountId))["unfinished"], 2);
    await close();
  });

  test("they are asked again as a new batch, at the price that was told before, what is refused today left out", async () => {
    const account = await service.account({ points: 1000 });
    const first = await account.submit(items(60, { tags: ["again"], clientReference: "r" }));
    for (const { taskId } of first.tasks) await account.ended(taskId);
    const { page, close } = await visit("/tasks?q=tag%3Aagain", { token: account.token });
    await selectMatching(page);
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("Costs 60 points. 940 available.").waitFor();
    assert.equal((await service.counts(account.accountId))["tasks"], 60);
    await page.getByRole("button", { name: "Ask 60 again" }).click();
    await page.getByText("60 submitted.").waitFor();
    assert.equal((await service.counts(account.accountId))["tasks"], 120);
    const { body } = await account.get<TaskPage>("/v1/tasks?tag=again&clientReference=r&limit=200");
    assert.equal(body.tasks.length, 120);
    assert.deepEqual(
      body.tasks.slice(0, 60).map(({ question }) => question),
      body.tasks.slice(60).map(({ question }) => question),
    );
    await close();
  });

  test("a filter that is not understood lists nothing and offers no action, typed or in the address", async () => {
    const account = await service.account();
    const { batchId } = await account.submit(items(3, { tags: ["x"], ...later }));
    const actions = (page: Page) => page.getByRole("button", { name: /Ask again|Cancel|Export|Select/ });
    const { page, expectAccessible, close } = await visit(`/tasks?q=stat%3Afailed%20batch%3A${batchId}`, {
      token: account.token,
    });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.getByRole("heading", { name: "The filter has an error" }).waitFor();
    await page.getByRole("alert").getByText("Unknown filter “stat:”").waitFor();
    assert.equal(await page.locator("mark").textContent(), "stat:failed", "the unknown part is marked");
    assert.equal(await page.locator("[data-task]").count(), 0);
    assert.equal(await page.getByRole("checkbox").count(), 0);
    assert.equal(await actions(page).count(), 0);
    await expectAccessible();
    await page.getByRole("button", { name: "state:failed" }).click();
    await page.getByRole("heading", { name: "No tasks match this filter" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("q"), `state:failed batch:${batchId}`);

    const filter = page.getByRole("combobox", { name: "Filter tasks" });
    await filter.fill("tag:x");
    await selectPage(page);
    await filter.fill("tag:x state:faild");
    await page.getByRole("button", { name: "state:failed" }).waitFor();
    await bar(page).waitFor({ state: "detached" });
    assert.equal(await actions(page).count(), 0);
    assert.deepEqual(
      asked.filter((address) => /\/v1\/tasks\?/.test(address) && !/[?&](tag|batchId)=/.test(address)),
      [],
      "the list of all tasks was never read",
    );
    await close();
  });

  test("a few tasks are selected one by one, by a range with Shift and by the key x, and only they are canceled", async () => {
    const account = await service.account();
    const { tasks } = await account.submit(items(8, later));
    const { page, close } = await visit("/tasks", { token: account.token });
    const check = (n: number) => page.getByRole("checkbox", { name: `Select: Question ${n}`, exact: true });
    await check(8).click();
    await check(6).click({ modifiers: ["Shift"] });
    await bar(page).getByText("3 tasks selected").waitFor();
    await check(7).click();
    await bar(page).getByText("2 tasks selected").waitFor();
    await page.getByRole("link", { name: "Question 1", exact: true }).focus();
    await page.keyboard.press("x");
    await bar(page).getByText("3 tasks selected").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("3 tasks are pending.").waitFor();
    await check(2).click();
    await page.getByText("3 tasks are pending.").waitFor({ state: "detached" });
    await check(2).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Cancel 3 tasks" }).click();
    await page.getByText("3 canceled.").waitFor();
    const { body } = await account.get<TaskPage>("/v1/tasks?state=canceled");
    assert.deepEqual(
      body.tasks.map(({ taskId }) => taskId).sort(),
      [0, 5, 7].map((index) => tasks[index]?.taskId ?? "").sort(),
    );
    await page.getByRole("button", { name: "Clear selection" }).click();
    await bar(page).waitFor({ state: "detached" });
    await close();
  });

  test("an account that is short is told so before, and asks nothing", async () => {
    const account = await service.account({ points: 5 });
    await account.submit(items(4));
    const { page, close } = await visit("/tasks", { token: account.token });
    await selectPage(page);
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("3 points short.").waitFor();
    const ask = page.getByRole("button", { name: "Ask 4 again" });
    assert.equal(await ask.getAttribute("aria-disabled"), "true");
    await ask.click({ force: true });
    assert.equal((await service.counts(account.accountId))["tasks"], 4);
    await close();
  });

  test("a word that only the oldest of very many tasks has is found, and is not looked for again every two seconds", async () => {
    const { accountId } = await fillLongList(service.database, 60_000);
    const { token } = await createToken(service.database, {
      accountId,
      scopes: ["tasks:read"],
      name: null,
      expiresAt: null,
    });
    const { page, close } = await visit("/tasks?q=needle", { token });
    await page.getByRole("link", { name: "Where is the needle" }).waitFor();
    let asked = 0;
    page.on("request", (request) => void (request.url().includes("/v1/tasks?") && asked++));
    await until("it to be read again", () => asked >= 2);
    assert.ok(asked <= 3, `${asked} requests for two readings`);
    await page.getByRole("link", { name: "Where is the needle" }).waitFor();
    await close();
  });
});
