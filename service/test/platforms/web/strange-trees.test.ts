/** Strange trees in a real browser, each read as what the page shows: nothing unseen, and no word lost. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { extractAnswer } from "../../../src/platforms/web/extract/extract-answer.ts";
import { turnHtml } from "../../../src/platforms/web/page/take-snapshots.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { testPool } from "../../harness/browser.ts";
import { captured } from "./captured.ts";
import { strangeTrees } from "./strange-trees.ts";

const { pool } = testPool({ after });
const recipe = parseRecipe(`recipe: 1
name: Strange trees
version: 1
verified: true
entry: https://assistant.example/
composer: { input: textarea, submit: { press: Enter } }
turn: { each: .turn, text: .text }
complete: { done: i }
`);

suite("a strange tree is read as it is seen", () => {
  test("each of them, in one browser", async (t) => {
    await pool.withContext(new AbortController().signal, { reach: "nothing" }, async ({ context }) => {
      const page = await context.newPage();
      for (const { name, html, want, css = "", script = "" } of strangeTrees)
        await t.test(name, async () => {
          await page.setContent(
            `<base href="https://assistant.example/"><style>${css}</style><div class="turn"><div class="text">${html}</div><i></i></div>`,
          );
          if (script !== "") await page.evaluate(script);
          const { html: turn } = await turnHtml({ withoutLists: null, recipe }, page.locator(".turn"));
          const { answer } = extractAnswer(recipe, captured(turn));
          const text = answer.parts.flatMap((part) => ("markdown" in part ? [part.markdown] : [])).join("\n\n");
          assert.equal(text, want);
        });
    });
  });
});
