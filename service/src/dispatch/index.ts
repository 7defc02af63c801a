export { attemptsKept, keptMessage, type LoggedAttempt } from "./queue/attempt-log.ts";
export { cancelRuns, removeOverdue, type CanceledRun, enqueue, type Enqueued } from "./queue/queue.ts";
export type { Claimed } from "./queue/claim.ts";
export type { DispatchEvent } from "./run/node-context.ts";
export { abortChannel, dispatchChannel, Dispatcher } from "./node/dispatcher.ts";
export {
  configureLimiters,
  overrideLimits,
  restoreLimits,
  type StartLimits,
  readLimiters,
  type LimiterState,
} from "./queue/limiter.ts";
export {
  measureEngine,
  measureQueues,
  type EngineFigures,
  type PlatformFigures,
  type QueueFigures,
} from "./queue/measure.ts";
export {
  BrowserCensus,
  browserElsewhere,
  browserMemorySeconds,
  isElsewhere,
  reportBrowser,
  type BrowserElsewhere,
  judgePlatforms,
  PlatformCensus,
  reportPlatforms,
  type Lack,
  type NodePlatforms,
  type Unasked,
} from "./node/node-platforms.ts";
export {
  readWaits,
  type Wait,
  readNodes,
  readQueues,
  readUnderWay,
  runningByAccount,
  type NodeRow,
  type Queue,
} from "./queue/queues.ts";
export type { WorkEnd, TaskEnd, Work } from "./run/work.ts";
