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
export {
  BrowserCensus,
  browserElsewhere,
  browserMemorySeconds,
  isElsewhere,
  reportBrowser,
  type BrowserElsewhere,
} from "./node-browsers.ts";
export {
  judgePlatforms,
  PlatformCensus,
  reportPlatforms,
  type Lack,
  type NodePlatforms,
  type Unasked,
} from "./node-platforms.ts";
export { readWaits, type Wait } from "./read-waits.ts";
export { readLimiters, type LimiterState } from "./read-limiters.ts";
export { readNodes, readQueues, readUnderWay, runningByAccount, type NodeRow, type Queue } from "./queues.ts";
export type { RunEnd, TaskEnd, Work } from "./work.ts";
