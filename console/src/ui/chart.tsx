import { useRef, useState } from "preact/hooks";
import { language } from "../i18n/language.ts";
import { ChartPlot, day, type ChartLine, type PlotHandle } from "./chart-plot.tsx";
import * as css from "./chart.module.css";

interface ChartProps {
  readonly title: string;
  /** What the head says while no bucket is selected. */
  readonly summary: string;
  /** The first moment of each bucket. */
  readonly starts: readonly string[];
  readonly bucketSeconds: number;
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
  readonly unit: "count" | "seconds";
}

/**
 * Bars and lines over time. The head describes the bucket under the pointer, or the one selected with the arrow keys; a table has the
 * same values for screen readers.
 */
export function Chart({ title, summary, starts, bucketSeconds, lines, format, unit }: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const plot = useRef<PlotHandle>(null);
  const move = (by: number) =>
    plot.current?.select(Math.min(starts.length - 1, Math.max(0, (at ?? (by > 0 ? -1 : starts.length)) + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") move(1);
    else if (event.key === "ArrowLeft") move(-1);
    else if (event.key === "Escape") plot.current?.select(null);
    else return;
    event.preventDefault();
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
        onBlur={() => plot.current?.select(null)}
      >
        <ChartPlot
          starts={starts}
          bucketSeconds={bucketSeconds}
          lines={lines}
          unit={unit}
          onSelect={setAt}
          handle={plot}
        />
      </div>
      <ul class={`${css.chartLegend} small`} aria-hidden="true">
        {lines.map(({ label, kind, tone }) => (
          <li key={label} class={css[`tone-${tone}`]} data-kind={kind}>
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

/** Days are the service's, which are UTC's; hours are the reader's. */
function bucketName(start: string, bucketSeconds: number): string {
  const options: Intl.DateTimeFormatOptions =
    bucketSeconds >= day
      ? { month: "short", day: "numeric", timeZone: "UTC" }
      : { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(language.value, options).format(new Date(start));
}
