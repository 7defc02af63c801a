import { rowsAs, type Transaction } from "../../db/index.ts";
import { enqueue } from "../../dispatch/index.ts";
import { newIdsAt } from "../../kernel/ids.ts";
import { holdPoints, type PointsRequest } from "../../points/index.ts";
import { storedAskedAs } from "./asked-as.ts";
import type { AcceptableItem } from "./read-items.ts";

/** Where the items of a batch come from. */
export interface BatchOrigin {
  readonly accountId: string;
  readonly tokenId: string | null;
  readonly traceParent: string | null;
  /** The time of the transaction, in whole milliseconds. */
  readonly now: Date;
}

/** An item, with its task's id and its position in the batch. */
type NewTask = { readonly id: string; readonly index: number } & AcceptableItem;

export interface NewBatch extends BatchOrigin {
  readonly id: string;
  readonly points: number;
  readonly tasks: readonly NewTask[];
}

/** Gives a batch and its tasks their ids. They contain the time of acceptance, so that lists find a range of times in id order. */
export function newBatch(origin: BatchOrigin, items: readonly AcceptableItem[]): NewBatch {
  const [id = "", ...taskIds] = newIdsAt(origin.now, items.length + 1);
  return {
    ...origin,
    id,
    points: pointsOf(items),
    tasks: items.map((item, index) => ({ id: taskIds[index] ?? "", index, ...item })),
  };
}

const pointsOf = (items: readonly AcceptableItem[]) => items.reduce((sum, item) => sum + item.pricePoints, 0);

/** What the caps are asked to allow. */
export function pointsRequestOf(
  accountId: string,
  panelId: string | null,
  items: readonly AcceptableItem[],
): PointsRequest {
  const tags = new Map<string, number>();
  for (const item of items)
    for (const tag of new Set(item.tags)) tags.set(tag, (tags.get(tag) ?? 0) + item.pricePoints);
  return { accountId, panelId, points: pointsOf(items), tags };
}

/** Inserts a batch, its tasks and their rows of the queue. */
export async function insertBatch(tx: Transaction, batch: NewBatch): Promise<void> {
  await Promise.all([
    insertTaskRows(tx, batch),
    enqueue(
      tx,
      batch.accountId,
      batch.tasks.map((task) => ({ taskId: task.id, needsBrowser: task.options.output === "screenshot", ...task })),
    ),
  ]);
}

/** Holds the points of a batch. After everything else in the transaction, because everybody waits for the account's row. */
export function holdBatch(tx: Transaction, { accountId, id, points, tasks }: NewBatch): Promise<void> {
  return holdPoints(tx, { accountId, batchId: id, points, taskCount: tasks.length });
}

const newTaskRows = rowsAs<NewTask>("t", {
  id: ["uuid", (task) => task.id],
  item_index: ["int", (task) => task.index],
  client_reference: ["text", (task) => task.clientReference],
  tags: ["text[]", (task) => task.tags],
  question: ["text", (task) => task.question],
  platform: ["text", (task) => task.platform],
  deep_analysis: ["boolean", (task) => task.options.deepAnalysis],
  output: ["text", (task) => task.options.output],
  result_format: ["text", (task) => task.options.resultFormat],
  webhook_url: ["text", (task) => task.webhookUrl],
  priority: ["smallint", (task) => task.priority],
  price_points: ["int", (task) => task.pricePoints],
  not_before: ["timestamptz", (task) => task.notBefore],
  start_before: ["timestamptz", (task) => task.startBefore],
  run_timeout_s: ["int", (task) => task.runTimeoutSeconds],
  asked_as: ["json", (task) => storedAskedAs(task.options)],
});

/** Inserts a batch and its tasks, which are in no queue. */
export async function insertTaskRows(tx: Transaction, batch: NewBatch): Promise<void> {
  const { tasks } = batch;
  // Locks: only the new rows.
  const batchRow = tx.query({
    name: "insert batch",
    text: "insert into batches (id, account_id, task_count, estimated_points, created_at, token_id, traceparent) values ($1, $2, $3, $4, $5, $6, $7)",
    values: [batch.id, batch.accountId, tasks.length, batch.points, batch.now, batch.tokenId, batch.traceParent],
  });
  const taskRows = tx.query({
    name: "insert tasks",
    text: `insert into tasks (account_id, batch_id, created_at, ${newTaskRows.columns}) select $1, $2, $3, t.* from ${newTaskRows.after(3)}`,
    values: [batch.accountId, batch.id, batch.now, ...newTaskRows.values(tasks)],
  });
  const tags = tasks.flatMap((task) => task.tags.map((tag) => ({ task_id: task.id, tag })));
  const tagRows =
    tags.length === 0
      ? null
      : tx.query(
          `insert into task_tags (account_id, tag, task_id)
           select distinct $1::uuid, tag, task_id from json_to_recordset($2::json) as t(task_id uuid, tag text)`,
          [batch.accountId, JSON.stringify(tags)],
        );
  await Promise.all([batchRow, taskRows, tagRows]);
}
