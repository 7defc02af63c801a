/** A page whose turn first matches a later selector of the recipe's list, because what the first one needs comes when it has thought. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { platformOf, result } from "./fixture.ts";
import { smallPage } from "./small-page.ts";

const { pool } = testPool({ after });

test("the answer is read by the first selector that finds it, from when there is something to find", async () => {
  const turn = `<div class="message"><div class="thought">Let me think.</div></div>`;
  const script = `
    document.querySelector(".done").remove();
    const element = main.lastChild;
    await new Promise((done) => setTimeout(done, 1000));
    element.querySelector(".message").insertAdjacentHTML("beforeend", '<div class="answer">Grind finer.</div>');
    await new Promise((done) => setTimeout(done, 1000));
    element.insertAdjacentHTML("beforeend", '<i class="done">·</i>');`;
  const loaded = await smallPage(
    { turn, script },
    `turn: { each: [".turn:has(.answer)", ".message"], text: [.answer, .thought] }\n`,
  );
  const { content } = await result(platformOf(loaded, pool), "Why?");
  assert.equal(content, "Grind finer.");
});
