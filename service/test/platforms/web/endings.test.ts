/** Answers that end before they are whole, are replaced after their end, or stand beside others (`await-answer.ts`, `take-snapshots.ts`), and what a page shows beside them (`read-ads.ts`). */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { ask, platformOf, result } from "./fixture.ts";
import { smallPage, type SmallPage } from "./small-page.ts";
import type { DriveReport } from "../../../src/platforms/web/drive/drive-report.ts";

const { pool } = testPool({ after });
const read = async (page: SmallPage, changes = "") => result(platformOf(await smallPage(page, changes), pool), "Why?");
const failure = async (page: SmallPage, changes = "") => {
  const outcome = await ask(platformOf(await smallPage(page, changes), pool), "Why?");
  assert.ok("code" in outcome, JSON.stringify(outcome));
  return outcome;
};

suite("half an answer is not taken for a whole one", { concurrency: 3 }, () => {
  test("if the page says beside a button to try again that its connection was lost", async () => {
    const turn = `<p>The answer begins well.</p>`;
    const script = `turn.insertAdjacentHTML("beforeend", "<div class=warn>Network connection lost. <button>Regenerate</button></div><button>Copy</button>")`;
    const { code, message } = await failure({ turn, script });
    assert.equal(code, "platform_unavailable");
    assert.match(message, /Network connection lost\. Regenerate/);
  });

  test("if the page offers to continue it", async () => {
    const script = `turn.insertAdjacentHTML("beforeend", "<button>Continue generating</button>")`;
    assert.match((await failure({ script })).message, /"Continue generating"/);
  });

  test("and a recipe's marker clicks what continues it", async () => {
    const script = `turn.insertAdjacentHTML("beforeend", "<button class=go>Continue generating</button>");
      turn.querySelector(".go").onclick = ({ target }) => { target.remove(); setTimeout(() => turn.querySelector(".text").insertAdjacentHTML("beforeend", "<p>The rest.</p>"), 500); };`;
    const { content } = await read(
      { turn: "<p>Half.</p>", script },
      "complete: { done: .done, incomplete: [{ visible: .go, click: .go }] }",
    );
    assert.equal(content, "Half.\n\nThe rest.");
  });

  test("or fails with the page's words", async () => {
    const script = `turn.insertAdjacentHTML("beforeend", "<i class=cut>This reply was shortened.</i>");`;
    const changes = "complete: { done: .done, incomplete: [{ visible: .cut, failure: platform_refused }] }";
    const { code, message } = await failure({ script }, changes);
    assert.equal(code, "platform_refused");
    assert.match(message, /The page says: "This reply was shortened\."/);
  });

  test("but an answer about errors, beside a button to try again, is whole", async () => {
    const turn = "<p>If you see Something went wrong, or Network error, retry.</p>";
    const script = `turn.insertAdjacentHTML("beforeend", "<div><button>Copy</button><button>Retry</button></div>")`;
    assert.match((await read({ turn, script })).content ?? "", /^If you see/);
  });
});

test("an answer that the page replaces after its end is the one that stays", async () => {
  const script = `setTimeout(() => (turn.querySelector(".text").innerHTML = "<p>I can't talk about that.</p>"), 2500);`;
  const { content } = await read({ script }, "complete: { done: .done, watchSeconds: 4 }");
  assert.equal(content, "I can't talk about that.");
});

suite("of several drafts one is the answer, and the others are told", { concurrency: 2 }, () => {
  test("as turns of their own", async () => {
    const script = `const other = turn.cloneNode(true); other.querySelector(".text").innerHTML = "<p>Grind coarser.</p>"; main.append(other);`;
    const { content, alternatives } = await read({ turn: "<p>Grind finer.</p>", script });
    assert.equal(content, "Grind coarser.");
    assert.deepEqual(alternatives, [{ position: 1, content: "Grind finer." }]);
  });

  test("side by side in one turn", async () => {
    const turn = `</div><div style="display: flex"><div class="text" style="width: 300px">Grind finer.</div><div class="text" style="width: 300px">Grind coarser.</div>`;
    const { content, alternatives } = await read({ turn });
    assert.equal(content, "Grind finer.");
    assert.deepEqual(alternatives, [{ position: 2, content: "Grind coarser." }]);
  });
});

test("links in a text of which no source is read are told at once", async () => {
  const reports: DriveReport[] = [];
  const page = await smallPage(
    { turn: `<p>As <a href="https://one.example/">One</a> says.</p>` },
    `extract: { sources: { each: .gone, fields: { url: "@href" } } }`,
  );
  const { availability } = await result(
    platformOf(page, pool, { onReport: (report) => void reports.push(report) }),
    "Why?",
  );
  assert.equal(availability.sources, "parse_failed");
  assert.deepEqual(reports[0]?.signs, [{ sign: "unmatched", what: "extract.sources" }]);
});

suite("advertisements are in no other field", { concurrency: 2 }, () => {
  const ad = `<aside class="ad"><span>Sponsored</span><a href="https://brew.example/pro?gclid=1&utm_source=x">Brew Pro</a> Free shipping</aside>`;
  const turn = `<p>As <a href="https://one.example/">One</a> says.</p>${ad}`;
  const sources = `sources: { each: "a[href^=http]", fields: { title: ., url: "@href" } }`;
  for (const [name, rule] of [
    ["by a rule", `extract:\n  ${sources}\n  ads: { each: .ad, fields: { title: a, url: a@href, label: span } }\n`],
    ["by their label, without a rule", `extract:\n  ${sources}\n`],
  ] as const)
    test(name, async () => {
      const { content, sources: found, ads, availability } = await read({ turn }, rule);
      assert.equal(content, "As [One](https://one.example/) says.");
      assert.deepEqual(
        found.map(({ url }) => url),
        ["https://one.example/"],
      );
      assert.equal(availability.ads, "shown");
      assert.deepEqual(
        ads?.map(({ title, url, label, removed }) => [title, url, label, removed]),
        [["Brew Pro", "https://brew.example/pro?utm_source=x", "Sponsored", ["gclid"]]],
      );
    });

  test("and a page without any says so", async () => {
    const { ads, availability } = await read({}, "extract: { ads: { each: .ad, fields: { title: a } } }");
    assert.deepEqual([ads, availability.ads], [undefined, "none"]);
  });
});

suite("an answer whose text the response has", { concurrency: 2 }, () => {
  const text = "Grind **finer**, then weigh the beans.";
  const answer = `data: ${JSON.stringify({ p: "", o: "add", v: { text: "" } })}\n\ndata: ${JSON.stringify({ p: "/text", o: "append", v: text })}\n\n`;
  const rules = `turn: { each: .turn, text: .text, response: { text: "message > text" } }`;

  test("is that text, and soon after its end", async () => {
    const { content } = await read({ turn: "<p>Grind <b>finer</b>, then weigh the beans.</p>", answer }, rules);
    assert.equal(content, text);
  });

  test("is read if the page's turns are not found any more", async () => {
    const { content } = await read({ answer }, rules.replace("each: .turn", "each: .gone"));
    assert.equal(content, text);
  });
});
