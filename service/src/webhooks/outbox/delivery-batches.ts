import { newId } from "../../kernel/ids.ts";

/** The maximum of requests in flight for a destination (an account's deliveries to one origin), over all processes. */
export const destinationSlots = 4;
/** The maximum of deliveries in a batch, which are leased together. */
export const batchDeliveriesMax = 32;

/** A delivery to be queued. */
export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly origin: string;
  readonly toDefault: boolean;
  /** `held`: paused while the account's default address is suspended. */
  readonly state: "queued" | "held";
  /** When its result expires; null if it contains nothing that expires. */
  readonly expiresAt: string | null;
}

/**
 * A row to be inserted into `delivery_queue`: deliveries to one destination that are claimed, leased and completed together.
 */
export interface DeliveryBatch extends Omit<QueuedDelivery, "deliveryId"> {
  readonly id: string;
  readonly deliveryIds: readonly string[];
}

/**
 * Groups deliveries that are queued together by destination, so that a thousand ends need only a few rows of the queue. A
 * destination gets at least as many batches as it has slots, so that batching does not slow it down.
 */
export function groupIntoBatches(queued: readonly QueuedDelivery[]): DeliveryBatch[] {
  const destinations = Map.groupBy(queued, (one) => `${one.accountId} ${one.origin} ${one.toDefault} ${one.state}`);
  return [...destinations.values()].flatMap((deliveries) => {
    const { length } = deliveries;
    const count = Math.max(Math.min(destinationSlots, length), Math.ceil(length / batchDeliveriesMax));
    const start = (nth: number) => Math.floor((nth * length) / count);
    return Array.from({ length: count }, (_, nth) => deliveries.slice(start(nth), start(nth + 1))).flatMap(batchOf);
  });
}

function batchOf(queued: readonly QueuedDelivery[]): DeliveryBatch[] {
  const [first, ...others] = queued;
  if (first === undefined) return [];
  const { deliveryId, ...destination } = first;
  const id = others.length === 0 ? deliveryId : newId();
  const expiresAt = queued.flatMap((one) => one.expiresAt ?? []).sort()[0] ?? null;
  return [{ ...destination, id, deliveryIds: queued.map((one) => one.deliveryId), expiresAt }];
}

/**
 * Condition: a delivery `d` is pending and belongs to the queue's row `q`, either as part of its original batch or in a row of
 * its own.
 */
export const waitsIn =
  "d.state = 'pending' and q.id = any (array[d.id, d.delivery_batch_id]) and d.id = any (q.delivery_ids)";

/**
 * Follows a CTE `taken (account_id, id, batch)` that has the queue's rows locked; removes these deliveries from their batches.
 */
export const takeOutOfBatches = `batch as (
       select batch as id, array_agg(id) as taken from taken group by batch
     ), left_over as (
       update delivery_queue q
          set delivery_ids = array(select u.id from unnest(q.delivery_ids) with ordinality as u(id, nth)
                                    where u.id <> all (b.taken) order by u.nth)
         from batch b where q.id = b.id and not q.delivery_ids <@ b.taken
     ), emptied as (
       delete from delivery_queue q using batch b where q.id = b.id and q.delivery_ids <@ b.taken
     )`;
