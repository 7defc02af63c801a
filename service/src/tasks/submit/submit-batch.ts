import { setTimeout as sleep } from "node:timers/promises";
import type { SubmissionAccepted } from "@querent/contract";
import {
  CommitUnknownError,
  isTransient,
  keptPlans,
  type Database,
  type Queryable,
  type Transaction,
} from "../../db/index.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { noteAudit, nothingToRecord } from "../../runtime/audited.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { subscribesTo } from "../../webhooks/index.ts";
import { CapExceeded, capRefusalOf, chargeCaps, HoldRefused, refusalOf } from "../../points/index.ts";
import { batchRange } from "../past-batches.ts";
import {
  holdBatch,
  insertBatch,
  newBatch,
  pointsRequestOf,
  announceCaps,
  announceRefusal,
  announceTasks,
} from "./accept-batch.ts";
import { claimKey, storeKey, type KeyUse } from "./idempotency.ts";
import type { AcceptableItem } from "./read-items.ts";

export interface SubmittedBatch {
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
): Promise<SubmittedBatch> {
  const submitted = await submitOnce(database, use, readItems).catch((error: unknown) => {
    if (!(error instanceof CommitUnknownError)) throw error;
    return settleUnknown(database, use, readItems);
  });
  announceTasks(database, submitted.platforms);
  return submitted;
}

const settleTries = 6;
/** From then on it is not tried again: the client is told to, instead of waiting for a minute of connection timeouts. */
const settleMsMax = 10_000;
const settleBackoff = { firstMs: 100, maxMs: 3200, jitter: 0.25 };

/** Repeats a submission whose commit may have succeeded, under its own key: either it is found, or it is created now. */
async function settleUnknown(
  database: Database,
  use: KeyUse,
  readItems: () => AcceptableItem[],
): Promise<SubmittedBatch> {
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

async function submitOnce(database: Database, use: KeyUse, readItems: () => AcceptableItem[]): Promise<SubmittedBatch> {
  return untilRefused(database, () =>
    database.transaction((tx) => submitIn(tx, use, readItems), { settings: keptPlans }),
  );
}

/** Repeats what a cap or the balance refused if both would allow it by now; otherwise throws the reason (402, 503). */
export async function untilRefused<Result>(database: Database, accept: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await accept();
    } catch (error) {
      if (!(error instanceof HoldRefused || error instanceof CapExceeded)) throw error;
      const refusal =
        error instanceof HoldRefused
          ? await refusalOf(database, error.hold)
          : await capRefusalOf(database, error.request);
      if (refusal === null) continue;
      if (error instanceof CapExceeded) await announceRefusal(database, error.request);
      throw refusal;
    }
  }
}

async function submitIn(tx: Transaction, use: KeyUse, readItems: () => AcceptableItem[]): Promise<SubmittedBatch> {
  const [{ earlierBatchId, now }, isToldOfCaps] = await Promise.all([
    claimKey(tx, use),
    subscribesTo(tx, use.accountId, "cap.reached"),
  ]);
  await racePoint("submit.key_claimed", use.accountId);
  if (earlierBatchId !== null) {
    nothingToRecord();
    return { accepted: await readAccepted(tx, use.accountId, earlierBatchId), replayed: true, platforms: [] };
  }

  const items = readItems();
  const batch = newBatch(
    {
      accountId: use.accountId,
      tokenId: use.tokenId ?? null,
      traceParent: use.traceParent ?? null,
      projectId: null,
      now,
    },
    items,
  );
  noteAudit({ target: { type: "batch", id: batch.id }, after: { tasks: items.length, points: batch.points } });
  // In this order, in one round trip.
  const rows = Promise.all([insertBatch(tx, batch), storeKey(tx, use, batch.id, now)]);
  rows.catch(() => undefined); // handled below
  await racePoint("submit.before_hold", use.accountId);
  const charged = chargeCaps(tx, pointsRequestOf(use.accountId, null, items));
  const held = holdBatch(tx, batch);
  if (isToldOfCaps) {
    const [, caps] = await Promise.all([rows, charged, held]);
    await announceCaps(tx, use.accountId, caps, { isRefused: false });
  }
  tx.commit();
  await Promise.all([rows, charged, held]);
  return {
    accepted: accepted({ ...batch, createdAt: now }, batch.tasks),
    replayed: false,
    platforms: [...new Set(items.map((item) => item.platform))],
  };
}

function accepted(
  batch: { readonly id: string; readonly createdAt: Date; readonly points: number },
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
  const { rows: batches } = await db.query<{ id: string; createdAt: Date; points: number }>(
    `select id, created_at as "createdAt", estimated_points as points from batches where account_id = $2 and id = $1`,
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

const askEveryMs = 60_000;

/**
 * The database's time, which determines when tasks start and end. This process's clock may be off; the difference is measured
 * once a minute.
 */
export class DatabaseClock {
  readonly #db: Queryable;
  #aheadMs = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async now(): Promise<Date> {
    if (performance.now() - this.#askedAt > askEveryMs) {
      const { rows } = await this.#db.query<{ now: Date }>("select now() as now");
      const [row] = rows;
      if (row !== undefined) this.#aheadMs = row.now.getTime() - Date.now();
      this.#askedAt = performance.now();
    }
    return new Date(Date.now() + this.#aheadMs);
  }
}
