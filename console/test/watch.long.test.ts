/** `npm run console`: changes of styles and views are shown in the open page. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { watchConsole } from "../build/watch-console.ts";
import { launchChromium, noBrowser } from "./harness/chromium.ts";

test(
  "a change of a style or of a view is shown in the open page, under the service's policy",
  { skip: noBrowser },
  async () => {
    const service = await startTestService();
    // First, since the service's own build ends the process that both builds here would share.
    const served = await fetch(`${service.address}/console`);
    await using sources = copyOfSources();
    await using watched = await watchConsole({
      service: service.address,
      port: 0,
      root: sources.root,
      log: () => undefined,
    });
    await using browser = await launchChromium();
    const page = await browser.newPage();
    page.setDefaultTimeout(180_000);
    const loads: string[] = [];
    page.on("load", () => loads.push(page.url()));

    const response = await page.goto(watched.url);
    assert.equal(response?.headers()["content-security-policy"], served.headers.get("content-security-policy"));
    await page.getByRole("heading", { name: "Sign in" }).waitFor();

    sources.edit(
      "src/app/sign-in.module.css",
      (text) => `${text}\n:global(body) { outline: 3px solid rgb(1, 2, 3); }\n`,
    );
    const outline = () => page.evaluate<string>("getComputedStyle(document.body).outlineColor");
    await until("the new style", async () => (await outline()) === "rgb(1, 2, 3)");
    assert.equal(loads.length, 1, "a style is swapped without a reload");

    sources.edit("src/i18n/sign-in.ts", (text) => text.replaceAll('"Sign in"', '"Sign in here"'));
    await page.getByRole("heading", { name: "Sign in here" }).waitFor();

    await page.getByRole("radio", { name: "Token" }).check({ force: true });

    await page.getByLabel("Access token").fill((await service.account()).token);
    await page.getByRole("button", { name: "Sign in here" }).click();
    await page.getByRole("navigation", { name: "Console" }).waitFor();
  },
);

/** The console's sources, to be changed. */
function copyOfSources() {
  const own = join(import.meta.dirname, "..");
  const root = mkdtempSync(join(tmpdir(), "querent-watch-"));
  cpSync(join(own, "src"), join(root, "src"), { recursive: true });
  symlinkSync(join(own, "../node_modules"), join(root, "node_modules"));
  return {
    root,
    edit(path: string, change: (text: string) => string) {
      const before = readFileSync(join(root, path), "utf8");
      const after = change(before);
      assert.notEqual(after, before);
      writeFileSync(join(root, path), after);
    },
    [Symbol.asyncDispose]: async () => rmSync(root, { recursive: true, force: true }),
  };
}
