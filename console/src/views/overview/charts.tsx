import type { Overview } from "@querent/client";
import { Chart } from "../../ui/chart.tsx";
import { duration, number } from "../../ui/time.tsx";
import { overviewMessages } from "../../i18n/overview.ts";
import * as css from "./charts.module.css";

/** The period bucket by bucket, and the period before as a lighter line. */
export function Charts({ overview }: { overview: Overview }) {
  const t = overviewMessages.value;
  const { series, seriesBefore, current, bucketSeconds, period } = overview;
  const starts = series.map(({ start }) => start);
  const time = (seconds: number) => duration(seconds * 1000);
  return (
    <div class={css.charts}>
      <Chart
        title={t.ended}
        summary={`${number(current.completed)} ${t.completed.toLowerCase()} · ${number(current.failed)} ${t.failed.toLowerCase()}`}
        starts={starts}
        bucketSeconds={bucketSeconds}
        format={number}
        unit="count"
        lines={[
          { label: t.completed, kind: "bar", tone: "accent", values: series.map(({ completed }) => completed) },
          { label: t.failed, kind: "bar", tone: "bad", values: series.map(({ failed }) => failed) },
          {
            label: t.before[period],
            kind: "before",
            tone: "quiet",
            values: seriesBefore.map(({ completed, failed }) => completed + failed),
          },
        ]}
      />
      <Chart
        title={t.answerTime}
        summary={[
          current.p50Seconds === null ? "–" : `${t.half} ${time(current.p50Seconds)}`,
          current.p95Seconds === null ? "" : `${t.nearlyAll} ${time(current.p95Seconds)}`,
        ].join(" · ")}
        starts={starts}
        bucketSeconds={bucketSeconds}
        format={time}
        unit="seconds"
        lines={[
          { label: "p50", kind: "line", tone: "accent", values: series.map(({ p50Seconds }) => p50Seconds) },
          { label: "p95", kind: "line", tone: "run", values: series.map(({ p95Seconds }) => p95Seconds) },
          {
            label: `p95, ${t.before[period]}`,
            kind: "before",
            tone: "quiet",
            values: seriesBefore.map(({ p95Seconds }) => p95Seconds),
          },
        ]}
      />
      <Chart
        title={t.points}
        summary={number(current.chargedPoints)}
        starts={starts}
        bucketSeconds={bucketSeconds}
        format={number}
        unit="count"
        lines={[
          { label: t.points, kind: "bar", tone: "run", values: series.map(({ chargedPoints }) => chargedPoints) },
          {
            label: t.before[period],
            kind: "before",
            tone: "quiet",
            values: seriesBefore.map(({ chargedPoints }) => chargedPoints),
          },
        ]}
      />
    </div>
  );
}
