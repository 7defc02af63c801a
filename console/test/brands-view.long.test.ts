import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { EntityPage } from "@querent/contract";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("brands", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  await account.call("PUT", "/v1/entities", {
    body: [
      { name: "Totême", relation: "own", aliases: [{ text: "TTM", caseSensitive: true }], domains: ["toteme.com"] },
      { name: "monday.com", relation: "competitor", negativeContexts: ["on Monday", "Tuesday"] },
      { name: `<img src=x onerror="document.title='broken'">` },
    ],
  });

  for (const view of views) {
    test(`brands are listed and tried on a text, free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, foreign, close } = await visit("/brands", {
        token: account.token,
        ...view,
      });
      await page.getByRole("rowheader", { name: "Totême" }).waitFor();
      await page.getByRole("textbox", { name: "Text" }).fill("Buy a Toteme coat at monday.com, TTM says, not ttm.");
      await page.getByRole("button", { name: "Find mentions" }).click();
      await page.getByText("3 mentions").waitFor();
      assert.deepEqual(await page.locator("mark").allTextContents(), ["Toteme", "monday.com", "TTM"]);
      await expectAccessible();
      await picture(`brands-${view.width}-${view.theme}`);
      assert.match(await page.title(), /^Brands/);
      assert.deepEqual(foreign, []);
      await close();
    });
  }

  test("without brands the view says what to do, and one is created, tried before it is saved, and deleted by keyboard", async () => {
    const fresh = await service.account();
    const { page, expectAccessible, picture, close } = await visit("/brands", { token: fresh.token });
    await page.getByRole("heading", { name: "No brands yet" }).waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: "New brand" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name", { exact: true }).waitFor();
    await page.keyboard.type("Zoom");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByLabel("Aliases", { exact: true }).fill("=ZM\nZoom Video");
    await page.getByLabel("Negative contexts", { exact: true }).fill("Zoom lens");
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("Zoom, zoom, a Zoom lens, ZM, zm, zoom video");
    await page.getByRole("button", { name: "Find mentions" }).click();
    await page.getByText("3 mentions").waitFor();
    assert.deepEqual(await page.locator("mark").allTextContents(), ["Zoom", "ZM", "zoom video"]);
    await expectAccessible();
    await picture("brands-form");
    await page.getByRole("button", { name: "Save" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "Zoom" }).waitFor();
    const { body } = await fresh.get<EntityPage>("/v1/entities");
    assert.deepEqual(
      body.entities.map(({ name, relation, caseSensitive, aliases }) => [name, relation, caseSensitive, aliases]),
      [
        [
          "Zoom",
          "own",
          true,
          [
            { text: "ZM", caseSensitive: true },
            { text: "Zoom Video", caseSensitive: false },
          ],
        ],
      ],
    );
    await page.getByRole("button", { name: "Delete Zoom" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Really delete" }).click();
    await page.getByRole("heading", { name: "No brands yet" }).waitFor();
    await close();
  });

  test("what answers suggest is shown with its evidence, and approved or declined by a click", async () => {
    const fresh = await service.account();
    await fresh.call("POST", "/v1/entities", { body: { name: "Магнит" } });
    const answer = { id: "1", question: "q", platformCode: "elsewhere", observedAt: "2026-11-20T10:00:00Z" };
    const content = "Скидки в Магните и у Магнита. Железо притягивает магнит. Магнит притягивает.";
    await fresh.call("POST", "/v1/imports?name=a", {
      body: `${JSON.stringify({ ...answer, content })}\n`,
      headers: { "content-type": "application/x-ndjson" },
    });
    const { page, expectAccessible, picture, close } = await visit("/brands", { token: fresh.token });
    await page.getByRole("link", { name: "Proposals for Магнит" }).press("Enter");
    await page.getByText("Adds 1 mention in 1 answer.").first().waitFor();
    assert.deepEqual(await page.locator("mark").allTextContents(), ["Магните", "Магнита", "магнит"]);
    await expectAccessible();
    await picture("brand-proposals");
    await page.getByRole("button", { name: "Approve Магните" }).press("Enter");
    await page.locator('[data-proposal="Магните"]').waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Decline Магнита" }).press("Enter");
    await page.locator('[data-proposal="Магнита"]').waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Approve Магнит", exact: true }).press("Enter");
    await page.getByRole("heading", { name: "No proposals" }).waitFor();
    const { body } = await fresh.get<EntityPage>("/v1/entities");
    assert.deepEqual(
      body.entities.map(({ revision, caseSensitive, aliases }) => [revision, caseSensitive, aliases]),
      [[3, true, [{ text: "Магните", caseSensitive: true }]]],
    );
    await page.getByRole("checkbox").check();
    await page.locator('[data-proposal="Магнит притягивает"]').waitFor();
    await expectAccessible();
    await close();
    const reader = await fresh.withToken({ scopes: ["panels:read", "tasks:read", "usage:read"] });
    await fresh.call("POST", "/v1/entities", { body: { name: "Железо", caseSensitive: true } });
    const { page: readOnly, close: closeReader } = await visit("/brands", { token: reader.token });
    await readOnly.getByRole("link", { name: "Proposals for Магнит" }).press("Enter");
    await readOnly.getByRole("heading", { name: "No proposals" }).waitFor();
    assert.equal(await readOnly.getByRole("button", { name: "Approve" }).count(), 0);
    await closeReader();
  });

  test("a refused brand says which member is wrong, and a token without the scope reads only", async () => {
    const fresh = await service.account();
    const { page, close } = await visit("/brands", { token: fresh.token });
    await page.getByRole("button", { name: "New brand" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Acme");
    await page.getByLabel("Own sites", { exact: true }).fill("https://acme.com/");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("/domains/0").waitFor();
    await close();
    const reader = await fresh.withToken({ scopes: ["panels:read", "usage:read"] });
    const { page: readOnly, close: closeReader } = await visit("/brands", { token: reader.token });
    await readOnly.getByText("requires a token with the panels:write scope").waitFor();
    assert.equal(await readOnly.getByRole("button", { name: "New brand" }).count(), 0);
    await closeReader();
  });
});
