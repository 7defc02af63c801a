import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { toMarkdown } from "../../../src/platforms/web/extract/to-markdown.ts";

const markdown = (html: string) => toMarkdown(html).map((stretch) => ("markdown" in stretch ? stretch.markdown : ""));

suite("superscripts and subscripts", () => {
  const terms = [
    ["10<sup>6</sup>", "10⁶"],
    ["10<sup>−3</sup>", "10⁻³"],
    ["CO<sub>2</sub>", "CO₂"],
    ["x<sup>2<em>n</em>+1</sup>", "x²ⁿ⁺¹"],
    ["e<sup>a+b</sup>", "e^(a+b)"],
    ["2<sup>1/2</sup>", "2^(1/2)"],
    ["log<sub>10x</sub>", String.raw`log\_(10x)`],
    ["on the 1<sup>st</sup>", "on the 1st"],
    ["Nova<sup>®</sup>", "Nova®"],
    ["v<sub>max</sub>", "vmax"],
    ["so<sup>[1]</sup>", String.raw`so\[1]`],
    ['so<sup><a href="https://one.example/">1</a></sup>', "so[1](https://one.example/)"],
    ["<code>x<sup>2</sup></code>", "`x2`"],
  ] as const;
  for (const [html, written] of terms)
    test(`${html} is ${written}`, () => assert.deepEqual(markdown(`<p>${html}</p>`), [written]));
});

test("code without text is left out, since its backticks would begin code that the next ones end", () => {
  assert.deepEqual(markdown("<p>One <code></code>*not code* <code> </code>two <code>x</code></p>"), [
    String.raw`One \*not code\* two ${"`x`"}`,
  ]);
});
