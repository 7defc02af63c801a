import { Type, type Static } from "typebox";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

/** The status of a batch: counts by state, points, progress and estimated end. */
export const BatchRecord = Type.Object({
  batchId: Uuid,
  state: Type.Enum(["pending", "finished"], { description: "`finished` once every task has ended." }),
  taskCount: Type.Integer({ minimum: 1 }),
  firstQuestion: Type.String({ description: "The question of the first item, truncated to 200 characters." }),
  platformCodes: Type.Array(Type.String(), { description: "The platforms of its tasks, ordered by code." }),
  counts: Type.Object({
    pending: Type.Integer({ minimum: 0 }),
    completed: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    canceled: Type.Integer({ minimum: 0 }),
  }),
  running: Type.Integer({ minimum: 0, description: "The number of pending tasks that are running." }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: "Share of the tasks that have ended." }),
  points: Type.Object({
    estimated: Type.Integer({ minimum: 0, description: "Points held when the batch was accepted." }),
    charged: Type.Integer({ minimum: 0 }),
    released: Type.Integer({ minimum: 0 }),
  }),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  etaAt: Nullable(Timestamp, {
    description: "Estimated end, based on the tasks that ended in the last minute. Null if none did.",
  }),
});
export type BatchRecord = Static<typeof BatchRecord>;

export const BatchPage = Type.Object({
  batches: Type.Array(BatchRecord),
  nextCursor: Nullable(Type.String()),
});
export type BatchPage = Static<typeof BatchPage>;

export const BatchCancellation = Type.Object({
  batchId: Uuid,
  canceledCount: Type.Integer({
    minimum: 0,
    description: "The number of tasks that this request canceled. Tasks that had already ended are unchanged.",
  }),
});
export type BatchCancellation = Static<typeof BatchCancellation>;
