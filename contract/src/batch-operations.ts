import { Type } from "typebox";
import { BatchCancellation, BatchPage, BatchRecord } from "./batch.ts";
import { cursor, headers, json, operation, pageLimit, usual, withBody } from "./operation.ts";
import { Closed, UtcTimestamp, Uuid } from "./scalars.ts";
import { TaskRecord } from "./task.ts";

const batchId = Closed({ batch_id: Uuid });
export const listBatches = operation({
  id: "listBatches",
  method: "GET",
  path: "/v1/batches",
  tag: "Batches",
  summary: "List batches",
  description: "Newest first, each with its current counts, points and progress.",
  scope: "tasks:read",
  isList: true,
  query: Closed({
    createdFrom: Type.Optional(UtcTimestamp),
    createdBefore: Type.Optional(UtcTimestamp),
    limit: pageLimit,
    cursor,
  }),
  replies: { 200: { description: "A page of batches.", headers: { "As-Of": headers.asOf }, content: json(BatchPage) } },
  problems: usual,
});

export const getBatch = operation({
  id: "getBatch",
  method: "GET",
  path: "/v1/batches/{batch_id}",
  tag: "Batches",
  summary: "Read one batch",
  scope: "tasks:read",
  params: batchId,
  replies: { 200: { description: "The batch.", content: json(BatchRecord) } },
  problems: [...usual, "not_found"],
});

export const cancelBatch = operation({
  id: "cancelBatch",
  method: "POST",
  path: "/v1/batches/{batch_id}/cancellation",
  tag: "Batches",
  summary: "Cancel the unfinished tasks of a batch",
  scope: "tasks:write",
  params: batchId,
  replies: {
    200: { description: "Every task that had not ended has been canceled.", content: json(BatchCancellation) },
  },
  problems: [...usual, ...withBody, "not_found"],
});

export const getBatchResults = operation({
  id: "getBatchResults",
  method: "GET",
  path: "/v1/batches/{batch_id}/results",
  tag: "Batches",
  summary: "Stream a batch's task records",
  description:
    "In the order of the submission, as JSON lines, or as CSV with `Accept: text/csv`. Tasks that have not ended are included as `pending`, unless `endedFrom` is set.",
  scope: "tasks:read",
  params: batchId,
  query: Closed({
    endedFrom: Type.Optional(
      Type.String({
        format: "utc-date-time",
        description:
          "Only tasks that ended at this time or later. For incremental reads, use a time some seconds before the newest `completedAt` that you have, because an end can become visible shortly after its time.",
      }),
    ),
  }),
  replies: {
    200: {
      description: "The records.",
      headers: { "As-Of": headers.asOf },
      content: { "application/x-ndjson": TaskRecord, "text/csv": Type.String() },
    },
  },
  problems: [...usual, "not_found"],
});
