import { setTimeout as sleep } from "node:timers/promises";
import type { SubmissionAccepted } from "@querent/contract";
import { CommitUnknownError, isTransient, type Database, type Queryable, type Transaction } from "../db/index.ts";
import { dispatchChannel, enqueue } from "../dispatch/index.ts";
import { newIdsAt } from "../kernel/ids.ts";
import { ProblemError } from "../kernel/problem-error.ts";
import { racePoint } from "../kernel/race-points.ts";
import { holdPoints } from "../points/index.ts";
import { claimKey, storeKey, type KeyUse } from "./idempotency.ts";
import type { AcceptableItem } from "./read-items.ts";

export interface Submitted {
  readonly accepted: SubmissionAccepted;
  readonly replayed: boolean;
  /** Platforms that got work. */
  readonly platforms: readonly string[];
}

/**
 * Accepts a batch: key, batch, tasks, dispatch rows and held points in one transaction, all or nothing. `readItems` is
 * called only when the key is new: a replay is answered whatever has become of the rules since.
 */
export async function submitBatch(
  database: Database,
  use: KeyUse,
  readItems: () => AcceptableItem[],
): Promise<Submitted> {
  try {
    return await submitOnce(database, use, readItems);
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    return await settleUnknown(database, use, readItems);
  }
}

const settleTries = 6;

/** A submission whose commit may have happened is sent again under its own key: either it is found, or it is made now. */
async function settleUnknown(database: Database, use: KeyUse, readItems: () => AcceptableItem[]): Promise<Submitted> {
  for (let tries = 1; ; tries++) {
    await sleep(50 * 2 ** tries);
    try {
      return { ...(await submitOnce(database, use, readItems)), replayed: false };
    } catch (error) {
      // The first one's connection may live on at the server for a moment, and hold the key.
      const passes = isTransient(error) || (error instanceof ProblemError && error.code === "idempotency_key_in_use");
      if (!passes) throw error;
      if (tries < settleTries) continue;
      throw new ProblemError(
        "unavailable",
        "The database went away while it accepted the batch: whether it did is not known. Send it again with the same `Idempotency-Key`; it will be accepted once.",
        { headers: { "retry-after": "2" }, cause: error },
      );
    }
  }
}

async function submitOnce(database: Database, use: KeyUse, readItems: () => AcceptableItem[]): Promise<Submitted> {
  return database.transaction(async (tx) => {
    const { earlierBatchId, now } = await claimKey(tx, use);
    await racePoint("submit.key_claimed", use.accountId);
    if (earlierBatchId !== null) {
      return { accepted: await readAccepted(tx, earlierBatchId), replayed: true, platforms: [] };
    }

    const items = readItems();
    // The ids carry `createdAt`, so that lists find a range of times by the order they are in.
    const [batchId = "", ...taskIds] = newIdsAt(now, items.length + 1);
    const batch = {
      id: batchId,
      accountId: use.accountId,
      tokenId: use.tokenId ?? null,
      createdAt: now,
      points: items.reduce((sum, item) => sum + item.pricePoints, 0),
    };
    const tasks = items.map((item, index) => ({ id: taskIds[index] ?? "", index, ...item }));
    const platforms = [...new Set(tasks.map((task) => task.platform))];
    // In this order, in one round trip.
    await Promise.all([
      insertBatch(tx, batch, tasks),
      storeKey(tx, use, batch.id, batch.createdAt),
      enqueue(
        tx,
        use.accountId,
        tasks.map((task) => ({ taskId: task.id, ...task })),
      ),
      tx.query("select pg_notify($1, $2)", [dispatchChannel, platforms.join(",")]),
    ]);
    await racePoint("submit.before_hold", use.accountId);
    await holdPoints(tx, {
      accountId: use.accountId,
      batchId: batch.id,
      points: batch.points,
      taskCount: tasks.length,
    });
    return { accepted: accepted(batch, tasks), replayed: false, platforms };
  });
}

interface NewBatch {
  readonly id: string;
  readonly accountId: string;
  readonly tokenId: string | null;
  readonly createdAt: Date;
  readonly points: number;
}

async function insertBatch(
  tx: Transaction,
  batch: NewBatch,
  tasks: readonly ({ id: string; index: number } & AcceptableItem)[],
): Promise<void> {
  // Locks: nothing but the new rows.
  const batchRow = tx.query(
    "insert into batches (id, account_id, task_count, estimated_points, created_at, token_id) values ($1, $2, $3, $4, $5, $6)",
    [batch.id, batch.accountId, tasks.length, batch.points, batch.createdAt, batch.tokenId],
  );
  const rows = tasks.map((task) => ({
    id: task.id,
    item_index: task.index,
    client_reference: task.clientReference,
    tags: task.tags,
    question: task.question,
    platform: task.platform,
    deep_analysis: task.options.deepAnalysis,
    output: task.options.output,
    result_format: task.options.resultFormat,
    webhook_url: task.webhookUrl,
    priority: task.priority,
    price_points: task.pricePoints,
  }));
  const taskRows = tx.query(
    `insert into tasks (id, account_id, batch_id, item_index, client_reference, tags, question, platform, deep_analysis,
                        output, result_format, webhook_url, priority, price_points, created_at)
     select id, $1, $2, item_index, client_reference, tags, question, platform, deep_analysis,
            output, result_format, webhook_url, priority, price_points, $3
     from json_to_recordset($4::json) as t(
       id uuid, item_index int, client_reference text, tags text[], question text, platform text, deep_analysis boolean,
       output text, result_format text, webhook_url text, priority smallint, price_points int)`,
    [batch.accountId, batch.id, batch.createdAt, JSON.stringify(rows)],
  );
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

function accepted(
  batch: NewBatch,
  tasks: readonly { id: string; clientReference: string | null }[],
): SubmissionAccepted {
  return {
    acceptedCount: tasks.length,
    tasks: tasks.map((task) => ({
      taskId: task.id,
      clientReference: task.clientReference,
      state: "pending",
      statusUrl: `/v1/tasks/${task.id}`,
    })),
    batchId: batch.id,
    createdAt: batch.createdAt.toISOString(),
    estimatedPoints: batch.points,
  };
}

/** The first answer again, member for member: nothing in it changes after acceptance. */
async function readAccepted(db: Queryable, batchId: string): Promise<SubmissionAccepted> {
  const { rows: batches } = await db.query<NewBatch & Record<string, unknown>>(
    `select id, account_id as "accountId", created_at as "createdAt", estimated_points as points from batches where id = $1`,
    [batchId],
  );
  const { rows: tasks } = await db.query<{ id: string; clientReference: string | null }>(
    `select id, client_reference as "clientReference" from tasks where batch_id = $1 order by item_index`,
    [batchId],
  );
  const batch = batches[0];
  if (batch === undefined) throw new Error(`batch ${batchId} is gone`);
  return accepted(batch, tasks);
}
