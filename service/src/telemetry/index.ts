export { metricDefinitions, type MetricName, type ReadName, type MetricSample } from "./catalogue.ts";
export { Collector } from "./collector.ts";
export { createLog, type Log, type LogEvent } from "./log.ts";
export { startTracing, type Tracing } from "./open-telemetry.ts";
export { Metrics } from "./metrics.ts";
