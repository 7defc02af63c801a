/** From where, as whom and with what: asked in the form, and shown in the grid, the comparison, the list and the task. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("one question from three countries", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();

  for (const view of views.slice(0, 2)) {
    test(`is asked, and its answers stand side by side, free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const account = await service.account();
      const { page, expectAccessible, picture, close } = await visit("/ask", { token: account.token, ...view });
      await page.locator("label", { hasText: "Simulator" }).click();
      await page.locator("label", { hasText: "Sample" }).click();
      await page.getByText("Where, as whom, with what").click();
      await page.getByRole("textbox", { name: "Countries" }).fill("DE, FR, US");
      await page.getByRole("textbox", { name: "Persona" }).fill("I am a nurse.");
      await page.getByRole("combobox", { name: "Model" }).selectOption("simulator-2");
      await page.locator("label", { hasText: "High" }).click();
      await page.getByRole("textbox", { name: "Questions" }).fill("Which running shoes are best?");
      const quote = page.getByRole("complementary", { name: "Summary" });
      await quote.getByText("1 row, 3 tasks").waitFor();
      await expectAccessible();
      await picture(`asked-as-form-${view.width}-${view.theme}`);
      await page.getByRole("button", { name: "Ask 3 questions" }).click();
      await page.getByRole("link", { name: "View answers" }).click();
      await until("three answers", async () => (await page.locator("td a[data-state=completed]").count()) === 3);
      const columns = await page.getByRole("columnheader").allTextContents();
      assert.deepEqual(
        columns.slice(1),
        ["DE", "FR", "US"].map((country) => `simulator · ${country} · simulator-2 · “I am a nurse.”`),
      );
      await expectAccessible();
      await picture(`asked-as-grid-${view.width}-${view.theme}`);
      await page.getByRole("link", { name: "Which running shoes are best?", exact: true }).click();
      await until("three answers side by side", async () => (await page.getByRole("article").count()) === 3);
      await expectAccessible();
      await picture(`asked-as-comparison-${view.width}-${view.theme}`);
      await page.getByRole("article").first().getByRole("link").first().click();
      const facts = page.getByRole("table", { name: "Where, as whom, with what" });
      await facts.waitFor();
      const country = await facts.locator("[data-option=country] td").allTextContents();
      assert.deepEqual(country, ["DE", "DE (native)"]);
      await expectAccessible();
      await picture(`asked-as-task-${view.width}-${view.theme}`);
      await close();
    });
  }

  test("stands in the list with its country, and what a platform lacks is not offered", async () => {
    const account = await service.account();
    const options = { country: "JP", onUnsupported: "ignore" };
    await account.answerTo("Which shoes?", { options });
    const { page, close } = await visit("/tasks", { token: account.token });
    await page.locator("[data-locale]", { hasText: "JP" }).waitFor();
    await close();
  });

  test("Chinese has all of it", async () => {
    const account = await service.account();
    const { page, expectAccessible, close } = await visit("/ask", { token: account.token, language: "zh-CN" });
    await page.getByText("地点、身份与方式").click();
    await page.getByRole("textbox", { name: "国家/地区" }).waitFor();
    await expectAccessible();
    await close();
  });
});
