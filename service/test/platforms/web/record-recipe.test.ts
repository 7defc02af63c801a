/** A recipe that is recorded by pointing at a page asks that page. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { testPool } from "../../harness/browser.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { recordRecipe } from "../../../src/platforms/web/recipe/record-recipe.ts";
import { examplePage, platformOf, result } from "./fixture.ts";

const { pool } = testPool({ after });

test("a recipe is recorded by pointing at a page, and asks it", async () => {
  const page = await examplePage();
  const places = { composer: "textarea", submit: "button.send", answer: ".turn .text p >> nth=0", done: "button.copy" };
  const text = await pool.withContext(
    new AbortController().signal,
    { reach: { hosts: ["*"] }, context: {} },
    async ({ context }) => {
      let current: Page | null = null;
      context.on("page", (opened) => (current = opened));
      return recordRecipe({
        context,
        url: page.address,
        // The author points by clicking, and skips the sources. A button that is disabled can be pointed at, too.
        skip: async (what, pointed) => {
          if (what === "source") return;
          await current
            ?.locator(places[what])
            .first()
            .click({ force: what === "submit" });
          await new Promise((resolve) => pointed.addEventListener("abort", resolve));
          throw new Error("The question in the terminal was withdrawn.");
        },
        asked: async (asked) => {
          assert.equal(await asked.locator(".turn").count(), 0, "the page learned of no click");
          await asked.fill("textarea", "Why?");
          await asked.click("button.send");
          await asked.locator("i.done").waitFor({ state: "attached" });
        },
      });
    },
  );
  const recipe = parseRecipe(text);
  assert.match(text, /^# Recorded by pointing/);
  const { content } = await result(platformOf({ ...page.loaded(), recipe }, pool), "How fine?");
  assert.match(content ?? "", /An example answer/);
  assert.match(content ?? "", /That is the end of the answer\./);
});

test("clicks are the page's again once an element is skipped", async () => {
  const page = await examplePage();
  const text = await pool.withContext(
    new AbortController().signal,
    { reach: { hosts: ["*"] }, context: {} },
    ({ context }) =>
      recordRecipe({
        context,
        url: page.address,
        skip: async () => undefined,
        asked: async (asked) => {
          await asked.fill("textarea", "Why?");
          await asked.click("button.send");
          await asked.locator("i.done").waitFor({ state: "attached" });
        },
      }),
  );
  assert.deepEqual(parseRecipe(text).turn.each, ["main"]);
});
