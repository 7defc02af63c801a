import { setTimeout as sleep } from "node:timers/promises";
import type { SubmissionAccepted } from "@querent/contract";
import {
  arrayLiteral,
  CommitUnknownError,
  isTransient,
  type Database,
  type Queryable,
  type Transaction,
} from "../../db/index.ts";
import { dispatchChannel, enqueue } from "../../dispatch/index.ts";
import { newIdsAt } from "../../kernel/ids.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { holdPoints, HoldRefused, refusalOf } from "../../points/index.ts";
import { batchRange } from "../batch-range.ts";
import { storedAskedAs } from "./asked-as.ts";
import { claimKey, storeKey, type KeyUse } from "./idempotency.ts";
import type { AcceptableItem } from "./read-items.ts";

export interface Submitted {
  readonly accepted: SubmissionAccepted;
  readonly replayed: boolean;
  /** Platforms with new tasks. */
  readonly platforms: readonly string[];
}

/**
 * Accepts a batch: key, batch, tasks, dispatch rows and held points in one transaction, all or nothing. `readItems` is called
 * only if the key is new: a replay is answered even if the rules have changed since. After the commit, the workers are woken.
 */
export async function submitBatch(
  database: Database,
  use: KeyUse,
  readItems: () => AcceptableItem[],
): Promise<Submitted> {
  const submitted = await submitOnce(database, use, readItems).catch((error: unknown) => {
    if (!(error instanceof CommitUnknownError)) throw error;
    return settleUnknown(database, use, readItems);
  });
  if (submitted.platforms.length > 0) database.announce(dispatchChannel, submitted.platforms);
  return submitted;
}

const settleTries = 6;
/** From then on it is not tried again: the client is told to, instead of waiting for a minute of connection timeouts. */
const settleMsMax = 10_000;
const settleBackoff = { firstMs: 100, maxMs: 3200, jitter: 0.25 };

/** Repeats a submission whose commit may have succeeded, under its own key: either it is found, or it is created now. */
async function settleUnknown(database: Database, use: KeyUse, readItems: () => AcceptableItem[]): Promise<Submitted> {
  const since = performance.now();
  for (let tries = 1; ; tries++) {
    await sleep(backoffMs(tries, settleBackoff));
    try {
      return { ...(await submitOnce(database, use, readItems)), replayed: false };
    } catch (error) {
      // The first connection may still be open on the server for a moment, and hold the key.
      const passes = isTransient(error) || (error instanceof ProblemError && error.code === "idempotency_key_in_use");
      if (!passes) throw error;
      if (tries < settleTries && performance.now() - since < settleMsMax) continue;
      throw new ProblemError(
        "unavailable",
        "The database went away while it accepted the batch: whether it did is not known. Send it again with the same `Idempotency-Key`; it will be accepted once.",
        { headers: { "retry-after": "2" }, cause: error },
      );
    }
  }
}

/** Runs in one transaction, and in a second one if its hold was refused but would succeed by now. */
async function submitOnce(database: Database, use: KeyUse, readItems: () => AcceptableItem[]): Promise<Submitted> {
  for (;;) {
    try {
      return await database.transaction((tx) => submitIn(tx, use, readItems));
    } catch (error) {
      if (!(error instanceof HoldRefused)) throw error;
      const refusal = await refusalOf(database, error.hold);
      if (refusal !== null) throw refusal;
    }
  }
}

async function submitIn(tx: Transaction, use: KeyUse, readItems: () => AcceptableItem[]): Promise<Submitted> {
  const { earlierBatchId, now } = await claimKey(tx, use);
  await racePoint("submit.key_claimed", use.accountId);
  if (earlierBatchId !== null) {
    return { accepted: await readAccepted(tx, use.accountId, earlierBatchId), replayed: true, platforms: [] };
  }

  const items = readItems();
  // The ids contain `createdAt`, so that lists find a range of times in id order.
  const [batchId = "", ...taskIds] = newIdsAt(now, items.length + 1);
  const batch = {
    id: batchId,
    accountId: use.accountId,
    tokenId: use.tokenId ?? null,
    traceParent: use.traceParent ?? null,
    createdAt: now,
    points: items.reduce((sum, item) => sum + item.pricePoints, 0),
  };
  const tasks = items.map((item, index) => ({ id: taskIds[index] ?? "", index, ...item }));
  const platforms = [...new Set(tasks.map((task) => task.platform))];
  // In this order, in one round trip.
  const rows = Promise.all([
    insertBatch(tx, batch, tasks),
    storeKey(tx, use, batch.id, batch.createdAt),
    enqueue(
      tx,
      use.accountId,
      tasks.map((task) => ({ taskId: task.id, needsBrowser: task.options.output === "screenshot", ...task })),
    ),
  ]);
  rows.catch(() => undefined); // handled below
  await racePoint("submit.before_hold", use.accountId);
  const { accountId } = use;
  const held = holdPoints(tx, { accountId, batchId, points: batch.points, taskCount: tasks.length });
  tx.commit();
  await Promise.all([rows, held]);
  return { accepted: accepted(batch, tasks), replayed: false, platforms };
}

/** An item, with its task's id and its position in the batch. */
type NewTask = { readonly id: string; readonly index: number } & AcceptableItem;

interface NewBatch {
  readonly id: string;
  readonly accountId: string;
  readonly tokenId: string | null;
  readonly traceParent: string | null;
  readonly createdAt: Date;
  readonly points: number;
}

async function insertBatch(tx: Transaction, batch: NewBatch, tasks: readonly NewTask[]): Promise<void> {
  // Locks: only the new rows.
  const batchRow = tx.query({
    name: "insert batch",
    text: "insert into batches (id, account_id, task_count, estimated_points, created_at, token_id, traceparent) values ($1, $2, $3, $4, $5, $6, $7)",
    values: [batch.id, batch.accountId, tasks.length, batch.points, batch.createdAt, batch.tokenId, batch.traceParent],
  });
  const taskRows = tx.query({
    name: "insert tasks",
    text: `insert into tasks (id, account_id, batch_id, item_index, client_reference, tags, question, platform, deep_analysis,
                              output, result_format, webhook_url, priority, price_points, not_before, start_before,
                              run_timeout_s, asked_as, created_at)
           select id, $1, $2, item_index, client_reference, tags::text[], question, platform, deep_analysis,
                  output, result_format, webhook_url, priority, price_points, not_before, start_before, run_timeout_s,
                  asked_as::json, $3
           from unnest($4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::boolean[],
                       $11::text[], $12::text[], $13::text[], $14::smallint[], $15::int[], $16::timestamptz[],
                       $17::timestamptz[], $18::int[], $19::text[])
             as t(id, item_index, client_reference, tags, question, platform, deep_analysis,
                  output, result_format, webhook_url, priority, price_points, not_before, start_before, run_timeout_s,
                  asked_as)`,
    values: [
      batch.accountId,
      batch.id,
      batch.createdAt,
      tasks.map((task) => task.id),
      tasks.map((task) => task.index),
      tasks.map((task) => task.clientReference),
      // Arrays of arrays must have equal lengths, so each is passed as a literal.
      tasks.map((task) => arrayLiteral(task.tags)),
      tasks.map((task) => task.question),
      tasks.map((task) => task.platform),
      tasks.map((task) => task.options.deepAnalysis),
      tasks.map((task) => task.options.output),
      tasks.map((task) => task.options.resultFormat),
      tasks.map((task) => task.webhookUrl),
      tasks.map((task) => task.priority),
      tasks.map((task) => task.pricePoints),
      tasks.map((task) => task.notBefore),
      tasks.map((task) => task.startBefore),
      tasks.map((task) => task.runTimeoutSeconds),
      tasks.map((task) => storedAskedAs(task.options)),
    ],
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

/** Returns the first response again: nothing in it changes after acceptance. */
async function readAccepted(db: Queryable, accountId: string, batchId: string): Promise<SubmissionAccepted> {
  const { rows: batches } = await db.query<NewBatch & Record<string, unknown>>(
    `select id, account_id as "accountId", created_at as "createdAt", estimated_points as points from batches where account_id = $2 and id = $1`,
    [batchId, accountId],
  );
  const { least, greatest } = batchRange([batchId]);
  const { rows: tasks } = await db.query<{ id: string; clientReference: string | null }>(
    `select id, client_reference as "clientReference" from tasks
      where account_id = $2 and batch_id = $1 and id between $3 and $4 order by item_index`,
    [batchId, accountId, least, greatest],
  );
  const batch = batches[0];
  if (batch === undefined) throw new Error(`batch ${batchId} is gone`);
  return accepted(batch, tasks);
}
