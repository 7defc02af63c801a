import { Type, type Static } from "typebox";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

/** How a batch stands: counts by state, points, progress and an estimate of its end. */
export const BatchRecord = Type.Object({
  batchId: Uuid,
  state: Type.Enum(["pending", "finished"], { description: "`finished` once every task has ended." }),
  taskCount: Type.Integer({ minimum: 1 }),
  firstQuestion: Type.String({ description: "The question of its first item, cut after 200 characters." }),
  platformCodes: Type.Array(Type.String(), { description: "The platforms that it asks, in the order of their codes." }),
  counts: Type.Object({
    pending: Type.Integer({ minimum: 0 }),
    completed: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    canceled: Type.Integer({ minimum: 0 }),
  }),
  running: Type.Integer({ minimum: 0, description: "How many of the pending tasks run right now." }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: "Share of the tasks that have ended." }),
  points: Type.Object({
    estimated: Type.Integer({ minimum: 0, description: "Held at acceptance." }),
    charged: Type.Integer({ minimum: 0 }),
    released: Type.Integer({ minimum: 0 }),
  }),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  etaAt: Nullable(Timestamp, {
    description: "Estimated end, from the pace of the last minute; null when there is no pace to tell from.",
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
    description: "Tasks that this request canceled; those that had ended stay as they were.",
  }),
});
export type BatchCancellation = Static<typeof BatchCancellation>;
