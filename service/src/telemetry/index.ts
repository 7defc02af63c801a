export { createLog, type Log, type LogEvent } from "./log.ts";
export { Metrics } from "./metrics.ts";
