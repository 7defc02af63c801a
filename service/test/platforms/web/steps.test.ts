/** Steps of a recipe: what they find, what they say, and what is not there. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { drivePage } from "../../../src/platforms/web/drive/drive-page.ts";
import { contextNeeds } from "../../../src/platforms/web/drive/context-needs.ts";
import { platformOf, result } from "./fixture.ts";
import { smallPage, type SmallPage } from "./small-page.ts";

const { pool } = testPool({ after });
const sources = (expand: string) => `expand:
  - ${expand}
extract: { sources: { in: panel, each: a, fields: { title: ., url: "@href" } } }`;
const opened = (page: SmallPage, expand: string) =>
  smallPage(page, sources(expand)).then((loaded) => result(platformOf(loaded, pool), "Why?"));

/** Everything that a drive told about one step. */
async function told(page: SmallPage, changes: string, step: string): Promise<string[]> {
  const loaded = await smallPage(page, changes);
  const details: string[] = [];
  await pool.withContext(new AbortController().signal, contextNeeds(loaded), ({ context, refused }) =>
    drivePage({
      loaded,
      question: { text: "Why?", deepAnalysis: false },
      context,
      refused,
      deadline: performance.now() + 600_000,
      tell: (event) => event.step === step && details.push(event.detail),
    }),
  );
  return details;
}

suite("a step", { concurrency: 2 }, () => {
  test("that clicks one of several says so, and clicks the one that it is told", async () => {
    const page = {
      html: `<b></b>${["a", "b", "c"]
        .map((name) => `<button class="mode" onclick="document.querySelector('b').textContent += '${name}'">M</button>`)
        .join("")}`,
      script: `turn.querySelector(".text").textContent = document.querySelector("b").textContent;`,
    };
    const before = (which: string) => `composer:
  input: textarea
  submit: { click: button.send }
  before: [{ click: .mode${which} }]`;
    for (const [which, clicked] of [
      ["", "c"],
      [", which: 2", "b"],
    ] as const)
      assert.equal((await result(platformOf(await smallPage(page, before(which)), pool), "Why?")).content, clicked);
    const details = await told(page, before(""), "composer.before.0.click");
    assert.match(details.join("\n"), /3 elements match, the last one is used/);
  });

  test("waits for a panel without a box of its own, whose contents are visible", async () => {
    const page = {
      turn: `<p>Answer.</p><button class='more'>Sources</button>`,
      script: `turn.querySelector(".more").onclick = () => main.insertAdjacentHTML("beforeend",
        "<div class='panel' style='height:0'><a style='position:fixed;top:0' href='https://one.example/'>One</a></div>");`,
    };
    const { sources: read } = await opened(
      page,
      `{ name: panel, steps: [{ click: .more, waitFor: .panel }], capture: .panel }`,
    );
    assert.deepEqual(
      read.map(({ title }) => title),
      ["One"],
    );
  });
});
