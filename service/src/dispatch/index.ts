export { cancelRuns, takeOutLate, type CanceledRun } from "./cancel.ts";
export type { Claimed } from "./claim.ts";
export { abortChannel, dispatchChannel, Dispatcher, type DispatchEvent } from "./dispatcher.ts";
export { enqueue, type Enqueued } from "./enqueue.ts";
export { configureGates, type PlatformLimits } from "./gate.ts";
export type { Fault, RunEnd, TaskEnd, Work } from "./work.ts";
