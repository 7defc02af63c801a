/** A browser has one clipboard for all of its contexts: what a page copies, no page of another context reads. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import fc from "fast-check";
import { keepClipboard } from "../../src/platforms/web/page/clipboard-script.mjs";
import { parseRecipe, RecipeError } from "../../src/platforms/web/recipe/load-recipe.ts";
import { testPool } from "../harness/browser.ts";

const never = new AbortController().signal;
const site = createServer((_request, response) =>
  response
    .setHeader("content-type", "text/html")
    .end("<textarea id=text style='position:absolute;left:0;top:0;width:200px;height:100px'></textarea>"),
);
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
after(() => {
  site.closeAllConnections();
  site.close();
});
const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
const reach = { hosts: ["127.0.0.1"] };

/** Every way in which a page can ask for the clipboard, right after a click. */
const readings = `(async () => {
  const field = document.getElementById("text");
  const told = [];
  const note = (way, value) => told.push(way + ": " + value);
  addEventListener("paste", (event) => note("paste event", event.clipboardData?.getData("text/plain")));
  field.focus();
  for (const [way, read] of [
    ["readText", () => navigator.clipboard.readText()],
    ["read", async () => (await (await navigator.clipboard.read())[0].getType("text/plain")).text()],
    ["bare readText", () => {
      delete navigator.clipboard;
      return navigator.clipboard.readText();
    }],
  ]) note(way, await Promise.resolve().then(read).catch((error) => "refused " + error.name));
  note("execCommand", document.execCommand("paste"));
  note("field", field.value);
  return told.join("\\n");
})()`;

for (const [name, isWatched] of [
  ["a recipe that copies", true],
  ["any other page", false],
] as const)
  test(`what one page copies is not read by another of the same browser (${name})`, async (t) => {
    const { pool } = testPool(t);
    await pool.withContext(never, { reach }, async ({ context: copying }) =>
      pool.withContext(never, { reach }, async ({ context: reading }) => {
        assert.equal(copying.browser(), reading.browser(), "one browser");
        if (isWatched) await reading.addInitScript(keepClipboard);
        const [from, to] = [await copying.newPage(), await reading.newPage()];
        await from.goto(address);
        await to.goto(address);
        await from.bringToFront();
        await from.click("#text");
        await from.keyboard.insertText("a secret of somebody else");
        await from.keyboard.press("ControlOrMeta+A");
        await from.keyboard.press("ControlOrMeta+C");
        await from.evaluate("document.execCommand('copy')");
        await from.evaluate("navigator.clipboard.writeText('a secret of somebody else').catch(() => {})");
        await to.bringToFront();
        await to.click("#text");
        const told = await to.evaluate<string>(readings);
        assert.doesNotMatch(told, /secret/);
        assert.match(told, /bare readText: refused/);
      }),
    );
  });

test("a recipe that would paste is refused, whatever the keys are called", () => {
  const recipe = (press: string) => `recipe: 1
name: Page
entry: https://example.com/
version: 1
verified: true
composer: { input: textarea, submit: { press: "${press}" } }
turn: { each: .turn, text: .text }
complete: { done: .done }
`;
  const modifiers = fc.subarray(["Alt", "AltGraph"]);
  const paste = fc.oneof(
    fc.tuple(fc.constantFrom("Control", "Meta", "ControlOrMeta", "control"), fc.constantFrom("v", "V", "KeyV")),
    fc.tuple(fc.constant("Shift"), fc.constant("Insert")),
  );
  fc.assert(
    fc.property(modifiers, paste, fc.boolean(), (more, [modifier, key], isFirst) => {
      const press = [...(isFirst ? [modifier, ...more] : [...more, modifier]), key].join("+");
      assert.throws(() => parseRecipe(recipe(press)), RecipeError, press);
    }),
  );
  for (const press of ["Enter", "Control+Enter", "Shift+v", "v", "Insert", "Control+Insert"])
    assert.equal(parseRecipe(recipe(press)).name, "Page", press);
});
