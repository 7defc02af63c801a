/** A page that asks again and again whether there is more of its answer: no request of it is the answer's, and none ends it but the last. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { ask, platformOf, result, servePage } from "./fixture.ts";

const { pool } = testPool({ after });
const page = `<!doctype html><textarea></textarea><button>Send</button><main></main><script>
  const poll = async () => (await fetch("/more", { method: "POST" })).json();
  setInterval(() => fetch("/more"), 200);
  document.querySelector("button").onclick = async () => {
    const question = document.querySelector("textarea").value;
    document.querySelector("textarea").value = "";
    await fetch("/ask", { method: "POST", body: question });
    const turn = document.querySelector("main").appendChild(document.createElement("article"));
    for (;;) {
      const { text, state } = await poll();
      turn.textContent = text;
      if (state === "done") return;
      await new Promise((done) => setTimeout(done, 100));
    }
  };
</script>`;
let asked = { at: 0, question: "" };
const port = await servePage((request, response) => {
  if (request.url === "/ask") {
    const parts: Buffer[] = [];
    request
      .on("data", (part: Buffer) => parts.push(part))
      .on("end", () => {
        asked = { at: performance.now(), question: String(Buffer.concat(parts)) };
        response.end();
      });
  } else if (request.url === "/more") {
    const passed = performance.now() - asked.at;
    const isDone = passed > 4000 && !asked.question.includes("never");
    const text = isDone ? "Half of it, and the other half." : "Half of it,";
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ text, state: isDone ? "done" : "more" }));
  } else response.writeHead(200, { "content-type": "text/html" }).end(page);
});
const recipe = parseRecipe(`
recipe: 1
name: Polling
version: 1
verified: true
entry: http://127.0.0.1:${port}/
composer: { input: textarea, submit: { click: button } }
turn: { each: article }
complete: {}
network:
  answer: { url: /more$, method: POST, bodyEnd: '"state":"done"', keep: true }
`);
const platform = platformOf({ recipe, sha256: "0".repeat(64), storageState: null, file: "" }, pool);

test("an answer that is polled for is whole with the response that says so, and not when its text rests", async () => {
  const { content, outcome } = await result(platform, "Why?");
  assert.equal(content, "Half of it, and the other half.");
  const response = outcome.captures?.find(({ name }) => name === "response.json");
  assert.match(String(Buffer.from(response?.bytes ?? [])), /"state":"done"/);
});

test("one that never ends is a failure, though its text rests and its requests have ended", async () => {
  const outcome = await ask(platform, "never", { budgetMs: 9000 });
  assert.ok(outcome.kind === "retryable" && outcome.code === "platform_timeout", JSON.stringify(outcome));
});
