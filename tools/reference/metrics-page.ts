import { metricDefinitions } from "../../service/src/telemetry/index.ts";
import { generated, table } from "./schema-text.ts";

/** docs/reference/metrics.md: every metric of the service. */
export function metricsPage(): string {
  const all = Object.entries(metricDefinitions);
  const rows = (shared: boolean) =>
    all
      .filter(([, definition]) => (definition.shared === true) === shared)
      .map(([name, { type, help, labels = {} }]) => [
        `\`${name}\``,
        type,
        [help, ...Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}.`)].join("<br>"),
      ]);
  const head = ["Metric", "Type", ""];
  return [
    generated,
    "# Metrics",
    "`GET /metrics` returns the metrics of a process in the Prometheus text format. Scrape every process. [Monitor a service](../how-to/monitor.md) describes the dashboard and the alerts that use them. The number of series is bounded: no label contains anything that users choose.",
    "## Of a process",
    "Sum these over all processes. Metrics of roles that a process does not have are 0 or left out.",
    table(head, rows(false)),
    "`querent_process_…` and `querent_nodejs_…` are the standard metrics of `prom-client`: processor time, memory, open files, garbage collection, and the lag of the event loop (`querent_nodejs_eventloop_lag_p99_seconds`).",
    "## Of the installation",
    "These are read from the database, and every process reports the same values: use the maximum over the processes (`max by (platform) (…)`), not the sum. Scrapers share each read. A read is repeated after a hundred times its duration, and after 2 seconds at the earliest, so that it uses at most 1 % of one connection's time; a scrape waits no longer than a second for it and then shows the previous values.",
    table(head, rows(true)),
    "",
  ].join("\n\n");
}
