/** Answers that are made to be slow to draw. The renderer gives each of them seconds of processor time. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { PageRenderer } from "../../src/artifacts/index.ts";
import type { PlainPage } from "../../src/artifacts/page-renderer.ts";
import { renderPage } from "../../src/answers/page/render-page.ts";
import { markdown, pageInput } from "../answers/answers.ts";

describe("rendering in a process", () => {
  const plain: PlainPage[] = [];
  const renderer = new PageRenderer((page) => plain.push(page));
  after(() => renderer.stop());

  const slow = {
    "nested lists": "1. ".repeat(80_000),
    "nested quotes": ">".repeat(250_000),
    "emphasis in emphasis": "*a **b ".repeat(30_000),
    brackets: "[".repeat(200_000),
  };
  for (const [name, text] of Object.entries(slow)) {
    test(`${name}, made to be slow, hold nobody up: the page comes, at the latest as plain text`, async () => {
      let ticks = 0;
      const timer = setInterval(() => (ticks += 1), 20);
      plain.length = 0;
      const html = await renderer.render(pageInput([markdown(text)]));
      clearInterval(timer);
      assert.match(html, /recorded by Querent/);
      assert.ok(html.includes(text.slice(0, 5)) || /<(li|blockquote|em|p)\b/.test(html));
      assert.ok(ticks > 0);
      // The page and the log say it: either both or none.
      const pageSaysSo = html.includes("could not be rendered, and is shown as it is");
      assert.equal(plain.length, pageSaysSo ? 1 : 0);
      if (name === "nested quotes") assert.ok(pageSaysSo, "deeper than the stack allows");
      assert.equal(
        await renderer.render(pageInput([markdown("Fine.")])),
        renderPage(pageInput([markdown("Fine.")]), { plain: false }),
      );
    });
  }
});
