import { newId } from "../../kernel/ids.ts";

/** Requests that a destination (an account's deliveries to one origin) has in flight at most, over all processes. */
export const destinationSlots = 4;
/** Of one batch: they are leased together. */
export const batchDeliveriesMax = 32;

/** A delivery that is to be queued. */
export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly origin: string;
  readonly toDefault: boolean;
  /** `held`: paused, while the account's default address is suspended. */
  readonly state: "queued" | "held";
  /** When its result expires; null: nothing in it does. */
  readonly expiresAt: string | null;
}

/** A row of `delivery_queue` to be: deliveries to one destination that are claimed, leased and ended together. */
export interface DeliveryBatch extends Omit<QueuedDelivery, "deliveryId"> {
  readonly id: string;
  readonly deliveryIds: readonly string[];
}

/**
 * Groups deliveries that are queued together by destination, so that a thousand ends are a few rows of the queue. A destination gets
 * at least as many batches as it has slots: together they are no slower than each alone.
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

/** That a delivery `d` is pending, and waits in the queue's row `q`: the batch it was queued in, or its own row since. */
export const waitsIn =
  "d.state = 'pending' and q.id = any (array[d.id, d.delivery_batch_id]) and d.id = any (q.delivery_ids)";

/** After `taken (account_id, id, batch)`, which has the queue's rows locked: takes these deliveries out of their batches. */
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
