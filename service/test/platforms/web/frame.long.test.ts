/** An assistant in a frame of another page: asked and read like any other, and held to the same rules. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import type { Recipe } from "../../../src/platforms/web/recipe/recipe.ts";
import { tryRecipe } from "../../../src/platforms/web/try-recipe.ts";
import { ask, examplePage, platformOf, result } from "./fixture.ts";

const { pool } = testPool({ after });
const page = await examplePage();
const frameOf = (host: string, query = "") =>
  `<iframe class="assistant" width="900" height="600" src="http://${host}:${new URL(page.address).port}/${query}"></iframe>`;

/** A page about something else: by its path, what is on it. */
const bodies: Readonly<Record<string, string>> = {
  "/": `<h1>A shop</h1><form><textarea name="search"></textarea><button class="send">Search</button></form>
    <div class="turn assistant"><p class="text">We are here to help.</p></div><button class="stop">Stop</button>${frameOf("127.0.0.1")}`,
  "/elsewhere": frameOf("localhost"),
  "/nested": `<iframe class="outer" width="950" height="700" src="/"></iframe>`,
  "/shadow": frameOf("localhost", "?shadow=1&composer=editor"),
  "/closed": `<button class="launcher" onclick="document.querySelector('main').innerHTML = document.querySelector('template').innerHTML">Ask us</button>
    <main></main><template>${frameOf("127.0.0.1").replaceAll('"', "'")}</template>`,
  "/offer": `<div class="overlay offer" style="position:fixed;inset:0;background:#fff8"><button class="close" onclick="this.parentNode.remove()">No</button></div>${frameOf("127.0.0.1")}`,
  "/wall": `<div class="overlay login">Sign in</div>${frameOf("127.0.0.1")}`,
  "/wall-inside": frameOf("127.0.0.1", "?login=1"),
};
const outer = createServer((request, response) => {
  const body = bodies[request.url ?? ""];
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html" }).end(`<!doctype html>${body}`);
});
await new Promise<void>((done) => outer.listen(0, "127.0.0.1", done));
after(() => void outer.close());
const origin = `http://127.0.0.1:${(outer.address() as AddressInfo).port}`;

const loaded = (path: string, change: Partial<Recipe> = {}) => {
  const own = page.loaded();
  const framed = { entry: `${origin}${path}`, frame: "iframe.assistant", reach: ["localhost"] };
  return { ...own, recipe: { ...own.recipe, ...framed, ...change } };
};
const question = "inner scroll? paragraphs=40 sources=12 virtual=1";

suite("an assistant in a frame", { concurrency: 2 }, () => {
  const readable: readonly (readonly [string, string, Partial<Recipe>])[] = [
    ["of the same site, on a page with a field, a button and a turn of its own", "/", {}],
    ["of another site", "/elsewhere", {}],
    ["within a frame", "/nested", { frame: ["#none", "iframe.outer >>> iframe.assistant"] }],
    ["with everything in shadow roots, of another site", "/shadow", {}],
    ["that a button opens", "/closed", { open: [{ click: "button.launcher" }] }],
    ["behind an offer on the page around it", "/offer", {}],
  ];
  for (const [what, path, change] of readable) {
    test(`${what}, is asked and read to the end`, async () => {
      const { content, sources, products, pageHtml } = await result(platformOf(loaded(path, change), pool), question);
      assert.match(content ?? "", /^## An example answer\n/);
      assert.match(content ?? "", /That is the end of the answer\.$/);
      assert.equal(sources.length, 12);
      assert.equal(products.length, 1);
      assert.match(pageHtml ?? "", /That is the end of the answer\./);
    });
  }

  const failing: readonly (readonly [string, string, Partial<Recipe>, string])[] = [
    ["that the recipe does not let the page reach", "/elsewhere", { reach: [] }, "platform_bad_response"],
    ["that is not there", "/", { frame: "#none" }, "platform_bad_response"],
    ["behind a wall on the page around it", "/wall", {}, "platform_auth"],
    ["with a wall of its own", "/wall-inside", {}, "platform_auth"],
  ];
  for (const [what, path, change, code] of failing) {
    test(`${what}, fails as ${code}`, async () => {
      const { composer: known } = page.loaded().recipe;
      const composer = known === undefined ? undefined : { ...known, timeoutSeconds: 3 };
      const refused: string[] = [];
      const platform = platformOf(loaded(path, { ...change, ...(composer && { composer }) }), pool, {
        onDriven: (snapshots) => refused.push(...Object.keys(snapshots.refused)),
      });
      const outcome = await ask(platform, "Why?");
      assert.ok("code" in outcome && outcome.code === code, JSON.stringify(outcome));
      assert.deepEqual(refused, path === "/elsewhere" ? [`localhost:${new URL(page.address).port}`] : []);
    });
  }

  test("is pictured whole", async () => {
    const { screenshot, failure } = await tryRecipe({
      pool,
      loaded: loaded("/elsewhere"),
      question: "paragraphs=60",
      deepAnalysis: false,
      timeoutMs: 600_000,
      share: false,
      screenshot: true,
      signal: new AbortController().signal,
      tell: () => undefined,
    });
    assert.equal(failure, null);
    // The height in a PNG's header.
    assert.ok((screenshot?.readUInt32BE(20) ?? 0) > 2000, `${screenshot?.readUInt32BE(20)} pixels`);
  });
});
