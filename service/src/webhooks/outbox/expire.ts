/**
 * A waiting delivery expires with its result. From then on nothing of the answer is sent, and soon afterwards nothing of it is
 * stored: the body is rebuilt from the record as it is then, under the same delivery id. A request in flight may complete.
 */
import { rowsAs, type Database, type Queryable } from "../../db/index.ts";
import { notificationBody, type TaskRecords } from "./outbox.ts";
import { takeOutOfBatches } from "./delivery-turns.ts";

export interface ExpireDeps {
  readonly database: Database;
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
}

interface ExpiredDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly taskId: string;
  readonly deliveryRevision: number;
}

/** Rows of the queue per transaction: a batch has at most 32 deliveries. */
const rowsAtOnce = 20;
/** A delivery may stay paused this much longer than its result is retained: as long as the retry schedule lasts. */
const pausedDaysMore = 3;

const bodyRows = rowsAs<{ readonly id: string; readonly body: Buffer }>("e", {
  id: ["uuid", (delivery) => delivery.id],
  body: ["bytea", (delivery) => delivery.body],
});

/** Rebuilds the bodies that have expired. Those in flight are left to their sender, or to the next run. */
export async function expireBodies(deps: ExpireDeps, signal?: AbortSignal): Promise<{ expired: number }> {
  let expired = 0;
  while (signal?.aborted !== true) {
    const rows = await deps.database.transaction(async (tx) => {
      // Reads the whole queue, which is narrow. An index would have to be updated by every end of a task.
      // Locks: rows of `delivery_queue` that nobody has claimed, then their deliveries.
      const { rows: taken } = await tx.query<ExpiredDelivery>(
        `with q as materialized (
           select id, account_id, delivery_ids from delivery_queue
            where expires_at <= now() and state <> 'in_flight' limit ${rowsAtOnce} for update skip locked
         ), done as (
           update delivery_queue set expires_at = null
             from q where delivery_queue.id = q.id
         )
         select d.id, d.account_id as "accountId", d.task_id as "taskId", d.delivery_revision as "deliveryRevision"
           from q join deliveries d on d.account_id = q.account_id and d.id = any (q.delivery_ids) and d.state = 'pending'`,
      );
      await rewriteBodies({ ...deps, database: tx }, taken);
      return taken.length;
    });
    expired += rows;
    if (rows === 0) break;
  }
  return { expired };
}

/** Rebuilds the bodies of these deliveries from their tasks as they are now, and returns them by delivery id. */
export async function rewriteBodies(
  deps: Omit<ExpireDeps, "database"> & { readonly database: Queryable },
  deliveries: readonly ExpiredDelivery[],
): Promise<ReadonlyMap<string, Buffer>> {
  const bodies = new Map<string, Buffer>();
  for (const [accountId, own] of Map.groupBy(deliveries, (delivery) => delivery.accountId)) {
    const taskIds = own.map(({ taskId }) => taskId);
    const records = await deps.records.read(deps.database, accountId, taskIds);
    const made = own.flatMap((delivery) => {
      const record = records.get(delivery.taskId);
      return record === undefined
        ? []
        : [{ id: delivery.id, body: notificationBody(record, delivery.deliveryRevision, deps.bodyBytesMax) }];
    });
    for (const { id, body } of made) bodies.set(id, body);
    // Index: the primary key. Locks: the deliveries, which nobody else writes while their row of the queue is locked or
    // claimed.
    await deps.database.query(
      `update deliveries d set body = e.body, expires_at = null
         from ${bodyRows.after(1)}
        where d.account_id = $1 and d.id = e.id and d.state = 'pending'`,
      [accountId, ...bodyRows.values(made)],
    );
  }
  return bodies;
}

/**
 * Gives up deliveries that have been paused for too long because their address is suspended: `retentionDays` plus three days
 * after they were created. They end as `failed`, and can be redelivered like any other.
 */
export async function endPaused(
  database: Database,
  retentionDays: number,
  signal?: AbortSignal,
): Promise<{ ended: number }> {
  let ended = 0;
  while (signal?.aborted !== true) {
    // Index: delivery_queue_held. Locks: rows of `delivery_queue` that nobody has claimed, then their deliveries.
    const { rowCount } = await database.query(
      `with taken as materialized (
         select d.account_id, d.id, q.id as batch
           from (select id, account_id, delivery_ids from delivery_queue where state = 'held' for update skip locked) q
           join deliveries d on d.account_id = q.account_id and d.id = any (q.delivery_ids)
          where d.state = 'pending' and d.created_at < now() - $1 * interval '1 day' limit 1000
       ), ${takeOutOfBatches}
       update deliveries d set state = 'failed', end_reason = 'endpoint_suspended', body = null, expires_at = null, finished_at = now()
         from taken where d.account_id = taken.account_id and d.id = taken.id`,
      [retentionDays + pausedDaysMore],
    );
    ended += rowCount ?? 0;
    if ((rowCount ?? 0) === 0) break;
  }
  return { ended };
}
