import type { Ref } from "preact";
import { useEffect, useImperativeHandle, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../../app/theme.ts";
import { language } from "../../i18n/language.ts";
import type { PlotHandle } from "../../ui/chart-plot.tsx";
import { resolvedColor, usePrefersDark } from "../../ui/plot-colors.ts";
import { percent } from "../../ui/time.tsx";
import type { DrawnSeries } from "./series-points.ts";
import * as css from "./figures.module.css";

interface SeriesPlotProps {
  readonly series: DrawnSeries;
  readonly onSelect: (index: number | null) => void;
  readonly handle: Ref<PlotHandle>;
}

/** The colour of each line and its dashes, so that colour alone distinguishes none. The legend's styles have the same. */
export const lineLooks = [
  { color: "--accent", dash: [] },
  { color: "--chart-bad", dash: [6, 4] },
  { color: "--good", dash: [2, 3] },
  { color: "--warn", dash: [10, 3, 2, 3] },
  { color: "--ink-quiet", dash: [1, 4] },
] as const;

/** Lines with the interval of the first one as a band, and dashed verticals where the instrument changed. */
export function SeriesPlot({ series, onSelect, handle }: SeriesPlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const isDark = usePrefersDark();
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    if (host.current === null) return;
    const options = optionsOf(host.current, series, (index) => select.current(index));
    const made = new uPlot(options, dataOf(series), host.current);
    plot.current = made;
    const resizing = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) made.setSize(entry.contentRect);
    });
    resizing.observe(host.current);
    return () => {
      resizing.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [series, isDark, theme.value, language.value]);
  useImperativeHandle(handle, () => ({
    select: (index) => {
      const x = index === null ? undefined : series.points[index]?.x;
      const left = x === undefined ? -10 : plot.current?.valToPos(x, "x");
      if (left !== undefined) plot.current?.setCursor({ left, top: left });
    },
  }));
  return <div ref={host} class={css.plot} aria-hidden="true" />;
}

function optionsOf(host: HTMLElement, series: DrawnSeries, onSelect: (index: number | null) => void): uPlot.Options {
  const color = (name: string) => resolvedColor(host, name);
  const axis = {
    stroke: color("--ink-quiet"),
    font: `12px ${getComputedStyle(host).fontFamily}`,
    ticks: { show: false },
  };
  const hidden = { stroke: "transparent", width: 0, points: { show: false } };
  const seamColor = color("--warn");
  const names = new Map(series.points.map(({ x, name }) => [x, name.replace(/,? \d{4}$|^\d{4}年/, "")]));
  return {
    width: host.clientWidth,
    height: host.clientHeight,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: {
      setCursor: [({ cursor }) => onSelect(cursor.idx ?? null)],
      draw: [(plot) => drawSeams(plot, series, seamColor)],
    },
    scales: {
      x: { time: false, range: (_, low, high) => [low - 0.5, high + 0.5] },
      y: { range: () => [0, highest(series)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        gap: 8,
        grid: { show: false },
        splits: () =>
          thinned(
            series.points.map(({ x }) => x),
            host.clientWidth < 500 ? 3 : 7,
          ),
        values: (_, xs) => xs.map((x) => names.get(x) ?? ""),
      },
      {
        ...axis,
        size: 48,
        grid: { stroke: color("--line"), width: 1 },
        splits: () => [0, 0.25, 0.5, 0.75, 1].map((part) => part * highest(series)),
        values: (_, values) => values.map(percent),
      },
    ],
    bands: [{ series: [2, 1], fill: color("--accent-soft") }],
    series: [
      {},
      hidden,
      hidden,
      ...series.lines.map((_, index): uPlot.Series => {
        const { color: name, dash } = lineLooks[index] ?? lineLooks[0];
        return {
          stroke: color(name),
          width: index === 0 ? 2.5 : 1.5,
          dash: [...dash],
          spanGaps: true,
          points: { size: 5, fill: color(name), show: series.points.length < 60 },
        };
      }),
    ],
  };
}

/** The first two are the ends of the band. */
function dataOf({ points, lines, band }: DrawnSeries): uPlot.AlignedData {
  return [
    points.map(({ x }) => x),
    band.map((interval) => interval?.low ?? null),
    band.map((interval) => interval?.high ?? null),
    ...lines.map(({ figures }) => figures.map((figure) => figure?.value ?? null)),
  ];
}

/** 20 %, 40 % … 100 %: the first that is above everything. */
function highest({ lines, band }: DrawnSeries): number {
  const values = lines.flatMap(({ figures }) => figures.map((figure) => figure?.value ?? 0));
  const most = Math.max(0, ...values, ...band.map((interval) => interval?.high ?? 0));
  return [0.2, 0.4, 0.6, 0.8].find((step) => most <= step) ?? 1;
}

function drawSeams({ ctx, bbox, valToPos }: uPlot, { seams }: DrawnSeries, color: string): void {
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { point } of seams) {
    const x = valToPos(point.x - 0.5, "x", true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function thinned(xs: readonly number[], most: number): number[] {
  const apart = Math.max(1, Math.ceil(xs.length / most));
  // Counted from the end, so that the newest is marked.
  return xs.filter((_, index) => (xs.length - 1 - index) % apart === 0);
}
