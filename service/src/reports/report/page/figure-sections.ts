import type { ReportLanguage } from "@querent/contract";
import type {
  Instrument,
  MeasureId,
  PanelEntity,
  Report,
  ReportRow,
  ReportSurface,
  Series,
  SeriesPoint,
} from "@querent/figures";
import type { Element } from "hast";
import { h, type Child } from "../../../kernel/element.ts";
import type { Words } from "./words.ts";

export interface PageContext {
  readonly report: Report;
  readonly texts: ReadonlyMap<string, string>;
  /** As in `ReportPage`. */
  readonly base: string | null;
  readonly words: Words;
  readonly language: ReportLanguage;
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

/** A number, as a link to its answers if the page has such links. */
export const linked = (text: string, base: string | null, observations: string): Child =>
  base === null ? text : h("a", { href: `${base}${observations}`, rel: ["noreferrer"] }, text);

/** What a cell of a table states: the figures of a row, or of another instrument beside it. */
export type BothScopes = Pick<ReportRow, "thesePrompts" | "promptsLikeThese">;

/** A figure with its intervals for both scopes, its number of answers, and what missing answers could change. */
export function figureCell(
  stated: BothScopes | undefined,
  { base, words }: PageContext,
  unit: "share" | "other",
): Element {
  const { numbers } = words;
  const write = (value: number) =>
    unit === "share"
      ? numbers.percent(value, 1)
      : Number.isInteger(value)
        ? numbers.count(value)
        : numbers.fixed(value, 2);
  const figure = stated?.thesePrompts;
  if (stated === undefined || figure === undefined || figure.value === null)
    return h("td", { className: ["number"] }, words.none);
  const { value, interval, answers, observations, reason } = figure;
  const bounds = boundsOf(stated);
  const line = (text: string) => h("span", { className: ["range"] }, text);
  const range = ({ low, high }: { readonly low: number; readonly high: number }) =>
    unit === "share" ? `${numbers.fixed(low * 100, 1)} – ${write(high)}` : `${write(low)} – ${write(high)}`;
  const scope = (name: string, of: BothScopes["thesePrompts"]) =>
    line(`${name} ${of.interval === null ? words.tooFew : range(of.interval)}`);
  return h(
    "td",
    { className: ["number", ...(interval === null ? ["few"] : [])] },
    linked(write(value), base, observations),
    reason?.code === "no_interval"
      ? line(words.noInterval)
      : [scope(words.theseShort, figure), scope(words.likeShort, stated.promptsLikeThese)],
    bounds === null ? null : line(`${words.worstShort} ${range(bounds)}`),
    line(`n ${numbers.count(answers)}`),
  );
}

/** The wider one, which is that of prompts like these if it has an interval. */
function boundsOf({ thesePrompts, promptsLikeThese }: BothScopes) {
  const { bounds } = promptsLikeThese;
  return bounds !== null && bounds.level !== null ? bounds : thesePrompts.bounds;
}

/** The name of a measure, as a link to its definition on the same page. */
export const defined = (measure: ShownMeasure, { words }: PageContext): Element =>
  h("a", { href: `#${definitionId(measure)}` }, words[measure]);

export const definitionId = (measure: ShownMeasure): string => `definition-${measure}`;

const columns = [
  ["presence", "share"],
  ["mention_share", "share"],
  ["first_place", "share"],
  ["first_place_of_all", "share"],
  ["listed", "share"],
  ["position", "other"],
  ["own_citation_rate", "share"],
] as const satisfies readonly (readonly [MeasureId, "share" | "other"])[];

/** The measures that the page shows, each of which has its definition on it. */
export const stabilityMeasures = [
  "source_agreement_within_days",
  "source_agreement_between_days",
  "order_agreement_within_days",
  "order_agreement_between_days",
  "first_place_changes",
  "first_place_changes_between_runs",
  "core_citation_share",
  "empty_rate",
  "failure_rate",
  "refusal_rate",
] as const satisfies readonly MeasureId[];
export const shownMeasures = [...columns.map(([measure]) => measure), ...stabilityMeasures] as const;
export type ShownMeasure = (typeof shownMeasures)[number];

/** What the figures of a surface are of: its instrument, if its answers were taken with several. */
export function surfaceTitle(surface: ReportSurface, words: Words): string {
  const name = surfaceName(surface);
  if (surface.headline === null || surface.instruments.length < 2) return name;
  const used = surface.instruments.map(({ instrument }) => instrument);
  return `${name} · ${words.with(instrumentName(surface.headline.instrument, used, words))}`;
}

/** The model of an instrument, and what the panel asked and looked for if that tells it from some of the others. */
export function instrumentName(one: Instrument, others: readonly Instrument[], words: Words): string {
  const { panelRevision, brandsSince } = one;
  const differs = (member: "panelRevision" | "brandsSince") => others.some((other) => other[member] !== one[member]);
  return [
    one.modelVersion ?? words.notReported,
    ...(differs("panelRevision") && typeof panelRevision === "number" ? [words.asked(panelRevision)] : []),
    ...(differs("brandsSince") && typeof brandsSince === "string"
      ? [words.brandsAsOf(words.numbers.day(brandsSince))]
      : []),
  ].join(", ");
}

/** An entity's figures, and below them those of the instruments that are not added to them. */
function entityRows(
  { entityId, name, relation }: PanelEntity,
  ofSurface: readonly ReportRow[],
  context: PageContext,
): Element[] {
  const { words } = context;
  const rows = columns.map(
    ([measure, unit]) =>
      [ofSurface.find((row) => row.measure === measure && row.group.entityId === entityId), unit] as const,
  );
  const main = h(
    "tr",
    {},
    h("th", { scope: "row", dir: "auto" }, name, h("span", { className: ["tag"] }, words[relation])),
    ...rows.map(([row, unit]) => figureCell(row, context, unit)),
  );
  const { otherInstruments: others = [], thesePrompts: headline } = rows[0]?.[0] ?? {};
  const shown = headline?.instrument ?? [];
  const names = new Set(
    shown.map((one) => instrumentName(one, [...shown, ...others.map(({ instrument }) => instrument)], words)),
  );
  return [
    main,
    ...others.slice(0, otherInstrumentsShown).map(({ instrument, thesePrompts: { window } }) => {
      const key = JSON.stringify(instrument);
      const name = instrumentName(instrument, [...shown, ...others.map((other) => other.instrument)], words);
      const dates = [window.from, window.to]
        .map((time) => (time === null || time === undefined ? "" : words.numbers.day(time)))
        .join(" – ");
      return h(
        "tr",
        { className: ["beside"] },
        h(
          "td",
          { dir: "auto" },
          words.with(name),
          names.has(name) ? h("span", { className: ["range"] }, words.otherReading) : null,
          h("span", { className: ["range"] }, dates),
        ),
        ...rows.map(([row, unit]) =>
          figureCell(
            row?.otherInstruments.find((other) => JSON.stringify(other.instrument) === key),
            context,
            unit,
          ),
        ),
      );
    }),
  ];
}

const otherInstrumentsShown = 3;

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
      const rows = compared.flatMap((entity) => entityRows(entity, ofSurface, context));
      const voices = compared.flatMap(
        ({ entityId }) =>
          ofSurface.find((row) => row.measure === "mention_share" && row.group.entityId === entityId) ?? [],
      );
      const title = `${words.mention_share}${words.colon}${surfaceName(surface)}`;
      return [
        table(
          [words.entity, ...columns.map(([measure]) => defined(measure, context))],
          rows,
          surfaceTitle(surface, words),
        ),
        h("h3", {}, defined("mention_share", context), `${words.colon}${surfaceName(surface)}`),
        h("div", { className: ["scroll"] }, barPlot(voices, report.entities, { title, words })),
      ];
    }),
  );
}

/** Presence by run, one plot for each surface. */
export function overTime(context: PageContext): Element {
  const { report, words, compared } = context;
  const shown = compared.slice(0, seriesMax);
  return h(
    "section",
    {},
    h("h2", {}, words.overTime),
    h("p", { className: ["note"] }, words.overTimeNote, " ", defined("presence", context)),
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
        h("div", { className: ["scroll"] }, linePlot(series, `${words.overTime}${words.colon}${name}`, words)),
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
    h("p", { className: ["note"] }, defined("presence", context)),
    ...own.map(({ entityId, name }) => {
      const rows = report.prompts.filter(({ group }) => group.entityId === entityId);
      const prompts = [...new Set(rows.map(({ group }) => group.promptId ?? ""))];
      return table(
        [words.prompt, ...report.surfaces.map((surface) => surfaceTitle(surface, words))],
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
                linked(words.numbers.percent(value, 0), base, row.thesePrompts.observations),
                h("span", { className: ["range"] }, `n ${words.numbers.count(row.thesePrompts.answers)}`),
              );
            }),
          ),
        ),
        `${words.heatMapNote} ${name}`,
      );
    }),
  );
}

// Plots as SVG, from figures: nothing is loaded, and every text is text.

const width = 900;
const height = 240;
const margin = { left: 44, right: 12, top: 12, bottom: 26 };
const at = (number: number) => String(Math.round(number * 10) / 10);
/** The most entities of a plot, own ones first: there are so many colours. */
const seriesMax = 5;

/** Presence of several entities on one surface, by run; `title` is what a screen reader says. */
function linePlot(series: readonly Series[], title: string, { seam: seamWord, numbers }: Words): Element {
  const runs = Math.max(1, ...series.map(({ points }) => points.length));
  const x = (index: number) => margin.left + ((index + 0.5) * (width - margin.left - margin.right)) / runs;
  const y = (share: number) => margin.top + (1 - share) * (height - margin.top - margin.bottom);
  const [first] = series;
  return svg(
    height,
    title,
    ...[0, 0.25, 0.5, 0.75, 1].map((share) => [
      h("line", {
        className: ["grid"],
        x1: at(margin.left),
        x2: at(width - margin.right),
        y1: at(y(share)),
        y2: at(y(share)),
      }),
      text({ x: margin.left - 6, y: y(share) + 4, anchor: "end" }, numbers.percent(share, 0)),
    ]),
    ...(first?.points ?? []).map((point, index) => seam(point, x(index - 0.5), seamWord)),
    ...(first === undefined ? [] : days(first.points, x, numbers.shortDay)),
    ...series.map(({ points }, index) => oneSeries(points, index, x, y)),
  );
}

type Scale = (value: number) => number;

function oneSeries(points: readonly SeriesPoint[], color: number, x: Scale, y: Scale): Child {
  return [
    ...trailingParts(points).map((part) => {
      const upper = part.map(({ index, trailing }) => `${at(x(index))},${at(y(trailing.interval.high))}`);
      const lower = part.map(({ index, trailing }) => `${at(x(index))},${at(y(trailing.interval.low))}`);
      const middle = part.map(({ index, trailing }) => `${at(x(index))},${at(y(trailing.value))}`);
      return [
        h("polygon", { className: ["band", `s${color}`], points: [...upper, ...lower.toReversed()].join(" ") }),
        h("polyline", { className: ["line", `s${color}`], points: middle.join(" ") }),
      ];
    }),
    ...points.map(({ value }, index) =>
      value === null ? null : h("circle", { className: [`s${color}`], cx: at(x(index)), cy: at(y(value)), r: "2.2" }),
    ),
  ];
}

type Trailing = NonNullable<SeriesPoint["trailing"]>;

/** What is drawn as one line: up to a seam, or to a run without an interval. */
function trailingParts(points: readonly SeriesPoint[]): { index: number; trailing: Trailing }[][] {
  const parts: { index: number; trailing: Trailing }[][] = [[]];
  for (const [index, { trailing, seam: isSeam }] of points.entries()) {
    if (isSeam || trailing === null) parts.push([]);
    if (trailing !== null) parts.at(-1)?.push({ index, trailing });
  }
  return parts.filter(({ length }) => length > 0);
}

function seam({ seam: isSeam }: SeriesPoint, x: number, word: string): Child {
  if (!isSeam) return null;
  return [
    h("line", { className: ["seam"], x1: at(x), x2: at(x), y1: at(margin.top), y2: at(height - margin.bottom) }),
    text({ x: x + 4, y: margin.top + 10, anchor: "start" }, word),
  ];
}

const dayLabelsMax = 8;

function days(points: readonly SeriesPoint[], x: Scale, shortDay: (day: string) => string): Child[] {
  const step = Math.max(1, Math.ceil(points.length / dayLabelsMax));
  return points.flatMap(({ day }, index) =>
    index % step === 0 ? [text({ x: x(index), y: height - 8, anchor: "middle" }, shortDay(day))] : [],
  );
}

/** Shares of voice on one surface as bars, with their intervals. */
function barPlot(
  rows: readonly ReportRow[],
  entities: Report["entities"],
  { title, words }: { readonly title: string; readonly words: Words },
): Element {
  const left = 160;
  const barHeight = 26;
  const x = (share: number) => left + share * (width - left - 70);
  const bars = rows.map(({ group, thesePrompts: { value, interval } }, index): Child => {
    const name = entities.find(({ entityId }) => entityId === group.entityId)?.name ?? "";
    const y = index * barHeight + 4;
    return [
      text({ x: left - 8, y: y + 14, anchor: "end" }, name.length > 22 ? `${name.slice(0, 21)}…` : name),
      h("rect", {
        className: [`s${Math.min(index, seriesMax - 1)}`],
        x: at(left),
        y: at(y),
        width: at(Math.max(0, x(value ?? 0) - left)),
        height: at(barHeight - 8),
        rx: "2",
      }),
      interval !== null &&
        h("line", {
          className: ["whisker"],
          x1: at(x(interval.low)),
          x2: at(x(interval.high)),
          y1: at(y + 9),
          y2: at(y + 9),
        }),
      text(
        { x: x(Math.max(value ?? 0, interval?.high ?? 0)) + 8, y: y + 14, anchor: "start" },
        value === null ? words.none : words.numbers.percent(value, 0),
      ),
    ];
  });
  return svg(Math.max(1, rows.length) * barHeight + 4, title, ...bars);
}

function svg(tall: number, title: string, ...children: readonly Child[]): Element {
  return h(
    "svg",
    { viewBox: `0 0 ${width} ${tall}`, role: "img", ariaLabel: title, xmlns: "http://www.w3.org/2000/svg" },
    h("title", {}, title),
    ...children,
  );
}

function text({ x, y, anchor }: { x: number; y: number; anchor: "start" | "middle" | "end" }, words: string): Element {
  return h("text", { x: at(x), y: at(y), textAnchor: anchor }, words);
}
