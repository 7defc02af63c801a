/** The picture of an answer: all of it, and nothing that the page shows over it. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { BrowserPool } from "../../../src/browser/index.ts";
import { tryRecipe } from "../../../src/platforms/web/try-recipe.ts";
import { testPool } from "../../harness/browser.ts";
import type { PageEvidenceKind } from "@querent/contract";
import type { MissingEvidence } from "../../../src/platforms/index.ts";
import { servePages, type CorpusPage } from "./corpus/serve.ts";
import { ask, platformOf } from "./fixture.ts";
import { smallPage } from "./small-page.ts";

const { pool } = testPool({ after });

/** Each thing has a colour of its own. */
const page: CorpusPage = {
  name: "picture",
  head: `<style>
    main { height: 300px; overflow-y: auto; background: #fff }
    .bar { position: sticky; top: 0; height: 20px; background: #ff0000 }
    .code { content-visibility: auto; contain-intrinsic-size: auto 100px; height: 100px }
    .code div { height: 100px; background: #0000ff }
    .lightbox { position: fixed; inset: 0; background: #00ff00 }
    .composer { background: #ff00ff; height: 60px; position: fixed; bottom: 0; width: 100% }
  </style>`,
  answer: `<div class="bar"></div>${"<p>A paragraph.</p>".repeat(60)}<div class="code"><div></div></div><p>The end.</p>`,
  show: `text.innerHTML = html;
    const composer = () => {
      document.querySelector(".composer")?.remove();
      document.body.insertAdjacentHTML("beforeend", '<div class="composer">Ask</div>');
    };
    const keep = () => { composer(); requestAnimationFrame(keep); };
    keep();
    setTimeout(() => document.body.insertAdjacentHTML("beforeend", '<div class="lightbox" role="dialog">A picture</div>'), 400);
    document.querySelector("main").scrollTop = 1e6;`,
  recipe: `screenshot: { root: .text, hide: .composer, unscroll: main }`,
};
const recipeOf = await servePages([page]);

test("shows the whole answer without bars over its text, a lightbox, or what the recipe hides", async () => {
  const { screenshot, failure } = await tryRecipe({
    pool,
    loaded: recipeOf("picture"),
    question: "Why?",
    deepAnalysis: false,
    timeoutMs: 600_000,
    share: false,
    screenshot: true,
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  assert.equal(failure, null);
  assert.ok(screenshot !== null);
  const { height, rows } = await coloursOf(pool, screenshot);
  assert.ok(height > 1500, `${height} pixels`);
  assert.deepEqual(rows["0,255,0"] ?? [], []);
  assert.deepEqual(rows["255,0,255"] ?? [], []);
  assert.deepEqual(rows["255,0,0"]?.length, 20);
  assert.ok((rows["255,0,0"]?.at(-1) ?? 0) < 40, "the bar is where the answer begins");
  assert.equal(rows["0,0,255"]?.length, 100);
});

/** What the operator has kept of each answer of the page, by name. */
async function keptOf(evidence: readonly PageEvidenceKind[]) {
  const loaded = await smallPage(
    {
      html: `<style>
        main { height: 200px; overflow-y: auto } form { position: fixed; bottom: 0; background: #00ff00; width: 100% }
        .user { height: 40px; background: #ff00ff } .text div { height: 2000px; background: #0000ff }
      </style>`,
      turn: "<div>Answer.</div>",
    },
    "network:",
  );
  const outcome = await ask(platformOf(loaded, pool, { evidence }), "Why?");
  assert.equal(outcome.kind, "answered");
  return new Map(outcome.captures?.map(({ name, mediaType, bytes }) => [name, { mediaType, bytes }]));
}

test("is kept as evidence where the operator wants it, with question and answer, without rules for it in the recipe", async () => {
  assert.equal((await keptOf([])).get("page.png"), undefined);
  const kept = (await keptOf(["picture"])).get("page.png");
  assert.ok(kept !== undefined);
  assert.equal(kept.mediaType, "image/png");
  const { rows } = await coloursOf(pool, Buffer.from(kept.bytes));
  assert.equal(rows["255,0,255"]?.length, 40);
  assert.equal(rows["0,0,255"]?.length, 2000);
  assert.equal(rows["0,255,0"], undefined);
});

test("says which part of an answer it lacks if the page shows only the blocks in view", async () => {
  // The page renders anew what it is scrolled to, and no more.
  const script = `const area = turn.querySelector(".area"), list = area.firstElementChild;
    const draw = () => {
      const from = Math.floor(area.scrollTop / 40);
      list.replaceChildren(...Array.from({ length: 10 }, (_, at) => from + at).filter((at) => at < 120).map((at) => {
        const block = Object.assign(document.createElement("p"), { innerText: "Block " + at + " of the answer." });
        block.dataset.index = at;
        block.style = "position: absolute; margin: 0; height: 40px; top: " + at * 40 + "px";
        return block;
      }));
    };
    area.onscroll = draw;
    draw();`;
  const turn = `<div class="area" style="height: 400px !important; max-height: 400px !important; overflow-y: auto"><div style="height: 4800px; position: relative"></div></div>`;
  const loaded = await smallPage({ turn, script }, "network:");
  const outcome = await ask(platformOf(loaded, pool, { evidence: ["picture"] }), "Why?");
  assert.ok(outcome.kind === "answered");
  const text = outcome.answer.parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join("");
  assert.equal(text.match(/Block \d+ of the answer/g)?.length, 120, "the text has all of them");
  const [picture] = outcome.evidence ?? [];
  assert.deepEqual(picture, {
    ...{ kind: "picture", capture: "page.png" },
    incomplete: "The page shows only the blocks in view: the picture and the HTML of the page have 10 of 120.",
  });
});

test("is missing with the reason if the browser does not take it, and the answer is complete", async () => {
  const missing: [string, string][] = [];
  const loaded = await smallPage({ html: "<div id=gone hidden></div>" }, "network:\nscreenshot: { root: '#gone' }");
  const onEvidenceMissing = ({ kind, why, cause }: MissingEvidence) => {
    assert.ok(cause instanceof Error);
    missing.push([kind, why]);
  };
  const outcome = await ask(platformOf(loaded, pool, { evidence: ["picture"], onEvidenceMissing }), "Why?");
  assert.equal(outcome.kind, "answered");
  const why = "The browser did not take the picture.";
  assert.deepEqual(outcome.evidence, [{ kind: "picture", missing: why }]);
  assert.deepEqual(missing, [["picture", why]]);
});

test("is kept of a page that has no answer, too, since it proves that", async () => {
  const loaded = await smallPage(
    { html: "<p id=none>Nothing here.</p>" },
    "network:\nturn: { each: .nothing }\ncomplete: { done: .done, none: { visible: '#none', afterSeconds: 0 } }",
  );
  const outcome = await ask(platformOf(loaded, pool, { evidence: ["picture", "archive"] }), "Why?");
  assert.equal(outcome.kind, "answered");
  assert.deepEqual(
    outcome.evidence?.map(({ kind, ...one }) => [kind, Object.keys(one)]),
    [
      ["picture", ["capture"]],
      ["archive", ["capture"]],
    ],
  );
});

/** The rows in which each colour is in the middle of a picture. */
async function coloursOf(browsers: BrowserPool, picture: Buffer) {
  const needs = { reach: { hosts: [] }, context: {} };
  return browsers.withContext(new AbortController().signal, needs, async ({ context }) => {
    const blank = await context.newPage();
    const read: unknown = await blank.evaluate(`(${readRows})("${picture.toString("base64")}")`);
    return read as { height: number; rows: Record<string, number[]> };
  });
}

const readRows = `async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const { data } = canvas.getImageData(Math.floor(bitmap.width / 2), 0, 1, bitmap.height);
  const rows = {};
  for (let y = 0; y < bitmap.height; y++) (rows[data.slice(y * 4, y * 4 + 3).join(",")] ??= []).push(y);
  return { height: bitmap.height, rows };
}`;
