/**
 * What waits to be sent expires with the result. From that instant nothing of the answer is sent any more, and soon after nothing of it
 * is kept: the body is made anew from the record as it is then, under the same delivery id. A request under way may end.
 */
import { byteaArray, type Database, type Queryable } from "../../db/index.ts";
import { notificationBody } from "./body.ts";
import { takeOutOfBatches } from "./delivery-batches.ts";
import type { TaskRecords } from "./task-records.ts";

export interface ExpireDeps {
  readonly database: Database;
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
}

export interface ExpiredDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly taskId: string;
  readonly deliveryRevision: number;
}

/** Rows of the queue that one transaction takes: a batch has 32 deliveries at most. */
const rowsAtOnce = 20;
/** A delivery is paused so much longer than its result is kept: as long as the attempts of one that is sent may take. */
const pausedDaysMore = 3;

/** Makes the bodies anew that have expired. Those in flight are left to whoever sends them, or to the next time. */
export async function expireBodies(deps: ExpireDeps, signal?: AbortSignal): Promise<{ expired: number }> {
  let expired = 0;
  while (signal?.aborted !== true) {
    const rows = await deps.database.transaction(async (tx) => {
      // Reads the queue to its end, which is narrow: an index would have to be kept up by every end of a task.
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

/** Writes the bodies of these deliveries as their tasks are now, and returns them by the deliveries' ids. */
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
    // Index: the primary key. Locks: the deliveries, which nobody else writes while somebody has their row of the queue locked or claimed.
    await deps.database.query(
      `update deliveries d set body = e.body, expires_at = null
         from unnest($2::uuid[], $3::bytea[]) as e(id, body)
        where d.account_id = $1 and d.id = e.id and d.state = 'pending'`,
      [accountId, made.map(({ id }) => id), byteaArray(made.map(({ body }) => body))],
    );
  }
  return bodies;
}

/**
 * Gives up deliveries that have been paused for too long, since their address is suspended: `retentionDays` and three more from when they were made. They
 * end `failed`, and may be redelivered like any other.
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
