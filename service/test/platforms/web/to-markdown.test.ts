import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { LeftOutWords } from "../../../src/platforms/web/extract/markdown/hast.ts";
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

suite("words are kept whatever element they stand in", () => {
  const texts = [
    [
      `<p>See <button data-streamdown="link">Coffee Guide</button> and <button>Burr Tests</button> for more.</p>`,
      "See Coffee Guide and Burr Tests for more.",
    ],
    [
      `<p>See <button data-href="https://one.example/">the guide</button>.</p>`,
      "See [the guide](https://one.example/).",
    ],
    [`<h3><button aria-expanded="false">Grinders</button></h3>`, "### Grinders"],
    [`<p>Press <button>Copy</button> to copy it. <button>Copy</button></p>`, "Press Copy to copy it."],
    [
      `<p>So it is<button>2</button>, they say <button class="citation-chip">One +2</button>.</p>`,
      "So it is, they say .",
    ],
    [`<p>Good <img class="emoji" alt="😀" src="https://cdn.example/1f600.png"> day</p>`, "Good 😀 day"],
    [
      `<button aria-label="Zoom"><img alt="A mill" src="https://one.example/mill.png"></button>`,
      "![A mill](https://one.example/mill.png)",
    ],
    [
      `<table><caption>Prices</caption><tr><th>a</th></tr><tr><td>one<br>two<br></td></tr></table>`,
      "Prices\n\n| a          |\n| ---------- |\n| one<br>two |",
    ],
    [`<ol><li value="3">c</li><li>d</li><li value="7">g</li></ol>`, "3. c\n4. d\n\n7) g"],
    [`<ul><li><button role="checkbox" aria-checked="true"></button> done</li></ul>`, "- [x] done"],
  ] as const;
  for (const [html, written] of texts)
    test(written.replaceAll("\n", " "), () => assert.deepEqual(markdown(html), [written]));

  test("and what is left out with words in it is noted", () => {
    const leftOut: LeftOutWords[] = [];
    toMarkdown(`<p>Text.</p><div><button>Copy</button><button>Ask about this</button></div>`, leftOut);
    assert.deepEqual(leftOut, [{ element: "button", text: "Ask about this" }]);
  });
});

suite("footnotes are those of Markdown, as drawn by", () => {
  const back = (id: string) =>
    `<a href="https://page.example/c/1#${id}" class="footnote-backref" data-footnote-backref>↩</a>`;
  const drawn = {
    remark: `<p>A claim<sup><a href="https://page.example/c/1#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup>.</p><section data-footnotes class="footnotes"><h2 id="footnote-label">Footnotes</h2><ol><li id="user-content-fn-1"><p>The note. ${back("user-content-fnref-1")}</p></li></ol></section>`,
    "markdown-it": `<p>A claim<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>.</p><hr class="footnotes-sep"><section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>The note. ${back("fnref1")}</p></li></ol></section>`,
    Pandoc: `<p>A claim<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p><section id="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>The note.<a href="#fnref1" role="doc-backlink">↩︎</a></p></li></ol></section>`,
  };
  for (const [name, html] of Object.entries(drawn))
    test(name, () => assert.equal(markdown(html).join("\n\n"), "A claim[^1].\n\n[^1]: The note."));
});

test("a display formula in a cell stays in the table", () => {
  const formula = `<span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block"><semantics><mi>ℏ</mi><annotation encoding="application/x-tex">\\hbar</annotation></semantics></math></span></span></span>`;
  assert.deepEqual(markdown(`<table><tr><th>a</th></tr><tr><td>${formula}</td></tr></table>`), [
    "| a       |\n| ------- |\n| $\\hbar$ |",
  ]);
});
