/** An assistant that nobody here wrote (deep-chat, in shadow roots), asked with nothing but a recipe: alone, and in another site's frame. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testPool } from "../../harness/browser.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { ask, platformOf, result, servePage } from "./fixture.ts";

const { pool } = testPool({ after });
const bundle = readFileSync(new URL("../dist/deepChat.bundle.js", import.meta.resolve("deep-chat")));
const text = `## Espresso

Grind **finer** when the shot runs fast, as [One](https://one.example/a?b=1&c=2) and [Two](https://two.example/) say.

- Weigh the beans.
- Change one thing.

| Setting | Seconds |
| ------- | ------- |
| 8       | 22      |

Fin.`;

/** The app's page, a page that has it in a frame, and a server that streams, with a stall in the middle. */
const port = await servePage((request, response) => {
  const html = { "content-type": "text/html; charset=utf-8" };
  if (request.url === "/app.js") response.writeHead(200, { "content-type": "text/javascript" }).end(bundle);
  else if (request.url === "/framed")
    response
      .writeHead(200, html)
      .end(`<!doctype html><h1>A shop</h1><iframe width="700" height="500" src="${address("localhost")}/"></iframe>`);
  else if (request.url === "/chat") stream().catch(() => response.destroy());
  else {
    const connect = `{"url":"/chat","stream":true}`;
    response
      .writeHead(200, html)
      .end(`<!doctype html><script type="module" src="/app.js"></script><deep-chat connect='${connect}'></deep-chat>`);
  }
  async function stream() {
    let asked = "";
    for await (const part of request) asked += String(part);
    if (asked.includes("refuse")) return void response.writeHead(503).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < text.length; at += 30) {
      response.write(`data: ${JSON.stringify({ text: text.slice(at, at + 30) })}\n\n`);
      await sleep(at === 90 ? 3000 : 20);
    }
    response.end();
  }
});
const address = (host: string) => `http://${host}:${port}`;

const recipe = parseRecipe(`
recipe: 1
name: deep-chat
version: 1
verified: true
entry: ${address("127.0.0.1")}/
reach: [localhost]
composer:
  input: "#text-input"
  submit: { press: Enter }
turn:
  each: .deep-chat-outer-container-role-ai
  text: .ai-message-text
network:
  answer: { url: /chat$, method: POST }
complete:
  busy: "#stop-icon"
  done: .ai-message-text:not(.streamed-message)
extract:
  sources:
    each: .ai-message-text a
    fields: { title: ., url: "@href" }
`);
const loaded = (change: object) => ({
  recipe: { ...recipe, ...change },
  sha256: "0".repeat(64),
  storageState: null,
  file: "",
});
const places = [
  ["on a page of its own", {}],
  ["in another site's frame", { entry: `${address("127.0.0.1")}/framed`, frame: "iframe" }],
] as const;

suite("an assistant that nobody here wrote", { concurrency: 2 }, () => {
  for (const [where, change] of places) {
    test(`gives its whole answer, ${where}, past a stall`, async () => {
      const { content, sources } = await result(platformOf(loaded(change), pool), "How fine?\nIn two lines.");
      assert.equal(content, text.replace("b=1&c=2", "b=1\\&c=2"));
      assert.deepEqual(
        sources.map(({ title, url }) => [title, url]),
        [
          ["One", "https://one.example/a?b=1&c=2"],
          ["Two", "https://two.example/"],
        ],
      );
    });

    test(`that fails, ${where}, is told as a failure`, async () => {
      const outcome = await ask(platformOf(loaded(change), pool), "Please refuse.");
      assert.ok(outcome.kind === "retryable" && outcome.code === "platform_unavailable", JSON.stringify(outcome));
    });
  }
});
