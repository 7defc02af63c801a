/** What the recipe language can say beyond clicks and selectors. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { tryRecipe } from "../../../src/platforms/web/try-recipe.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { entryAddress } from "../../../src/platforms/web/recipe/recipe.ts";
import { responseXml } from "../../../src/platforms/web/extract/read-response.ts";
import { ask, platformOf, result } from "./fixture.ts";
import { smallPage, type SmallPage } from "./small-page.ts";

const { pool } = testPool({ after });
const read = async (page: SmallPage, changes: string, question = "Why?") =>
  result(platformOf(await smallPage(page, changes), pool), question);

/** A search page: it shows an overview for some questions. */
const search = (address: URL) => {
  const question = address.searchParams.get("q") ?? "";
  const hasOverview = question.includes("&");
  return `<!doctype html><div id="search">Results</div>${
    hasOverview
      ? `<div class="turn"><div class="text"><p>About: <b>${question.length}</b></p></div><i class="done">·</i></div>`
      : ""
  }`;
};
const byAddress = `entry: ENTRYsearch?q={question}&hl=en
network:
complete: { done: .done, none: { visible: "#search", afterSeconds: 1 } }
composer:`;

suite("a recipe", { concurrency: 2 }, () => {
  test("asks by the address, and the question stays one parameter of it", async () => {
    const question = "fish & chips? #1 100% +ü/../x";
    const { content, provenance } = await read({ whole: search }, byAddress, question);
    assert.equal(content, `About: **${question.length}**`);
    assert.equal(new URL(provenance.endpoint ?? "").searchParams.get("q"), question);
    assert.equal(new URL(provenance.endpoint ?? "").searchParams.get("hl"), "en");
  });

  test("says that the page has no answer: the task completes without content", async () => {
    const { content, sources, availability, outcome } = await read({ whole: search }, byAddress, "nothing");
    assert.equal(content, null);
    assert.deepEqual(sources, []);
    assert.equal(availability.content, "none_on_platform");
    // Parsed again from what was stored, it is the same.
    const platform = platformOf(await smallPage({}, ""), pool);
    assert.ok(outcome.raw !== null);
    const question = { taskId: "t", text: "nothing", attempt: 1 } as const;
    const options = { deepAnalysis: false, output: "answer", resultFormat: "json" } as const;
    const again = await platform.reread?.(outcome.raw, { ...question, options }, new Date());
    assert.equal(again?.kind, "answered");
  });

  test("takes the text from the page's own copy button, in either way of copying", async () => {
    const copies = (copy: string) => ({
      turn: `<p>As <i>shown</i>.</p><button class='copy'>Copy</button>`,
      script: `turn.querySelector(".copy").onclick = () => { ${copy} };`,
    });
    const turn = `turn: { each: .turn, text: .text, copy: button.copy }`;
    const modern = copies(`navigator.clipboard.writeText("As **copied**.")`);
    const older = copies(`addEventListener("copy", (event) => {
      event.clipboardData.setData("text/plain", "As **copied**."); event.preventDefault(); }, { once: true, capture: true });
      document.execCommand("copy")`);
    assert.equal((await read(modern, turn)).content, "As **copied**.");
    assert.equal((await read(older, turn)).content, "As **copied**.");
    // A button that copies nothing: the text on the page.
    assert.equal((await read({ turn: "<p>As shown.</p>" }, turn)).content, "As shown.");
  });

  test("opens each of several panels, and collects what they show", async () => {
    const page = {
      turn: `<p>Answer.</p>${["+1", "+2", "+3"].map((name) => `<button class='pill'>${name}</button>`).join("")}`,
      script: `for (const pill of turn.querySelectorAll(".pill")) pill.onclick = () => {
        document.querySelector(".panel")?.remove();
        setTimeout(() => main.insertAdjacentHTML("beforeend", "<div class='panel'><a href='https://" + pill.textContent.slice(1) +
          ".example/'>Source</a><button class='close' onclick='this.parentElement.remove()'>x</button></div>"), 50); };`,
    };
    const { sources } = await read(
      page,
      `expand: [{ name: pills, each: .pill, steps: [], capture: .panel, close: [{ click: .close }] }]
extract: { sources: { in: pills, each: a, fields: { title: ., url: "@href" } } }`,
    );
    assert.deepEqual(
      sources.map(({ url }) => url),
      ["https://1.example/", "https://2.example/", "https://3.example/"],
    );
  });

  test("reads fields from the response that brought the answer", async () => {
    const events = [
      { model: { slug: "m-1" } },
      {
        search_results: [
          { name: "One & <two>", link: "https://one.example/?a=1&b=2" },
          { name: "Zürich – 咖啡 “2”", link: "https://two.example/" },
        ],
      },
    ];
    const { sources, modelVersion } = await read(
      { answer: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") },
      `extract:
  sources: { in: response, each: search_results, fields: { title: name, url: link } }
  modelVersion: { in: response, field: model > slug }`,
    );
    assert.deepEqual(
      sources.map(({ title, url }) => [title, url]),
      [
        ["One & <two>", "https://one.example/?a=1&b=2"],
        ["Zürich – 咖啡 “2”", "https://two.example/"],
      ],
    );
    assert.equal(modelVersion, "m-1");
  });

  test("finds the address to share in the page's own address, or in what the page copies", async () => {
    const page = {
      turn: `<p>Answer.</p><button class='share'>Share</button>`,
      script: `turn.querySelector(".share").onclick = () => { history.pushState({}, "", "/share/1");
        navigator.clipboard.writeText("https://share.example/s/1"); };`,
    };
    const shared = async (from: string) => {
      const loaded = await smallPage(page, `share: { steps: [{ click: .share }], from: ${from} }`);
      const trial = await tryRecipe({
        pool,
        loaded,
        question: "Why?",
        deepAnalysis: false,
        timeoutMs: 600_000,
        share: true,
        screenshot: false,
        signal: new AbortController().signal,
        tell: () => undefined,
      });
      return { url: trial.shareUrl, entry: loaded.recipe.entry };
    };
    const { url, entry } = await shared("address");
    assert.equal(url, `${entry}share/1`);
    assert.equal((await shared("clipboard")).url, "https://share.example/s/1");
  });
});

test("a question in the address changes no other part of it, and is refused if it is too long", () => {
  const entry = "https://page.example/search?q={question}#x";
  assert.equal(
    entryAddress({ entry }, "a&b=c#d/../\uD800"),
    "https://page.example/search?q=a%26b%3Dc%23d%2F..%2F%EF%BF%BD#x",
  );
  assert.throws(() => entryAddress({ entry }, "ü".repeat(2000)), /too long for this page/);
});

test("a recipe that is asked in two ways, in none, or outside the query, is rejected with the reason", () => {
  const base = "recipe: 1\nname: A\nversion: 1\nverified: false\nturn: { each: .t }\ncomplete: { done: .d }\n";
  const composer = "composer: { input: textarea, submit: { press: Enter } }\n";
  for (const [text, reason] of [
    [`entry: https://a.example/?q={question}\n${composer}`, /Name one of them/],
    ["entry: https://a.example/\n", /Name one of them/],
    ["entry: https://a.example/{question}/?a=1\n", /only after/],
    ["entry: https://{question}.example/\n", /only after/],
    [`entry: https://a.example/\n${composer}share: { steps: [] }\n`, /name `address`, or `from`/],
    [`entry: https://a.example/\n${composer}extract: { modelVersion: { in: response, field: a } }\n`, /no `network`/],
  ] as const)
    assert.throws(() => parseRecipe(base + text), reason);
});

test("a response of any shape becomes XML of bounded size and depth", () => {
  assert.equal(responseXml(""), "");
  assert.equal(responseXml("<html>no JSON</html>\ndata: nor this"), "");
  assert.equal(
    responseXml('{"1 a<b":["x\\u0000&",null,{"c":true}]}'),
    '<message><_1_a_b at="0">x&amp;</_1_a_b><_1_a_b at="1"></_1_a_b><_1_a_b at="2" c="true"><c>true</c></_1_a_b></message>',
  );
  assert.equal(
    responseXml('{"a":1}\n[DONE]\n{"a":2}'),
    '<message a="1"><a>1</a></message><message a="2"><a>2</a></message>',
  );
  assert.ok(responseXml(`${"[".repeat(5000)}1${"]".repeat(5000)}`).length < 5000);
  assert.ok(responseXml(JSON.stringify(Array.from({ length: 300_000 }, () => 1))).length < 8_000_000);
});

test("an answer that is only empty is no answer that the page does not have", async () => {
  const outcome = await ask(
    platformOf(await smallPage({ turn: "<p> </p>" }, `turn: { each: .turn, text: p }`), pool),
    "Why?",
  );
  assert.ok(outcome.kind === "permanent" && outcome.code === "platform_bad_response", JSON.stringify(outcome));
});
