import type { Overview } from "@querent/contract";
import type { Queryable } from "../db/index.ts";

const countedMax = 1_000;
/** Retries of all accounts lie in one queue by their time; so many of the next are looked through. */
const retriesReadMax = 10_000;

/** How an account's notifications fare; failed deliveries are those made since `from`. */
export async function readWebhookHealth(db: Queryable, accountId: string, from: Date): Promise<Overview["webhook"]> {
  // Indexes: the primary key; of delivery_queue those of each place; deliveries_undelivered, from its newest. Each is read up to a
  // bound: an account without an address has as many undelivered rows as tasks.
  const { rows } = await db.query<{
    url: string | null;
    suspended_at: Date | null;
    last_success_at: Date | null;
    failures: number;
    pending: number;
    failed: number;
  }>({
    name: "webhook health",
    text: `select w.url, w.suspended_at, w.last_success_at, w.failures,
                  least($3, (select count(*) from (select from delivery_queue where account_id = $1 and place = 'queued' limit $3) q)
                    + (select count(*) from (select from delivery_queue where account_id = $1 and place = 'held' limit $3) h)
                    + (select count(*) from (select from delivery_queue where account_id = $1 and place = 'in_flight' limit $3) f)
                    + (select count(*) from (select account_id from delivery_queue where place = 'waiting'
                                             order by next_attempt_at limit $4) r where r.account_id = $1))::int as pending,
                  (select count(*)::int from (select state, created_at from deliveries where account_id = $1 and undelivered
                                         order by id desc limit $3) u
                   where u.state = 'failed' and u.created_at >= $2) as failed
           from webhooks w where w.account_id = $1`,
    values: [accountId, from, countedMax, retriesReadMax],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`account ${accountId} has no notification settings`);
  return {
    status: row.url === null ? "unset" : row.suspended_at === null ? "active" : "suspended",
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    failuresSinceSuccess: row.failures,
    pendingDeliveries: row.pending,
    failedDeliveries: row.failed,
  };
}
