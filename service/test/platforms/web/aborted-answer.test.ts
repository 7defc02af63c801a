/** A page that lets its answer's request go once it has read the answer, as Chromium reports of many that read it to the end. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { parseRecipe } from "../../../src/platforms/web/load-recipe.ts";
import { platformOf, result, servePage } from "./fixture.ts";

const { pool } = testPool({ after });
const page = `<!doctype html><textarea></textarea><button>Send</button><main></main><script>
  document.querySelector("button").onclick = async () => {
    document.querySelector("textarea").value = "";
    const response = await fetch("/answer?of=1#part", { method: "POST" });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("[DONE]")) text += (await reader.read()).value;
    await reader.cancel();
    const turn = document.querySelector("main").appendChild(document.createElement("article"));
    turn.textContent = "Kettle, café, 咖啡.";
  };
</script>`;
const answer = `data: {"text":"Kettle, café, 咖啡."}\n\n`;
const port = await servePage((request, response) => {
  if (request.url?.startsWith("/answer") !== true)
    return void response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  // It never ends by itself.
  response.writeHead(200, { "content-type": "text/event-stream" }).write(`${answer.repeat(500)}data: [DONE]\n\n`);
});
const recipe = parseRecipe(`
recipe: 1
name: Letting go
version: 1
verified: true
entry: http://127.0.0.1:${port}/
composer: { input: textarea, submit: { click: button } }
turn: { each: article }
complete: {}
network: { answer: { url: /answer, method: POST, keep: true } }
`);
const platform = platformOf({ recipe, sha256: "0".repeat(64), storageState: null, file: "" }, pool);

test("the response of an answer is kept as it was sent, though its request was aborted", async () => {
  const { content, outcome } = await result(platform, "Why?");
  assert.equal(content, "Kettle, café, 咖啡.");
  const response = outcome.captures?.find(({ name }) => name === "response.txt");
  assert.equal(String(Buffer.from(response?.bytes ?? [])), `${answer.repeat(500)}data: [DONE]\n\n`);
});
