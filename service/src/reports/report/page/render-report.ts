/** The page of a report: self-contained, without scripts and resources, to be read, printed, sent and shared. */
import { readableColor } from "@querent/client";
import type { ReportLooks, ReportLanguage } from "@querent/contract";
import type { Report } from "@querent/figures";
import type { Element } from "hast";
import { toHtml } from "hast-util-to-html";
import { h, htmlPage, type Child } from "../../../kernel/element.ts";
import { changes, method, whyOthersDiffer } from "./change-sections.ts";
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
import { languages } from "../../languages/languages.ts";

export interface ReportPage {
  readonly report: Report;
  readonly language: ReportLanguage;
  /** The text of each prompt. */
  readonly texts: ReadonlyMap<string, string>;
  /**
   * What the links to observations begin with: the service's public URL, or nothing. Null for a page without links: opening
   * observations takes a token of the account, which readers of a shared page do not have.
   */
  readonly base: string | null;
  /** By whose name, logo and colour it is known. */
  readonly looks: ReportLooks;
}

export function renderReport({ report, language, texts, base, looks }: ReportPage): string {
  const context: PageContext = {
    report,
    texts,
    base,
    words: languages[language].page,
    language,
    compared: comparedOf(report),
  };
  const body = h("div", { className: ["sheet"] }, brand(looks), header(context), main(context), footer(context));
  const title = `${report.panel.name} · ${report.window.from.slice(0, 10)} – ${report.window.to.slice(0, 10)}`;
  return `<!doctype html>\n${toHtml(htmlPage({ language, title, style: style + colors(looks), hasPictures: looks.logo !== null, body }))}\n`;
}

/** The logo, and the name in words. Nothing is loaded for it: the page can be sent, and opening it tells nobody. */
function brand({ name, logo }: ReportLooks): Element | null {
  if (name === null && logo === null) return null;
  const picture =
    logo === null
      ? null
      : h("img", { src: `data:${logo.type};base64,${logo.data}`, alt: "", width: logo.width, height: logo.height });
  return h("div", { className: ["brand"] }, picture, name === null ? null : h("span", { dir: "auto" }, name));
}

/** The colour, changed as far as text in it needs. On paper, it is that of light screens. */
function colors({ color }: ReportLooks): string {
  if (color === null) return "";
  const accent = (ground: string) => `:root{--accent:${readableColor(color, ground)}}`;
  const light = accent("#ffffff");
  return `.sheet{border-top:6px solid ${color}}${light}@media (prefers-color-scheme:dark){${accent("#171b21")}}@media print{${light}.sheet{border-top:3pt solid ${color};padding-top:8pt}}`;
}

/** Own entities first: those that plots show if there are too many. */
function comparedOf({ entities }: Report) {
  const of = (relation: string) => entities.filter((entity) => entity.relation === relation);
  return [...of("own"), ...of("competitor")];
}

function header({ report, words: say }: PageContext): Element {
  const { panel, window, counts, revisions } = report;
  const current = revisions.find(({ revision }) => revision === panel.revision);
  const fact = (name: string, value: Child) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h(
    "header",
    {},
    h("p", { className: ["kicker"] }, say.kicker),
    h("h1", { dir: "auto" }, panel.name),
    h(
      "dl",
      {},
      fact(say.window, say.until(say.numbers.minute(window.from), say.numbers.minute(window.to))),
      ...(
        [
          [say.answers, counts.answers],
          [say.runs, counts.runs],
          [say.days, counts.days],
          [say.prompts, counts.prompts],
        ] as const
      ).map(([name, count]) => fact(name, say.numbers.count(count))),
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
    whyOthersDiffer(context),
    method(context),
    definitions(context),
  );
}

function footer({ report, base, words: say }: PageContext): Element {
  return h(
    "footer",
    {},
    h("p", {}, say.verify(report.service.version), base === null ? null : say.links),
    h("p", {}, say.digest, say.colon, h("span", { className: ["mono"], translate: "no" }, report.panel.digest)),
  );
}

/** Light and dark, narrow and wide, on the screen and on paper. */
const style = `:root{color-scheme:light dark;--ink:#1d2127;--soft:#5b6470;--line:#d9dde3;--paper:#fff;--ground:#f3f4f6;--accent:#0b5c7a;--own:#0b6e8f;--c1:#a2476b;--c2:#8a6a1f;--c3:#43804f;--c4:#6b5bb0;--heat:11 110 143}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#a2abb7;--line:#3a424d;--paper:#171b21;--ground:#0f1216;--accent:#6cc3e0;--own:#58b7d8;--c1:#e28bb0;--c2:#d8b25c;--c3:#84c793;--c4:#b3a6ee;--heat:60 150 185}}
*{box-sizing:border-box}
html{font:16px/1.55 "Noto Sans","Noto Sans SC",system-ui,sans-serif;background:var(--ground);color:var(--ink);-webkit-text-size-adjust:100%;overflow-wrap:break-word}
:lang(ja){font-family:"Noto Sans","Noto Sans JP",system-ui,sans-serif}
body{margin:0;padding:2rem 1rem}
.sheet{max-width:66rem;margin:0 auto;background:var(--paper);border:1px solid var(--line);border-radius:14px;padding:2rem 2.5rem}
.kicker{margin:0 0 .6rem;font-size:.82rem;font-weight:600;color:var(--accent)}
.brand{display:flex;align-items:center;gap:.8rem;margin:0 0 1.2rem;font-weight:600;font-size:1.05rem}.brand img{display:block;width:auto;height:auto;max-width:min(14rem,55%);max-height:3.5rem}@media (prefers-color-scheme:dark){.brand img{background:#fff;padding:.3rem;border-radius:6px}}@media print{.brand img{background:none;padding:0}}
h1{margin:0;font-size:1.7rem;line-height:1.3;text-wrap:pretty}
h2{margin:2.4rem 0 .5rem;font-size:1.2rem;line-height:1.35;break-after:avoid}
h3{margin:1.3rem 0 .4rem;font-size:.98rem;break-after:avoid}
p{margin:0 0 .8rem}
.note{color:var(--soft);font-size:.88rem;max-width:46rem}
dl{display:flex;flex-wrap:wrap;gap:.35rem 1.6rem;margin:1rem 0 0;font-size:.88rem}
dl div{display:flex;gap:.45rem}
dt{color:var(--soft)}dd{margin:0;font-weight:550}
.grade{margin:1.4rem 0 0;padding:.8rem 1.1rem;border:1px solid var(--line);border-inline-start:5px solid var(--accent);border-radius:8px}
.warning{margin:1.4rem 0 0;padding:.4rem 1.1rem;border:1px solid var(--line);border-inline-start:5px solid var(--c2);border-radius:8px}
.grade strong{font-size:1.1rem}.grade p{margin:.15rem 0 0;color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto}.scroll:has(>svg){margin-bottom:1.6rem}
table{border-collapse:collapse;font-size:.88rem;line-height:1.4;width:100%;font-variant-numeric:tabular-nums}
caption{text-align:start;font-weight:600;padding:.3rem 0}.scroll+.scroll:has(table){margin-top:1rem}
th,td{padding:.42rem .7rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{font-weight:600}thead th{color:var(--soft);font-size:.8rem;vertical-align:bottom}
th:first-child,td:first-child{padding-inline-start:0}
tr{break-inside:avoid}
${Array.from({ length: 8 }, (_, index) => `table:has(td.number:nth-child(${index + 2})) thead th:nth-child(${index + 2})`).join()}{text-align:end}
.date{white-space:nowrap}
.number{text-align:end;white-space:nowrap}
.number a{color:inherit;text-decoration-color:var(--line);text-underline-offset:.2em}
.number a:hover{text-decoration-color:currentColor}
a:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.beside td{color:var(--soft)}thead a,h3 a,td>a,.note a{color:inherit;text-decoration-color:var(--line);text-underline-offset:.2em}ul:not(.key){max-width:46rem;margin:0 0 .8rem;padding-inline-start:1.2rem}.explained{max-width:46rem}.definitions p{max-width:46rem;font-size:.9rem}.definitions :target{color:var(--accent)}
.range{display:block;color:var(--soft);font-size:.78rem}
.few{font-style:italic}
.unmet{font-weight:600}
.tag{font-size:.75rem;color:var(--soft);font-weight:400;margin-inline-start:.4rem}
.mono{font:.82em/1.4 "Noto Sans Mono",ui-monospace,monospace;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto;break-inside:avoid}
svg text{font-size:11px;fill:var(--soft)}
.grid{stroke:var(--line);stroke-width:1}
.seam{stroke:var(--ink);stroke-width:1;stroke-dasharray:4 3}
.line{fill:none;stroke-width:2}.band{opacity:.16;stroke:none}.whisker{stroke-width:2;stroke:var(--ink)}
${["own", "c1", "c2", "c3", "c4"].map((name, index) => `.s${index}{stroke:var(--${name});fill:var(--${name})}.k${index}::before{background:var(--${name})}`).join("\n")}
.line{fill:none!important}.band{stroke:none!important}
.key{break-after:avoid;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;margin:.2rem 0 .6rem;padding:0;font-size:.85rem}
.key li{display:flex;align-items:center;gap:.4rem}.key li::before{content:"";width:.8rem;height:.8rem;border-radius:3px}
.heat td.number{min-width:4.5rem}
${Array.from({ length: 11 }, (_, step) => `.h${step}{background:rgb(var(--heat)/${(step * 0.055).toFixed(3)})}`).join("")}
footer{margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.82rem}
@media (max-width:640px){body{padding:0}.sheet{border:0;border-radius:0;padding:1.25rem 1rem}h1{font-size:1.35rem}th,td{padding:.38rem .5rem}tbody th{min-width:9rem}td{min-width:5rem}.scroll svg{min-width:36rem}}
@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--ground:#fff;--accent:#0b5c7a;--own:#0b6e8f;--c1:#a2476b;--c2:#8a6a1f;--c3:#43804f;--c4:#6b5bb0;--heat:11 110 143;color-scheme:light}html{font-size:11pt}body{padding:0}.sheet{border:0;padding:0;max-width:none}.scroll{overflow:visible}table{font-size:.72rem}thead th{font-size:.68rem}.range,.tag{font-size:.66rem}th,td{padding-inline:.4rem}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
