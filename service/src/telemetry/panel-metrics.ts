import type { MetricDefinition } from "./metric-definition.ts";

/** Panels: a part of the catalogue. */
export const panelMetrics = {
  querent_panel_changes_total: {
    type: "counter",
    help: "Changes of panels that this process found and announced.",
    labels: { kind: "`change` (of a measure) or `instrument` (of what answers or reads the answers)" },
  },
  querent_panel_judging_wait_seconds: {
    type: "histogram",
    help: "Time that a panel was due before this process began to judge its changes. A panel is due when a run ends, and again five minutes after a process began and did not finish.",
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600],
  },
  // The installation: collector `panels`
  querent_panel_judging_oldest_seconds: {
    type: "gauge",
    shared: true,
    help: "How long the panel that has been due the longest waits for a process to judge its changes; 0 if none is due.",
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
