import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import type { LoadedRecipe } from "../../../../src/platforms/index.ts";
import { parseRecipe } from "../../../../src/platforms/web/recipe/load-recipe.ts";

/** An assistant's page that answers one thing in its own way. */
export interface CorpusPage {
  readonly name: string;
  /** What the model sent, if not the same as on the other pages. */
  readonly sent?: string;
  /** The answer's HTML, which the page receives after the question. */
  readonly answer: string;
  readonly head?: string;
  /** Statements of the page that show `html` in the element `text` of the turn; the default sets it. */
  readonly show?: string;
  /** Lines of the recipe. */
  readonly recipe?: string;
  /** Further resources by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Serves pages for the tests of one file, and returns their recipes. */
export async function servePages(pages: readonly CorpusPage[]): Promise<(name: string) => LoadedRecipe> {
  const server = createServer((request, response) => {
    const [, name = "", file] = (request.url ?? "").split("/");
    const page = pages.find((each) => each.name === name);
    const body = file === undefined ? page && pageOf(page) : file === "answer" ? page?.answer : page?.files?.[file];
    const type = file?.endsWith(".css") === true ? "text/css" : "text/html";
    response.writeHead(body === undefined ? 404 : 200, { "content-type": `${type}; charset=utf-8` }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (name) => ({
    recipe: parseRecipe(recipeOf(`${origin}/${name}`, pages.find((each) => each.name === name)?.recipe ?? "")),
    sha256: "0".repeat(64),
    storageState: null,
    file: "",
  });
}

const recipeOf = (entry: string, more: string) => `
recipe: 1
name: Corpus
version: 1
verified: true
entry: ${entry}
composer: { input: textarea, submit: { click: button.send } }
turn: { each: .turn.assistant, text: .text }
network: { answer: { url: /answer$, method: POST } }
complete: { done: i.done }
${more}`;

const pageOf = ({ name, head = "", show = "text.innerHTML = html;" }: CorpusPage) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Corpus</title>
<style>.done { display: inline-block; width: 1px; height: 1px } .sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }</style>
${head}</head><body><main></main><form><textarea aria-label="Ask"></textarea><button class="send" type="submit">Send</button></form>
<script>
const finish = (turn) => turn.insertAdjacentHTML("beforeend", '<button class="copy">Copy</button><i class="done"></i>');
document.querySelector("form").onsubmit = async (event) => {
  event.preventDefault();
  const field = document.querySelector("textarea");
  document.querySelector("main").insertAdjacentHTML("beforeend", '<div class="turn user"></div><div class="turn assistant"><h5 class="sr-only">The assistant said:</h5><div class="text"></div></div>');
  document.querySelector(".turn.user").textContent = field.value;
  field.value = "";
  const html = await (await fetch("/${name}/answer", { method: "POST" })).text();
  const turn = document.querySelector(".turn.assistant");
  const text = turn.querySelector(".text");
  const show = async () => { ${show} };
  await show();
  finish(turn);
};
</script></body></html>`;
