/** A card stands by itself after any text: texts made of everything that opens, ends or contains blocks, in every kind of order. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { closeOpenBlock } from "../../src/answers/close-open-block.ts";
import { composeResult, readCards } from "../../src/answers/index.ts";
import { answer, apiPlatform, markdown, options, product, video } from "./answers.ts";

/** `npm run test:all` sets 1,500. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 500);

const words = (text: string) => text.split(" ");
const indent = fc.constantFrom("", "", "", "", " ", "  ", "  ", "   ", "    ", "     ", "\t", " \t", "      ");
const marker = fc.constantFrom("- ", "* ", "+ ", "1. ", "2. ", "10) ", "-\t", "-", "1.", "> ", ">", "-     ", "- - ", "> - ", "- > ", "[^1]: ", "[a]: "); // prettier-ignore
const block = fc.constantFrom(
  ...words("text ``` ```` ~~~ ~~~~ <!-- --> <!--> <!---> <pre> </pre> <script> </script> <style <textarea> <? ?> <?>"),
  ...words(
    "<![CDATA[ ]]> ]]]> <!X > <div> </div> <table <my-tag> </my-tag> <a <a>x <https://a.example> <pre/> <ſcript>",
  ),
  ...words(
    "=== --- *** <search> <source> <hgroup> ` \\ &lt; [a]: ( $$ <!doctype <x@y.z> \u00a0 \f \ufeff \u2028 \u0085",
  ),
  ...[
    "``` js",
    "``` a`b",
    "~~~ a`b",
    "~~~ \u2028",
    "<!-- x -->",
    '<my-tag a="b">',
    "# h",
    "- - -",
    "| a | b |",
    "| - | - |",
  ],
  ...["    code", "[x]: <y", "text <!--", "text ```", "<!doctype html>", "<pre></pre>", "<?x?>", "", "", ""],
);
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\n", "\n\n", "\r", "\r\n", "\n \n", "\n\t\n");
const line = fc
  .tuple(indent, fc.array(marker, { maxLength: 3, size: "-1" }), block, fc.option(block, { freq: 6 }))
  .map(([space, markers, first, second]) => `${space}${markers.join("")}${first}${second ?? ""}`);
const mix = fc
  .array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 10, size: "max" })
  .map((lines) => lines.flat().join(""));

const gfmTree = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
const probe = "> **video** · Pouring";

/** Where the last block at the margin begins. */
function lastBlock(text: string, isGfm: boolean): { type: string; offset: number } {
  const tree = isGfm ? fromMarkdown(text, { extensions: [gfm()], mdastExtensions: gfmTree }) : fromMarkdown(text);
  const last = tree.children.at(-1);
  // Places do not count a byte order mark at the beginning.
  return { type: last?.type ?? "", offset: (last?.position?.start.offset ?? -1) + (text.startsWith("\ufeff") ? 1 : 0) };
}

function assertCardStandsAlone(given: string, isFirst: boolean): void {
  const text = given.trimEnd();
  if (text.trim() === "") return;
  const before = `${isFirst ? "" : `${probe}\n\n`}${closeOpenBlock(text)}\n\n`;
  for (const isGfm of [false, true])
    assert.deepEqual(lastBlock(before + probe, isGfm), { type: "blockquote", offset: before.length });
}

test("whatever a text leaves open, a card after it is a quote of its own, for CommonMark and for GFM", () => {
  fc.assert(fc.property(mix, fc.boolean(), assertCardStandsAlone), { numRuns: runs });
});

test("so it is after a text that the parser reads in portions", () => {
  const filler = fc.constantFrom("\n", "\n\n", "\n  ", "\n> ").map((start) => `${start}${"word ".repeat(250)}\n`);
  const long = fc
    .array(fc.tuple(mix, filler), { minLength: 2, maxLength: 8, size: "max" })
    .map((pieces) => pieces.flat().join(""));
  fc.assert(fc.property(long, fc.boolean(), assertCardStandsAlone), { numRuns: Math.ceil(runs / 10) });
});

test("so it is after a text that is too long, too deep or too slow to parse; its fences are escaped", () => {
  const open = "```js\nconst a = 1;";
  for (const long of [
    "word\n\n".repeat(30_000),
    `${"1. ".repeat(50)}\n\n`,
    "- a\n".repeat(8_000),
    "> a\nb\n".repeat(8_000),
  ]) {
    assertCardStandsAlone(`${long.slice(0, 30)}\n\n${open}`, false);
    const written = closeOpenBlock(`${long}\n\n${open}`);
    assert.ok(written.endsWith(`\n\n\\${open}`), written.slice(-40));
  }
});

test("content of mixes and cards read back gives every card", () => {
  fc.assert(
    fc.property(fc.array(mix, { minLength: 1, maxLength: 3 }), (mixes) => {
      const parts = mixes.flatMap((text, index) => [markdown(text), index % 2 === 0 ? product() : video()]);
      const { content } = composeResult(answer({ parts }), apiPlatform, options);
      assert.deepEqual(
        readCards(content ?? "").map(({ position }) => position),
        mixes.map((_, index) => index + 1),
      );
    }),
    { numRuns: Math.ceil(runs / 3) },
  );
});

describe("a text as people and models write it is kept to the letter, and closed where it is open", () => {
  const kept = [
    "Steps:\n\n1. Install:\n   ```sh\n   npm i\n   ```\n2. Run:\n   ```sh\n   npm start\n   ```",
    "- a\n- b\n  ```js\n  code\n  ```\n- c\n\nText\n\n```js\nx\n```",
    "* one\n\n  ~~~\n  code\n  ~~~\n\n  more\n* two",
    "10. ten\n    ```\n    code\n    ```\n11. eleven",
    "Compare `a < b`:\n```ts\nif (a < b) {}\n```\nDone <b>well</b>.",
    "<details>\n<summary>Code</summary>\n\n```js\nx\n```\n\n</details>",
    "| a | b |\n| - | - |\n| <br> | `x` |\n\n```\ncode\n```",
    "> quoted\n> ```\n> code\n> ```\n\n<https://a.example> and <!-- a note -->",
    "    indented\n    code\n\n```\nfenced\n```",
    "Heading\n===\n```\ncode\n```\n---\n~~~\nmore\n~~~",
    "<!-- a\nnote -->\n<pre>\ntext\n</pre>\n\n```\ncode\n```",
  ];
  for (const text of kept) {
    test(JSON.stringify(text), () => assert.equal(closeOpenBlock(text), text));
  }
  test("an open fence is closed by its own mark", () => {
    assert.equal(closeOpenBlock("1. a\n2. b\n\n````js\nx\n```"), "1. a\n2. b\n\n````js\nx\n```\n````");
  });
  test("a fence that belongs to a list item ends with the list", () => {
    const lazy = "- a\nlazy text of the item\n  ```\n  code";
    assert.equal(closeOpenBlock(lazy), lazy);
  });
});
