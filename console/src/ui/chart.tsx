import { useState } from "preact/hooks";
import { language } from "../i18n/language.ts";
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

interface ChartProps {
  readonly title: string;
  /** What stands in the head while nobody points at a bucket. */
  readonly summary: string;
  /** The first moment of each bucket. */
  readonly starts: readonly string[];
  readonly bucketSeconds: number;
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
  readonly unit: "count" | "seconds";
}

const day = 86_400;
/** The drawing is stretched to its place: 100 high, and one wide for each bucket. */
const height = 100;

/** Bars and lines over time. The bucket pointed at, or reached by the arrow keys, is told in the head; a table says the same to those who can't see it. */
export function Chart({ title, summary, starts, bucketSeconds, lines, format, unit }: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const ticks = valueTicks(highest(lines), unit);
  const top = ticks.at(-1) ?? 1;
  const count = starts.length;
  const y = (value: number) => height - (value / top) * height;
  const move = (by: number) => setAt(Math.min(count - 1, Math.max(0, (at ?? (by > 0 ? -1 : count)) + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") move(1);
    else if (event.key === "ArrowLeft") move(-1);
    else if (event.key === "Escape") setAt(null);
    else return;
    event.preventDefault();
  };
  const pointAt = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count))));
  };
  const said =
    at === null ? summary : lines.map((line) => `${line.label} ${shown(line.values[at], format)}`).join(" · ");

  return (
    <figure class={`panel ${css.chart}`}>
      <figcaption class={css.chartHead}>
        <h2>{title}</h2>
        <p class={`quiet small ${css.chartSaid}`} aria-live="polite">
          {at === null ? null : <strong>{bucketName(starts[at] ?? "", bucketSeconds)}</strong>} {said}
        </p>
      </figcaption>
      <div
        class="chart-plot"
        role="img"
        aria-label={`${title}: ${said}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
      >
        <div class={css.chartArea} onPointerMove={pointAt} onPointerLeave={() => setAt(null)}>
          <svg viewBox={`0 0 ${count} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
            {ticks.map((tick) => (
              <line key={tick} x1={0} x2={count} y1={y(tick)} y2={y(tick)} class={css.chartGrid} />
            ))}
            {at === null ? null : <rect x={at} y={0} width={1} height={height} class={css.chartAt} />}
            {lines
              .filter(({ kind }) => kind === "before")
              .map((line) => (
                <path
                  key={line.label}
                  d={pathOf(line.values, y)}
                  class={`${css.chartLine} ${css.before} ${css[`tone-${line.tone}`]}`}
                />
              ))}
            {stacked(lines.filter(({ kind }) => kind === "bar")).map(({ line, bottoms }) =>
              line.values.map((value, index) =>
                value === null || value === 0 ? null : (
                  <rect
                    key={`${line.label} ${index}`}
                    x={index + 0.14}
                    width={0.72}
                    y={y((bottoms[index] ?? 0) + value)}
                    height={Math.max(0.8, (value / top) * height)}
                    class={`${css.chartBar} ${css[`tone-${line.tone}`]}`}
                  />
                ),
              ),
            )}
            {lines
              .filter(({ kind }) => kind === "line")
              .map((line) => (
                <path
                  key={line.label}
                  d={pathOf(line.values, y)}
                  class={`${css.chartLine} ${css[`tone-${line.tone}`]}`}
                />
              ))}
          </svg>
        </div>
        {ticks.map((tick) => (
          <span key={tick} class={css.chartY} style={{ top: `${y(tick)}%` }} aria-hidden="true">
            {unit === "count" ? compact(tick) : tick === 0 ? "0" : duration(tick * 1000)}
          </span>
        ))}
      </div>
      <div class={`${css.chartX} quiet`} aria-hidden="true">
        {timeTicks(starts, bucketSeconds).map((tick) => (
          <span
            key={tick.index}
            style={{ left: `${((tick.index + (bucketSeconds >= day ? 0.5 : 0)) / count) * 100}%` }}
          >
            {tickName(tick, bucketSeconds)}
          </span>
        ))}
      </div>
      <ul class={`${css.chartLegend} small`} aria-hidden="true">
        {lines.map(({ label, kind, tone }) => (
          <li key={label} class={`${css[`tone-${tone}`]} ${css[`kind-${kind}`]}`}>
            <span>{label}</span>
          </li>
        ))}
      </ul>
      <div class="unseen">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <td />
              {lines.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {starts.map((start, index) => (
              <tr key={start}>
                <th scope="row">{bucketName(start, bucketSeconds)}</th>
                {lines.map(({ label, values }) => (
                  <td key={label}>{shown(values[index], format)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

const shown = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? "–" : format(value);

function tickName({ at, isDay }: TimeTick, bucketSeconds: number): string {
  const options: Intl.DateTimeFormatOptions = isDay
    ? { month: "short", day: "numeric", ...(bucketSeconds >= day ? { timeZone: "UTC" } : {}) }
    : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(language.value, options).format(at);
}

/** Days are the service's, which are UTC's; hours are the reader's. */
function bucketName(start: string, bucketSeconds: number): string {
  const options: Intl.DateTimeFormatOptions =
    bucketSeconds >= day
      ? { month: "short", day: "numeric", timeZone: "UTC" }
      : { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(language.value, options).format(new Date(start));
}

/** What the tallest of stacked bars, and of lines, comes to. */
function highest(lines: readonly ChartLine[]): number {
  const bars = lines.filter(({ kind }) => kind === "bar");
  const sums = (bars[0]?.values ?? []).map((_, index) =>
    bars.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  const others = lines.filter(({ kind }) => kind !== "bar").flatMap(({ values }) => values.map((value) => value ?? 0));
  return Math.max(0, ...sums, ...others);
}

function stacked(bars: readonly ChartLine[]): { line: ChartLine; bottoms: readonly number[] }[] {
  let below: readonly number[] = (bars[0]?.values ?? []).map(() => 0);
  return bars.map((line) => {
    const bottoms = below;
    below = below.map((sum, index) => sum + (line.values[index] ?? 0));
    return { line, bottoms };
  });
}

/** A line from bucket to bucket, broken where there is no value; a value alone is a short dash. */
function pathOf(values: readonly (number | null)[], y: (value: number) => number): string {
  return values
    .map((value, index) => {
      if (value === null) return "";
      const [before, after] = [values[index - 1] ?? null, values[index + 1] ?? null];
      if (before === null && after === null) return `M${index + 0.2} ${y(value).toFixed(2)}h0.6`;
      return `${before === null ? "M" : "L"}${index + 0.5} ${y(value).toFixed(2)}`;
    })
    .join("");
}
