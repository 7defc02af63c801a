import type { TaskRecord } from "./wire.ts";
/** The columns of results as a table: those of the service's own CSV of a batch. */
export declare const resultColumns: readonly [
  "taskId",
  "clientReference",
  "platformCode",
  "question",
  "state",
  "content",
  "modelVersion",
  "observedAt",
  "sources",
  "products",
  "videos",
  "media",
  "searchProcess",
  "reasoningProcess",
  "screenshotUrl",
  "shareUrl",
  "failureCode",
  "chargedPoints",
  "revision",
  "expired",
  "createdAt",
  "completedAt",
];
/** The cells of a record, in the order of the columns. Lists are JSON, and empty lists are null. */
export declare function resultCells(record: TaskRecord): (string | number | boolean | null)[];
