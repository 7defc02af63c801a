import { newId } from "../../kernel/ids.ts";
import { laneSlots } from "./claim.ts";

/** Of one bundle. Their bodies wait in memory together. */
export const bundleRowsMax = 32;

/** A delivery that is to be queued. */
export interface Queued {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly origin: string;
  readonly toDefault: boolean;
  readonly place: "queued" | "held";
  /** When its result expires; null: nothing in it does. */
  readonly expiresAt: string | null;
}

/** A row of `delivery_queue` to be: what is claimed, leased and ended together. */
export interface Bundle extends Omit<Queued, "deliveryId"> {
  readonly id: string;
  readonly deliveryIds: readonly string[];
}

/**
 * Deliveries of one lane that are queued together are bundled, so that the queue has a few rows where a thousand ends have come.
 * Not into fewer bundles than the lane has slots: bundled they are no slower than each alone.
 */
export function bundleUp(queued: readonly Queued[]): Bundle[] {
  const lanes = Map.groupBy(queued, (one) => `${one.accountId} ${one.origin} ${one.toDefault} ${one.place}`);
  return [...lanes.values()].flatMap((lane) => {
    const count = Math.max(Math.min(laneSlots, lane.length), Math.ceil(lane.length / bundleRowsMax));
    const start = (nth: number) => Math.floor((nth * lane.length) / count);
    return Array.from({ length: count }, (_, nth) => lane.slice(start(nth), start(nth + 1))).flatMap(bundleOf);
  });
}

function bundleOf(queued: readonly Queued[]): Bundle[] {
  const [first, ...others] = queued;
  if (first === undefined) return [];
  const { deliveryId, ...lane } = first;
  const id = others.length === 0 ? deliveryId : newId();
  const expiresAt = queued.flatMap((one) => one.expiresAt ?? []).sort()[0] ?? null;
  return [{ ...lane, id, deliveryIds: queued.map((one) => one.deliveryId), expiresAt }];
}

/** That a delivery `d` is pending, and waits in the queue's row `q`: the one it was queued with, or its own since. */
export const waitsIn = "d.state = 'pending' and q.id = any (array[d.id, d.bundle_id]) and d.id = any (q.delivery_ids)";
