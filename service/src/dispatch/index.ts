export { attemptsKept, keptMessage, type LoggedAttempt } from "./attempt-log.ts";
export { cancelRuns, takeOutLate, type CanceledRun } from "./cancel.ts";
export type { Claimed } from "./claim.ts";
export { abortChannel, dispatchChannel, Dispatcher, type DispatchEvent } from "./dispatcher.ts";
export { enqueue, type Enqueued } from "./enqueue.ts";
export { configureGates, overrideLimits, restoreLimits, type PlatformLimits } from "./gate.ts";
export { readGates, type GateState } from "./read-gates.ts";
export { readNodes, readQueues, readUnderWay, type Queue } from "./queues.ts";
export type { Fault, RunEnd, TaskEnd, Work } from "./work.ts";
