/** Pages of the corpus. Each shows the same Markdown in its own way. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import katex from "katex";
import { escaped, lines, renderBlocks, withKatex, type Style } from "./render.ts";
import { sent, sentLong } from "./sent.ts";
import type { CorpusPage } from "./serve.ts";

const render = (style: Style) => renderBlocks(sent, style).join("\n");

const katexStyle = readFileSync(fileURLToPath(import.meta.resolve("katex/dist/katex.min.css")), "utf8").replaceAll(
  /@font-face\{[^}]*\}/g,
  "",
);

const copy = `<button aria-label="Copy code"><svg viewBox="0 0 1 1"></svg>Copy code</button>`;

/** A bar with the language in a wrapper around the code, as many assistants have it. */
const katexPage: CorpusPage = {
  name: "katex",
  // As Tailwind's typography styles draw them.
  head: `<style>${katexStyle} blockquote { font-style: italic } code, a, thead { font-weight: 600 }</style>`,
  answer: render({
    code: (text, language) =>
      `<pre><div class="rounded"><div class="flex">${language ?? ""}</div><div class="sticky"><div>${copy}</div></div><div dir="ltr"><code${language === null ? "" : ` class="hljs language-${language}"`}>${escaped(text)}\n</code></div></div></pre>`,
  }),
};

const mathMl = (tex: string, display: boolean) =>
  /<math[\s\S]*<\/math>/
    .exec(withKatex(tex, display))?.[0]
    .replace(/<annotation[\s\S]*<\/annotation>/, "")
    .replace("<math ", display ? '<math display="block" ' : "<math ") ?? "";
const glyphs = (tex: string) => `<mjx-c>${escaped(tex.replaceAll(/[\\{}^_]/g, ""))}</mjx-c>`;
const mathJax3 = (tex: string, display: boolean, more = "") =>
  `<mjx-container class="MathJax" jax="CHTML"${display ? ' display="true"' : ""}><mjx-math${more}>${glyphs(tex)}</mjx-math><mjx-assistive-mml>${mathMl(tex, display)}</mjx-assistive-mml></mjx-container>`;

/** MathJax 3 knows the source in a list of the page's script only. Brackets around each line as lines are code, too. */
const mathJax3Page: CorpusPage = {
  name: "mathjax-3",
  answer: render({ math: (tex, display) => mathJax3(tex, display, ` data-source="${escaped(tex)}"`) }),
  show: `text.innerHTML = html;
    const items = [...text.querySelectorAll("mjx-math")].map((math) => ({ math: math.dataset.source, display: math.parentNode.hasAttribute("display"), typesetRoot: math.parentNode }));
    text.querySelectorAll("mjx-math").forEach((math) => math.removeAttribute("data-source"));
    globalThis.MathJax = { version: "3.2.2", startup: { document: { math: items } } };`,
};

const mathJax4Page: CorpusPage = {
  name: "mathjax-4",
  answer: render({ math: (tex, display) => mathJax3(tex, display, ` data-latex="${escaped(tex)}"`) }),
};

const mathJax2Page: CorpusPage = {
  name: "mathjax-2",
  answer: render({
    math: (tex, display, at) => {
      const output = `<span class="MathJax" id="MathJax-Element-${at}-Frame"><nobr aria-hidden="true">${escaped(tex.replaceAll(/[\\{}^_]/g, ""))}</nobr><span class="MJX_Assistive_MathML" role="presentation">${mathMl(tex, display)}</span></span>`;
      const shown = display ? `<div class="MathJax_Display">${output}</div>` : output;
      return `<span class="MathJax_Preview" style="display: none"></span>${shown}<script type="math/tex${display ? "; mode=display" : ""}" id="MathJax-Element-${at}">${tex}</script>`;
    },
  }),
};

const tokens = (line: string) =>
  line
    .replaceAll(/(def|return|npm)/g, '<span style="--sdm-c:#d73a49">$1</span>')
    .replaceAll(/(#.*)$/g, "<span>$1</span>");

/** Streamdown: lines that are blocks by style, bold spans, a bar, controls on tables, links that open a dialog. */
const streamdownPage: CorpusPage = {
  name: "streamdown",
  head: `<style>${katexStyle} .block { display: block } .font-semibold { font-weight: 600 } .text-sm { font-size: 14px }</style>`,
  answer: render({
    strong: (children) => ({
      type: "element",
      tagName: "span",
      properties: { className: ["font-semibold"], dataStreamdown: "strong" },
      children,
    }),
    code: (text, language) =>
      `<div class="my-4 w-full" data-streamdown="code-block"${language === null ? "" : ` data-language="${language}"`}><div class="flex h-8 text-xs" data-streamdown="code-block-header"><span class="ml-1 lowercase">${language ?? ""}</span></div><div class="flex"><div data-streamdown="code-block-actions"><button title="Download file"><svg></svg></button><button title="Copy Code"><svg></svg></button></div></div><div data-streamdown="code-block-body"><pre><code>${lines(
        text,
      )
        .map((line) => `<span class="block">${tokens(line)}</span>`)
        .join("")}</code></pre></div></div>`,
  }).replaceAll(
    /<table>([\s\S]*?)<\/table>/g,
    '<div data-streamdown="table-wrapper"><div class="flex"><button title="Copy table"><svg></svg></button></div><div class="overflow-x-auto"><table data-streamdown="table">$1</table></div></div>',
  ),
};

/** Shiki's lines with line feeds between them, and cells whose contents are blocks. */
const shikiPage: CorpusPage = {
  name: "shiki",
  head: `<style>${katexStyle} .line { display: block } b { font-weight: 400 }</style>`,
  answer: render({
    code: (text, language) =>
      `<figure class="code"><figcaption><span>${language ?? "Text"}</span><div role="button" tabindex="0">Copy</div></figcaption><pre class="shiki" style="background-color:#fff" tabindex="0"><code>${lines(
        text,
      )
        .map((line) => `<span class="line">${tokens(line)}</span>`)
        .join("\n")}</code></pre></figure>`,
  }).replaceAll(/(<t[hd](?: style="[^"]*")?>)(\w+) (\w+)<\/t/g, "$1<div>$2</div><div>$3</div></t"),
};

/** react-syntax-highlighter: numbered lines that are elements, also empty ones. */
const prismPage: CorpusPage = {
  name: "prism",
  head: `<style>${katexStyle} .token-line { display: flex }</style>`,
  answer: render({
    code: (text, language) =>
      `<div class="codeWrapper"><div><div data-testid="code-language-indicator">${language ?? "text"}</div><button>Copy</button></div><div><pre><code${language === null ? "" : ` class="language-${language}"`}>${lines(
        text,
      )
        .map(
          (line, at) =>
            `<span class="token-line"><span class="react-syntax-highlighter-line-number linenumber">${at + 1}</span><span>${tokens(line)}\n</span></span>`,
        )
        .join("")}</code></pre></div></div>`,
  }),
};

/** Editors that show the lines in view only, and hold the rest. */
const editorPage: CorpusPage = {
  name: "editor",
  head: `<style>${katexStyle}</style>`,
  answer: render({
    code: (text, language) =>
      `<pre><div><div class="sticky">${language ?? ""}<button aria-label="Copy"></button></div><div class="cm-editor"><div class="cm-scroller"><div class="cm-content" data-text="${escaped(text)}"><div class="cm-line">${lines(text)[0]}</div><div class="cm-gap" style="height: 40px"></div></div></div></div></div></pre>`,
  }),
  show: `text.innerHTML = html;
    text.querySelectorAll(".cm-content").forEach((content) => {
      const { text } = content.dataset;
      content.removeAttribute("data-text");
      content.cmTile = { view: { state: { doc: { toString: () => text } } } };
    });`,
};

/** Headless UI: tabs, a disclosure, text for screen readers, and a dialog outside of everything. */
const headlessPage: CorpusPage = {
  name: "headless-ui",
  head: `<style>${katexStyle}</style>`,
  answer: `<div role="tablist"><button role="tab" aria-selected="true">Answer</button><button role="tab">Sources</button></div>
<div><button aria-expanded="false" data-headlessui-state="">Thought for 12 s</button><div hidden style="display: none" data-headlessui-state="">I considered circles.</div></div>
<span hidden style="position: fixed; top: 1px; left: 1px; width: 1px; height: 0; clip: rect(0, 0, 0, 0); display: none"></span>
<div role="tabpanel" data-headlessui-state="selected"><span class="sr-only">Answer of the model</span>${render({})}</div>
<span aria-hidden="true" role="tabpanel" style="position: fixed; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0)">Sources of the model</span>`,
  show: `text.innerHTML = html;
    document.body.insertAdjacentHTML("beforeend", '<div id="headlessui-portal-root"><div role="tooltip">Copied</div></div>');`,
};

/** Each block in a shadow root, its text in a slot of another. */
const shadowPage: CorpusPage = {
  name: "shadow",
  answer: `<style>${katexStyle}</style>${renderBlocks(sent)
    .map((block) => `<template>${block}</template>`)
    .join("")}`,
  show: `const from = new DOMParser().parseFromString(html, "text/html");
    for (const template of from.querySelectorAll("template")) {
      const block = document.createElement("answer-block");
      const root = block.attachShadow({ mode: "open" });
      root.innerHTML = from.querySelector("style").outerHTML + "<answer-body><div slot='x'></div></answer-body>";
      const body = root.querySelector("answer-body");
      body.attachShadow({ mode: "open" }).innerHTML = "<section><slot name='x'></slot></section>";
      body.firstChild.append(template.content);
      text.append(block);
    }`,
};

/** The answer is a document of its own. */
const framePage: CorpusPage = {
  name: "frame",
  answer: `<style>${katexStyle}</style>${render({})}`,
  show: `const frame = document.createElement("iframe");
    frame.srcdoc = "<!doctype html><body>" + html;
    await new Promise((done) => { frame.onload = done; text.append(frame); });`,
};

const pill = (label: string, first: string, more: readonly [string, string][] = []) =>
  `<span data-state="closed"><span class="ms-1 inline-flex" data-testid="webpage-citation-pill"><a href="${first}" target="_blank" class="flex h-4.5"><span class="relative"><span class="flex"><span class="truncate">${label}</span>${more.length > 0 ? `<span class="-me-1">+${more.length}</span>` : ""}</span></span></a>${more.map(([url, title]) => `<a hidden href="${url}">${title}</a>`).join("")}</span></span>`;

export const pillSources = [
  "https://www.epa.gov/acidrain?utm_source=assistant",
  "https://science.example/rain",
  "https://one.example/a?b=1",
  "https://two.example/coffee",
];

/** Pills at the ends of sentences, in a cell, and in the middle of one; two of the same page are one source. */
const pillsPage: CorpusPage = {
  name: "pills",
  head: `<style>${katexStyle} [hidden] { display: none }</style>`,
  answer: render({})
    .replace(
      "measured</em>",
      `measured</em> ${pill("US EPA", "https://www.epa.gov/acidrain?utm_source=assistant", [["https://science.example/rain", "Rain and its acid"]])}`,
    )
    .replace("A detail", `A detail <sup>${pill("One", "https://one.example/a?b=1")}</sup>`)
    .replace("Nova One", `Nova One ${pill("Two +", "https://two.example/coffee")}`)
    .replace(
      "That is the end.",
      `That is the end. ${pill("US EPA", "https://www.epa.gov/acidrain")}${pill("One", "https://one.example/a?b=1")}`,
    ),
  recipe: `extract: { sources: { each: ".text a[href^=http]", fields: { title: ., url: "@href" } } }`,
};

/** Streams as plain text, is replaced after the end, and its blocks of code become editors later still. */
const rerenderPage: CorpusPage = {
  name: "rerender",
  head: `<style>${katexStyle}</style>`,
  answer: render({}),
  show: `text.textContent = html.replace(/<[^>]*>/g, "");
    setTimeout(() => { text.innerHTML = ""; setTimeout(() => { text.innerHTML = html; }, 700); }, 1000);`,
};

/** Only the blocks in view are in the page, in an area that scrolls. */
const virtualPage: CorpusPage = {
  name: "virtual",
  head: `<style>${katexStyle} main { height: 300px; overflow-y: auto } .row { position: absolute; left: 0; right: 0 }</style>`,
  sent: sentLong,
  answer: JSON.stringify(renderBlocks(sentLong)),
  show: `const blocks = JSON.parse(html);
    const area = document.querySelector("main");
    const list = document.createElement("div");
    list.style.cssText = "position: relative";
    text.append(list);
    const px = 160;
    const paint = () => {
      list.style.height = blocks.length * px + "px";
      const above = list.getBoundingClientRect().top - area.getBoundingClientRect().top;
      const from = Math.max(0, Math.floor(-above / px) - 1);
      const wanted = blocks.slice(from, from + 5).map((block, at) => from + at);
      for (const row of [...list.children]) if (!wanted.includes(Number(row.dataset.index))) row.remove();
      for (const at of wanted) {
        if (list.querySelector('[data-index="' + at + '"]')) continue;
        const row = document.createElement("div");
        row.className = "row";
        row.dataset.index = at;
        row.style.transform = "translateY(" + at * px + "px)";
        row.innerHTML = blocks[at];
        list.append(row);
      }
    };
    area.onscroll = paint;
    paint();
    area.scrollTop = area.scrollHeight;
    paint();`,
};

/** The same while its frames, and those of other pages of the browser, take long to draw. */
export const slowVirtualPage: CorpusPage = {
  ...virtualPage,
  name: "slow-virtual",
  head: `${virtualPage.head}<style>@keyframes turn { to { filter: blur(60px) hue-rotate(360deg) } }
    .heavy { position: fixed; inset: 0; pointer-events: none; opacity: 0.1; background: conic-gradient(red, blue, lime); animation: turn 3s infinite alternate }</style>`,
  show: `for (let i = 0; i < 3; i++) document.body.insertAdjacentHTML("beforeend", '<div class="heavy"></div>');
    ${virtualPage.show}`,
};

const sentDrawn = `See Coffee Guide and [Burr Tests](https://one.example/burrs) for more[^1] 😀.

| Symbol | Meaning |
| ------ | ------- |
| $\\hbar$ | one<br>two |

$$
f(x)=\\begin{cases} x^{2} & \\text{if }x>0 \\\\ 0 & \\text{otherwise} \\end{cases}
$$

\`\`\`python
def f(x):
    return x
\`\`\`

4. four
5. five

[^1]: The note.`;

/** Everything is drawn as something else: links as buttons, code without \`pre\`, emoji as images, formulas without their source. */
const drawnPage: CorpusPage = {
  name: "drawn",
  sent: sentDrawn,
  head: `<style>${katexStyle} .code-block code { display: block; white-space: pre } .code-block code span { display: block }</style>`,
  answer: `<p>See <button type="button" class="underline" data-streamdown="link">Coffee Guide</button> and <button type="button" data-href="https://one.example/burrs">Burr Tests</button> for more<sup><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup> <img class="emoji" alt="😀" src="https://127.0.0.1:9/1f600.png">.</p>
    <table><thead><tr><th>Symbol</th><th>Meaning</th></tr></thead><tbody><tr><td>${withKatex(String.raw`\hbar`, true)}</td><td>one<br>two</td></tr></tbody></table>
    ${katex.renderToString(String.raw`f(x)=\begin{cases} x^{2} & \text{if }x>0 \\ 0 & \text{otherwise}\end{cases}`, { output: "html", displayMode: true })}
    <div class="code-block" data-markdown-copy="code-block"><div data-markdown-copy="exclude">python<button>Copy</button></div><div><code><span>def f(x):</span><span>    return x</span></code></div></div>
    <ol><li value="4">four</li><li>five</li></ol>
    <section data-footnotes><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol><li id="fn-1"><p>The note. <a href="#fnref-1" data-footnote-backref aria-label="Back to reference 1">↩</a></p></li></ol></section>`,
  recipe: `rewrite: { drop: ["[data-markdown-copy=exclude]"] }`,
};

/** Breaks off in the middle, says so, and considers itself finished. */
export const brokenPage: CorpusPage = {
  name: "broken",
  answer: renderBlocks(sent)[1] ?? "",
  show: `text.innerHTML = html;
    turn.insertAdjacentHTML("beforeend", '<div role="alert"><p>Something went wrong while the answer was generated.</p> <button>Retry</button></div>');`,
};

export const quickPages = [katexPage, shadowPage, pillsPage, drawnPage];
export const longPages = [
  mathJax3Page,
  streamdownPage,
  virtualPage,
  mathJax2Page,
  mathJax4Page,
  shikiPage,
  prismPage,
  editorPage,
  headlessPage,
  framePage,
  rerenderPage,
];
