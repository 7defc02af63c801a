/** Keys of vendors in the console, from a platform without one to the first answer, with models and prices. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { startReplayServer } from "../../service/test/harness/replay-server.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

const key = "sk-proj-Zq8v7Wn3Rk5T-Xq7w";
const responses = join(import.meta.dirname, "../../service/test/platforms/api/responses");

suite("keys and platforms in the console", { skip: noBrowser }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "querent-setups-view-"));
  after(() => rmSync(folder, { recursive: true }));
  const vendor = await startReplayServer({ body: readFileSync(join(responses, "openai.json"), "utf8") });
  after(() => vendor.close());
  const file = join(folder, "platforms.yaml");
  writeFileSync(
    file,
    `platforms:
  openai: { url: "${vendor.url}" }
  mistral: { model: from-file, price: { base: 9 } }
`,
  );
  const { service, visit } = await startTestConsole({
    environment: { QUERENT_CONFIG: file, GROQ_API_KEY: "of-the-environment" },
  });
  const admin = await service.account();
  const { token } = admin;
  const path = "/operator/platforms";

  test("from a platform without a key, an administrator gets to the first answer", async () => {
    const { page, expectAccessible, picture, close } = await visit("/platforms", { token });
    await page.getByRole("link", { name: "Add a key: OpenAI" }).click();
    const card = page.locator("[data-platform=openai]");
    const field = card.locator("input[type=password]");
    await field.waitFor();
    assert.equal(await field.evaluate((input) => input === document.activeElement), true, "one types at once");
    await expectAccessible();
    await picture("setups-key");
    vendor.reply = { status: 401, body: JSON.stringify({ error: { code: "invalid_api_key", message: "no" } }) };
    await field.fill(`  ${key}\n`);
    await card.getByRole("button", { name: "Store and test" }).click();
    await card.locator("[data-result=key_refused]").getByText("does not accept this key").waitFor();
    await card.getByText("Key that ends in Xq7w, stored").waitFor();
    await expectAccessible();
    await picture("setups-refused");
    vendor.reply = { body: readFileSync(join(responses, "openai.json"), "utf8") };
    await card.getByRole("button", { name: "Test key: OpenAI" }).click();
    await card.locator("[data-result=answered]").getByText("It works.").waitFor();
    await card.getByText("Ready").waitFor();
    await picture("setups-works");
    assert.equal((await admin.answerTo("Why?", { platformCode: "openai" })).state, "completed");
    assert.equal(vendor.requests.at(-1)?.headers.authorization, `Bearer ${key}`);
    const left = await page.evaluate(
      () => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href,
    );
    assert.ok(!left.includes(key), "the page keeps nothing of it");
    await close();
  });

  test("what the environment and the file set is said, and cannot be changed here", async () => {
    const { page, expectAccessible, close } = await visit(path, { token });
    const groq = page.locator("[data-platform=groq]");
    await groq.getByText("Set by the environment (GROQ_API_KEY)").waitFor();
    assert.equal(await groq.getByRole("button", { name: /Add key|Replace key/ }).count(), 0);
    const mistral = page.locator("[data-platform=mistral]");
    await mistral.getByRole("link", { name: /Get a key from Mistral/ }).waitFor();
    await mistral.getByRole("button", { name: "Model and prices: Mistral" }).click();
    await mistral.getByText("from-file, set by the file of platforms").waitFor();
    await mistral.getByText("9, set by the file of platforms").waitFor();
    await expectAccessible();
    await close();
  });

  test("a model and a price are set, and what is emptied is as built in again; a key is replaced and removed", async () => {
    const { page, expectAccessible, picture, close } = await visit(path, { token });
    const card = page.locator("[data-platform=openai]");
    await card.getByRole("button", { name: "Model and prices: OpenAI" }).click();
    await card.getByRole("textbox", { name: /^Model(?! for)/ }).fill("my-model");
    await card.getByRole("spinbutton", { name: /^Points of an answer/ }).fill("12");
    await expectAccessible();
    await picture("setups-settings");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("Asks my-model · Points per answer: 12").waitFor();
    await card.getByRole("button", { name: "Model and prices: OpenAI" }).click();
    await card.getByRole("spinbutton", { name: /^Points of an answer/ }).fill("");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("Asks my-model · Points per answer: 5").waitFor();
    await card.getByRole("button", { name: "Replace key: OpenAI" }).click();
    await card.locator("input[type=password]").fill("not a key");
    await card.getByRole("button", { name: "Store and test" }).click();
    await card.getByRole("alert").waitFor();
    await card.locator("input[type=password]").fill(`${key}-2`);
    await card.getByRole("button", { name: "Store and test" }).click();
    await card.getByText("Key that ends in 7w-2, stored").waitFor();
    await card.locator("[data-result=answered]").waitFor();
    await card.getByRole("button", { name: "Remove key: OpenAI" }).click();
    await card.getByRole("button", { name: "Remove the key" }).click();
    await card.getByText("No key", { exact: true }).waitFor();
    await until("the key to be gone", async () => {
      const { rows } = await service.database.query("select from platform_keys");
      return rows.length === 0;
    });
    await close();
  });

  for (const [language, theme, width] of [
    ["en", "light", 390],
    ["zh-CN", "dark", 390],
    ["zh-CN", "light", 1440],
    ["en", "dark", 1440],
  ] as const)
    test(`is readable in ${language}, ${theme}, ${width} px wide`, async () => {
      const { page, expectAccessible, picture, close } = await visit(path, { token, language, theme, width });
      const card = page.locator("[data-platform=openai]");
      await card.getByRole("button").first().click();
      await card.getByRole("textbox").or(card.locator("input[type=password]")).first().waitFor();
      await expectAccessible();
      const [scrollWidth, clientWidth] = await page.evaluate(() => {
        const { scrollWidth: whole, clientWidth: seen } = document.documentElement;
        return [whole, seen] as const;
      });
      assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
      await picture(`setups-${language}-${theme}-${width}`);
      await close();
    });

  test("is for operators: others see no link to it, and are told which scope it takes", async () => {
    const member = await admin.withToken({ scopes: ["tasks:read", "tasks:write"] });
    const { page, close } = await visit(path, { token: member.token });
    await page.getByText("requires a token with the admin scope").waitFor();
    assert.equal(await page.locator("[data-platform]").count(), 0);
    await close();
  });
});
