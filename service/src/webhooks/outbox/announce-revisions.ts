import type { Transaction } from "../../db/index.ts";
import { takeOutOfBatches, waitsIn } from "./delivery-batches.ts";
import { writeDeliveries, type OutboxOptions, type FinishedTask } from "./outbox.ts";

/**
 * Called first in a transaction that creates further deliveries of an account's tasks. It serializes such transactions, so that
 * the latest delivery of a task is known while the next one is created.
 */
export async function lockFurtherDeliveries(tx: Transaction, accountId: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('redeliver ' || $1, 0))", [accountId]);
}

/**
 * Announces new results of tasks that had already ended, in the transaction that stores them. Each gets one delivery with the
 * task's next `deliveryRevision`, to the address that the end was sent to or would be sent to now, and an event in the feed. A
 * delivery of the former result that is still waiting is superseded; one that is being sent is left alone.
 *
 * The caller has called `lockFurtherDeliveries` first, and has the tasks' rows locked. Locks: the account's row, under which
 * the feed's numbers are assigned (see outbox.ts), then rows of `delivery_queue` that nobody has claimed, and their deliveries.
 */
export async function announceRevisions(
  tx: Transaction,
  accountId: string,
  revised: readonly Omit<FinishedTask, "accountId" | "deliveryRevision">[],
  options: OutboxOptions = {},
): Promise<void> {
  await lockAccount(tx, accountId);
  const taskIds = revised.map(({ taskId }) => taskId);
  // Index: the unique one on task and revision.
  const { rows } = await tx.query<{ task_id: string; latest: number }>(
    `select task_id, max(delivery_revision) as latest from deliveries
      where account_id = $2 and task_id = any($1::uuid[]) group by task_id`,
    [taskIds, accountId],
  );
  const latest = new Map(rows.map((row) => [row.task_id, row.latest]));
  await supersedeWaiting(tx, accountId, taskIds);
  await writeDeliveries(
    tx,
    revised.map((task) => ({
      ...task,
      accountId,
      // Every revision was announced, even if its deliveries have been deleted since.
      deliveryRevision: Math.max(latest.get(task.taskId) ?? 0, task.record.revision - 1) + 1,
    })),
    options,
  );
}

/** Locks the account's row, under which events get their numbers: see outbox.ts. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query("select 1 from accounts where id = $1 for no key update", [accountId]);
}

/**
 * Supersedes the waiting deliveries of these tasks. If a claim locks a row first, the delivery is in flight and is left alone.
 */
export async function supersedeWaiting(tx: Transaction, accountId: string, taskIds: readonly string[]): Promise<void> {
  await tx.query(
    `with taken as materialized (
       select d.account_id, d.id, q.id as batch from deliveries d join delivery_queue q on ${waitsIn}
        where d.account_id = $2 and d.task_id = any($1::uuid[]) and q.state in ('queued', 'waiting', 'held')
          for update of q
     ), ${takeOutOfBatches}
     update deliveries d set state = 'superseded', body = null, finished_at = now()
       from taken where d.account_id = taken.account_id and d.id = taken.id`,
    [taskIds, accountId],
  );
}
