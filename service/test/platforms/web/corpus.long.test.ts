/** The other pages of the corpus; see `corpus.test.ts`. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { markdownTree } from "./corpus/markdown-tree.ts";
import { longPages, slowVirtualPage } from "./corpus/pages.ts";
import { sent } from "./corpus/sent.ts";
import { servePages, type CorpusPage } from "./corpus/serve.ts";
import { platformOf, result } from "./fixture.ts";

const { pool } = testPool({ after });
const recipeOf = await servePages([...longPages, slowVirtualPage]);

async function isReadAsSent({ name, sent: own = sent }: CorpusPage): Promise<void> {
  const { content } = await result(platformOf(recipeOf(name), pool), "How large is a circle?");
  assert.deepEqual(markdownTree(content ?? ""), markdownTree(own));
}

suite("an answer is read as it was sent from a page with", { concurrency: 3 }, () => {
  for (const page of longPages) test(page.name, () => isReadAsSent(page));
});

test("an answer is read as it was sent from a list whose frames are slow", () => isReadAsSent(slowVirtualPage));
