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

suite("all tasks that match a filter", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const open = async (page: Page) => {
    await page.getByRole("button", { name: "All that match" }).click();
    await page.getByRole("region", { name: "All that match" }).waitFor();
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
    test(`the panel is free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const account = await service.account();
      await account.submit(items(3, { tags: ["x"] }));
      const { page, expectAccessible, picture, foreign, close } = await visit("/tasks?q=tag%3Ax", {
        token: account.token,
        ...view,
      });
      await open(page);
      await page.getByRole("button", { name: "See the price" }).click();
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
    await open(page);
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
    await open(page);
    await page.getByRole("button", { name: "Find what is pending" }).click();
    await page.getByText("70 tasks have not ended.").waitFor();
    assert.equal((await service.counts(account.accountId))["unfinished"], 72);
    await page.getByRole("button", { name: "Cancel 70" }).click();
    await page.getByText("70 canceled.").waitFor();
    assert.equal((await service.counts(account.accountId))["unfinished"], 2);
    await close();
  });

  test("they are asked again as a new batch, at the price that was told before, what is refused today left out", async () => {
    const account = await service.account({ points: 1000 });
    const first = await account.submit(items(60, { tags: ["again"], clientReference: "r" }));
    for (const { taskId } of first.tasks) await account.ended(taskId);
    const { page, close } = await visit("/tasks?q=tag%3Aagain", { token: account.token });
    await open(page);
    await page.getByRole("button", { name: "See the price" }).click();
    await page.getByText("60 points, of 940 available.").waitFor();
    assert.equal((await service.counts(account.accountId))["tasks"], 60);
    await page.getByRole("button", { name: "Ask 60 again" }).click();
    await page.getByText("60 accepted.").waitFor();
    assert.equal((await service.counts(account.accountId))["tasks"], 120);
    const { body } = await account.get<TaskPage>("/v1/tasks?tag=again&clientReference=r&limit=200");
    assert.equal(body.tasks.length, 120);
    assert.deepEqual(
      body.tasks.slice(0, 60).map(({ question }) => question),
      body.tasks.slice(60).map(({ question }) => question),
    );
    await close();
  });

  test("an account that is short is told so before, and asks nothing", async () => {
    const account = await service.account({ points: 5 });
    await account.submit(items(4));
    const { page, close } = await visit("/tasks", { token: account.token });
    await open(page);
    await page.getByRole("button", { name: "See the price" }).click();
    await page.getByText("The account is 3 points short.").waitFor();
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
