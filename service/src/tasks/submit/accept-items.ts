import { dispatchChannel } from "../../dispatch/index.ts";
import type { Database, Transaction } from "../../db/index.ts";
import { chargeCaps } from "../../points/index.ts";
import { announceCaps } from "./announce-caps.ts";
import { holdBatch, insertBatch, newBatch, pointsRequestOf, type BatchOrigin } from "./accept-batch.ts";
import type { AcceptableItem } from "./read-items.ts";

export interface AcceptedBatch {
  readonly id: string;
  /** In the order of the items. */
  readonly taskIds: readonly string[];
}

export interface AcceptedItems {
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
  origin: BatchOrigin & { readonly panelId: string; readonly batchItemsMax: number; readonly runPointsBefore?: number },
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
          ...pointsRequestOf(origin.accountId, origin.panelId, items),
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
