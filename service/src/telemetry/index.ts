export { metricDefinitions, type MetricName, type ReadName, type Sample } from "./catalogue.ts";
export { Collector } from "./collector.ts";
export { createLog, type Log, type LogEvent } from "./log.ts";
export { Metrics } from "./metrics.ts";
