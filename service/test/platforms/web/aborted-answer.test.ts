/** A page that lets its answer's requests go once it has read them, as Chromium reports of many that read them to the end. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { WARCParser } from "warcio";
import { readZip } from "../../../../evidence/src/read-zip.ts";
import { testPool } from "../../harness/browser.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { platformOf, result, servePage } from "./fixture.ts";

const { pool } = testPool({ after });
const page = `<!doctype html><textarea></textarea><button>Send</button><main></main><script>
  document.querySelector("button").onclick = async () => {
    document.querySelector("textarea").value = "";
    for (const body of ["first", "second"]) {
      const response = await fetch("/answer?of=1#part", { method: "POST", body });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!text.includes("[DONE]")) text += (await reader.read()).value;
      await reader.cancel();
    }
    const turn = document.querySelector("main").appendChild(document.createElement("article"));
    turn.textContent = "Kettle, café, 咖啡.";
  };
</script>`;
const part = (name: string) =>
  `data: ${name}\n\n${`data: {"text":"Kettle, café, 咖啡."}\n\n`.repeat(500)}data: [DONE]\n\n`;
const port = await servePage((request, response) => {
  if (request.url?.startsWith("/answer") !== true)
    return void response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  request.once("data", (name) => {
    // It never ends by itself.
    response.writeHead(200, { "content-type": "text/event-stream" }).write(part(String(name)));
  });
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
const loaded = { recipe, sha256: "0".repeat(64), storageState: null, file: "" };
const platform = platformOf(loaded, pool, { evidence: ["archive"] });
const { content, outcome } = await result(platform, "Why?");
const captured = (name: string) => Buffer.from(outcome.captures?.find((each) => each.name === name)?.bytes ?? []);

test("the response of an answer is kept as it was sent, though its request was aborted", () => {
  assert.equal(content, "Kettle, café, 咖啡.");
  assert.equal(String(captured("response.txt")), part("second"));
});

test("the archive has each response of the answer, of one address too", async () => {
  const warc = readZip(captured("page.wacz")).files.get("archive/data.warc.gz");
  assert.ok(warc !== undefined, `no archive: ${JSON.stringify(outcome.evidence)}`);
  const bodies: string[] = [];
  for await (const record of new WARCParser([warc]))
    if (record.warcType === "response" && record.warcTargetURI?.includes("/answer") === true)
      bodies.push(Buffer.from(await record.readFully(true)).toString());
  assert.deepEqual(bodies, [part("first"), part("second")]);
});
