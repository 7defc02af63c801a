import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("signing in", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const taskId = await account.ask("Why is the sky blue?");

  /** The page offers a person's password until a token was used in the browser. */
  const byToken = (page: Page) => page.getByRole("radio", { name: "Token" }).check({ force: true });
  const kept = "JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])";

  test("a token stays in memory, out of storage and out of every address", async () => {
    const { page, close, foreign } = await visit("/tasks");
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await byToken(page);
    await page.getByLabel("Access token").fill(account.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Why is the sky blue?" }).click();
    await page.getByRole("heading", { level: 1, name: "Why is the sky blue?" }).waitFor();
    assert.ok(!(await page.evaluate<string>(kept)).includes(account.token));
    assert.ok(addresses.length > 0);
    for (const address of [...addresses, page.url()]) assert.ok(!address.includes(account.token));
    await page.reload();
    await page.getByLabel("Access token").waitFor();
    assert.deepEqual(foreign, []);
    await close();
  });

  test("asked to, the tab keeps it, and a reload of a deep link goes on where it was; signing out forgets it", async () => {
    const { page, close } = await visit(`/tasks/${taskId}`);
    await byToken(page);
    await page.getByLabel("Access token").fill(account.token);
    await page.getByLabel("Until this tab is closed").check();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Why is the sky blue?" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Why is the sky blue?" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    assert.ok(!(await page.evaluate<string>(kept)).includes(account.token));
    await close();
  });

  test("a token that the service does not know is refused, and one that it stops taking ends the session", async () => {
    const { page, close } = await visit("/tasks");
    const field = page.getByLabel("Access token");
    await byToken(page);
    await field.fill("qrt_nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Invalid token.").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");

    const other = await account.withToken({});
    await field.fill(other.token);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    await service.database.query("update access_tokens set revoked_at = now() where id = $1", [other.tokenId]);
    await page.getByRole("alert").getByText("Your session has ended").waitFor();
    await close();
  });

  test("a token that may only read tasks shows them, without the account's points", async () => {
    const reader = await account.withToken({ scopes: ["tasks:read"] });
    const { page, close } = await visit(`/tasks/${taskId}?part=deliveries`, { token: reader.token });
    await page.getByText("needs the webhook:manage scope").waitFor();
    assert.equal(await page.getByText("points available").count(), 0);
    await close();
  });

  test("the language is the browser's until another is chosen, and so is light or dark", async () => {
    const { page, close } = await visit("/tasks", { language: "zh-CN", theme: "dark" });
    await page.getByRole("heading", { level: 1, name: "登录" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const dark = await ground();
    await page.getByRole("radio", { name: "English" }).check({ force: true });
    await page.getByRole("radio", { name: "Light" }).check({ force: true });
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await until("the page to be light", async () => (await ground()) !== dark);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await until("the page to be light again", async () => (await ground()) !== dark);
    await close();
  });

  for (const view of views) {
    test(`it is free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, close } = await visit("/tasks", view);
      await page.getByLabel("E-mail").waitFor();
      await expectAccessible();
      await picture(`sign-in-password-${view.width}-${view.theme}`);
      await byToken(page);
      await page.getByLabel("Access token").waitFor();
      await expectAccessible();
      await picture(`sign-in-${view.width}-${view.theme}`);
      await close();
    });
  }
});
