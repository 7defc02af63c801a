import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Page } from "playwright-core";
import type { TaskSummary } from "@querent/contract";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("asking", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const quoteOf = (page: Page) => page.getByRole("complementary", { name: "Summary" });
  const write = (page: Page, text: string) => page.getByRole("textbox", { name: "Questions" }).fill(text);
  const drop = (page: Page, name: string, text: string) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

  for (const view of views) {
    test(`it is free of axe violations, empty, priced and refused: ${view.width} wide, ${view.theme}`, async () => {
      const account = await service.account();
      const { page, expectAccessible, picture, foreign, close } = await visit("/ask", {
        token: account.token,
        ...view,
      });
      await page.getByText("Enter a question to see the price.").waitFor();
      await page.getByRole("checkbox", { name: "Sample" }).waitFor();
      await expectAccessible();
      await write(
        page,
        "How fine should I grind for espresso?\nWhich kettle is best for pour over?\n手冲咖啡应该用什么水温？",
      );
      await quoteOf(page).getByText("3 rows, 3 tasks").waitFor();
      await quoteOf(page).getByText("999,9").or(quoteOf(page).getByText("1,000,000")).first().waitFor();
      await expectAccessible();
      await picture(`ask-${view.width}-${view.theme}`);
      await write(page, "question,platformCode,output\nOne,sample,answer\nTwo,nowhere,answer\nThree,sample,painting");
      await quoteOf(page).getByText("Line 3", { exact: true }).waitFor();
      await expectAccessible();
      await picture(`ask-refused-${view.width}-${view.theme}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.deepEqual(foreign, []);
      await close();
    });
  }

  test("each question goes to each platform chosen, with the options and tags chosen, for the points that were told before", async () => {
    const account = await service.account({ points: 1000 });
    const { page, close } = await visit("/ask", { token: account.token });
    await page.getByRole("checkbox", { name: "Sample" }).waitFor();
    await page.locator("label", { hasText: "Simulator" }).click();
    await page.getByText("Deep analysis").click();
    await page.getByRole("textbox", { name: "Tags" }).fill("coffee, autumn");
    await write(page, "First question\n\n  Second question  ");
    await quoteOf(page).getByText("2 rows, 4 tasks").waitFor();
    const points = Number(await quoteOf(page).locator("dd").first().textContent());
    await page.getByRole("button", { name: "Ask 4 questions" }).click();
    await page.getByText("4 submitted.").waitFor();
    await page.getByRole("link", { name: "View answers" }).click();
    await until("four answers", async () => (await page.locator("td a[data-state]").count()) === 4);
    await close();

    const { body } = await account.get<{ tasks: TaskSummary[] }>("/v1/tasks");
    assert.deepEqual(body.tasks.map(({ question, platformCode }) => `${platformCode}: ${question}`).sort(), [
      "sample: First question",
      "sample: Second question",
      "simulator: First question",
      "simulator: Second question",
    ]);
    for (const { options, tags, taskId } of body.tasks) {
      assert.equal(options.deepAnalysis, true);
      assert.deepEqual(tags, ["coffee", "autumn"]);
      await account.ended(taskId);
    }
    const ended = await account.get<{ tasks: TaskSummary[] }>("/v1/tasks");
    assert.equal(
      ended.body.tasks.reduce((sum, task) => sum + task.chargedPoints, 0),
      points,
    );
  });

  test("what is not right is told by line and reason, and nothing can be submitted until it is put right", async () => {
    const account = await service.account();
    const { page, close } = await visit("/ask", { token: account.token });
    await page.getByRole("checkbox", { name: "Sample" }).waitFor();
    await write(page, '{"question": "Good"}\n{"question": ""}\nnot json\n{"question": "Odd", "colour": "red"}');
    const faults = quoteOf(page).getByRole("region", { name: "Errors" });
    await faults.getByText("Invalid JSON: not json").waitFor();
    await faults.getByText(/colour/).waitFor();
    await faults.getByText("Line 2", { exact: true }).waitFor();
    assert.equal(await quoteOf(page).getByRole("button", { name: /^Ask/ }).getAttribute("aria-disabled"), "true");
    await quoteOf(page).getByRole("button", { name: /^Ask/ }).click({ force: true });
    assert.equal((await service.counts(account.accountId))["tasks"], 0);
    await close();
  });

  test("an account that is short of points is told how many, before anything is sent", async () => {
    const account = await service.account({ points: 3 });
    const { page, close } = await visit("/ask", { token: account.token });
    await page.getByRole("checkbox", { name: "Sample" }).waitFor();
    await write(page, "One\nTwo\nThree");
    await page.getByText(/^\d+ points short/).waitFor();
    assert.equal(await quoteOf(page).getByRole("button", { name: /^Ask/ }).getAttribute("aria-disabled"), "true");
    await close();
  });

  test("a submission that is cut off by a reload, with an answer lost on the way, goes on where it was: nothing is asked or paid twice", async () => {
    const account = await service.account();
    const { page, close } = await visit("/ask", { token: account.token, refusals: true });
    await page.getByRole("checkbox", { name: "Sample" }).waitFor();
    await drop(page, "questions.txt", Array.from({ length: 2500 }, (_, index) => `Question ${index + 1}`).join("\n"));
    await quoteOf(page).getByText("2,500 rows, 2,500 tasks").waitFor();
    let lost = 0;
    await page.route("**/v1/tasks/batch", async (route) => {
      // The second part reaches the service, and its answer reaches nobody.
      if ((await service.counts(account.accountId))["batches"] === 0) return route.continue();
      await route.fetch();
      lost++;
      return route.abort();
    });
    const ask = page.getByRole("button", { name: "Ask 2500 questions" });
    await until("the quote", async () => (await ask.getAttribute("aria-disabled")) === "false");
    await ask.click();
    await until("a lost answer", () => lost > 0);
    await page.reload();
    await page.getByText("1 of 3 parts were accepted").waitFor();
    // Not sooner, or the page would repeat the lost part before it is reloaded.
    await page.unroute("**/v1/tasks/batch");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("2,500 submitted.").waitFor();
    const counts = await service.counts(account.accountId);
    assert.equal(counts["tasks"], 2500);
    assert.equal(counts["batches"], 3);
    await page.reload();
    await page.getByText("Enter a question to see the price.").waitFor();
    assert.equal(await page.getByText("A submission was interrupted").count(), 0);
    await close();
  });

  test("what is pasted and very long is taken as a file is, and asked like one", async () => {
    const account = await service.account();
    const { page, close } = await visit("/ask", { token: account.token });
    await page.getByRole("checkbox", { name: "Sample" }).waitFor();
    const lines = Array.from({ length: 20_000 }, (_, index) => `Question number ${index}`).join("\n");
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines)})`);
    await page.getByRole("textbox", { name: "Questions" }).focus();
    await page.keyboard.press("ControlOrMeta+V");
    await page.getByText("Pasted text").waitFor();
    await quoteOf(page).getByText("20,000 rows, 20,000 tasks").waitFor();
    await page.getByRole("button", { name: "Remove file" }).click();
    await page.getByText("Enter a question to see the price.").waitFor();
    await close();
  });

  test("another account is not offered somebody's submission", async () => {
    const account = await service.account();
    const other = await service.account();
    const { page, close } = await visit("/ask", { refusals: true });
    const signIn = async (token: string) => {
      await page.getByRole("radio", { name: "Token" }).check({ force: true });
      await page.getByLabel("Access token").fill(token);
      await page.keyboard.press("Enter");
      await page.getByText("Enter a question to see the price.").waitFor();
    };
    await signIn(account.token);
    await page.route("**/v1/tasks/batch", (route) => route.abort());
    await write(page, "Never arrives");
    const ask = page.getByRole("button", { name: "Ask 1 question" });
    await until("the quote", async () => (await ask.getAttribute("aria-disabled")) === "false");
    await ask.click();
    await page.getByRole("progressbar").waitFor();
    await page.reload();
    await signIn(other.token);
    assert.equal(await page.getByText("A submission was interrupted").count(), 0);
    await page.reload();
    await signIn(account.token);
    await page.getByText("A submission was interrupted").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await until("the offer to go", async () => (await page.getByText("A submission was interrupted").count()) === 0);
    await close();
  });
});
