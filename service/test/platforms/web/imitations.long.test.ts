/** The included recipes read pages of ours that imitate the assistants' pages: exactly, and soon after the end. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { bundledRecipes, loadRecipe } from "../../../src/platforms/index.ts";
import { bundledRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { testPool } from "../../harness/browser.ts";
import { platformOf, result, servePage } from "./fixture.ts";
import { contentMarkdown, imitationHtml, imitations } from "./imitations.ts";

const { pool } = testPool({ after });
/** The seconds from the end of an answer to its result. */
const latencies: number[] = [];
after(() => {
  const sorted = latencies.toSorted((a, b) => a - b);
  const p50 = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(
    `From the end of the answer to its result, in seconds: p50 ${p50.toFixed(2)}, max ${(sorted.at(-1) ?? 0).toFixed(2)}`,
  );
});

async function imitate(code: string) {
  const imitation = imitations[code];
  assert.ok(imitation !== undefined, `There is no imitation of ${code}.`);
  let endedAt = 0;
  const port = await servePage((request, response) => {
    if (request.url === "/ended") endedAt = performance.now();
    if (request.method === "POST") {
      // The connection ends when all of the answer is on the page.
      request.resume().on("end", () => setTimeout(() => response.end("{}"), 1500));
    } else
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(request.url === "/ended" ? "" : imitationHtml(imitation));
  });
  const loaded = loadRecipe(bundledRecipe(code));
  const { search } = new URL(loaded.recipe.entry);
  const entry = `http://127.0.0.1:${port}/${decodeURI(search)}`;
  const platform = platformOf({ ...loaded, recipe: { ...loaded.recipe, entry } }, pool);
  return { platform, endedAt: () => endedAt };
}

suite("the included recipe", { concurrency: 2 }, () => {
  for (const code of bundledRecipes)
    test(`${code} reads its imitation, past a stall`, async () => {
      const { platform, endedAt } = await imitate(code);
      const { content, sources, availability } = await result(platform, "How fine should I grind?");
      latencies.push((performance.now() - endedAt()) / 1000);
      assert.equal(content, contentMarkdown);
      assert.deepEqual(
        sources.map(({ title, url }) => [title, url]),
        [["One", "https://one.example/a"]],
      );
      assert.equal(availability.content, "present");
    });

  for (const code of ["yuanbao-web", "deepseek-web"])
    test(`${code} reads the panel of its sources`, async () => {
      const { platform } = await imitate(code);
      const { sources } = await result(platform, "How fine should I grind?");
      assert.deepEqual(
        sources.map(({ title, url, summary }) => [title, url, summary]),
        [["One", "https://one.example/a", "Of mills."]],
      );
    });

  test("google-ai-overview completes without content where Google shows no overview", async () => {
    const { platform } = await imitate("google-ai-overview");
    const { content, availability } = await result(platform, "A question without an overview");
    assert.equal(content, null);
    assert.equal(availability.content, "none_on_platform");
  });
});

test("every included recipe says when it was written, and from what", () => {
  for (const code of bundledRecipes) {
    const { recipe } = loadRecipe(bundledRecipe(code));
    assert.equal(recipe.verified, false, code);
    assert.equal(recipe.checked?.how, "source", code);
  }
});
