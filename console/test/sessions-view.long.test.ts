/** The operator's view of sessions, and signing in to a page of ours through it, from browser to browser. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";
import { loginPage } from "../../service/test/signin/login-page.ts";
import { until } from "../../service/test/harness/wait.ts";

suite("the operator's view of sessions", { skip: noBrowser }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "querent-sessions-view-"));
  after(() => rmSync(folder, { recursive: true }));
  const site = await loginPage();
  const { service, visit } = await startTestConsole({
    environment: { QUERENT_CONFIG: site.settings(folder), QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8" },
  });
  const { token } = await service.account();
  const path = "/operator/sessions";

  test("without a session it says what to do, and a signed-in page becomes a session", async () => {
    const { page, expectAccessible, picture, close } = await visit(path, { token });
    await page.getByText("No session is stored").waitFor();
    await expectAccessible();
    await picture("sessions-none");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("combobox", { name: "Platform" }).selectOption("login-page");
    await page.getByLabel("Account name").fill("work");
    await expectAccessible();
    const before = site.shown();
    await page.getByRole("button", { name: "Open the page" }).click();
    await until("the form is drawn", () => site.shown() > before);
    const remote = page.locator("[data-remote-page]");
    const image = remote.locator("img");
    await image.waitFor();
    await page.locator("[data-address]").getByText(`${site.origin}/`).waitFor();
    const clickAt = async (x: number, y: number) => {
      const box = await image.boundingBox();
      const width = Number(await image.getAttribute("width"));
      if (box === null) throw new Error("no picture");
      await image.click({ position: { x: (x / width) * box.width, y: (y / width) * box.width } });
    };
    await clickAt(60, 35);
    await page.keyboard.type("eve");
    await page.keyboard.press("Tab");
    await page.getByLabel("Text for the page").fill("right");
    await page.getByRole("button", { name: "Insert" }).click();
    await expectAccessible();
    await picture("sessions-signing-in");
    await clickAt(60, 115);
    await until("the page is signed in", () => site.told.includes("/welcomed eve token-of-eve"));
    await remote.focus();
    await page.keyboard.press("F6");
    assert.equal(await page.locator(":focus").textContent(), "Save session");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /Login page work Ready/ }).waitFor();
    await close();
  });

  test("a second window can be switched to, and leaving the page cancels the sign-in", async () => {
    const { page, picture, close } = await visit(path, { token });
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("combobox", { name: "Platform" }).selectOption("login-page");
    await page.getByLabel("Account name").fill("popup");
    const before = site.shown();
    await page.getByRole("button", { name: "Open the page" }).click();
    await until("the form is drawn", () => site.shown() > before);
    const image = page.locator("[data-remote-page] img");
    await image.waitFor();
    await page.locator("[data-address]").getByText(`${site.origin}/`).waitFor();
    const box = await image.boundingBox();
    const width = Number(await image.getAttribute("width"));
    const scale = (box?.width ?? 1) / width;
    await image.click({ position: { x: 60 * scale, y: 155 * scale } });
    await page.getByRole("button", { name: "Window 2", pressed: true }).waitFor();
    await page.locator("[data-address]").getByText("/sso").waitFor();
    await image.waitFor();
    await picture("sessions-window");
    await page.getByRole("button", { name: "Window 1" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Window 1", pressed: true }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Sessions of web platforms" }).waitFor();
    assert.equal(await page.getByRole("row", { name: /popup/ }).count(), 0);
    await close();
  });

  test("a session is imported, used again after it was signed out, and removed", async () => {
    const { page, expectAccessible, picture, close } = await visit(path, { token });
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("combobox", { name: "Platform" }).selectOption("login-page");
    await page.getByLabel("Account name").fill("imported");
    const file = (text: string) => ({ name: "session.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await page.getByLabel("Session file").setInputFiles(file("no session"));
    await page.getByRole("button", { name: "Store session" }).click();
    await page.getByText("The file is not a session.").waitFor();
    await page.getByLabel("Session file").setInputFiles(file('{"cookies": [], "origins": []}'));
    await page.getByRole("button", { name: "Store session" }).click();
    await page.getByRole("row", { name: /imported Ready/ }).waitFor();
    await service.database.query(
      "update platform_sessions set signed_out_at = now(), signed_out_why = 'The page asks to sign in.' where name = 'imported'",
    );
    await page.getByText("The page asks to sign in.").waitFor();
    await expectAccessible();
    await picture("sessions-signed-out");
    await service.database.query(
      "update platform_sessions set human_check_at = signed_out_at, signed_out_why = 'The page wants a human.' where name = 'imported'",
    );
    await page.getByText("Open it, pass the check yourself, and save the session.").waitFor();
    await page.getByRole("row", { name: /imported Needs a person/ }).waitFor();
    await page.getByRole("button", { name: "Pass the check: Login page imported" }).waitFor();
    await expectAccessible();
    await picture("sessions-needs-person");
    await page.getByRole("button", { name: "Use again: Login page imported" }).click();
    await page.getByRole("row", { name: /imported Ready/ }).waitFor();
    await page.getByRole("button", { name: "Remove: Login page imported" }).click();
    await page.getByRole("button", { name: "Remove session" }).click();
    await until("the row to go", async () => (await page.getByRole("row", { name: /imported/ }).count()) === 0);
    await close();
  });

  for (const view of [...views, { width: 1280, theme: "light", language: "zh-CN" } as const]) {
    const language = "language" in view ? view.language : "en";
    test(`free of axe violations, no wider than the window: ${view.width} wide, ${view.theme}, ${language}`, async () => {
      const { page, expectAccessible, picture, close } = await visit(path, { token, ...view });
      await page.getByRole("row", { name: /Login page/ }).waitFor();
      await expectAccessible();
      await picture(`sessions-${view.width}-${view.theme}-${language}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      await close();
    });
  }
});
