/** Parts of the console that are loaded later, and what is shown if they cannot be. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

suite("parts of the console that are fetched later", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  await account.answerTo("Why is the sky blue?");

  test("a file that is gone since an upgrade is a note with a way out, and no empty page", async () => {
    // What the browser reports of the file is expected, so the page is not closed as one without faults.
    const { page } = await visit("/tasks", { token: account.token });
    await page.getByRole("link", { name: "Why is the sky blue?" }).waitFor();
    await page.route(/brands-view-.*\.js$/, (route) => route.fulfill({ status: 404, body: "gone" }));
    await page.getByRole("link", { name: "Brands" }).click();
    await page.getByRole("alert").getByText("could not be loaded").waitFor();
    await page.unroute(/brands-view-.*\.js$/);
    await page.getByRole("button", { name: "Reload the page" }).click();
    await page.getByRole("heading", { level: 1, name: "Brands" }).waitFor();
    assert.equal(await page.getByText("could not be loaded").count(), 0);
    // Not `close`, which expects that nothing failed.
    await page.context().close();
  });

  test("plots are drawn in a browser whose language Intl refuses", async () => {
    const { page, close } = await visit("/tasks", { token: account.token });
    await page
      .context()
      .addInitScript("Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })");
    await page.goto(`${service.address}/console/`);
    await page.getByRole("figure").filter({ hasText: "Finished tasks" }).getByRole("img").waitFor();
    await close();
  });
});
