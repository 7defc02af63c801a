/** The page of a report: self-contained, without scripts and resources, to be read, printed, sent and shared. */
import type { Report } from "@querent/figures";
import type { Element } from "hast";
import { toHtml } from "hast-util-to-html";
import { h, type Child } from "../../../kernel/element.ts";
import { htmlPage } from "../../../kernel/html-page.ts";
import { changes } from "./change-sections.ts";
import { figures, heatMap, overTime, type PageContext } from "./figure-sections.ts";
import {
  definitions,
  failureWarning,
  gradeBox,
  gradeTable,
  instruments,
  sources,
  stability,
} from "./evidence-sections.ts";
import { style } from "./style.ts";
import { words } from "./words.ts";

export interface ReportPage {
  readonly report: Report;
  readonly language: keyof typeof words;
  /** The text of each prompt. */
  readonly texts: ReadonlyMap<string, string>;
  /**
   * What the links to observations begin with: the service's public URL, or nothing. Null for a page without links: opening
   * observations takes a token of the account, which readers of a shared page do not have.
   */
  readonly base: string | null;
}

export function renderReport({ report, language, texts, base }: ReportPage): string {
  const context: PageContext = { report, texts, base, words: words[language], language, compared: comparedOf(report) };
  const body = h("div", { className: ["sheet"] }, header(context), main(context), footer(context));
  const title = `${report.panel.name} · ${report.window.from.slice(0, 10)} – ${report.window.to.slice(0, 10)}`;
  return `<!doctype html>\n${toHtml(htmlPage({ language, title, style, body }))}\n`;
}

/** Own entities first: those that plots show if there are too many. */
function comparedOf({ entities }: Report) {
  const of = (relation: string) => entities.filter((entity) => entity.relation === relation);
  return [...of("own"), ...of("competitor")];
}

function header({ report, words: say }: PageContext): Element {
  const { panel, window, counts, revisions } = report;
  const current = revisions.find(({ revision }) => revision === panel.revision);
  const minute = (time: string) => time.slice(0, 16).replace("T", " ");
  const fact = (name: string, value: Child) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h(
    "header",
    {},
    h("p", { className: ["kicker"] }, say.kicker),
    h("h1", { dir: "auto" }, panel.name),
    h(
      "dl",
      {},
      fact(say.window, say.until(minute(window.from), minute(window.to))),
      ...(
        [
          [say.answers, counts.answers],
          [say.runs, counts.runs],
          [say.days, counts.days],
          [say.prompts, counts.prompts],
        ] as const
      ).map(([name, count]) => fact(name, count.toLocaleString("en"))),
      fact(say.revision, `${panel.revision}, ${say.seals[current?.sealed ?? "never"]}`),
    ),
    gradeBox(report, say),
  );
}

function main(context: PageContext): Element {
  const { report, words: say, compared } = context;
  const warning = failureWarning(context);
  if (report.counts.answers === 0) return h("main", {}, warning, h("p", {}, say.noAnswers), gradeTable(context));
  return h(
    "main",
    {},
    warning,
    compared.length === 0
      ? h("p", {}, say.noEntities)
      : [figures(context), overTime(context), changes(context), heatMap(context)],
    sources(context),
    stability(context),
    instruments(context),
    gradeTable(context),
    definitions(context),
  );
}

function footer({ report, base, words: say }: PageContext): Element {
  return h(
    "footer",
    {},
    h("p", {}, say.verify(report.service.version), base === null ? null : say.links),
    h("p", {}, say.digest, ": ", h("span", { className: ["mono"], translate: "no" }, report.panel.digest)),
  );
}
