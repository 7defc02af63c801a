import type { Database, Transaction } from "../../db/index.ts";
import { capWarnings, readConcernedCaps, type ConcernedCap, type PointsRequest } from "../../points/index.ts";
import { announceEvent, subscribesTo } from "../../webhooks/index.ts";

/**
 * Tells an account which of its caps a submission has nearly used up, in the transaction that holds the points. After the hold:
 * see `announceEvent`. The key of an announcement contains the limit, so that a changed cap begins anew.
 */
export async function announceCaps(
  tx: Transaction,
  accountId: string,
  caps: readonly ConcernedCap[],
  { isRefused }: { readonly isRefused: boolean },
): Promise<void> {
  for (const data of caps.flatMap((cap) => capWarnings(cap, isRefused))) {
    const { kind, period, periodStart, limitPoints, thresholdPercent } = data;
    const subject = [kind, period, periodStart, limitPoints, thresholdPercent, data.subject ?? ""].join(" ");
    await announceEvent(tx, { accountId, type: "cap.reached", subject, data });
  }
}

/** Tells an account that a submission was refused because of its caps: a transaction of its own, since nothing else was written. */
export async function announceRefusal(database: Database, request: PointsRequest): Promise<void> {
  const { accountId } = request;
  if (!(await subscribesTo(database, accountId, "cap.reached"))) return;
  await database.transaction(async (tx) =>
    announceCaps(tx, accountId, await readConcernedCaps(tx, request), { isRefused: true }),
  );
}
