/** Pages in the ways of several libraries, each read back as exactly what the model sent. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { markdownTree } from "./corpus/markdown-tree.ts";
import { brokenPage, pillSources, quickPages } from "./corpus/pages.ts";
import { sent } from "./corpus/sent.ts";
import { servePages } from "./corpus/serve.ts";
import { ask, platformOf, result } from "./fixture.ts";

const { pool } = testPool({ after });
const recipeOf = await servePages([...quickPages, brokenPage]);

suite("an answer is read as it was sent from a page with", { concurrency: 3 }, () => {
  for (const { name, sent: own = sent } of quickPages) {
    test(name, async () => {
      const { content, sources } = await result(platformOf(recipeOf(name), pool), "How large is a circle?");
      assert.deepEqual(markdownTree(content ?? ""), markdownTree(own));
      if (name !== "pills") return;
      assert.deepEqual(
        sources.map(({ url }) => url),
        pillSources,
      );
      assert.deepEqual(
        sources.map(({ title }) => title),
        ["epa.gov", "Rain and its acid", "read on", "two.example"],
      );
    });
  }

  test("an error after it: then it is none, and the failure has the page's words", async () => {
    const outcome = await ask(platformOf(recipeOf("broken"), pool), "How large is a circle?");
    assert.ok(outcome.kind === "retryable" && outcome.code === "platform_unavailable", JSON.stringify(outcome));
    assert.match(outcome.message, /"Something went wrong while the answer was generated\. Retry"/);
  });
});
