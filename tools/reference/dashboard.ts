/** deploy/monitoring/grafana-dashboard.json: a dashboard for Grafana, from this table. */

interface Panel {
  readonly title: string;
  /** Grafana's name of the unit. */
  readonly unit: string;
  /** What to conclude from it. */
  readonly about?: string;
  /** Expressions by legend. */
  readonly lines: Readonly<Record<string, string>>;
}

const rows: Readonly<Record<string, readonly Panel[]>> = {
  Overview: [
    {
      title: "Tasks ended",
      unit: "reqps",
      lines: { "{{state}}": "sum by (state) (rate(querent_tasks_ended_total[$__rate_interval]))" },
    },
    {
      title: "Waiting tasks by reason",
      unit: "short",
      about: "limit and rate: the platform's limits; turn: for a worker; later: for a time that was asked for.",
      lines: { "{{reason}}": "sum by (reason) (max by (platform, reason) (querent_queue_tasks))" },
    },
    {
      title: "Longest wait for a start",
      unit: "s",
      lines: { "{{platform}}": "max by (platform) (querent_queue_oldest_seconds) > 0" },
    },
    {
      title: "Failures of tasks",
      unit: "reqps",
      lines: {
        "{{platform}} {{code}}":
          'sum by (platform, code) (rate(querent_tasks_ended_total{state="failed"}[$__rate_interval])) > 0',
      },
    },
  ],
  Platforms: [
    {
      title: "Running tasks",
      unit: "short",
      lines: { "{{platform}}": "max by (platform) (querent_platform_running) > 0" },
    },
    {
      title: "Use of the concurrency limit",
      unit: "percentunit",
      lines: {
        "{{platform}}":
          "max by (platform) (querent_platform_running) / (max by (platform) (querent_platform_running_max) > 0)",
      },
    },
    {
      title: "Answer time, 95th percentile",
      unit: "s",
      lines: {
        "{{platform}}":
          'histogram_quantile(0.95, sum by (platform, le) (rate(querent_ask_seconds_bucket{outcome="completed"}[$__rate_interval])))',
      },
    },
    {
      title: "Attempts by outcome",
      unit: "reqps",
      lines: {
        "{{platform}} {{outcome}}":
          "sum by (platform, outcome) (rate(querent_ask_seconds_count[$__rate_interval])) > 0",
      },
    },
    {
      title: "Blocked",
      unit: "short",
      about: "1 while this prevents further starts.",
      lines: { "{{platform}} {{reason}}": "max by (platform, reason) (querent_platform_blocked) > 0" },
    },
    {
      title: "Tokens",
      unit: "short",
      lines: {
        "{{platform}} {{direction}}":
          "sum by (platform, direction) (rate(querent_platform_tokens_total[$__rate_interval])) > 0",
      },
    },
    {
      title: "Costs per hour",
      unit: "short",
      about: "Stated by the vendor, or computed at the configured prices, each in its currency",
      lines: {
        "{{platform}} {{currency}} {{basis}}":
          "3600 * sum by (platform, currency, basis) (rate(querent_platform_cost_total[$__rate_interval])) > 0",
      },
    },
  ],
  Webhooks: [
    {
      title: "Deliveries that have not ended",
      unit: "short",
      lines: { "{{destinations}}": "max by (destinations) (querent_delivery_backlog)" },
    },
    {
      title: "Oldest due delivery",
      unit: "s",
      lines: { "{{destinations}}": "max by (destinations) (querent_delivery_oldest_seconds)" },
    },
    {
      title: "Attempts",
      unit: "reqps",
      lines: { "{{outcome}}": "sum by (outcome) (rate(querent_delivery_attempts_total[$__rate_interval]))" },
    },
    {
      title: "Receivers' response time, 95th percentile",
      unit: "s",
      lines: {
        "{{outcome}}":
          "histogram_quantile(0.95, sum by (outcome, le) (rate(querent_delivery_attempt_seconds_bucket[$__rate_interval])))",
      },
    },
  ],
  Panels: [
    {
      title: "Changes found",
      unit: "short",
      lines: { "{{kind}}": "sum by (kind) (increase(querent_panel_changes_total[1h]))" },
    },
    {
      title: "Wait until panels are judged, 95th percentile",
      unit: "s",
      lines: {
        wait: "histogram_quantile(0.95, sum by (le) (rate(querent_panel_judging_wait_seconds_bucket[$__rate_interval])))",
      },
    },
  ],
  Requests: [
    {
      title: "Requests",
      unit: "reqps",
      lines: {
        "{{operation}} {{status}}":
          "sum by (operation, status) (rate(querent_http_request_seconds_count[$__rate_interval])) > 0",
      },
    },
    {
      title: "Response time, 95th percentile",
      unit: "s",
      lines: {
        "{{operation}}":
          "histogram_quantile(0.95, sum by (operation, le) (rate(querent_http_request_seconds_bucket[$__rate_interval])))",
      },
    },
    {
      title: "Refused for lack of a place",
      unit: "reqps",
      lines: { "{{kind}}": "sum by (kind) (rate(querent_places_refused_total[$__rate_interval]))" },
    },
    {
      title: "Memory of computations over many answers",
      unit: "bytes",
      lines: {
        processes: "sum(querent_figures_memory_bytes)",
        "at most": "sum(querent_figures_memory_max_bytes)",
        "results being sent": "sum(querent_results_sending_bytes)",
      },
    },
  ],
  Processes: [
    {
      title: "Processor time",
      unit: "percentunit",
      lines: { "{{instance}}": "rate(querent_process_cpu_seconds_total[$__rate_interval])" },
    },
    { title: "Memory", unit: "bytes", lines: { "{{instance}}": "querent_process_resident_memory_bytes" } },
    {
      title: "Lag of the event loop, 99th percentile",
      unit: "s",
      lines: { "{{instance}}": "querent_nodejs_eventloop_lag_p99_seconds" },
    },
    {
      title: "Running tasks and slots",
      unit: "short",
      lines: {
        "{{instance}} running": "sum by (instance) (querent_tasks_running)",
        "{{instance}} slots": "querent_worker_slots > 0",
      },
    },
    {
      title: "Remaining lease",
      unit: "s",
      about: "Renewed every 5 seconds for 15.",
      lines: { "{{instance}}": "querent_node_lease_remaining_seconds" },
    },
    {
      title: "Browser pages",
      unit: "short",
      lines: {
        "{{instance}} in use": "querent_browser_contexts",
        "{{instance}} limit": "querent_browser_contexts_max > 0",
      },
    },
  ],
  Database: [
    {
      title: "Connections in use, and waiting for one",
      unit: "short",
      lines: {
        "{{instance}} in use": 'querent_database_pool_connections{state="in_use"}',
        "{{instance}} waiting": "querent_database_pool_waiting",
      },
    },
    {
      title: "Wait for a connection, 99th percentile",
      unit: "s",
      lines: {
        "{{instance}}":
          "histogram_quantile(0.99, sum by (instance, le) (rate(querent_database_pool_wait_seconds_bucket[$__rate_interval])))",
      },
    },
    {
      title: "Connections to the server",
      unit: "short",
      lines: {
        "in use": "max(querent_database_connections)",
        limit: "max(querent_database_connections_max)",
      },
    },
    { title: "Lag of the standbys", unit: "s", lines: { lag: "max(querent_database_replay_lag_seconds)" } },
    {
      title: "Size",
      unit: "bytes",
      lines: { database: "max(querent_database_size_bytes)", artifacts: "max(querent_artifact_bytes)" },
    },
    { title: "Free space of the data folder", unit: "bytes", lines: { "{{instance}}": "querent_disk_free_bytes" } },
  ],
};

const datasource = { type: "prometheus", uid: "${datasource}" };
const [columns, width, height] = [3, 8, 8];

/** The dashboard, for Grafana's import. */
export function dashboard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const [title, listed] of Object.entries(rows)) {
    panels.push({
      id: panels.length + 1,
      type: "row",
      title,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: 24, h: 1 },
      panels: [],
    });
    for (const [index, panel] of listed.entries()) {
      const position = { x: (index % columns) * width, y: y + Math.floor(index / columns) * height };
      panels.push(timeSeries(panels.length + 1, panel, { ...position, w: width, h: height }));
    }
    y += Math.ceil(listed.length / columns) * height;
  }
  const variable = { name: "datasource", label: "Data source", type: "datasource", query: "prometheus", current: {} };
  const board = {
    title: "Querent",
    uid: "querent",
    tags: ["querent"],
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    timezone: "browser",
    graphTooltip: 1,
    templating: { list: [variable] },
    annotations: { list: [] },
    panels,
  };
  return `${JSON.stringify(board, null, 2)}\n`;
}

function timeSeries(id: number, { title, unit, about = "", lines }: Panel, gridPos: object): object {
  return {
    id,
    type: "timeseries",
    title,
    description: about,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: "never" } }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom", showLegend: true }, tooltip: { mode: "multi" } },
    targets: Object.entries(lines).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
