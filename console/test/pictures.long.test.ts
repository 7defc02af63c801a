/** Makes the pictures of the documentation: `npm run pictures`. A real service, real tasks, and platforms that answer from this folder. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { BatchRecord } from "@querent/client";
import type { Page } from "playwright-core";
import { runCommand } from "../../service/test/harness/process.ts";
import { until } from "../../service/test/harness/wait.ts";
import { coffeeQuestions, startAnsweringPlatforms } from "./harness/answering-platforms.ts";
import { addChineseFont } from "./harness/chinese-font.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

const folder = process.env["README_PICTURES"];

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate("document.fonts.ready");
  mkdirSync(folder ?? "", { recursive: true });
  await page.screenshot({ path: join(folder ?? "", `${name}.png`) });
}

suite("pictures", { skip: folder === undefined ? "README_PICTURES names no folder" : noBrowser }, async () => {
  const platforms = await startAnsweringPlatforms();
  after(() => platforms[Symbol.asyncDispose]());
  const { service, visit } = await startTestConsole({ environment: { QUERENT_CONFIG: platforms.config } });
  const account = await service.account({ points: 20_000 });
  await service.database.query("update accounts set name = 'Coffee desk' where id = $1", [account.accountId]);
  const grid = await account.submit(
    coffeeQuestions.flatMap((question) =>
      platforms.codes.map((platformCode) => ({ question, platformCode, options: {}, tags: ["coffee"] })),
    ),
  );
  const own = await account.submit([
    {
      question: "How fine should I grind for espresso, and with which grinder?",
      platformCode: "sample",
      options: { deepAnalysis: true },
      clientReference: "espresso-1",
      tags: ["coffee"],
    },
    { question: "Compare two drippers fail=platform_refused", platformCode: "simulator", options: {} },
    { question: "手冲咖啡应该用什么水温？", platformCode: "sample", options: {}, tags: ["咖啡"] },
    {
      question: "Which beans keep longest? delay=30m",
      platformCode: "simulator",
      options: {},
      runTimeoutSeconds: 1800,
      tags: ["later"],
    },
  ]);
  const ends = (batchId: string, count: number) =>
    until("the ends", async () => {
      const { body } = await account.get<BatchRecord>(`/v1/batches/${batchId}`);
      return body.taskCount - body.counts.pending === count;
    });
  await ends(grid.batchId, 15);
  await ends(own.batchId, 3);

  // What a month before today left, for the charts.
  await service.database.query(
    `insert into usage_hours (account_id, hour, platform, completed, failed, charged_points, seconds_4, seconds_6, seconds_9)
     select $1, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 'sample', d + 6, d / 14, 2 * (d + 6), d, 4, 2
     from (select n, (30 + 26 * sin(n / 4.0) + n % 7)::int as d from generate_series(1, 100) n) x`,
    [account.accountId],
  );

  const demo = await runCommand(service.commandEnvironment, ["demo", "--json"]);
  assert.equal(demo.code, 0, demo.stderr);
  const simulated = JSON.parse(demo.stdout) as { panelId: string; token: string };

  for (const [name, path, shown, token = account.token] of [
    ["overview", "/", "Success rate"],
    ["tasks", "/tasks", "Which beans keep longest?"],
    ["batch", `/batches/${grid.batchId}?brands=Fellow, Hario, Timemore`, "all mentions of these brands"],
    ["comparison", `/batches/${grid.batchId}?row=1&brands=Fellow, Hario, Timemore`, "If you want one answer"],
    ["figures", `/panels/${simulated.panelId}`, "Because of which sources?", simulated.token],
    ["task", `/tasks/${own.tasks[0]?.taskId ?? ""}`, "Result fields"],
  ] as const) {
    test(`${name}.png`, async () => {
      const { page, close } = await visit(path, { token, width: 1280 });
      await page.setViewportSize({ width: 1280, height: path.startsWith("/tasks") || path === "/" ? 820 : 960 });
      await page.getByText(shown).first().waitFor();
      await addChineseFont(page, "手冲咖啡应该用什么水温？中文");
      await take(page, name);
      await close();
    });
  }

  test("answer-page.png", async () => {
    const { tasks } = await account.submit([
      { question: "How fine should I grind for espresso?", platformCode: "sample", options: { output: "share_link" } },
    ]);
    const shareUrl = await until("the page", async () => (await account.task(tasks[0]?.taskId ?? "")).shareUrl);
    const { page, close } = await visit("/");
    await page.setViewportSize({ width: 900, height: 760 });
    await page.goto(shareUrl ?? "");
    await take(page, "answer-page");
    await close();
  });
});
