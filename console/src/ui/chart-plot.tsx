import type { Ref } from "preact";
import { useEffect, useImperativeHandle, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../app/theme.ts";
import { language } from "../i18n/language.ts";
import { resolvedColor, usePrefersDark } from "./plot-colors.ts";
import { timeTicks, valueTicks, type TimeTick } from "./ticks.ts";
import { compact, duration } from "./time.tsx";
import * as css from "./chart.module.css";

export interface ChartLine {
  readonly label: string;
  /** One value for each bucket; null where there is none. */
  readonly values: readonly (number | null)[];
  /** `bar`s are stacked in their order. `before` is the period before: lighter, behind everything. */
  readonly kind: "bar" | "line" | "before";
  readonly tone: "accent" | "bad" | "quiet" | "run";
}

export interface PlotHandle {
  /** Selects a bucket; null selects none. */
  select(index: number | null): void;
}

interface PlotProps {
  readonly starts: readonly string[];
  readonly bucketSeconds: number;
  readonly lines: readonly ChartLine[];
  readonly unit: "count" | "seconds";
  readonly onSelect: (index: number | null) => void;
  readonly handle: Ref<PlotHandle>;
}

export const day = 86_400;

const tones = { accent: "--accent", bad: "--chart-bad", quiet: "--ink-quiet", run: "--chart-run" } as const;

/** The drawing of a chart, by uPlot on a canvas. Its colours are those of the page, so another theme draws it again. */
export function ChartPlot(props: PlotProps) {
  const { lines, handle } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const isDark = usePrefersDark();
  // What uPlot's callbacks read when it draws.
  const latest = useRef(props);
  latest.current = props;

  const kinds = lines.map(({ kind, tone }) => `${kind} ${tone}`).join();
  useEffect(() => {
    if (host.current === null) return;
    const made = new uPlot(optionsOf(host.current, latest), dataOf(latest.current), host.current);
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
  }, [kinds, isDark, theme.value, language.value]);
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [props.starts, lines]);

  useImperativeHandle(handle, () => ({
    select: (index) => {
      const left = index === null ? -10 : plot.current?.valToPos(index, "x");
      if (left !== undefined) plot.current?.setCursor({ left, top: left });
    },
  }));
  return <div ref={host} class={css.plot} aria-hidden="true" />;
}

function optionsOf(host: HTMLElement, latest: { readonly current: PlotProps }): uPlot.Options {
  const color = (name: string) => resolvedColor(host, name);
  const font = `12px ${getComputedStyle(host).fontFamily}`;
  const axis = { stroke: color("--ink-quiet"), font, ticks: { show: false } };
  const yTicks = () => [...valueTicks(highest(latest.current.lines), latest.current.unit)];
  const xTicks = () => timeTicks(latest.current.starts, latest.current.bucketSeconds);
  return {
    width: host.clientWidth,
    height: host.clientHeight,
    padding: [6, 8, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: false, y: false },
      // Centred on the bucket.
      move: (plot, left, top) => [left < 0 ? left : plot.valToPos(plot.posToIdx(left), "x"), top],
    },
    hooks: { setCursor: [({ cursor }) => latest.current.onSelect(cursor.idx ?? null)] },
    scales: {
      x: { time: false, range: () => [-0.5, latest.current.starts.length - 0.5] },
      y: { range: () => [0, yTicks().at(-1) ?? 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        gap: 8,
        grid: { show: false },
        // A day's mark is below its bar, an hour's where its bucket begins.
        splits: () => xTicks().map(({ index }) => (latest.current.bucketSeconds >= day ? index : index - 0.5)),
        values: () => xTicks().map((tick) => tickName(tick, latest.current.bucketSeconds)),
      },
      {
        ...axis,
        size: 48,
        grid: { stroke: color("--line"), width: 1 },
        splits: yTicks,
        values: (_, values) =>
          values.map((value) =>
            latest.current.unit === "count" ? compact(value) : value === 0 ? "0" : duration(value * 1000),
          ),
      },
    ],
    series: [{}, ...drawn(latest.current.lines).map(({ line }) => seriesOf(line, color(tones[line.tone])))],
  };
}

function seriesOf({ kind }: ChartLine, color: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.72, 100] });
  if (kind === "bar" && paths !== undefined) return { fill: color, width: 0, points: { show: false }, paths };
  return {
    stroke: color,
    width: kind === "before" ? 1.5 : 2,
    alpha: kind === "before" ? 0.55 : 1,
    // A value without neighbours is drawn as a point, since a line needs two.
    points: {
      size: 5,
      fill: color,
      show: true,
      filter: ({ data }, index) => alone(data[index] ?? []),
    },
  };
}

function dataOf({ starts, lines }: PlotProps): uPlot.AlignedData {
  return [starts.map((_, index) => index), ...drawn(lines).map(({ values }) => [...values])];
}

/** Lines in the order in which they are drawn. A stacked bar stands on the one before it, so it is drawn behind that one, up to their sum. */
function drawn(lines: readonly ChartLine[]): { line: ChartLine; values: readonly (number | null)[] }[] {
  const of = (kind: ChartLine["kind"]) => lines.filter((line) => line.kind === kind);
  const bars = of("bar").map((line, index, all) => ({
    line,
    values: line.values.map((_, at) => all.slice(0, index + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  }));
  const asTheyAre = (line: ChartLine) => ({ line, values: line.values });
  return [...of("before").map(asTheyAre), ...bars.toReversed(), ...of("line").map(asTheyAre)];
}

/** The highest value of all lines and of all stacks of bars. */
function highest(lines: readonly ChartLine[]): number {
  return Math.max(0, ...drawn(lines).flatMap(({ values }) => values.map((value) => value ?? 0)));
}

function alone(values: ArrayLike<number | null | undefined>): number[] {
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined;
  return Array.from(values, (_, index) => index).filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  );
}

function tickName({ at, isDay }: TimeTick, bucketSeconds: number): string {
  const options: Intl.DateTimeFormatOptions = isDay
    ? { month: "short", day: "numeric", ...(bucketSeconds >= day ? { timeZone: "UTC" } : {}) }
    : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(language.value, options).format(at);
}
