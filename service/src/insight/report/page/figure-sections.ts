import type { PanelEntity, Report, ReportRow, ReportSurface } from "@querent/figures";
import type { Element } from "hast";
import { h, type Child } from "../../../kernel/element.ts";
import { barPlot, linePlot, seriesMax } from "./plots.ts";
import type { Words } from "./words.ts";

export interface PageContext {
  readonly report: Report;
  readonly texts: ReadonlyMap<string, string>;
  /** As in `ReportPage`. */
  readonly base: string | null;
  readonly words: Words;
  /** Own entities, and then competitors. */
  readonly compared: readonly PanelEntity[];
}

type Surface = Pick<ReportSurface, "platformCode" | "kind" | "locale" | "persona">;

export const surfaceName = ({ platformCode, kind, locale, persona }: Surface): string =>
  [platformCode, kind, locale, persona].filter((part) => part !== "").join(" · ");

export const isSameSurface = (one: Surface, other: Surface): boolean =>
  one.platformCode === other.platformCode &&
  one.kind === other.kind &&
  one.locale === other.locale &&
  one.persona === other.persona;

export function table(heads: readonly Child[], rows: readonly Element[], caption: string): Element {
  return h(
    "div",
    { className: ["scroll"], tabIndex: 0, role: "region", ariaLabel: caption },
    h(
      "table",
      {},
      h("caption", { dir: "auto" }, caption),
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows),
    ),
  );
}

const shareText = (share: number) => `${(share * 100).toFixed(1)} %`;
const numberText = (value: number) => (Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(2));

/** A number, as a link to its answers if the page has such links. */
export const linked = (text: string, base: string | null, observations: string): Child =>
  base === null ? text : h("a", { href: `${base}${observations}`, rel: ["noreferrer"] }, text);

/** A figure with its interval and its number of answers. */
export function figureCell(row: ReportRow | undefined, { base, words }: PageContext, unit: "share" | "other"): Element {
  const write = unit === "share" ? shareText : numberText;
  const figure = row?.thesePrompts;
  if (figure === undefined || figure.value === null) return h("td", { className: ["number"] }, words.none);
  const { value, interval, answers, observations } = figure;
  return h(
    "td",
    { className: ["number", ...(interval === null ? ["few"] : [])] },
    linked(write(value), base, observations),
    h(
      "span",
      { className: ["range"] },
      interval === null ? words.tooFew : `${write(interval.low)} – ${write(interval.high)}`,
    ),
    h("span", { className: ["range"] }, `n ${answers.toLocaleString("en")}`),
  );
}

const columns = [
  ["presence", "share"],
  ["mention_share", "share"],
  ["first_place", "share"],
  ["listed", "share"],
  ["position", "other"],
  ["own_citation_rate", "share"],
] as const;

/** A table of every entity's figures for each surface, and the shares of voice as bars. */
export function figures(context: PageContext): Element {
  const { report, words, compared } = context;
  return h(
    "section",
    {},
    h("h2", {}, words.figures),
    h("p", { className: ["note"] }, words.figuresNote),
    ...report.surfaces.map((surface) => {
      const ofSurface = report.summary.filter(({ group }) => isSameSurface(group, surface));
      const rows = compared.map(({ entityId, name, relation }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", dir: "auto" }, name, h("span", { className: ["tag"] }, words[relation])),
          ...columns.map(([measure, unit]) =>
            figureCell(
              ofSurface.find((row) => row.measure === measure && row.group.entityId === entityId),
              context,
              unit,
            ),
          ),
        ),
      );
      const voices = compared.flatMap(
        ({ entityId }) =>
          ofSurface.find((row) => row.measure === "mention_share" && row.group.entityId === entityId) ?? [],
      );
      const title = `${words.mention_share}: ${surfaceName(surface)}`;
      return [
        table([words.entity, ...columns.map(([measure]) => words[measure])], rows, surfaceName(surface)),
        h("h3", {}, title),
        h("div", { className: ["scroll"] }, barPlot(voices, report.entities, title)),
      ];
    }),
  );
}

/** Presence by run, one plot for each surface. */
export function overTime({ report, words, compared }: PageContext): Element {
  const shown = compared.slice(0, seriesMax);
  return h(
    "section",
    {},
    h("h2", {}, words.overTime),
    h("p", { className: ["note"] }, words.overTimeNote),
    h(
      "ul",
      { className: ["key"] },
      ...shown.map(({ name }, index) => h("li", { className: [`k${index}`], dir: "auto" }, name)),
    ),
    ...report.surfaces.map((surface) => {
      const ofSurface = report.series.filter((one) => isSameSurface(one, surface));
      const series = shown.flatMap(({ entityId }) => ofSurface.find((one) => one.entityId === entityId) ?? []);
      const name = surfaceName(surface);
      return [
        h("h3", { dir: "auto" }, name),
        h("div", { className: ["scroll"] }, linePlot(series, `${words.overTime}: ${name}`, words.seam)),
      ];
    }),
  );
}

/** How often the answers to each prompt name each own entity, on each surface. */
export function heatMap(context: PageContext): Element {
  const { report, words, compared, texts, base } = context;
  const own = compared.filter(({ relation }) => relation === "own");
  return h(
    "section",
    { className: ["heat"] },
    h("h2", {}, words.heatMap),
    ...own.map(({ entityId, name }) => {
      const rows = report.prompts.filter(({ group }) => group.entityId === entityId);
      const prompts = [...new Set(rows.map(({ group }) => group.promptId ?? ""))];
      return table(
        [words.prompt, ...report.surfaces.map(surfaceName)],
        prompts.map((promptId) =>
          h(
            "tr",
            {},
            h("th", { scope: "row", dir: "auto" }, texts.get(promptId) ?? promptId),
            ...report.surfaces.map((surface) => {
              const row = rows.find(({ group }) => group.promptId === promptId && isSameSurface(group, surface));
              const value = row?.thesePrompts.value ?? null;
              if (row === undefined || value === null) {
                const isBranded = (row?.brandedPromptsLeftOut ?? 0) > 0;
                return h("td", { className: ["number"] }, isBranded ? words.branded : words.none);
              }
              return h(
                "td",
                { className: ["number", `h${Math.round(value * 10)}`] },
                linked(`${Math.round(value * 100)} %`, base, row.thesePrompts.observations),
                h("span", { className: ["range"] }, `n ${row.thesePrompts.answers.toLocaleString("en")}`),
              );
            }),
          ),
        ),
        `${words.heatMapNote} ${name}`,
      );
    }),
  );
}
