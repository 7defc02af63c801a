/** The extractor alone: snapshots in, answer out. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import katex from "katex";
import { bundledRecipes, loadBundledRecipe, loadRecipe } from "../../../src/platforms/index.ts";
import { bundledRecipe, parseRecipe, RecipeError } from "../../../src/platforms/web/recipe/load-recipe.ts";
import type { PageSnapshots } from "../../../src/platforms/web/page/snapshots.ts";
import { extractAnswer } from "../../../src/platforms/web/extract/extract-answer.ts";
import type { Recipe } from "../../../src/platforms/web/recipe/recipe.ts";
import { captured } from "./captured.ts";

const recipe = (more: string): Recipe =>
  parseRecipe(`
recipe: 1
name: Test
version: 1
verified: true
entry: https://assistant.example/
composer: { input: textarea, submit: { press: Enter } }
turn: { each: .turn, text: .text }
complete: { done: .done }
${more}`);
const markdownOf = (rules: Recipe, snapshots: PageSnapshots) => extractAnswer(rules, snapshots).text;

const chatgpt = loadBundledRecipe("chatgpt-web").recipe;

suite("what ChatGPT's page shows", () => {
  const pre = `<pre class="overflow-visible!"><div><div class="flex"><svg aria-hidden="true"></svg>Python</div><div><button aria-label="Copy"></button><button>Run</button></div></div><div class="cm-editor"><div class="cm-scroller"><div class="cm-content cm-readonly"><span>def</span><span> f(x):</span><br><span>    </span><span>return</span><span> x</span></div></div></div></pre>`;

  test("code in an editor comes out as code, with its language", () => {
    const turn = `<article data-testid="conversation-turn-2"><div data-message-author-role="assistant"><div class="markdown"><p>Here:</p>${pre}<p>Done.</p></div></div></article>`;
    assert.equal(markdownOf(chatgpt, captured(turn)), "Here:\n\n```python\ndef f(x):\n    return x\n```\n\nDone.");
  });

  test("code in an editor of the page of September 2026 does, too, without its bar", () => {
    const turn = `<div data-turn-key="1"><div data-content-search-unit-key="1:2:assistant"><div data-markdown-text-style="assistant-message"><p>Here:</p>
      <div data-markdown-copy="code-block"><div data-markdown-copy="exclude">python<button aria-label="Copy"></button></div><div><div contenteditable="true" role="textbox" aria-label="Edit code" data-language="python"><div>a = 1</div><div>b = 2</div></div></div><button aria-label="Scroll to bottom"></button></div></div></div></div>`;
    assert.equal(markdownOf(chatgpt, captured(turn)), "Here:\n\n```python\na = 1\nb = 2\n```");
  });

  test("a turn in two parts is one text, and what is between them is none", () => {
    const part = (text: string) =>
      `<div data-message-author-role="assistant"><div class="markdown"><p>${text}</p></div></div>`;
    const turn = `<div data-testid="conversation-turn-2"><h5 class="sr-only">ChatGPT said:</h5>${part("First.")}<button><span>Thought for 12s</span></button>${part("Second.")}</div>`;
    assert.equal(markdownOf(chatgpt, captured(turn)), "First.\n\nSecond.");
  });

  const folder = join(process.env["RECORDINGS_DIR"] ?? "", "chatgpt-web");
  const recorded = process.env["RECORDINGS_DIR"] !== undefined && existsSync(folder);
  test("recorded pages come out as others read them", { skip: !recorded && "RECORDINGS_DIR names no folder" }, () => {
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    const wanted = (name: string) =>
      read(name)
        .replace(/^```json[\s\S]*?```\s*/, "")
        .trim();
    const code = read("codeblocks--chatgpt-codemirror.html");
    const main = /<main>([\s\S]*)<\/main>/.exec(code)?.[1] ?? "";
    assert.equal(
      // Their title stands as a second heading, beside the page's own.
      markdownOf(chatgpt, captured(`<div class="markdown">${main}</div>`)).replace(/^# /, "## "),
      wanted("codeblocks--chatgpt-codemirror.expected.md"),
    );
    const turns = read("extractor--chatgpt-post-thought-content.html");
    const last = /<div data-testid="conversation-turn-2">[\s\S]*<\/div>\s*<\/main>/
      .exec(turns)?.[0]
      .replace("</main>", "");
    const said = wanted("extractor--chatgpt-post-thought-content.expected.md").split("**ChatGPT said**")[1]?.trim();
    assert.equal(markdownOf(chatgpt, captured(last ?? "")), said);
  });
});

suite("the extractor", () => {
  test("keeps a card's place, and puts it after a list or table that it stood in", () => {
    const rules = recipe(`extract: { products: { each: .p, fields: { title: ., url: "@data-url" } } }`);
    const card = (n: number) => `<span class="p" data-url="https://shop.example/${n}">Thing ${n}</span>`;
    const turn = `<div class="text"><p>One</p>${card(1)}<ul><li>a ${card(2)}</li><li>b</li></ul><p>End</p></div>${card(3)}`;
    const { answer } = extractAnswer(rules, captured(turn));
    assert.deepEqual(
      answer.parts.map((part) =>
        part.type === "markdown" ? part.markdown : part.type === "product" ? part.card.title : "",
      ),
      ["One", "Thing 1", "- a\n- b", "Thing 2", "End", "Thing 3"],
    );
  });

  test("drops what is hidden, unwraps and renames as the recipe says", () => {
    const rules = recipe(`rewrite: { drop: .ad, unwrap: .wrap, rename: { .heading: h3 } }`);
    const turn = `<div class="text"><div class="heading">Title</div><div class="wrap"><p>Text</p></div><p class="ad">Buy</p><p data-querent-hidden>Old</p><script>alert(1)</script></div>`;
    assert.equal(markdownOf(rules, captured(turn)), "### Title\n\nText");
  });

  test("leaves out a picture that the page carries in itself, and keeps one that has an address", () => {
    const turn = `<p><a href="https://one.example/">One<img alt="" title="opens a window"></a> <img src="https://two.example/p.png" alt="Two"></p>`;
    const { text } = extractAnswer(recipe("about: icons"), captured(turn));
    assert.equal(text, "[One](https://one.example/) ![Two](https://two.example/p.png)");
  });

  test("a text that the page shows twice is one text", () => {
    const whole = "<p>Grind finer when the shot runs fast.</p><p>That is the end.</p>";
    const cut = "<p>Grind finer when the shot</p>";
    for (const turn of [
      `<div class="text">${cut}</div><div class="text">${whole}</div>`,
      `<div class="text">${whole}</div><div class="text">${whole}</div>`,
      `<div class="text" data-querent-hidden>${whole}</div><div class="text">${whole}</div>`,
      `<div class="text"><div>${cut}${whole}</div></div>`,
    ]) {
      assert.equal(markdownOf(recipe(""), captured(turn)), "Grind finer when the shot runs fast.\n\nThat is the end.");
    }
    const chorus = `<p>A line of the chorus, sung.</p><p>Another one.</p>`;
    const song = markdownOf(recipe(""), captured(`<div class="text">${chorus}${chorus}</div>`));
    assert.equal(song.match(/Another one/g)?.length, 2);
  });

  test("formulas become TeX whatever the page draws, and dollar signs stay text", () => {
    const mathMl = "<math><msup><mi>r</mi><mn>2</mn></msup></math>";
    for (const [html, markdown] of [
      [`$5 to $10, <span class="katex-error" title="ParseError">\\frac{</span>`, String.raw`\$5 to \$10, $\frac{$`],
      [`<span class="math-inline" data-math="r^2"><b>r</b>2</span>`, "$r^2$"],
      [`x ${mathMl}`, "x $r^{2}$"],
      [
        `<table><tr><th>a</th></tr><tr><td><span class="math" data-tex="|x|"></span></td></tr></table>`,
        String.raw`$\vert x\vert $`,
      ],
    ] as const) {
      const text = markdownOf(recipe(""), captured(`<div class="text"><p>${html}</p></div>`));
      assert.ok(text.includes(markdown), text);
    }
  });

  test("a bar of a code block is not text, and what only looks like one is", () => {
    const code = "<pre><code>z</code></pre>";
    const fence = "```\nz\n```";
    for (const [html, markdown] of [
      [`<div><div>sh</div><div>Copy</div>${code}</div>`, "```sh\nz\n```"],
      [`<div><div>C++<button>Copy code</button></div>${code}</div>`, "```cpp\nz\n```"],
      [`<div><p>Example:</p>${code}</div>`, `Example:\n\n${fence}`],
      [`<div><div>First, install it:</div>${code}</div>`, `First, install it:\n\n${fence}`],
      [`<div>sh<p>Copy</p></div>${code}`, `sh\n\nCopy\n\n${fence}`],
    ] as const) {
      assert.equal(markdownOf(recipe(""), captured(`<div class="text">${html}</div>`)), markdown);
    }
  });

  test("text of a page is text: it makes no HTML and no Markdown of its own", () => {
    const turn = `<div class="text"><p>&lt;script&gt;alert(1)&lt;/script&gt; **not bold** [x](javascript:y)</p></div>`;
    const markdown = markdownOf(recipe(""), captured(turn));
    assert.ok(!markdown.includes("**not bold**"), markdown);
    assert.ok(!/^<script>/m.test(markdown), markdown);
  });

  test("an address that would run something is no link and no picture", () => {
    const addresses = [
      "javascript:alert(1)",
      " JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "\u0001vbscript:x",
      "blob:https://a.example/1",
    ];
    for (const address of addresses) {
      const turn = `<div class="text"><p><a href="${address}">One</a> <img src="${address}" alt="Two"> three</p></div>`;
      assert.equal(markdownOf(recipe(""), captured(turn)), "One three", address);
    }
    const kept = `<div class="text"><p><a href="https://a.example/">One</a> <a href="mailto:a@b.example">Two</a></p></div>`;
    assert.match(markdownOf(recipe(""), captured(kept)), /\(https:\/\/a\.example\/\) .*mailto:a@b\.example/);
  });

  test("a title or a thought with a formula has its TeX, and not what draws it", () => {
    const rules = recipe(`
extract:
  sources: { each: a, fields: { title: ., url: "@href" } }
  reasoning: { each: .thought, fields: { text: . } }`);
    const formula = katex.renderToString("r^2");
    const turn = `<p class="thought">As ${formula} grows</p><div class="text">x</div><a href="https://a.example/">On ${formula}</a>`;
    const { answer } = extractAnswer(rules, captured(turn));
    assert.deepEqual(answer.reasoning, [{ text: "As $r^2$ grows" }]);
    assert.equal(answer.sources[0]?.title, "On $r^2$");
  });

  test("a formula that KaTeX only drew, without its source, has its exponents, fractions and roots", () => {
    for (const [tex, read] of [
      ["r^2", "r^{2}"],
      ["x_{i+1}", "x_{i+1}"],
      ["a_1^n", "a_{1}^{n}"],
      [String.raw`\frac{n(n+1)}{2}`, String.raw`\frac{n(n+1)}{2}`],
      [String.raw`\sqrt{b^2-4ac}`, String.raw`\sqrt{b^{2}-4ac}`],
      [String.raw`\frac{1}{1+\frac{1}{x}}`, String.raw`\frac{1}{1+\frac{1}{x}}`],
      [String.raw`\pi r^2`, String.raw`\pi r^{2}`],
      [String.raw`\underbrace{a+b}_{n}`, null],
    ] as const) {
      const drawn = katex.renderToString(tex, { output: "html" });
      const text = markdownOf(recipe(""), captured(`<div class="text"><p>So ${drawn} is.</p></div>`));
      // What cannot be rebuilt keeps its letters, in one piece.
      assert.equal(text, read === null ? "So na+b is." : `So $${read}$ is.`, tex);
    }
  });

  test("the TeX that is read of a formula that KaTeX only drew draws the same again", () => {
    for (const tex of [
      String.raw`f(x)=\begin{cases} x^{2} & \text{if }x>0 \\ 0 & \text{otherwise}\end{cases}`,
      String.raw`\begin{pmatrix}a&b\\c&d\end{pmatrix}\begin{bmatrix}1&0\\0&1\\2&2\\3&3\\4&4\end{bmatrix}`,
      String.raw`\begin{vmatrix}a&b\\c&d\\e&f\\a&b\\c&d\end{vmatrix}`,
      String.raw`\begin{aligned}a&=b\\c&=d+\sum_{i=1}^{n}i\end{aligned}`,
      String.raw`\binom{n}{k}+\left(\frac{a}{b}\right)`,
      String.raw`\hat{x}+\bar{y}+\vec{v}+\overline{ab}`,
      String.raw`\lim_{x\to 0}\frac{\sin x}{x}=1`,
    ]) {
      const drawn = (source: string) => katex.renderToString(source, { output: "html", displayMode: true });
      const text = markdownOf(recipe(""), captured(`<div class="text">${drawn(tex)}</div>`));
      const read = /^\$\$\n(.*)\n\$\$$/s.exec(text)?.[1];
      assert.ok(read !== undefined, text);
      assert.equal(drawn(read), drawn(tex), read);
    }
  });

  test("a number that the page tells, and that was not reached, is told", () => {
    const rules = recipe(`
extract: { sources: { each: a, fields: { title: ., url: "@href" } } }
checks: [{ of: sources, count: .count }]`);
    const turn = `<div class="text">x</div><b class="count">12 sources</b><a href="https://a.example/">A</a>`;
    const { failedChecks, answer } = extractAnswer(rules, captured(turn));
    assert.deepEqual(failedChecks, [{ of: "sources", expected: 12, read: 1 }]);
    assert.deepEqual(answer.unreadable, ["sources"]);
  });

  test("whatever stands in the HTML, nothing throws", () => {
    const rules = recipe(`extract: { sources: { each: a, fields: { title: ., url: "@href" } } }`);
    for (const turn of [
      "",
      "<",
      "<div",
      "<p>".repeat(3000),
      "&#x0;&#xFFFFFFF;",
      "<table><tr><td><table>",
      "<pre><code>",
      `<pre>${"<div>".repeat(3000)}x`,
      `<p><span class="katex">${"<math><mrow>".repeat(1000)}`,
      `<a href="https://a.example/">${"<span>+1".repeat(1000)}`,
      "\ud800",
    ]) {
      extractAnswer(rules, captured(turn));
    }
  });
});

suite("a recipe with a fault is refused, with its place", () => {
  const refused = (text: string, ...expected: RegExp[]) => {
    assert.throws(
      () => parseRecipe(text, "mine.yaml"),
      (error) => error instanceof RecipeError && expected.every((wanted) => wanted.test(error.message)),
    );
  };
  const base = `recipe: 1\nname: T\nversion: 1\nverified: true\nentry: https://a.example/\ncomposer: { input: textarea, submit: { press: Enter } }\nturn: { each: .t }\n`;
  test("YAML that is none", () => refused("a: [", /mine\.yaml/));
  test("a misspelt member", () => refused(`${base}complete: { don: .x }`, /\/complete\/don: .*Did you mean `done`/));
  test("no proof that an answer is whole", () =>
    refused(`${base}complete: { busy: .x }`, /nothing says that an answer is whole/));
  test("a selector that is none", () =>
    refused(`${base}complete: { done: .x }\nextract: { sources: { each: "a[", fields: {} } }`, /"a\[" is no selector/));
  test("an expression that is none", () =>
    refused(`${base}complete: { done: .x }\nnetwork: { answer: { url: "(" } }`, /\/network\/answer\/url/));
  test("a place that nothing unfolds", () =>
    refused(
      `${base}complete: { done: .x }\nextract: { sources: { in: more, each: a, fields: {} } }`,
      /no `expand` named more/,
    ));
  test("another scheme than http", () =>
    refused(base.replace("https://a.example/", "file:///etc/passwd") + "complete: { done: .x }", /\/entry/));

  test("the recipe of the example is sound", () => {
    loadRecipe(join(import.meta.dirname, "../../../src/platforms/web/assistant-page/recipe.yaml"));
  });

  for (const code of bundledRecipes)
    test(`the recipe ${code} that ships is sound, and is loaded without validation as with it`, () => {
      assert.deepEqual(loadBundledRecipe(code), loadRecipe(bundledRecipe(code)));
    });
});

test("a recipe written with `gates` is read as one with `blockers`, and not with both", () => {
  const wall = "[{ name: wall, visible: .login, failure: platform_auth }]";
  assert.deepEqual(recipe(`gates: ${wall}`), recipe(`blockers: ${wall}`));
  assert.throws(() => recipe(`gates: ${wall}\nblockers: ${wall}`), RecipeError);
  assert.throws(() => recipe("gates: [{ name: wall, failure: platform_auth }]"), /\/blockers\/0: no condition/u);
});
