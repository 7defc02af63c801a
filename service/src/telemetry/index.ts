export { metricDefinitions, type MetricName, type ReadName, type MetricSample } from "./catalogue.ts";
export { Collector } from "./collector.ts";
export { createLog, type Log, type LogEvent } from "./log.ts";
export { startTracing, type Tracing } from "./start-tracing.ts";
export { Metrics } from "./metrics.ts";
