import { rowsAs, type Transaction, type Database } from "../../db/index.ts";
import { enqueue, dispatchChannel } from "../../dispatch/index.ts";
import { newIdsAt } from "../../kernel/ids.ts";
import { apartFromAction } from "../../runtime/audited.ts";
import {
  holdPoints,
  chargeCaps,
  capWarnings,
  readConcernedCaps,
  type PointsRequest,
  type ConcernedCap,
} from "../../points/index.ts";
import { storedAskedAs } from "./asked-as.ts";
import type { AcceptableItem } from "./read-items.ts";
import { announceEvent, subscribesTo } from "../../webhooks/index.ts";

/** Where the items of a batch come from. */
export interface BatchOrigin {
  readonly accountId: string;
  readonly tokenId: string | null;
  readonly traceParent: string | null;
  /** The project of the panel that asks; null for a batch that belongs to none. */
  readonly projectId: string | null;
  /** The time of the transaction, in whole milliseconds. */
  readonly now: Date;
}

/** An item, with its task's id and its position in the batch. */
type NewTask = { readonly id: string; readonly index: number } & AcceptableItem;

interface NewBatch extends BatchOrigin {
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
  panel: PointsRequest["panel"],
  items: readonly AcceptableItem[],
): PointsRequest {
  const tags = new Map<string, number>();
  for (const item of items)
    for (const tag of new Set(item.tags)) tags.set(tag, (tags.get(tag) ?? 0) + item.pricePoints);
  return { accountId, panel, points: pointsOf(items), tags };
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
    text: "insert into batches (id, account_id, task_count, estimated_points, created_at, token_id, traceparent, project_id) values ($1, $2, $3, $4, $5, $6, $7, $8)",
    values: [
      batch.id,
      batch.accountId,
      tasks.length,
      batch.points,
      batch.now,
      batch.tokenId,
      batch.traceParent,
      batch.projectId,
    ],
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

export interface AcceptedBatch {
  readonly id: string;
  /** In the order of the items. */
  readonly taskIds: readonly string[];
}

interface AcceptedItems {
  readonly batches: readonly AcceptedBatch[];
  /** Platforms with new tasks. */
  readonly platforms: readonly string[];
  /**
   * Writes the batches and their tasks, together with what the caller `writes` beside them, and holds their points last. Throws
   * `CapExceeded` or `HoldRefused`.
   */
  write(writes: Promise<void>): Promise<void>;
}

/** Accepts the items of one run of a panel in the caller's transaction: as many batches as it takes, all or nothing. */
export function acceptItems(
  tx: Transaction,
  origin: BatchOrigin & {
    readonly panelId: string;
    readonly projectId: string;
    readonly batchItemsMax: number;
    readonly runPointsBefore?: number;
  },
  items: readonly AcceptableItem[],
): AcceptedItems {
  const { batchItemsMax } = origin;
  const batches = Array.from({ length: Math.ceil(items.length / batchItemsMax) }, (_, nth) =>
    newBatch(origin, items.slice(nth * batchItemsMax, (nth + 1) * batchItemsMax)),
  );
  return {
    batches: batches.map(({ id, tasks }) => ({ id, taskIds: tasks.map((task) => task.id) })),
    platforms: [...new Set(items.map((item) => item.platform))],
    write: async (writes) => {
      await Promise.all([writes, ...batches.map((batch) => insertBatch(tx, batch))]);
      // Locks: caps before the account's row, which everybody waits for.
      const [caps] = await Promise.all([
        chargeCaps(tx, {
          ...pointsRequestOf(origin.accountId, origin, items),
          runPointsBefore: origin.runPointsBefore ?? 0,
        }),
        ...batches.map((batch) => holdBatch(tx, batch)),
      ]);
      await announceCaps(tx, origin.accountId, caps, { isRefused: false });
    },
  };
}

/** After the commit: wakes the workers that can run the tasks. */
export function announceTasks(database: Database, platforms: readonly string[]): void {
  if (platforms.length > 0) database.announce(dispatchChannel, platforms);
}

/**
 * Tells an account which of its caps a submission has nearly used up, in the transaction that holds the points. After the hold:
 * see `announceEvent`. The key of an announcement contains the limit, so that a changed cap begins anew.
 */
export async function announceCaps(
  tx: Transaction,
  accountId: string,
  caps: readonly ConcernedCap[],
  { isRefused }: { readonly isRefused: boolean },
): Promise<void> {
  for (const data of caps.flatMap((cap) => capWarnings(cap, isRefused))) {
    const { kind, period, periodStart, limitPoints, thresholdPercent } = data;
    const subject = [kind, period, periodStart, limitPoints, thresholdPercent, data.subject ?? ""].join(" ");
    await announceEvent(tx, { accountId, type: "cap.reached", subject, data });
  }
}

/** Tells an account that a submission was refused because of its caps: a transaction of its own, since nothing else was written. */
export async function announceRefusal(database: Database, request: PointsRequest): Promise<void> {
  const { accountId } = request;
  if (!(await subscribesTo(database, accountId, "cap.reached"))) return;
  await apartFromAction(() =>
    database.transaction(async (tx) =>
      announceCaps(tx, accountId, await readConcernedCaps(tx, request), { isRefused: true }),
    ),
  );
}
