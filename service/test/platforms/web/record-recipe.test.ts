/** A recipe that is recorded by pointing at a page asks that page. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { testPool } from "../../harness/browser.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import { checkRecorded } from "../../../src/platforms/web/try-recipe.ts";
import { pointedAt, recordRecipe, type Pointed } from "../../../src/platforms/web/recipe/record-recipe.ts";
import { examplePage, platformOf, result } from "./fixture.ts";
import { smallPage } from "./small-page.ts";

const { pool } = testPool({ after });

test("a recipe is recorded by pointing at a page, and asks it", async () => {
  const page = await examplePage();
  const places = { composer: "textarea", submit: "button.send", answer: ".turn .text p >> nth=0", done: "button.copy" };
  const { text } = await pool.withContext(
    new AbortController().signal,
    { reach: { hosts: ["*"] }, context: {} },
    async ({ context }) => {
      let current: Page | null = null;
      context.on("page", (opened) => (current = opened));
      return recordRecipe({
        context,
        url: page.address,
        ready: async () => undefined,
        // The author points by clicking, and skips the sources. A button that is disabled can be pointed at, too.
        skip: async (what, pointed) => {
          if (what === "source") return;
          await current
            ?.locator(places[what])
            .first()
            .click({ force: what === "submit" });
          await new Promise((resolve) => pointed.addEventListener("abort", resolve));
          throw new Error("The question in the terminal was withdrawn.");
        },
        asked: async (asked) => {
          assert.equal(await asked.locator(".turn").count(), 0, "the page learned of no click");
          await asked.fill("textarea", "Why?");
          await asked.click("button.send");
          await asked.locator("i.done").waitFor({ state: "attached" });
        },
      });
    },
  );
  const recipe = parseRecipe(text);
  assert.match(text, /^# Recorded by pointing/);
  const { content } = await result(platformOf({ ...page.loaded(), recipe }, pool), "How fine?");
  assert.match(content ?? "", /An example answer/);
  assert.match(content ?? "", /That is the end of the answer\./);
});

test("clicks are the page's again once an element is skipped", async () => {
  const page = await examplePage();
  const { text } = await pool.withContext(
    new AbortController().signal,
    { reach: { hosts: ["*"] }, context: {} },
    ({ context }) =>
      recordRecipe({
        context,
        url: page.address,
        ready: async () => undefined,
        skip: async () => undefined,
        asked: async (asked) => {
          await asked.fill("textarea", "Why?");
          await asked.click("button.send");
          await asked.locator("i.done").waitFor({ state: "attached" });
        },
      }),
  );
  assert.deepEqual(parseRecipe(text).turn.each, ["main"]);
});

interface Pointing {
  readonly places: Partial<Record<Pointed, string>>;
  readonly send: string;
  /** Where the page shows that its answer is complete. */
  readonly whole: string;
  readonly timeoutMs?: number;
  /** Called when the check takes the answer for complete. */
  readonly atEnd?: (page: Page) => void;
}

/** Records a recipe of a page as its author would, and checks it with another question. */
const recordAndCheck = (url: string, { places, send, whole, timeoutMs = 60_000, atEnd }: Pointing) =>
  pool.withContext(
    new AbortController().signal,
    { reach: { hosts: ["*"] }, context: {} },
    async ({ context, refused }) => {
      let current: Page | null = null;
      const wanted: Pointed[] = [];
      context.once("page", (opened) => (current = opened));
      const { text, answer } = await recordRecipe({
        context,
        url,
        ready: async () => undefined,
        skip: async (what, pointed) => {
          wanted.push(what);
          const place = places[what];
          if (place === undefined) return;
          await current?.locator(place).first().click({ force: true });
          await new Promise((resolve) => pointed.addEventListener("abort", resolve));
        },
        asked: async (page) => {
          await page.fill("textarea", "Why first?");
          await page.click(send);
          await page.locator(whole).last().waitFor({ state: "attached" });
        },
      });
      const recipe = parseRecipe(text);
      const loaded = { recipe, sha256: "0".repeat(64), storageState: null, file: "" };
      const faults = await checkRecorded({
        ...{ context, refused, loaded, question: "Why second?", recordedAnswer: answer, timeoutMs },
        tell: ({ step }) => {
          const asked = context.pages().at(-1);
          if (step === "check" && asked !== undefined) atEnd?.(asked);
        },
      });
      return { recipe, faults, wanted };
    },
  );

test("what shows the end of an answer is found without pointing, and the recipe answers a second question", async () => {
  const page = await examplePage();
  const { recipe, faults, wanted } = await recordAndCheck(page.address, {
    places: { composer: "textarea", submit: "button.send", answer: ".turn .text p >> nth=0" },
    send: "button.send",
    whole: "button.copy",
  });
  assert.deepEqual(faults, []);
  assert.deepEqual(
    wanted,
    Object.keys(pointedAt).filter((what) => what !== "done"),
  );
  assert.equal(recipe.verified, false);
});

/** A page that answers with what was asked, and shows what a template says below or beside it. */
const templated = (turn: string, user: string) => () =>
  `<!doctype html><main class="_main_x9f3a1"></main>
<form data-testid="ask-form"><textarea aria-label="Ask anything"></textarea><button class="b7_x93kd" aria-label="Send">↑</button></form>
<script>
  const main = document.querySelector("main");
  const add = (html, question) => {
    const part = document.createElement("div");
    part.innerHTML = html.replaceAll("QUESTION", question);
    main.append(part.firstElementChild);
  };
  document.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    const field = document.querySelector("textarea");
    const question = field.value;
    field.value = "";
    add(${JSON.stringify(user)}, question);
    await (await fetch("/answer", { method: "POST", body: question })).text();
    add(${JSON.stringify(turn)}, question);
  };
</script>`;

test("data attributes and roles are preferred to generated classes, and advertisements are left out", async () => {
  const turn = `<div data-message-author="assistant" class="css-1x9f3a"><div class="md_k39dk2" data-content="answer"><p>Grind finer, is the answer to QUESTION</p><p>As <a class="cite" href="https://one.example/">One</a> says.</p></div><section data-promo class="p_39dkd2"><small>Sponsored</small><a href="https://brew.example/pro?gclid=1">Brew Pro</a></section><button class="x_93kd21" aria-label="Copy answer">⧉</button></div>`;
  const user = `<div data-message-author="user" class="css-1x9f3a">QUESTION</div>`;
  const { recipe } = await smallPage({ whole: templated(turn, user) });
  const found = await recordAndCheck(recipe.entry, {
    places: { composer: "textarea", submit: "form button", answer: "[data-content] p", source: "a.cite" },
    send: "form button",
    whole: "[aria-label='Copy answer']",
  });
  assert.deepEqual(found.faults, []);
  const { turn: turns, complete, composer, extract } = found.recipe;
  assert.deepEqual(
    [turns.each, turns.text],
    [[`div[data-message-author="assistant"]`], [`div[data-content="answer"]`]],
  );
  assert.deepEqual(complete.done, [`button[aria-label="Copy answer"]`]);
  assert.deepEqual(composer?.input, [`textarea[aria-label="Ask anything"]`]);
  assert.deepEqual([extract?.ads].flat()[0]?.each, ["section[data-promo]"]);
  const { content, sources, ads } = await result(
    platformOf({ recipe: found.recipe, sha256: "0".repeat(64), storageState: null, file: "" }, pool),
    "Which mill?",
  );
  assert.match(content ?? "", /^Grind finer, is the answer to Which mill\?\n\nAs \[One\]/);
  assert.deepEqual(
    sources.map(({ url }) => url),
    ["https://one.example/"],
  );
  assert.deepEqual(
    ads?.map(({ url }) => url),
    ["https://brew.example/pro"],
  );
});

test("on a page without anything stable, a turn is told from the user's by what it contains", async () => {
  const turn = `<div class="_a_93kd21"><div class="markdown"><p>Grind finer, is the answer to QUESTION</p></div><div><button>Copy</button></div></div>`;
  const user = `<div class="_a_93kd21"><p>QUESTION</p></div>`;
  const { recipe } = await smallPage({ whole: templated(turn, user) });
  const found = await recordAndCheck(recipe.entry, {
    places: { composer: "textarea", submit: "form button", answer: ".markdown p" },
    send: "form button",
    whole: "button:has-text('Copy')",
  });
  assert.deepEqual(found.faults, []);
  assert.deepEqual(found.recipe.turn.each, ["main > div:has(div.markdown)"]);
});

const turn = `<div data-turn="assistant"><div data-content="answer"><p>Grind finer, is the answer to QUESTION</p></div><button aria-label="Copy">⧉</button></div>`;

test("a recipe that reads something else than the answer fails its check", async () => {
  const user = `<div data-turn="user"><p data-asked="asked">QUESTION</p><button aria-label="Copy question">⧉</button></div>`;
  const { recipe } = await smallPage({ whole: templated(turn, user) });
  const { faults } = await recordAndCheck(recipe.entry, {
    places: { composer: "textarea", submit: "form button", answer: "[data-asked]" },
    send: "form button",
    whole: "[aria-label=Copy]",
    timeoutMs: 15_000,
  });
  assert.match(faults.join(" "), /^It did not get an answer: /);
});

test("and so does one that takes something for the end after which the answer goes on", async () => {
  const { recipe } = await smallPage({ whole: templated(turn, `<div data-turn="user">QUESTION</div>`) });
  const { faults } = await recordAndCheck(recipe.entry, {
    places: { composer: "textarea", submit: "form button", answer: "[data-content] p" },
    send: "form button",
    whole: "[aria-label=Copy]",
    atEnd: (page) =>
      void page.evaluate(
        `setTimeout(() => document.querySelector("[data-content]").append("And weigh the beans."), 500)`,
      ),
  });
  assert.match(faults.join(" "), /The answer went on after what was taken for its end/);
});
