/** The page of an answer opens by itself as it looked. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { servePages, type CorpusPage } from "./corpus/serve.ts";
import { platformOf, result } from "./fixture.ts";

const { pool } = testPool({ after });

const page: CorpusPage = {
  name: "looks",
  files: {
    "look.css": `@media all { .text p { color: rgb(1, 2, 3); background: url(paper.png) } } .unused { color: red }`,
  },
  head: `<link rel="stylesheet" href="/looks/look.css"><meta name="csrf-token" content="secret">`,
  answer: `<p>Schöne Grüße <a href="more">more</a></p><answer-note></answer-note><iframe srcdoc="<style>b { color: rgb(7, 8, 9) }</style><b>Framed</b>"></iframe>`,
  show: `text.innerHTML = html;
    const root = text.querySelector("answer-note").attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("em { color: rgb(4, 5, 6) } :host { display: block }");
    root.adoptedStyleSheets = [sheet];
    root.innerHTML = "<em>In a shadow root</em><input type=hidden value=secret>";
    await new Promise((done) => setTimeout(done, 100));`,
};
const recipeOf = await servePages([page]);

test("has the page's styles, frames, shadow roots, character set and base, and no marks", async () => {
  const loaded = recipeOf("looks");
  const { pageHtml, content } = await result(platformOf(loaded, pool), "Why?");
  assert.match(content ?? "", /Framed/);
  assert.ok(pageHtml !== null);
  assert.doesNotMatch(pageHtml, /querent|<script|secret|\.unused/);
  const looks = await openedAlone(pageHtml);
  assert.deepEqual(looks, {
    text: "rgb(1, 2, 3)",
    words: "Schöne Grüße more",
    link: new URL("/more", loaded.recipe.entry).href,
    picture: `url("${new URL("/looks/paper.png", loaded.recipe.entry).href}")`,
    shadow: "rgb(4, 5, 6)",
    frame: "rgb(7, 8, 9)",
  });
});

/** Serves the HTML without a character set, and reads what the browser makes of it. */
async function openedAlone(html: string): Promise<unknown> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const needs = { reach: { hosts: ["127.0.0.1"] }, context: {} };
    return await pool.withContext(new AbortController().signal, needs, async ({ context }) => {
      const opened = await context.newPage();
      await opened.goto(address);
      return opened.evaluate(`(() => {
        const text = document.querySelector(".text p");
        const colour = (node) => getComputedStyle(node).color;
        return {
          text: colour(text),
          words: text.innerText,
          link: text.querySelector("a").href,
          picture: getComputedStyle(text).backgroundImage,
          shadow: colour(document.querySelector("answer-note").shadowRoot.querySelector("em")),
          frame: colour(document.querySelector("iframe").contentDocument.querySelector("b")),
        };
      })()`);
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
