/** Plots as SVG, from figures: nothing is loaded, and every text is text. */
import type { Report, ReportRow, Series, SeriesPoint } from "@querent/figures";
import type { Element } from "hast";
import { h, type Child } from "../../../kernel/element.ts";

const width = 900;
const height = 240;
const margin = { left: 44, right: 12, top: 12, bottom: 26 };
const percent = (share: number) => `${Math.round(share * 100)} %`;
const at = (number: number) => String(Math.round(number * 10) / 10);
/** The most entities of a plot, own ones first: there are so many colours. */
export const seriesMax = 5;

/** Presence of several entities on one surface, by run; `title` is what a screen reader says. */
export function linePlot(series: readonly Series[], title: string, seamWord: string): Element {
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
      text({ x: margin.left - 6, y: y(share) + 4, anchor: "end" }, percent(share)),
    ]),
    ...(first?.points ?? []).map((point, index) => seam(point, x(index - 0.5), seamWord)),
    ...(first === undefined ? [] : days(first.points, x)),
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

function days(points: readonly SeriesPoint[], x: Scale): Child[] {
  const step = Math.max(1, Math.ceil(points.length / dayLabelsMax));
  return points.flatMap(({ day }, index) =>
    index % step === 0 ? [text({ x: x(index), y: height - 8, anchor: "middle" }, day.slice(5))] : [],
  );
}

/** Shares of voice on one surface as bars, with their intervals. */
export function barPlot(rows: readonly ReportRow[], entities: Report["entities"], title: string): Element {
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
        value === null ? "–" : percent(value),
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
