/** A small assistant's page for tests of the recipe language: each test says what is on it. */
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import type { LoadedRecipe } from "../../../src/platforms/index.ts";
import { servePage } from "./fixture.ts";

export interface SmallPage {
  /** HTML before the form. */
  readonly html?: string;
  /** HTML of the assistant's turn; `Answer.` where not said. */
  readonly turn?: string;
  /** A script that runs when the answer is on the page. */
  readonly script?: string;
  /** The response that brings the answer. */
  readonly answer?: string;
  /** Statuses of the page, one after the other; the last one again and again. */
  readonly statuses?: readonly number[];
  /** The whole page instead, made from its address. */
  readonly whole?: (address: URL) => string;
}

/** Serves the page, and returns a recipe for it with `changes`: members of the recipe, as YAML. */
export async function smallPage(page: SmallPage, changes = ""): Promise<LoadedRecipe> {
  let opened = 0;
  const port = await servePage((request, response) => {
    const url = new URL(request.url ?? "/", "http://page");
    if (url.pathname === "/answer") {
      const answer = page.answer ?? "{}";
      // As assistants do, without a character set.
      if (answer.startsWith("data:")) response.setHeader("content-type", "text/event-stream");
      request.resume().on("end", () => response.end(answer));
      return;
    }
    const status = page.statuses?.[Math.min(opened, page.statuses.length - 1)] ?? 200;
    opened++;
    response
      .writeHead(status, { "content-type": "text/html; charset=utf-8" })
      .end(page.whole?.(url) ?? htmlOf(page, status));
  });
  const entry = `http://127.0.0.1:${port}/`;
  const own = Object.fromEntries(changes.split(/^(?=\w)/m).map((part) => [part.split(":", 1)[0] ?? "", part]));
  // A member without a value is left out.
  const text = Object.values({ ...members(entry), ...own })
    .filter((part) => !/^\w+:\s*$/.test(part))
    .join("\n");
  return {
    recipe: parseRecipe(text.replaceAll("ENTRY", entry)),
    sha256: "0".repeat(64),
    storageState: null,
    file: "",
  };
}

const members = (entry: string) => ({
  recipe: "recipe: 1",
  name: "name: Small page",
  version: "version: 1",
  verified: "verified: true",
  entry: `entry: ${entry}`,
  composer: "composer: { input: textarea, submit: { click: button.send }, timeoutSeconds: 120 }",
  turn: "turn: { each: .turn, text: .text }",
  network: "network: { answer: { url: /answer$, method: POST, keep: true } }",
  complete: "complete: { done: .done }",
});

/** A page that refused access opens itself again, as one does that checks its visitors with a script. */
function htmlOf({ html = "", turn = "Answer.", script = "" }: SmallPage, status: number): string {
  if (status === 403) return `<!doctype html><p>Checking your browser</p><script>location.reload()</script>`;
  return `<!doctype html><nav></nav>${html}<main></main><form><textarea></textarea><button class="send">Send</button></form>
<script>
  const main = document.querySelector("main");
  document.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    const field = document.querySelector("textarea");
    const question = field.value;
    field.value = "";
    main.append(Object.assign(document.createElement("div"), { className: "user", innerText: question }));
    await (await fetch("/answer", { method: "POST", body: question })).text();
    const turn = document.createElement("div");
    turn.className = "turn";
    turn.innerHTML = ${JSON.stringify(`<div class="text">${turn}</div><i class="done">·</i>`)};
    main.append(turn);
    ${script}
  };
</script>`;
}
