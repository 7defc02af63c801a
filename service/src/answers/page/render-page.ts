/**
 * The answer page: one result as one HTML page, without scripts and with no resources except the fonts of this service. It is
 * the page of `output: share_link`, the content of `output: screenshot`, and part of the evidence. It states whose answer it is
 * and who recorded it, so that it cannot be mistaken for the platform's own page.
 */
import type { SearchStep, Source, StoredResult, TaskOptions } from "@querent/contract";
import type { Element, ElementContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { htmlPage, h, outwardLink, visible, type Child } from "../../kernel/element.ts";
import { isWebAddress, siteOf } from "../../kernel/web-address.ts";
import { startOfBytes } from "../text.ts";
import { fontFaces, languageOf, fontStack, type PageLanguage } from "./fonts.ts";
import { renderContent, textOf } from "./render-content.ts";

/** The input of the page. Plain data: it is sent to a worker. */
export interface PageInput {
  readonly taskId: string;
  readonly question: string;
  readonly platformName: string;
  readonly options: TaskOptions;
  readonly result: StoredResult;
}

/** The page shows the beginning of a longer answer; the record has all of it. */
const contentBytesMax = 256 * 1024;
const stepsCharsMax = 64 * 1024;
const summaryCharsMax = 300;
const longQuestionChars = 220;

/** `plain`: the answer as preformatted text, for Markdown that cannot be parsed in time. */
export function renderPage(input: PageInput, { plain }: { readonly plain: boolean }): string {
  const { result } = input;
  const content = startOfBytes(result.content ?? "", contentBytesMax);
  const language = languageOf(`${input.question}\n${content}`);
  const body = h(
    "div",
    { className: ["sheet"] },
    header(input),
    h(
      "main",
      { lang: language },
      h("article", {}, ...answer(content, result, plain)),
      content !== (result.content ?? "") &&
        note("The answer is longer than this page shows. The record has all of it."),
      sources(result.sources),
      steps(result),
    ),
    footer(input),
  );
  const title = `${firstLine(input.question)} · ${input.platformName}`;
  const style = `${fontFaces(textOf(body) + fixedText, "../fonts/")}\n${pageStyle(language)}`;
  return `<!doctype html>\n${toHtml(htmlPage({ language: "en", title, style, fontSource: "'self'", body }))}\n`;
}

/** Characters that the style itself shows: counters. */
const fixedText = "0123456789";

function header({ question, platformName, options, result }: PageInput): Element {
  const long = question.length > longQuestionChars || question.includes("\n");
  return h(
    "header",
    {},
    h("p", { className: ["kicker"] }, h("span", {}, "Answer of ", h("bdi", {}, platformName), ", recorded by Querent")),
    h("h1", { dir: "auto", lang: languageOf(question), ...(long ? { className: ["long"] } : {}) }, question),
    h(
      "dl",
      { className: ["facts-row"] },
      fact("Observed", result.observedAt === null ? null : time(result.observedAt)),
      fact("Model", result.modelVersion),
      fact("Deeper analysis", options.deepAnalysis ? "asked for" : null),
      fact("Region", result.provenance.region),
    ),
  );
}

function fact(name: string, value: Child): Element | null {
  if (value === null) return null;
  return h("div", {}, h("dt", {}, name), h("dd", {}, typeof value === "string" ? h("bdi", {}, value) : value));
}

function time(iso: string): Element {
  return h("time", { dateTime: iso }, `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`);
}

function answer(content: string, result: StoredResult, plain: boolean): ElementContent[] {
  if (content.trim() === "") return [note("The platform gave no answer to show.")];
  if (!plain) return renderContent(content, result);
  return [
    note("The Markdown of the answer could not be rendered, and is shown as it is."),
    h("pre", { className: ["plain"], dir: "auto" }, content),
  ];
}

function sources(all: readonly Source[]): Element | null {
  if (all.length === 0) return null;
  return h(
    "section",
    { className: ["aside"] },
    h("h2", {}, "Sources ", h("span", { className: ["count"] }, String(all.length))),
    h("ol", { className: ["sources"] }, ...all.map(source)),
  );
}

function source({ title, url, site, summary, publishedAt }: Source): Element {
  const name = h("bdi", {}, title || url);
  const where = [site, publishedAt === null ? "" : publishedAt.slice(0, 10)].filter((part) => part !== "");
  return h(
    "li",
    {},
    h("p", { dir: "auto" }, isWebAddress(url) ? outwardLink(url, "out", name) : name),
    where.length > 0 && h("p", { className: ["site"] }, where.join(" · ")),
    summary !== null && h("p", { className: ["summary"], dir: "auto" }, cut(summary, summaryCharsMax)),
  );
}

function steps({ searchProcess, reasoningProcess }: StoredResult): Element | null {
  if (searchProcess === null && reasoningProcess === null) return null;
  const reasoning = reasoningProcess === null ? null : cutSteps(reasoningProcess.map(({ text }) => text));
  return h(
    "section",
    { className: ["aside"] },
    h("h2", {}, "How the answer came about"),
    searchProcess !== null &&
      folded(
        "Search steps",
        searchProcess.length,
        h("ol", {}, ...searchProcess.map((step) => h("li", {}, ...search(step)))),
      ),
    reasoning !== null &&
      folded("Reasoning", reasoningProcess?.length ?? 0, ...reasoning.map((text) => h("p", { dir: "auto" }, text))),
  );
}

const resultsShownMax = 10;

function search({ query, results }: SearchStep): Child[] {
  const shownResults = results.slice(0, resultsShownMax);
  return [
    h("span", { className: ["query"], dir: "auto" }, query || "Opened"),
    shownResults.length > 0 &&
      h(
        "ul",
        {},
        ...shownResults.map(({ title, url, site }) =>
          h(
            "li",
            { dir: "auto" },
            isWebAddress(url) ? outwardLink(url, "out", h("bdi", {}, title || url)) : h("bdi", {}, title || url),
            " ",
            h("span", { className: ["site"] }, site || siteOf(url)),
          ),
        ),
      ),
  ];
}

function folded(title: string, count: number, ...children: readonly Child[]): Element {
  return h(
    "details",
    {},
    h("summary", {}, title, " ", h("span", { className: ["count"] }, String(count))),
    h("div", {}, ...children),
  );
}

function footer({ taskId, platformName, result }: PageInput): Element {
  return h(
    "footer",
    {},
    h(
      "p",
      {},
      "Querent asked this question and recorded the answer. This page is not a page of ",
      h("bdi", {}, platformName),
      ", and pictures in the answer are named, not shown. Task ",
      h("span", { translate: "no" }, taskId),
      result.provenance.endpoint === null ? "." : ", endpoint ",
      result.provenance.endpoint !== null && h("bdi", {}, cut(result.provenance.endpoint, 120)),
      result.provenance.endpoint !== null && ".",
      result.provenance.kind === "sample" &&
        " The answer comes from the service itself: no assistant and no model was asked.",
    ),
  );
}

const note = (text: string): Element => h("p", { className: ["note"] }, text);

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}…`;
}

/** The first steps, up to a total length. */
function cutSteps(texts: readonly string[]): string[] {
  let left = stepsCharsMax;
  return texts.flatMap((text) => {
    if (left <= 0) return [];
    const kept = cut(text, left);
    left -= kept.length;
    return [kept];
  });
}

function firstLine(text: string): string {
  return cut(visible(text.trim().split("\n", 1)[0] ?? ""), 120);
}

/** The style of the page: light, one column, for reading, printing and screenshots. */
function pageStyle(language: PageLanguage): string {
  return `:root{color-scheme:light;--ink:#1d2127;--soft:#5b6470;--line:#e3e5e9;--paper:#fff;--ground:#f3f4f6;--accent:#0b5c7a;--tint:#f7f9fa}
*{box-sizing:border-box}
html{font:17px/1.7 ${fontStack(language, "sans")};background:var(--ground);color:var(--ink);-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
body{margin:0;padding:2.5rem 1.25rem}
.sheet{max-width:52rem;margin:0 auto;background:var(--paper);border:1px solid var(--line);border-radius:14px;box-shadow:0 1px 2px #10182808,0 12px 32px #1018280d;overflow:clip}
header,main,footer{padding:0 3rem}
header{padding-top:2.25rem;padding-bottom:1.6rem;border-bottom:1px solid var(--line);background:linear-gradient(#fbfcfd,#fff)}
.kicker{margin:0 0 .9rem;font-size:.8rem;font-weight:600;color:var(--accent);display:flex;align-items:center;gap:.5rem}
.kicker::before{content:"";flex:none;width:.62rem;height:.62rem;border:.17rem solid var(--accent);border-radius:50%}
h1{margin:0;font-size:1.62rem;line-height:1.35;font-weight:680;letter-spacing:-.01em;text-wrap:pretty}
h1.long{font-size:1.05rem;line-height:1.65;font-weight:520;letter-spacing:0;white-space:pre-wrap}
.facts-row{display:flex;flex-wrap:wrap;gap:.35rem 1.6rem;margin:1.25rem 0 0;font-size:.82rem;line-height:1.5}
.facts-row div{display:flex;gap:.45rem}
.facts-row dt{color:var(--soft)}
.facts-row dd{margin:0;font-weight:520}
main{padding-top:1.9rem;padding-bottom:2rem}
article>*:first-child{margin-top:0}
p,ul,ol,pre,.table,blockquote,.card{margin:0 0 1.05rem}
h2,h3,h4,h5,h6{margin:1.9rem 0 .65rem;line-height:1.35;font-weight:660;text-wrap:balance}
h2{font-size:1.32rem}h3{font-size:1.14rem}h4,h5,h6{font-size:1rem}
ul,ol{padding-inline-start:1.5rem}
li{margin:.28rem 0}li>p{margin-bottom:.4rem}
li::marker{color:var(--soft)}
ul.contains-task-list{list-style:none;padding-inline-start:.2rem}
.cite{display:inline-block;font-size:.72em;line-height:1.35;font-weight:600;text-decoration:none;background:#e8f1f4;border-radius:5px;padding:0 .38em;margin:0 .08em;vertical-align:.18em}
.footnotes{font-size:.88rem;color:#3c444e}.footnotes h2{font-size:1rem}
a{color:var(--accent);text-decoration-color:#0b5c7a55;text-underline-offset:.18em;text-decoration-thickness:1px}
a:hover{text-decoration-color:currentColor}
a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
strong{font-weight:680}
hr{border:0;border-top:1px solid var(--line);margin:2rem 0}
code,pre{font-family:${fontStack(language, "mono")};font-size:.86em}
code{background:#eef1f4;border-radius:4px;padding:.12em .34em}
pre{background:#f6f8fa;border:1px solid var(--line);border-radius:9px;padding:.95rem 1.1rem;line-height:1.6;white-space:pre-wrap;overflow-wrap:anywhere}
pre code{background:none;padding:0;font-size:1em}
blockquote{padding-block:.1rem;padding-inline-start:1.1rem;border-inline-start:3px solid #c9d5dc;color:#3c444e}
blockquote>:last-child{margin-bottom:0}
.table{overflow-x:auto}
table{border-collapse:collapse;font-size:.92em;line-height:1.55;min-width:60%}
th,td{padding:.5rem .85rem;border-bottom:1px solid var(--line);text-align:-webkit-match-parent;text-align:match-parent;vertical-align:top;min-width:4.6rem}
th{font-weight:620;border-bottom-color:#c9ced6;overflow-wrap:break-word}
[align=right]{text-align:end}[align=center]{text-align:center}
input[type=checkbox]{margin:0 .5em 0 0;accent-color:var(--accent)}
.picture{display:inline-block;border:1px dashed #c3cad2;border-radius:7px;padding:.05rem .6rem;font-size:.86em;text-decoration:none}
.picture .site,.where,.site{color:var(--soft)}
.card{display:flex;gap:1rem;padding:1rem 1.1rem;border:1px solid var(--line);border-radius:12px;background:var(--tint);break-inside:avoid}
.card p{margin:0}
.tile{flex:none;width:3.1rem;height:3.1rem;border-radius:10px;display:grid;place-items:center;font-size:1.15rem;font-weight:640;color:#fff}
.tone-a{background:linear-gradient(150deg,#0f7a86,#0b5c7a)}.tone-b{background:linear-gradient(150deg,#a2476b,#7d3358)}.tone-c{background:linear-gradient(150deg,#43804f,#2f6340)}.tone-d{background:linear-gradient(150deg,#6b7280,#4b5563)}
.about{min-width:0;flex:1}
.label{font-size:.7rem;line-height:1.3;letter-spacing:.07em;text-transform:uppercase;color:var(--soft);font-weight:600}
.name{font-weight:620;line-height:1.45}
.name a{color:inherit}
.strong{font-weight:640;color:var(--accent)}
.facts,.text{font-size:.88rem;line-height:1.55;color:#3c444e}
.where{font-size:.8rem;line-height:1.6}
.where code{font-size:.95em}
.quiet{color:var(--soft)}
.aside{margin-top:2.2rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.aside h2{font-size:1.02rem;margin:0 0 .9rem}
.count{color:var(--soft);font-weight:450}
.sources{list-style:none;padding:0;margin:0;counter-reset:source}
.sources li{display:grid;grid-template-columns:1.9rem 1fr;margin:0;padding:.6rem 0;border-top:1px solid #eef0f2;break-inside:avoid;counter-increment:source}
.sources li:first-child{border-top:0;padding-top:0}
.sources li::before{content:counter(source);font-size:.78rem;font-weight:600;color:var(--soft);font-variant-numeric:tabular-nums;padding-top:.16rem}
.sources p{margin:0;font-size:.93rem;line-height:1.5;min-width:0}
.sources .site,.sources .summary{grid-column:2}
.sources .site{font-size:.79rem}
.sources .summary{font-size:.84rem;color:#3c444e;margin-top:.15rem}
details{border:1px solid var(--line);border-radius:10px;margin-top:.8rem;font-size:.9rem}
summary{cursor:pointer;padding:.62rem 1rem;font-weight:600;list-style:none;display:flex;gap:.55rem;align-items:center}
summary::-webkit-details-marker{display:none}
summary::before{content:"";width:.42rem;height:.42rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(-45deg)}
[open]>summary::before{transform:rotate(45deg)}
details>div{padding:.15rem 1rem .5rem;color:#3c444e}
details p{white-space:pre-wrap;margin-bottom:.75rem}
details ol{margin-bottom:.5rem}
.query{font-weight:600;color:var(--ink)}
.note{font-size:.86rem;color:var(--soft);border-inline-start:3px solid #d9c48a;padding-inline-start:.8rem}
footer{padding-top:1.2rem;padding-bottom:1.5rem;border-top:1px solid var(--line);background:#fafbfc;font-size:.76rem;line-height:1.6;color:var(--soft)}
footer p{margin:0}
@media (max-width:640px){html{font-size:16px}body{padding:0}.sheet{border:0;border-radius:0;box-shadow:none}header,main,footer{padding-left:1.2rem;padding-right:1.2rem}header{padding-top:1.5rem}h1{font-size:1.36rem}.tile{width:2.5rem;height:2.5rem;font-size:1rem}.card{gap:.8rem;padding:.85rem .9rem}}
@media print{@page{margin:16mm 14mm}.tile,.cite{print-color-adjust:exact;-webkit-print-color-adjust:exact}html{font-size:10.5pt;background:#fff}body{padding:0}.sheet{max-width:none;border:0;border-radius:0;box-shadow:none;overflow:visible}header,main,footer{padding-left:0;padding-right:0;background:none}header{padding-top:0}.card,pre,details,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}.sources a::after{content:" " attr(href);font-size:.85em;color:var(--soft);word-break:break-all}details::details-content{content-visibility:visible;block-size:auto}}`;
}
