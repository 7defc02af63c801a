/**
 * Much at once, and for long. `CONSOLE_ROWS=100000` makes the submission as large as it may be; `CONSOLE_LIVE_MINUTES=10` has the list
 * watched for so long by the clock on the wall instead of one that the test moves. Both want `--test-timeout` raised.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

const rowCount = Number(process.env["CONSOLE_ROWS"] ?? 6000);
const liveMinutes = Number(process.env["CONSOLE_LIVE_MINUTES"] ?? 0);
const MiB = 1024 * 1024;

/** Bytes that the page's scripts hold after a collection. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  await devtools.detach();
  return usedSize;
}

suite("large submissions", { skip: noBrowser }, async () => {
  // Nothing runs: the tasks only have to be accepted.
  const { service, visit } = await startTestConsole({ roles: ["api"] });

  test(`${rowCount} rows of CSV, with a reload in the middle: each is accepted once, and its points are held once`, async (t) => {
    const account = await service.account({ points: rowCount });
    const { page, close } = await visit("/ask", { token: account.token, refusals: true });
    const counted = async () => (await service.counts(account.accountId))["tasks"] ?? 0;
    await page.getByRole("checkbox", { name: "Simulator" }).waitFor();
    const lines = Array.from({ length: rowCount }, (_, n) => `"Question ${n}, with a comma",simulator,row-${n}`);
    const startedAt = performance.now();
    await page.locator("input[type=file]").setInputFiles({
      name: "questions.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`question,platformCode,clientReference\r\n${lines.join("\r\n")}\r\n`),
    });
    const ask = page.getByRole("button", { name: `Ask ${rowCount} questions`, disabled: false });
    await ask.waitFor({ timeout: 600_000 });
    const quotedMs = performance.now() - startedAt;
    const heapWithRows = await heapOf(page);
    await ask.click();
    const half = rowCount / 2;
    await until("half of them", async () => (await counted()) >= half, 600_000);
    const beforeMs = performance.now() - startedAt;
    await page.reload();
    await page.getByText("A submission was interrupted").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText(`${new Intl.NumberFormat("en").format(rowCount)} submitted.`).waitFor({ timeout: 600_000 });
    const doneMs = performance.now() - startedAt;
    const heapAfter = await heapOf(page);
    t.diagnostic(
      `quoted after ${(quotedMs / 1000).toFixed(1)} s, reloaded after ${(beforeMs / 1000).toFixed(1)} s, accepted after ${(doneMs / 1000).toFixed(1)} s; ` +
        `heap ${(heapWithRows / MiB).toFixed(0)} MiB with the rows, ${(heapAfter / MiB).toFixed(0)} MiB at the end`,
    );
    const { rows } = await service.database.query<{
      tasks: number;
      references: number;
      held: number;
      available: number;
    }>(
      `select count(*) as tasks, count(distinct client_reference) as "references",
              (select points_held from accounts where id = $1) as held,
              (select points_available from accounts where id = $1) as available
       from tasks where account_id = $1`,
      [account.accountId],
    );
    assert.deepEqual(rows[0], { tasks: rowCount, references: rowCount, held: rowCount, available: 0 });
    // Without the rows themselves a page holds some MiB.
    assert.ok(heapWithRows < 20 * MiB + rowCount * 4096, `${heapWithRows} bytes`);
    assert.ok(heapAfter < 40 * MiB, `${heapAfter} bytes`);
    await close();
  });
});

suite("a list that is watched for long", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();

  test("it stays right, its memory does not grow, and it asks no more often than it says", async (t) => {
    const account = await service.account();
    await account.submit(
      Array.from({ length: 60 }, (_, n) => ({ question: `Question ${n}`, platformCode: "simulator", options: {} })),
    );
    const isReal = liveMinutes > 0;
    const { page, close } = await visit("/tasks", { token: account.token, clock: !isReal });
    await page.getByRole("link", { name: "Question 59" }).waitFor();
    let readings = 0;
    let others = 0;
    page.on("response", (response) => {
      if (response.url().includes("/v1/tasks?")) readings++;
      else others++;
    });
    /** Lets the page's time go on by so many readings of the list, while tasks come. */
    const watch = async (count: number) => {
      const wanted = readings + count;
      while (readings < wanted) {
        const before = readings;
        if (readings % 10 === 0) await account.answerTo(`Later ${readings}`);
        if (!isReal) await page.clock.runFor(2000);
        await until("a reading", () => readings > before);
      }
    };
    const half = isReal ? liveMinutes * 13 : 60;
    // What is made once is made by now.
    await watch(20);
    const early = await heapOf(page);
    // The page's clock also goes on while this machine is busy.
    const pageMs = () => page.evaluate(() => Date.now());
    const [fromMs, from, fromOthers] = [await pageMs(), readings, others];
    await watch(half);
    const middle = await heapOf(page);
    await watch(half);
    const late = await heapOf(page);
    const spent = (await pageMs()) - fromMs;
    t.diagnostic(
      `${readings - from} readings and ${others - fromOthers} other requests in ${(spent / 60_000).toFixed(1)} min; ` +
        `heap ${[early, middle, late].map((bytes) => (bytes / MiB).toFixed(2)).join(", ")} MiB`,
    );
    await page
      .getByRole("link", { name: /^Later/ })
      .first()
      .waitFor();
    assert.ok(late - middle < MiB / 2, `${late - middle} bytes more in the second half`);
    // The points of the account are read every 15 seconds, its platforms and its endpoint every 30, the list every two.
    assert.ok(
      others - fromOthers <= Math.ceil(spent / 15_000) + 2 * Math.ceil(spent / 30_000) + 8,
      `${others - fromOthers} other requests`,
    );
    assert.ok(readings - from <= Math.ceil(spent / 2000) + 3, `${readings - from} readings`);
    await close();
  });
});
