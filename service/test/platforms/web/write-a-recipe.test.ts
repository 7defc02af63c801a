/** The page that teaches recipes: what it builds up is a recipe, and works. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { ask, examplePage, platformOf, result } from "./fixture.ts";

const { pool } = testPool({ after });
const document = readFileSync(join(import.meta.dirname, "../../../../docs/how-to/write-a-recipe.md"), "utf8");
const blocks = [...document.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);

test("the recipe of the page reads the example's answers, and its blockers apply where it says", async () => {
  const page = await examplePage();
  const recipe = { ...parseRecipe(blocks.join("")), entry: page.address };
  const platform = platformOf({ ...page.loaded(), recipe }, pool);
  const { content, sources, products } = await result(platform, "virtual=1 popup=1 sources=9");
  assert.match(content ?? "", /That is the end of the answer\.$/);
  assert.equal(sources.length, 9);
  assert.equal(products[0]?.price, "129.00");
  for (const [question, code] of [
    ["login=after", "platform_auth"],
    ["error=middle", "platform_unavailable"],
  ] as const) {
    const outcome = await ask(platform, question);
    assert.ok("code" in outcome && outcome.code === code, JSON.stringify(outcome));
  }
});

test("after its second step it is a recipe already", async () => {
  const page = await examplePage();
  const recipe = { ...parseRecipe(blocks.slice(0, 2).join("")), entry: page.address };
  const { content } = await result(platformOf({ ...page.loaded(), recipe }, pool), "Why?");
  assert.match(content ?? "", /^## An example answer/);
});
