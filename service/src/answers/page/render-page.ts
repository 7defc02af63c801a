/**
 * The answer page: one result as one HTML page, without scripts and with no resources except the fonts of this service. It is
 * the page of `output: share_link`, the content of `output: screenshot`, and part of the evidence. It states whose answer it is
 * and who recorded it, so that it cannot be mistaken for the platform's own page.
 */
import type { SearchStep, Source, StoredResult, TaskOptions } from "@querent/contract";
import type { Element, ElementContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { htmlPage } from "../../kernel/html-page.ts";
import { isWebAddress, siteOf } from "../../kernel/web-address.ts";
import { startOfBytes } from "../text.ts";
import { h, outwardLink, visible, type Child } from "../../kernel/element.ts";
import { fontFaces } from "./fonts.ts";
import { languageOf } from "./language.ts";
import { pageStyle } from "./page-style.ts";
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
