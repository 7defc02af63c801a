/** The views of batches: list, grid and comparison. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, suite, test } from "node:test";
import { parse } from "csv-parse/sync";
import type { Download, Page } from "playwright-core";
import type { BatchRecord, TaskRecord } from "@querent/client";
import { until } from "../../service/test/harness/wait.ts";
import { coffeeQuestions, startAnsweringPlatforms } from "./harness/answering-platforms.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { scrollThrough } from "./harness/scroll-through.ts";
import { views } from "./harness/views.ts";

suite("batches", { skip: noBrowser }, async () => {
  const platforms = await startAnsweringPlatforms();
  after(() => platforms[Symbol.asyncDispose]());
  const { service, visit } = await startTestConsole({
    environment: { QUERENT_CONFIG: platforms.config, QUERENT_MAX_BATCH_ITEMS: "5000" },
  });
  const account = await service.account();
  const bystander = await service.account();
  const theirs = await bystander.submit([{ question: "Not yours to see", platformCode: "simulator", options: {} }]);

  const ends = (batchId: string, ended: number) =>
    until(`${ended} ends`, async () => {
      const { body } = await account.get<BatchRecord>(`/v1/batches/${batchId}`);
      return body.taskCount - body.counts.pending === ended;
    });
  const compared = await account.submit(
    coffeeQuestions.flatMap((question) =>
      platforms.codes.map((platformCode) => ({ question, platformCode, options: {}, tags: ["coffee"] })),
    ),
  );
  await ends(compared.batchId, 15);
  const mixed = await account.submit([
    { question: "Is there a needle fail=platform_refused", platformCode: "simulator", options: {} },
    { question: "Later?", platformCode: "simulator", options: {}, notBefore: "2999-01-01T00:00:00Z" },
    { question: "Cards cards=product,video sources=3", platformCode: "simulator", options: {} },
  ]);
  await ends(mixed.batchId, 2);
  const download = async (page: Page, press: () => Promise<void>): Promise<string> => {
    const [file]: [Download, void] = await Promise.all([page.waitForEvent("download"), press()]);
    return readFileSync(await file.path(), "utf8");
  };

  for (const view of views) {
    const name = `${view.width}-${view.theme}`;
    test(`the list, the grid and the comparison are free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, foreign, close } = await visit("/batches", {
        token: account.token,
        ...view,
      });
      await page.getByText("Not yours").waitFor({ state: "detached" });
      await page.getByRole("link", { name: coffeeQuestions[0] }).waitFor();
      await expectAccessible();
      await picture(`batches-${name}`);
      await page.getByRole("link", { name: coffeeQuestions[0] }).click();
      await page.getByRole("textbox", { name: "Brands" }).fill("Fellow, Hario, Timemore");
      await page.getByRole("rowheader", { name: "Hario" }).waitFor();
      await page.getByRole("row").filter({ hasText: coffeeQuestions[4] }).getByText("Lelit").first().waitFor();
      await expectAccessible();
      await picture(`batch-grid-${name}`);
      await page.getByRole("rowheader", { name: coffeeQuestions[0] }).getByRole("link").click();
      await page.getByRole("article", { name: "birch" }).getByText("Tests agree").waitFor();
      await expectAccessible();
      await picture(`comparison-${name}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.deepEqual(foreign, []);
      await close();
    });
  }

  test("the grid has a cell for each question and platform: the answer's first lines, its sources, how it stands", async () => {
    const { page, close } = await visit(`/batches/${compared.batchId}`, { token: account.token });
    await page.getByText("15 completed").waitFor();
    const row = page.getByRole("row").filter({ hasText: coffeeQuestions[0] });
    assert.equal(await row.getByRole("cell").count(), 3);
    await row.getByText("It depends on how much you want to spend.").waitFor();
    await row
      .getByText(/\d sources/)
      .first()
      .waitFor();
    assert.deepEqual(await page.getByRole("columnheader").allTextContents(), ["Question 5", "aster", "birch", "cedar"]);
    await row.getByRole("cell").nth(1).getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: coffeeQuestions[0] }).waitFor();
    await close();
  });

  test("failed, pending and completed cells say so, and what is left can be canceled after a second word", async () => {
    const { page, close } = await visit(`/batches/${mixed.batchId}`, { token: account.token });
    await page.getByText("platform_refused", { exact: true }).waitFor();
    await page.getByText("2 cards").waitFor();
    await page.getByRole("button", { name: "Cancel remaining" }).click();
    await page.getByText("Cancel 1 unfinished tasks?").waitFor();
    await page.getByRole("button", { name: "Cancel tasks" }).click();
    await page.getByText("1 canceled").first().waitFor();
    await page.getByText("Finished").waitFor();
    assert.equal((await account.task(mixed.tasks[1]?.taskId ?? "")).state, "canceled");
    await close();
  });

  test("names are counted in the answers by platform, highlighted where they stand, and kept in the address", async () => {
    const { page, close } = await visit(`/batches/${compared.batchId}`, { token: account.token });
    await page.getByRole("textbox", { name: "Brands" }).fill("hario, Fellow");
    await until("the address", () => new URL(page.url()).searchParams.get("brands") === "hario, Fellow");
    await page.getByText("15 completed").waitFor();
    const results = await account.get(`/v1/batches/${compared.batchId}/results`);
    const records = results.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as TaskRecord);
    const contents = records.filter(({ platformCode }) => platformCode === "birch").map(({ content }) => content ?? "");
    const mentions = (name: string) =>
      contents.reduce((sum, content) => sum + [...content.matchAll(new RegExp(name, "gi"))].length, 0);
    assert.ok(mentions("hario") > 0);
    const standing = (name: string) =>
      page.getByRole("group", { name: "Brands" }).getByRole("row").filter({ hasText: name }).getByRole("cell").nth(1);
    const naming = contents.filter((content) => /hario/i.test(content)).length;
    await standing("hario")
      .getByText(`${mentions("hario")} mentions`)
      .waitFor();
    await standing("hario").getByText(`in ${naming} of 5`).waitFor();
    await standing("Fellow")
      .getByText(mentions("fellow") === 1 ? "1 mention" : `${mentions("fellow")} mentions`)
      .waitFor();
    const share = Math.round((100 * mentions("hario")) / (mentions("hario") + mentions("fellow")));
    await standing("hario").getByText(`${share}%`).waitFor();
    const painted = () => page.evaluate<string[]>("[...CSS.highlights.get('brand-1')].map(String)");
    await until("the names to be painted", async () => (await page.evaluate("CSS.highlights.has('brand-1')")) === true);
    assert.ok((await painted()).every((text) => text.toLowerCase() === "hario"));
    assert.equal(await page.locator("mark").count(), 0, "nothing is put into the answers");
    await close();
  });

  test("answers open side by side; j goes to the next question with the same platforms; sources are told in common and apart", async () => {
    const { page, close } = await visit(`/batches/${compared.batchId}?row=1`, { token: account.token });
    await page.getByRole("article").nth(2).waitFor();
    const sources = page.getByRole("region", { name: "Shared and unique sources" });
    const shared = sources.getByRole("row").filter({ hasText: "kettles.example" });
    await shared.getByTitle("cited once").first().waitFor();
    assert.equal(await shared.getByTitle("cited once").count(), 2);
    await page.getByText("By URL").click();
    await page.getByRole("link", { name: "Gooseneck kettles, measured" }).waitFor();
    await page.getByRole("checkbox", { name: "birch" }).uncheck();
    await until("two answers", async () => (await page.getByRole("article").count()) === 2);
    await page.keyboard.press("j");
    await page.getByRole("heading", { level: 1, name: coffeeQuestions[1] }).waitFor();
    await page.getByRole("article", { name: "cedar" }).getByText("Eureka").first().waitFor();
    assert.equal(await page.getByRole("article").count(), 2);
    assert.equal(new URL(page.url()).searchParams.get("row"), "2");
    await page.keyboard.press("u");
    await page.getByRole("columnheader", { name: "birch" }).waitFor();
    await close();
  });

  test("a batch is exported as CSV and as JSON lines, whole, in its order", async () => {
    const { page, close } = await visit(`/batches/${compared.batchId}`, { token: account.token });
    await page.getByText("15 completed").waitFor();
    const csv = await download(page, () => page.getByRole("button", { name: "Export CSV" }).click());
    const rows = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
    assert.deepEqual(
      rows.map(({ taskId }) => taskId),
      compared.tasks.map(({ taskId }) => taskId),
    );
    assert.match(rows[0]?.["content"] ?? "", /Stagg EKG/);
    const lines = await download(page, () => page.getByRole("button", { name: "Export JSONL" }).click());
    const records = lines.trimEnd().split("\n").map((line) => JSON.parse(line) as TaskRecord); // prettier-ignore
    assert.deepEqual(records[3], await account.task(compared.tasks[3]?.taskId ?? ""));
    await close();
  });

  test("the list is searched, shown by state, and a batch's failed tasks are retried at the price that was told", async () => {
    const { page, expectAccessible, picture, close } = await visit("/batches", { token: account.token });
    const shows = (count: number) =>
      until(`${count} batches`, async () => (await page.locator("[data-batch]").count()) === count);
    await page.getByRole("searchbox").fill("NEEDLE");
    await shows(1);
    assert.equal(new URL(page.url()).searchParams.get("q"), "NEEDLE");
    await page.getByRole("searchbox").fill(compared.batchId);
    await page.getByRole("link", { name: coffeeQuestions[0] ?? "" }).waitFor();
    await shows(1);
    await page.getByRole("searchbox").fill("nothing has this");
    await page.getByRole("heading", { name: "No batches match" }).waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "With failures" }).click();
    await shows(1);
    assert.equal(new URL(page.url()).searchParams.get("state"), "failed");
    await page.getByRole("button", { name: "Retry 1 failed" }).click();
    await page.getByRole("dialog").getByText("Costs 1 point.").waitFor();
    await expectAccessible();
    await picture("batches-retry");
    const before = (await service.counts(account.accountId))["tasks"] ?? 0;
    await page.getByRole("button", { name: "Ask 1 again" }).click();
    await page.getByText("1 submitted.").waitFor();
    assert.equal((await service.counts(account.accountId))["tasks"], before + 1);
    await close();
  });

  test("tasks that wait for a retry are told apart from those that wait for their turn", async () => {
    const { batchId, tasks } = await account.submit([
      { question: "Unlucky fail=platform_unavailable", platformCode: "simulator", options: {} },
      { question: "Much later", platformCode: "simulator", options: {}, notBefore: "2999-01-01T00:00:00Z" },
    ]);
    // As long as a pause before a retry lasts when a platform is away.
    await until("the pause", async () => {
      const { rowCount } = await service.database.query(
        "update dispatch set run_at = now() + interval '10 minutes' where task_id = $1 and state = 'waiting'",
        [tasks[0]?.taskId],
      );
      return rowCount === 1;
    });
    const { page, expectAccessible, close } = await visit(`/batches/${batchId}`, { token: account.token });
    await page.getByText("1 waiting for retry · next in 10 min.").waitFor();
    await page.getByText("1 queued").waitFor();
    await expectAccessible();
    await close();
  });

  test("answers come into the grid as tasks end", async () => {
    const { batchId } = await account.submit([
      { question: "Now", platformCode: "simulator", options: {} },
      { question: "In a moment delay=3s", platformCode: "simulator", options: {} },
    ]);
    const { page, close } = await visit(`/batches/${batchId}`, { token: account.token });
    await page.getByText("2 completed").waitFor();
    await page.getByRole("row").filter({ hasText: "In a moment" }).getByText("Completed").waitFor();
    await close();
  });

  test("1,000 questions for 5 platforms are shown by the rows in sight, and scrolled through without a stop", async (t) => {
    const codes = [...platforms.codes, "simulator", "sample"];
    const many = await service.account({ points: 1_000_000 });
    const { batchId } = await many.submit(
      Array.from({ length: 1000 }, (_, n) =>
        codes.map((platformCode) => ({
          question: `Question ${n + 1}`,
          platformCode,
          options: {},
          notBefore: "2999-01-01T00:00:00Z",
        })),
      ).flat(),
    );
    for (let visits = 1; ; visits++) {
      const { page, close } = await visit(`/batches/${batchId}`, { token: many.token });
      await page.getByText("Question 1,000").waitFor();
      await page.getByRole("link", { name: "Question 1", exact: true }).waitFor();
      assert.ok((await page.getByRole("row").count()) < 60, "rows out of sight are not made");
      const scrolled = await scrollThrough(page);
      if (scrolled === null && visits < 3) {
        t.diagnostic("Chromium stopped rendering the page, which is visited again");
        await close();
        continue;
      }
      assert.ok(scrolled !== null, "no frame comes in any of three visits");
      t.diagnostic(`slowest frame ${scrolled.slowest.toFixed(0)} ms`);
      await page.getByRole("link", { name: "Question 1000", exact: true }).waitFor();
      assert.ok(scrolled.most > 0 && scrolled.most < 60, `${scrolled.most} rows at once`);
      return close();
    }
  });

  test("another account's batch, and none, are not there", async () => {
    for (const id of [theirs.batchId, "00000000-0000-7000-8000-000000000000", "x"]) {
      const { page, close } = await visit(`/batches/${id}`, { token: account.token });
      await page.getByRole("heading", { name: "Batch not found" }).waitFor();
      await close();
    }
  });

  test("Chinese has all of it", async () => {
    const { page, close } = await visit(`/batches/${compared.batchId}`, { token: account.token, language: "zh-CN" });
    await page.getByText("15 个已完成").waitFor();
    await page.getByRole("textbox", { name: "品牌" }).waitFor();
    await page.getByRole("button", { name: "导出 CSV" }).waitFor();
    await close();
  });
});
