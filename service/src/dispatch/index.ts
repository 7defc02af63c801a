export { attemptsKept, keptMessage, type LoggedAttempt } from "./attempt-log.ts";
export { cancelRuns, removeOverdue, type CanceledRun } from "./cancel.ts";
export type { Claimed } from "./claimed.ts";
export type { DispatchEvent } from "./dispatch-event.ts";
export { abortChannel, dispatchChannel, Dispatcher } from "./dispatcher.ts";
export { enqueue, type Enqueued } from "./enqueue.ts";
export { configureLimiters, overrideLimits, restoreLimits, type PlatformLimits } from "./limiter.ts";
export {
  measureEngine,
  measureQueues,
  type EngineFigures,
  type PlatformFigures,
  type QueueFigures,
} from "./measure.ts";
export { BrowserCensus, browserMemorySeconds, hasBrowserElsewhere, reportBrowser } from "./node-browsers.ts";
export { readWaits, type Wait } from "./read-waits.ts";
export { readLimiters, type LimiterState } from "./read-limiters.ts";
export { readNodes, readQueues, readUnderWay, type Queue } from "./queues.ts";
export type { RunEnd, TaskEnd, Work } from "./work.ts";
